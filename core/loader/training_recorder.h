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
#include "core/run/data_facts.h"
#include "core/run/store_recorder.h"

namespace millrace {

/// Where and as what a program's training is kept.
struct TrainingRecord {
  std::filesystem::path file;
  RunLabels labels;
};

/// Keeps what a loader gives a program as a run of the store, while it goes on, so that it is there
/// after `kill -9` with all but its last seconds. A session of the loader is a repeat, without a
/// warm-up; its step is what the program did between two batches; its seconds are those of steps
/// and waits. kOriginFact tells such a run from a measured one. The first thing that the store
/// refuses is said once on standard error; the program goes on. Monitor; a thread of its own does
/// the work.
class TrainingRecorder {
 public:
  /// `name` is what the pipeline is called.
  TrainingRecorder(TrainingRecord record, std::string name, std::vector<KeyValue> facts,
                   std::shared_ptr<const PreparedPipeline> pipeline);
  /// Writes the end: failed when the last session was.
  ~TrainingRecorder();
  TrainingRecorder(const TrainingRecorder&) = delete;
  TrainingRecorder& operator=(const TrainingRecorder&) = delete;

  /// A session has been started, and none is going on.
  void begins(std::shared_ptr<LoaderSession> session);
  /// The session's threads are joined; it is let go. Nothing to do without one.
  void ends();
  /// Waits until the run is in the store; nothing before the first session, and where the store
  /// refused.
  std::optional<RunNumber> run() const;

 private:
  void loop();
  void open() MILLRACE_EXCLUDES(m_mutex);
  void look(SteadyTime now) MILLRACE_REQUIRES(m_mutex);
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
  bool m_begun MILLRACE_GUARDED_BY(m_mutex) = false;   ///< there was a session
  bool m_opened MILLRACE_GUARDED_BY(m_mutex) = false;  ///< the store has answered
  bool m_closing MILLRACE_GUARDED_BY(m_mutex) = false;
  std::unique_ptr<StoreRecorder> m_store MILLRACE_GUARDED_BY(m_mutex);
  std::optional<FingerprintJob> m_fingerprint MILLRACE_GUARDED_BY(m_mutex);
  std::shared_ptr<LoaderSession> m_session MILLRACE_GUARDED_BY(m_mutex);
  RunResult m_result MILLRACE_GUARDED_BY(m_mutex);         ///< of the sessions before
  std::size_t m_windows MILLRACE_GUARDED_BY(m_mutex) = 0;  ///< of the session, written
  std::size_t m_failures MILLRACE_GUARDED_BY(m_mutex) = 0;
  std::uint64_t m_failedBefore MILLRACE_GUARDED_BY(m_mutex) = 0;
  SteadyTime m_nextSnapshot MILLRACE_GUARDED_BY(m_mutex);
  SteadyTime m_nextFigures MILLRACE_GUARDED_BY(m_mutex);
  SteadyTime m_nextHeartbeat MILLRACE_GUARDED_BY(m_mutex);
  std::thread m_thread;
};

}  // namespace millrace
