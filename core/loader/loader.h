// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "core/loader/device_user.h"
#include "core/loader/loader_place.h"
#include "core/loader/loader_shard.h"
#include "core/loader/loader_state.h"
#include "core/loader/loaned_batch.h"
#include "core/loader/training_recorder.h"
#include "core/open/pipeline_request.h"
#include "core/run/executor.h"

namespace millrace {

struct LoaderOptions {
  PipelineRequest request;
  std::optional<LoaderShard> shard;
  LoaderPlace place;
  FailureLimit failureLimit;
  /// How many batches the program may hold at the same time while the engine runs as in `millrace
  /// run`. Each one beyond takes a slot from the engine; without a free slot the engine waits.
  std::size_t held = 2;
  /// Records the training in a run store while it runs.
  std::optional<TrainingRecord> record;
  const Clock* clock = &steadyClock();
};

/// The kind of failure of a loader call.
enum class LoaderFault : std::uint8_t {
  Input,  ///< the pipeline, its data or a setting
  Run,    ///< the run ended: too many samples failed, or a library failed
  State,  ///< not a state, or a state of another pipeline or data set
  Use,    ///< invalid call: the loader is closed, or two threads call at once
};

struct LoaderError {
  LoaderFault fault = LoaderFault::Input;
  std::string message;
};

/// The engine as a data loader for a program: delivers batches epoch after epoch, and can start at
/// any batch. Thread-safe, but only one thread at a time may wait in `next`.
class Loader {
 public:
  /// Opens the data and allocates the batches; threads start with the first `next`. On failure
  /// returns nullptr, and `error` holds the pipeline's problems, one per line.
  static std::unique_ptr<Loader> open(const LoaderOptions& options, LoaderError& error);
  /// Joins the threads. Batches that the program still holds stay valid.
  ~Loader();
  /// Discards unfinished work; a waiting `next` and all later ones fail.
  void close();

  enum class Next : std::uint8_t {
    Batch,
    EpochEnd,  ///< all batches of the epoch were delivered; the next call starts the next epoch
    Timeout,
    Held,  ///< timeout because the program holds every slot
    Failed,
  };
  /// Waits for the next batch, until `until` at most. On `Failed` `error` says why.
  Next next(SteadyTime until, LoanedBatch& batch, LoaderError& error);

  /// Continues with this batch of this epoch, both counted from 0. Costs nothing if it comes next
  /// anyway; no sample of the batches before it is read.
  bool setPosition(std::uint32_t epoch, std::uint64_t batch, LoaderError& error);

  /// The position, the pipeline as far as batches depend on it, and a digest of the data, for
  /// `restore`. One line of JSON. The first call reads the names of all samples, and waits until
  /// their number is known.
  std::string state();
  /// Continues with the sample that was next when the state was taken. A state that is damaged or
  /// belongs to other batches (different seed, node, parameter or data set) is refused with the
  /// differences, and nothing changes. Threads, queues, caches, paths of the data, and, unless an
  /// order node follows the shard node, the size of batches and the number of processes may differ:
  /// then all processes together continue with the samples of the epoch that none of them had
  /// delivered, if each had delivered the same number of batches.
  bool restore(const std::string& state, LoaderError& error);

  struct EpochSize {
    std::uint64_t batches = 0;
    std::uint64_t samples = 0;
  };
  /// Waits until the number of samples is known, which for a large container may mean minutes of
  /// reading; `next` may run meanwhile. nullopt after a failed restart.
  std::optional<EpochSize> epochSize();

  /// JSON: `batches` and `samples` per epoch (null while unknown), `batch_size`, `seed`, `device`
  /// (LoaderPlace), the next `epoch` and `batch`, `fields` (`name dtype shape` of a full batch,
  /// null where unknown, `layout role classes`), `classes`, `plan` (lines), `warnings`, `pipeline`
  /// (the document).
  std::string describe() const;
  /// JSON: the figures of `millrace run --json` since the loader started or since a jump by
  /// `setEpoch` or `restore`. A step is what the program does between two batches. `run_id` is that
  /// of the recorded training, null if none is recorded.
  std::string stats();
  /// JSON: `total`, and `failures` (`sample reason`) starting at position `from`.
  std::string failures(std::size_t from) const;
  std::uint64_t failedSamples() const;

