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
#include "core/run/run_observer.h"
#include "core/store/run_store.h"

namespace millrace {

/// How a person names a run.
struct RunLabels {
  std::string experiment = "default";
  std::string name;
  std::vector<std::string> tags;
};

/// All settings of a plan's pipeline as the store keeps them, defaults included.
std::vector<SettingRecord> settingsOf(const Plan& plan);
SettingValue settingValueOf(const Value& value);

/// Keeps a run in the store while it goes on, from a thread of its own so that a slow disk never
/// holds the run up. The first thing that the store refuses is said once on standard error; the
/// run goes on (DESIGN §6). The observer calls come one at a time.
class StoreRecorder final : public RunObserver {
 public:
  /// Begins the run in the store. The error: nothing can be kept.
  static Result<std::unique_ptr<StoreRecorder>> begin(
      const std::filesystem::path& file, const RunLabels& labels, const Plan& plan,
      const std::string& pipelineName, const std::string& pipelineJson,
      const std::vector<std::pair<std::string, std::string>>& environment);
  /// Goes on with a run of that file that RunStore::resumeRun has made "running" again.
  static Result<std::unique_ptr<StoreRecorder>> goOn(const std::filesystem::path& file,
                                                     RunNumber run, const Plan& plan);
  /// The same of a run that another process measures, whose queues these are.
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
  /// Says that the run goes on, where no snapshot does.
  void heartbeat();
  /// What the repeat that goes on has come to so far, and with it the run as a whole; later calls,
  /// and `finish`, replace both.
  void soFar(const SpanFigures& repeat, const SpanFigures& run);
  void addEnvironment(std::vector<KeyValue> facts);
  /// Writes the end and waits until everything is in the file.
  void finish(const RunResult& result);

 private:
  using Job = std::function<Status(RunStore&)>;
  /// Points not yet given to the store.
  struct Series {
    std::string metric;
    std::vector<SeriesPoint> points;
  };

  StoreRecorder(RunStore store, RunNumber run, const std::vector<std::string>& queues);
  void push(Job job);
  void loop();
  void addPoint(std::size_t series, double seconds, double value);
  void addGpuPoints(const RunSnapshot& snapshot);
  void flushSeries();
  Status writeRepeat(RunStore& store, const SpanFigures& figures);

  const RunNumber m_run;
  // The observer's calls.
  std::size_t m_repeat = 0;
  bool m_repeatBegun = false;
  std::vector<Series> m_series;
  std::size_t m_gpuSeries = 0;  ///< the first of the GPU's, which come in gpuFields' order
  std::size_t m_snapshots = 0;
  std::optional<RunSnapshot> m_last;
  // The writer's thread.
  RunStore m_store;
  std::optional<RepeatId> m_repeatId;
  bool m_complained = false;

  Mutex m_mutex;
  Condition m_changed;
  std::deque<Job> m_jobs MILLRACE_GUARDED_BY(m_mutex);
  bool m_closing MILLRACE_GUARDED_BY(m_mutex) = false;
  std::thread m_thread;
};

}  // namespace millrace
