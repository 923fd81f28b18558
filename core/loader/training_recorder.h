// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/mutex.h"
#include "core/loader/loader_session.h"
#include "core/measure/data_facts.h"
#include "core/measure/store_recorder.h"

namespace millrace {

/// The store and the labels of a recorded training.
struct TrainingRecord {
  std::filesystem::path file;
  RunLabels labels;
};

/// Records what a loader delivers to a program as a run in a store while it happens, so that after
/// `kill -9` only the last seconds are missing. Each session of the loader is a repeat without
/// warm-up; a step is what the program does between two batches; seconds are steps and waits.
/// kOriginFact distinguishes such a run from a measured one. The store's first error is printed
/// once to standard error; the program continues. Thread-safe; a separate thread does the work.
class TrainingRecorder {
 public:
  /// `name` is the name of the pipeline.
  TrainingRecorder(TrainingRecord record, std::string name, std::vector<KeyValue> facts,
                   std::shared_ptr<const PreparedPipeline> pipeline);
  /// Finishes the run; its outcome is Failed if the last session failed.
  ~TrainingRecorder();
  TrainingRecorder(const TrainingRecorder&) = delete;
  TrainingRecorder& operator=(const TrainingRecorder&) = delete;

  /// A session has started. There must be no current session.
  void begins(std::shared_ptr<LoaderSession> session);
  /// The current session's threads are joined; releases the session. No effect without one.
  void ends();
  /// Waits until the run is in the store and returns its number; nullopt before the first session,
  /// and if the store failed.
  std::optional<RunNumber> run() const;

 private:
  void loop();
  void open() MILLRACE_EXCLUDES(m_mutex);
  void tick(SteadyTime now) MILLRACE_REQUIRES(m_mutex);
  void snapshot(SteadyTime now) MILLRACE_REQUIRES(m_mutex);
  void windowsAndFailures() MILLRACE_REQUIRES(m_mutex);
  SpanFigures figures() MILLRACE_REQUIRES(m_mutex);
  void finish() MILLRACE_REQUIRES(m_mutex);

  // Constant after construction.
  const TrainingRecord m_record;
  const std::string m_name;
  const std::vector<KeyValue> m_facts;
  const std::shared_ptr<const PreparedPipeline> m_pipeline;

  mutable Mutex m_mutex;
  mutable Condition m_changed;
  bool m_begun MILLRACE_GUARDED_BY(m_mutex) = false;   ///< a session has started
  bool m_opened MILLRACE_GUARDED_BY(m_mutex) = false;  ///< the store was opened or failed to open
  bool m_closing MILLRACE_GUARDED_BY(m_mutex) = false;
  std::unique_ptr<StoreRecorder> m_store MILLRACE_GUARDED_BY(m_mutex);
  std::optional<FingerprintJob> m_fingerprint MILLRACE_GUARDED_BY(m_mutex);
  std::shared_ptr<LoaderSession> m_session MILLRACE_GUARDED_BY(m_mutex);
  RunResult m_result MILLRACE_GUARDED_BY(m_mutex);  ///< of the earlier sessions
  std::size_t m_windows MILLRACE_GUARDED_BY(m_mutex) =
      0;  ///< windows of the current session that are stored
  std::size_t m_failures MILLRACE_GUARDED_BY(m_mutex) = 0;
  std::uint64_t m_failedBefore MILLRACE_GUARDED_BY(m_mutex) = 0;
  SteadyTime m_nextSnapshot MILLRACE_GUARDED_BY(m_mutex);
  SteadyTime m_nextFigures MILLRACE_GUARDED_BY(m_mutex);
  SteadyTime m_nextHeartbeat MILLRACE_GUARDED_BY(m_mutex);
  std::thread m_thread;
};

}  // namespace millrace
