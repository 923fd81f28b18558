// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/mutex.h"
#include "core/measure/measured_run.h"
#include "core/own_loader/loader_lines.h"
#include "core/own_loader/own_loader.h"

namespace millrace {

/// What the first repeat showed of the user's loader. Value.
struct LoaderFacts {
  LoaderReady ready;
  LoaderFirst first;
};

/// Is notified of a measured loader. The functions of RunObserver are called as MeasuredRun calls
/// them; there is no onBatch, onTrace and onFailures.
class LoaderRunObserver : public RunObserver {
 public:
  /// The first batch of the first repeat has come. On the sampling thread, before all others.
  virtual void onLoader(const LoaderFacts&) {}
};

/// The nodes of a loader's figures, all of whose items are batches: the steps inside it, or
/// `fetch`, waiting for a batch, where those cannot be seen; then the emulated step, if there is
/// one.
struct LoaderNodes {
  std::vector<std::string> ids;
  std::size_t inside = 0;  ///< of these, how many are steps inside the loader
};
inline constexpr const char* kFetchNode = "fetch";
inline constexpr const char* kStepNode = "step";
LoaderNodes nodesOf(const OwnLoader& loader, const LoaderFirst& first);

/// Measures a user's loader as MeasuredRun measures a pipeline. Each repeat is a new process of the
/// user's interpreter (resources/own_python), which ends with everything that it has started, also
/// if this process is killed. Warm-up begins with the first batch; without a warm-up, the measured
/// span begins when the loader has been made. `run` once, on one thread; `stop` from any.
class LoaderRun {
 public:
  /// Of the settings, those for time, batches, repeats, `awaitCores` and `gpu` apply. The observer
  /// must outlive this object.
  LoaderRun(OwnLoader loader, const MeasureSettings& settings, LoaderRunObserver& observer);
  ~LoaderRun();

  /// An error if no batch came: a sentence, then lines with the user's frames. A loader that fails
  /// later is a result with its outcome.
  Result<RunResult> run();
  /// Ends the loader's process; the results so far count. Any thread, also before `run`.
  void stop();
  /// What ended a span early, as a sentence: "it ended after 20 batches ..."; empty if nothing did.
  const std::string& endedEarly() const { return m_endedEarly; }
  /// The first epoch, if one ended during the run. After `run`.
  const std::optional<LoaderEpoch>& epoch() const { return m_epoch; }
  /// Of the last repeat; nullopt if it had no batch. After `run`.
  struct Shares {
    double wait = 0;          ///< of all time, from 0 to 1: waiting for batches
    double start = 0;         ///< of all time: until the first batches of epochs after the first
    double startSeconds = 0;  ///< mean of those; 0 if no such epoch began
    /// Of all batches: none lay in the queue between workers and program when it was asked for.
    std::optional<double> queueEmpty;
  };
  const std::optional<Shares>& shares() const { return m_shares; }

 private:
  class Repeat;

  Status runRepeat(std::size_t index, RunResult& result);
  bool stopped() MILLRACE_EXCLUDES(m_mutex);

  const OwnLoader m_loader;
  const MeasureSettings m_settings;
  LoaderRunObserver& m_observer;
  std::optional<LoaderNodes> m_nodes;  ///< once the first repeat has had its first batch
  std::string m_endedEarly;
  std::optional<LoaderEpoch> m_epoch;
  std::optional<Shares> m_shares;

  Mutex m_mutex;
  Repeat* m_repeat MILLRACE_GUARDED_BY(m_mutex) = nullptr;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
};

}  // namespace millrace
