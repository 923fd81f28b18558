// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/events/stream/event_json.h"
#include "core/events/stream/event_reader.h"
#include "core/jobs/common/job_observer.h"
#include "core/jobs/common/keep_settings.h"
#include "core/measure/store_recorder.h"

namespace millrace {

/// Keeps in the store of this machine a run that a program on another machine measures, from its
/// event stream (`record` and the events of a run). One thread.
class StreamRecorder {
 public:
  /// `machine`: kept with the run as kMachineFact. `pipeline`: its name as the user gave it. The
  /// observer hears what is not kept; it must outlive this object.
  StreamRecorder(KeepSettings keep, std::string pipeline, std::string machine,
                 JobObserver& observer);

  /// The next event of the stream. The run begins in the store when its record and its plan have
  /// come.
  void take(const StreamEvent& event);
  /// The stream has ended. Without a result, the run is kept as interrupted for this reason, with
  /// the repeats so far.
  void end(const std::string& reason);

  /// Its number in the store; empty while it is not kept.
  const std::string& runId() const { return m_runId; }
  /// The result as it came; nullptr without one.
  const ResultEvent* result() const { return m_result ? &*m_result : nullptr; }

 private:
  void begin();
  void pass(const StreamEvent& event);

  const KeepSettings m_keep;
  const std::string m_pipeline;
  const std::string m_machine;
  JobObserver& m_observer;
  std::optional<HelloEvent> m_hello;
  std::optional<RecordEvent> m_record;
  std::optional<PlanEvent> m_plan;
  std::optional<ResultEvent> m_result;
  std::vector<SpanFigures> m_repeats;
  std::size_t m_queues = 0;  ///< of the plan
  std::unique_ptr<StoreRecorder> m_recorder;
  std::string m_runId;
};

}  // namespace millrace
