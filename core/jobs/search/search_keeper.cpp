// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/search/search_keeper.h"

#include <set>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/version.h"
#include "core/measure/store_figures.h"

namespace millrace {

Result<std::string> freeExperiment(RunStore& store, const std::string& what,
                                   const std::string& pipeline) {
  MILLRACE_ASSIGN_OR_RETURN(const auto searches, store.searches());
  std::set<std::string> taken;
  for (const SearchSummary& search : searches) taken.insert(search.experiment);
  std::string stem = std::filesystem::path(pipeline).filename().string();
  stem = stem.substr(0, stem.find('.'));
  const std::string name = what + " of " + validUtf8(stem.empty() ? pipeline : stem);
  std::string free = name;
  for (int i = 2; taken.contains(free); ++i) free = fmt::format("{} {}", name, i);
  return free;
}

void SearchKeeper::add(TrialRecord trial, bool open) {
  m_trials.push_back(std::move(trial));
  m_open.push_back(open);
}

std::string SearchKeeper::runId(std::size_t trial) const {
  const auto& run = m_trials[trial].run;
  return run ? std::to_string(static_cast<std::int64_t>(*run)) : std::string();
}

void SearchKeeper::note(const Status& kept) {
  if (kept.ok() || m_troubled) return;
  m_troubled = true;
  if (m_subject.onNotKept)
    m_subject.onNotKept("this is not kept completely: " + validUtf8(kept.error().message));
}

Status SearchKeeper::beginRun(std::size_t trial) {
  Result<TrialDocument> document = documentOf(trial);
  if (!document) return document.error();
  NewRun run;
  run.experiment = m_subject.labels.experiment;
  run.name = m_subject.labels.name;
  run.tags = m_subject.labels.tags;
  run.pipelineName = validUtf8(m_subject.pipeline);
  run.pipelineJson = std::move(document->json);
  run.engineVersion = engineVersion();
  run.environment = m_subject.facts;
  run.settings = std::move(document->settings);
  MILLRACE_ASSIGN_OR_RETURN(m_trials[trial].run, m_store.beginRun(run));
  m_open[trial] = true;
  return {};
}

Status SearchKeeper::finishRun(std::size_t trial, RunState state, const std::string& reason,
                               const SpanFigures& figures) {
  if (!m_trials[trial].run || !m_open[trial]) return {};
  m_open[trial] = false;
  return m_store.finishRun(*m_trials[trial].run, state, validUtf8(reason), figureRecords(figures));
}

void SearchKeeper::beginTrial(std::size_t trial) {
  if (!m_open[trial]) note(beginRun(trial));
  m_trials[trial].state = TrialState::Running;
  note(m_store.setTrial(experiment(), m_trials[trial]));
}

void SearchKeeper::keepTrial(std::size_t trial, std::size_t repeat, bool last,
                             const TrialReport& report, const SpanFigures& figures) {
  TrialRecord& record = m_trials[trial];
  if (!record.run) return;
  auto recorder = StoreRecorder::goOn(m_file, *record.run, report.queues);
  if (!recorder) return note(recorder.error());
  const std::unique_ptr<StoreRecorder> writer = recorder.take();
  RunPhase phase;
  phase.repeat = repeat;
  writer->onPhase(phase);
  for (const RunSnapshot& snapshot : report.snapshots) writer->onSnapshot(snapshot);
  for (const RateWindow& window : report.windows) writer->onWindow(repeat, window);
  writer->onFailures(report.result->failures, report.result->figures.failedSamples);
  writer->addEnvironment(report.result->environment);
  writer->onRepeat(repeat, report.result->repeats.front());
  note(writer->close());
  record.value = figures.samplesPerSecond.mean;
  if (last)
    endTrial(trial, figures);
  else
    dropTrial(trial);
}

void SearchKeeper::endTrial(std::size_t trial, const SpanFigures& figures) {
  m_trials[trial].state = TrialState::Finished;
  m_trials[trial].value = figures.samplesPerSecond.mean;
  note(finishRun(trial, RunState::Finished, "", figures));
  note(m_store.setTrial(experiment(), m_trials[trial]));
}

void SearchKeeper::dropTrial(std::size_t trial) {
  m_trials[trial].state = TrialState::Waiting;
  note(m_store.setTrial(experiment(), m_trials[trial]));
}

void SearchKeeper::failTrial(std::size_t trial, const std::string& reason,
                             const SpanFigures& figures) {
  TrialRecord& record = m_trials[trial];
  record.state = TrialState::Failed;
  record.reason = validUtf8(reason);
  note(finishRun(trial, RunState::Failed, reason, figures));
  note(m_store.setTrial(experiment(), record));
}

void SearchKeeper::finish(const std::vector<SpanFigures>& figures, const std::string& reason) {
  for (std::size_t t = 0; t < m_trials.size(); ++t) {
    if (m_trials[t].state == TrialState::Running) dropTrial(t);
    note(finishRun(t, RunState::Interrupted, reason, figures[t]));
  }
}

}  // namespace millrace
