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
#include "core/loader/pipeline_request.h"
#include "core/loader/training_recorder.h"
#include "core/run/executor.h"

namespace millrace {

struct LoaderOptions {
  PipelineRequest request;
  std::optional<LoaderShard> shard;
  LoaderPlace place;
  FailureLimit failureLimit;
  /// Batches that may be out at once, for however long, while the engine goes on as `millrace run`
  /// would. Each further one costs it a slot; with none left it waits.
  std::size_t held = 2;
  /// Keep the training in a store while it goes on.
  std::optional<TrainingRecord> record;
  const Clock* clock = &steadyClock();
};

/// Why a loader did not do what it was asked.
enum class LoaderFault : std::uint8_t {
  Input,  ///< the pipeline, its data or a setting
  Run,    ///< the run ended: too many samples failed, a library gave up
  State,  ///< a state that is none, or of another pipeline or data set
  Use,    ///< called as it must not be: closed, two threads at once
};

struct LoaderError {
  LoaderFault fault = LoaderFault::Input;
  std::string message;
};

/// The engine as a program's own loader: hands out batch after batch, epoch after epoch, and can
/// begin again from any of them. Monitor: any thread, but one at a time may wait in `next`.
class Loader {
 public:
  /// Opens the data and takes the batches' memory; threads start with the first `next`. Nothing:
  /// `error` says why, every problem of the pipeline a line.
  static std::unique_ptr<Loader> open(const LoaderOptions& options, LoaderError& error);
  /// Joins the threads. Batches that are out stay readable.
  ~Loader();
  /// Drops what is in the making; a thread that waits in `next` fails, and so do later calls of it.
  void close();

  enum class Next : std::uint8_t {
    Batch,
    EpochEnd,  ///< every batch of the epoch was handed out; the next call begins the next epoch
    Timeout,
    Held,  ///< likewise, because every slot is out
    Failed,
  };
  /// Waits until `until` at most.
  Next next(SteadyTime until, LoanedBatch& batch, LoaderError& error);

  /// The next batch is the first of this epoch. Nothing to do, and free, where it already is.
  bool setEpoch(std::uint32_t epoch, LoaderError& error);

  /// What `restore` takes: the place, the pipeline as far as batches depend on it, and what tells
  /// the data. JSON, one line. The first call reads the names of all samples.
  std::string state();
  /// The next batch is the one that was next when the state was taken. A state that is damaged, or
  /// of other batches (another seed, shard, node, setting or data set), is refused with what
  /// differs, and nothing changes. Threads, queues, caches and the place of the data may differ.
  bool restore(const std::string& state, LoaderError& error);

  struct EpochSize {
    std::uint64_t batches = 0;
    std::uint64_t samples = 0;
  };
  /// Looks through the rest of the data first, where a large container is not yet: minutes, in
  /// which `next` may wait. Nothing behind a failed begin.
  std::optional<EpochSize> epochSize();

  /// JSON: `batches` and `samples` an epoch (null before they are known), `batch_size`, `seed`,
  /// `device` (LoaderPlace), `epoch` and `batch` that come next, `fields` (`name dtype shape` of a
  /// full batch, null where unknown, `layout role classes`), `classes`, `plan` (lines), `warnings`,
  /// `pipeline` (the document).
  std::string describe() const;
  /// JSON: the figures of `millrace run --json` since the loader began (anew by a jump of setEpoch
  /// or restore), where a step is what the program did between two batches. `run_id` is that of the
  /// kept training, null where none is kept.
  std::string stats();
  /// JSON: `total`, and `failures` (`sample reason`) from position `from` on.
  std::string failures(std::size_t from) const;
  std::uint64_t failedSamples() const;

 private:
  struct Place {
    std::uint32_t epoch = 0;
    std::uint64_t batch = 0;
    bool operator==(const Place&) const = default;
  };

  Loader(const LoaderOptions& options, std::shared_ptr<Device> device, PreparedPipeline prepared,
         std::vector<std::string> warnings);
  Status makeCaches();
  /// Whether the store that the options name can be written.
  Status openRecord();
  Status begin(Place place) MILLRACE_REQUIRES(m_mutex);
  /// Of next, when no batch came.
  Next noBatch(const LoaderSession* session, LoaderError& error);
  bool goTo(Place place, LoaderFault fault, LoaderError& error) MILLRACE_REQUIRES(m_mutex);
  /// Why no run can begin there; empty: it can.
  std::string refusal(Place place) const MILLRACE_REQUIRES(m_mutex);
  EpochSize sizeOf(std::uint64_t samples) const;
  /// Of an epoch, where it is known.
  std::optional<EpochSize> knownSize() const MILLRACE_REQUIRES(m_mutex);
  bool isAtEnd() const MILLRACE_REQUIRES(m_mutex);
  std::shared_ptr<LoaderSession> asked(LoanedBatch& pending);
  Next handOut(LoanedBatch taken, LoanedBatch& batch);
  bool atEpochEnd();
  /// The place of the next batch: behind an epoch's last one that is the next epoch's first.
  Place coming() const MILLRACE_REQUIRES(m_mutex);
  LoaderState stateNow() MILLRACE_REQUIRES(m_mutex);
  void keepFailures() MILLRACE_REQUIRES(m_mutex);

  // Constant after `open`.
  const LoaderOptions m_options;
  const std::shared_ptr<Device> m_device;    ///< nullptr: batches come in usual memory
  const std::shared_ptr<DeviceUser> m_user;  ///< as m_device
  const std::shared_ptr<const PreparedPipeline> m_prepared;
  const std::vector<std::string> m_warnings;
  std::shared_ptr<const CacheSet> m_caches;
  std::unique_ptr<TrainingRecorder> m_recorder;

  std::atomic<bool> m_waiting{false};  ///< a thread is in `next`

  mutable Mutex m_mutex;
  std::shared_ptr<LoaderSession> m_session MILLRACE_GUARDED_BY(m_mutex);
  bool m_started MILLRACE_GUARDED_BY(m_mutex) = false;  ///< the session's threads run
  Place m_place MILLRACE_GUARDED_BY(m_mutex);
  mutable std::uint64_t m_epochSamples MILLRACE_GUARDED_BY(m_mutex) = 0;  ///< 0: not known yet
  /// Of a later epoch than the one that ends: batches in which every sample failed do not come.
  LoanedBatch m_pending MILLRACE_GUARDED_BY(m_mutex);
  bool m_closed MILLRACE_GUARDED_BY(m_mutex) = false;
  std::string m_data MILLRACE_GUARDED_BY(m_mutex);
  std::vector<FailedSample> m_failures MILLRACE_GUARDED_BY(m_mutex);  ///< of earlier sessions
  std::uint64_t m_failedSamples MILLRACE_GUARDED_BY(m_mutex) = 0;
};

}  // namespace millrace
