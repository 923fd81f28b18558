// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/mutex.h"
#include "core/graph/plan.h"
#include "core/measure/run_observer.h"
#include "core/store/run_store.h"

namespace millrace {

/// Labels that the user gives to a run.
struct RunLabels {
  std::string experiment = "default";
  std::string name;
  std::vector<std::string> tags;
};

/// All settings of a plan's pipeline in the store's form, including defaults.
std::vector<SettingRecord> settingsOf(const Plan& plan);
SettingValue settingValueOf(const Value& value);

/// Records a run in the store while it is running, on a separate thread so that a slow disk does
/// not delay the run. If the store fails, the run continues, and `close` returns the first error
/// (docs/reference/store.md). Observer calls must not overlap.
class StoreRecorder final : public RunObserver {
 public:
  /// Begins the run in the store; an error if that is not possible.
  static Result<std::unique_ptr<StoreRecorder>> begin(
      const std::filesystem::path& file, const RunLabels& labels, const Plan& plan,
      const std::string& pipelineName, const std::string& pipelineJson,
      const std::vector<std::pair<std::string, std::string>>& environment);
  /// The same for a run without a plan; `queues` are the ids of its queues.
  static Result<std::unique_ptr<StoreRecorder>> begin(const std::filesystem::path& file,
                                                      const NewRun& run,
                                                      const std::vector<std::string>& queues);
  /// Continues a run of that file that RunStore::resumeRun has set to "running".
  static Result<std::unique_ptr<StoreRecorder>> goOn(const std::filesystem::path& file,
                                                     RunNumber run, const Plan& plan);
  /// The same for a run that another process measures; `queues` are the ids of its queues.
  static Result<std::unique_ptr<StoreRecorder>> goOn(const std::filesystem::path& file,
                                                     RunNumber run,
                                                     const std::vector<std::string>& queues);
  ~StoreRecorder() override;

  RunNumber run() const { return m_run; }

  void onPhase(const RunPhase& phase) override;
  void onSnapshot(const RunSnapshot& snapshot) override;
  void onWindow(std::size_t repeat, const RateWindow& window) override;
  void onFailures(const std::vector<FailedSample>& failures, std::uint64_t total) override;
  void onRepeat(std::size_t repeat, const SpanFigures& figures) override;
  /// Signals that the run continues, if there are no snapshots.
  void heartbeat();
  /// Figures of the current repeat and of the run so far; later calls and `finish` replace both.
  void soFar(const SpanFigures& repeat, const SpanFigures& run);
  void addEnvironment(std::vector<KeyValue> facts);
  /// Records the end of the run.
  void finish(const RunResult& result);
  /// Waits until everything is in the file. Call it last; the error says why something is missing.
  Status close();

 private:
  using Job = std::function<Status(RunStore&)>;
  /// Points not yet written to the store.
  struct Series {
    std::string metric;
    std::vector<SeriesPoint> points;
  };

  StoreRecorder(RunStore store, RunNumber run, const std::vector<std::string>& queues);
  void push(Job job);
  void loop();
  void addPoint(std::size_t series, double seconds, double value);
  void addFillPoints(const RunSnapshot& snapshot);
  void addFlowPoints(const RunSnapshot& snapshot);
  void addGpuPoints(const RunSnapshot& snapshot);
  void flushSeries();
  Status writeRepeat(RunStore& store, const SpanFigures& figures);

  const RunNumber m_run;
  // Used by the observer calls.
  std::size_t m_repeat = 0;
  bool m_repeatBegun = false;
  std::vector<Series> m_series;
  std::size_t m_flowSeries = 0;  ///< index of the first one; they are in flowSpecs' order
  std::size_t m_gpuSeries = 0;   ///< index of the first GPU series; they are in gpuFields' order
  std::size_t m_snapshots = 0;
  std::optional<RunSnapshot> m_last;
  // Used by the writer thread.
  RunStore m_store;
  std::optional<RepeatId> m_repeatId;
  Status m_kept;  ///< the first error

  Mutex m_mutex;
  Condition m_changed;
  std::deque<Job> m_jobs MILLRACE_GUARDED_BY(m_mutex);
  bool m_closing MILLRACE_GUARDED_BY(m_mutex) = false;
  std::thread m_thread;
};

}  // namespace millrace
