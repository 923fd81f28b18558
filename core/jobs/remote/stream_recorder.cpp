// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/remote/stream_recorder.h"

#include <utility>

#include "core/base/text/text.h"
#include "core/events/stream/observed_events.h"
#include "core/jobs/run/run_keeping.h"
#include "core/measure/store_figures.h"
#include "core/store/run_origin.h"
#include "core/store/trace_folder.h"

namespace millrace {

namespace {

/// A trace lies on the other machine. Here, its path would name another file, which is removed with
/// the run.
Facts factsForHere(const Facts& facts) {
  Facts kept;
  for (const auto& fact : facts)
    if (fact.first != kTraceFileFact) kept.push_back(fact);
  return kept;
}

}  // namespace

StreamRecorder::StreamRecorder(KeepSettings keep, std::string pipeline, std::string machine,
                               JobObserver& observer)
    : m_keep(std::move(keep)),
      m_pipeline(std::move(pipeline)),
      m_machine(std::move(machine)),
      m_observer(observer) {}

void StreamRecorder::take(const StreamEvent& event) {
  if (const auto* hello = std::get_if<HelloEvent>(&event.content)) m_hello = *hello;
  if (const auto* plan = std::get_if<PlanEvent>(&event.content)) m_plan = *plan;
  if (const auto* record = std::get_if<RecordEvent>(&event.content)) {
    m_record = *record;
    begin();
  }
  if (const auto* repeat = std::get_if<RepeatEvent>(&event.content))
    m_repeats.push_back(repeat->figures);
  if (const auto* result = std::get_if<ResultEvent>(&event.content)) m_result = *result;
  if (m_recorder) pass(event);
}

/// The recorder relies on the queues of the plan; a stream may not keep to them.
void StreamRecorder::pass(const StreamEvent& event) {
  const auto* snapshot = std::get_if<SnapshotEvent>(&event.content);
  if (snapshot == nullptr) return observe(event, *m_recorder);
  if (snapshot->queues.size() == m_queues) m_recorder->onSnapshot(snapshotOf(*snapshot));
}

void StreamRecorder::begin() {
  if (!m_keep.keep || m_recorder) return;
  NewRun run;
  run.experiment = m_keep.labels.experiment;
  run.name = m_keep.labels.name;
  run.tags = m_keep.labels.tags;
  run.pipelineName = validUtf8(m_pipeline);
  run.pipelineJson = m_record->document;
  run.engineVersion = m_hello ? m_hello->engine : std::string();
  run.settings = m_record->settings;
  run.environment = factsForHere(m_record->environment);
  run.environment.emplace_back(kMachineFact, m_machine);
  std::vector<std::string> queues;
  if (m_plan)
    for (const PlanEvent::Queue& queue : m_plan->queues) queues.push_back(queue.id);
  m_queues = queues.size();
  auto recorder = StoreRecorder::begin(m_keep.file, run, queues);
  if (!recorder) return m_observer.onNotKept("this run is not kept: " + recorder.error().message);
  m_recorder = recorder.take();
  m_runId = std::to_string(static_cast<std::int64_t>(m_recorder->run()));
}

void StreamRecorder::end(const std::string& reason) {
  if (!m_recorder) return;
  RunResult lost;
  lost.outcome = RunOutcome::Interrupted;
  lost.reason = reason;
  lost.repeats = m_repeats;
  if (!m_result && !m_repeats.empty()) lost.figures = figuresOfRun(m_repeats);
  const RunResult& result = m_result ? m_result->result : lost;
  if (const Facts facts = factsForHere(result.environment); !facts.empty())
    m_recorder->addEnvironment(facts);
  m_recorder->finish(result);
  endKeeping(std::move(m_recorder), m_observer);
}

}  // namespace millrace