 private:
  struct Place {
    std::uint32_t epoch = 0;
    std::uint64_t batch = 0;
    std::uint64_t offset = 0;  ///< OrderLimits::startOffset
    bool operator==(const Place&) const = default;
  };

  Loader(const LoaderOptions& options, std::shared_ptr<Device> device, PreparedPipeline prepared,
         std::vector<std::string> warnings);
  Status makeCaches();
  /// Reports early if the run store of the options cannot be written.
  Status openRecord();
  Status begin(Place place) MILLRACE_REQUIRES(m_mutex);
  /// The result of `next` when no batch came.
  Next noBatch(const LoaderSession* session, LoaderError& error);
  bool goTo(Place place, LoaderFault fault, LoaderError& error) MILLRACE_REQUIRES(m_mutex);
  /// Why no run can start there; empty if one can. `mayEnd`: it may be the end of the epoch.
  std::string refusal(Place place, bool mayEnd) const MILLRACE_REQUIRES(m_mutex);
  /// The position at which the epoch has delivered so many samples of all processes.
  Place placeOf(std::uint32_t epoch, std::uint64_t samples) const;
  EpochSize sizeOf(std::uint64_t samples) const;
  /// The size of a whole epoch, if known.
  std::optional<EpochSize> knownSize() const MILLRACE_REQUIRES(m_mutex);
  /// The number of batches in the current epoch, which may have begun in the middle; if known.
  std::optional<std::uint64_t> knownBatches() const MILLRACE_REQUIRES(m_mutex);
  bool isAtEnd() const MILLRACE_REQUIRES(m_mutex);
  std::shared_ptr<LoaderSession> asked(LoanedBatch& pending);
  Next handOut(LoanedBatch taken, LoanedBatch& batch);
  bool atEpochEnd();
  /// The position of the next batch; after the last batch of an epoch it is the next epoch's first.
  Place nextPlace() const MILLRACE_REQUIRES(m_mutex);
  LoaderState stateNow() MILLRACE_REQUIRES(m_mutex);
  void keepFailures() MILLRACE_REQUIRES(m_mutex);

  // Constant after `open`.
  const LoaderOptions m_options;
  const std::shared_ptr<Device> m_device;    ///< nullptr: batches are in ordinary memory
  const std::shared_ptr<DeviceUser> m_user;  ///< nullptr like m_device
  const std::shared_ptr<const PreparedPipeline> m_prepared;
  const std::vector<std::string> m_warnings;
  const std::uint64_t m_stride;  ///< samples in one batch of each process
  std::shared_ptr<const CacheSet> m_caches;
  std::unique_ptr<TrainingRecorder> m_recorder;

  std::atomic<bool> m_waiting{false};  ///< a thread is inside `next`

  mutable Mutex m_mutex;
  std::shared_ptr<LoaderSession> m_session MILLRACE_GUARDED_BY(m_mutex);
  bool m_started MILLRACE_GUARDED_BY(m_mutex) = false;  ///< the session's threads are running
  Place m_place MILLRACE_GUARDED_BY(m_mutex);
  mutable std::uint64_t m_epochSamples MILLRACE_GUARDED_BY(m_mutex) = 0;  ///< 0: still unknown
  /// A batch of a later epoch than the current one: batches in which every sample failed are
  /// skipped.
  LoanedBatch m_pending MILLRACE_GUARDED_BY(m_mutex);
  bool m_closed MILLRACE_GUARDED_BY(m_mutex) = false;
  std::string m_data MILLRACE_GUARDED_BY(m_mutex);
  std::vector<FailedSample> m_failures MILLRACE_GUARDED_BY(m_mutex);  ///< from earlier sessions
  std::uint64_t m_failedSamples MILLRACE_GUARDED_BY(m_mutex) = 0;
};

}  // namespace millrace
