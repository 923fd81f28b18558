// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/search/process_trial.h"

#include <unistd.h>

#include <utility>

#include <fmt/format.h>

#include "core/base/inherited_text.h"
#include "core/base/text/text.h"
#include "core/events/stream/observed_events.h"
#include "core/graph/json/graph_json.h"
#include "core/jobs/run/measure_flags.h"
#include "core/monitor/inter_core_latency.h"
#include "core/nodes/builtin.h"

namespace millrace {

namespace {

TrialOutcome failedBecause(std::string reason) {
  return {TrialOutcome::Kind::Failed, std::move(reason), {}};
}

/// The first line of a program's error output, without "error: ".
std::string firstLine(const std::string& errors) {
  std::string_view line = trimmed(errors);
  line = line.substr(0, line.find('\n'));
  if (line.starts_with("error: ")) line.remove_prefix(7);
  return std::string(line);
}

}  // namespace

Result<std::unique_ptr<ProcessTrial>> ProcessTrial::make(TrialRules rules,
                                                         TrialObserver& observer) {
  if (rules.program.empty())
    return Error{"each trial is measured by the program `millrace`: name its path"};
  if (::access(rules.program.c_str(), X_OK) != 0)
    return Error{fmt::format(
        "each trial is measured by the program `millrace`, but {} is not a program that can be "
        "started: name the path of `millrace`",
        rules.program.string())};
  return std::unique_ptr<ProcessTrial>(new ProcessTrial(std::move(rules), observer));
}

std::vector<std::string> ProcessTrial::command(const std::string& document) const {
  MeasureSettings measure = m_rules.measure;
  measure.repeats = 1;
  std::vector<std::string> words = {
      m_rules.program.string(), "run",     document, "--events", "--no-store",
      "--no-fingerprint",       "--ranks", "1"};
  for (std::string& word : measureFlags(measure, m_rules.maxFailures, m_rules.noFuse))
    words.push_back(std::move(word));
  // A single trial cannot notice inter-core latency that was high from its beginning to its end.
  if (const auto usual = usualInterCoreLatency()) {
    words.emplace_back("--usual-core-exchange");
    words.push_back(fmt::format("{}", *usual));
  }
  return words;
}

void ProcessTrial::take(const StreamEvent& event) {
  if (const auto* plan = std::get_if<PlanEvent>(&event.content))
    for (const PlanEvent::Queue& queue : plan->queues) m_report.queues.push_back(queue.id);
  if (const auto* window = std::get_if<WindowEvent>(&event.content))
    m_report.windows.push_back(window->window);
  if (const auto* result = std::get_if<ResultEvent>(&event.content))
    m_report.result = result->result;
  if (const auto* problem = std::get_if<ProblemEvent>(&event.content);
      problem != nullptr && !problem->sample && m_report.problem.empty() &&
      problem->problem.severity == Severity::Error)
    m_report.problem = problem->problem.text();
  if (const auto* snapshot = std::get_if<SnapshotEvent>(&event.content)) {
    m_report.snapshots.push_back(snapshotOf(*snapshot));
    m_observer.onSnapshot(*snapshot);
  }
}

std::string ProcessTrial::whyItFailed(const TrialEnd& end) const {
  switch (end.kind) {
    case TrialEnd::Kind::TimedOut:
      return fmt::format("it took longer than {}, the limit of a trial, and was stopped",
                         humanSeconds(m_rules.limits.seconds));
    case TrialEnd::Kind::OverMemory:
      return fmt::format("it used more than {} of memory, the limit of a trial, and was stopped",
                         humanBytes(static_cast<double>(m_rules.limits.memoryBytes)));
    case TrialEnd::Kind::Signalled: return wordsOf(end);
    default: break;
  }
  if (m_report.result && !m_report.result->reason.empty()) return m_report.result->reason;
  if (!m_report.problem.empty()) return m_report.problem;
  if (const std::string said = firstLine(end.errors); !said.empty()) return said;
  return wordsOf(end);
}

TrialOutcome ProcessTrial::outcomeOf(const TrialEnd& end) const {
  if (end.kind == TrialEnd::Kind::Stopped) return {TrialOutcome::Kind::Stopped, {}, {}};
  if (end.kind != TrialEnd::Kind::Exited || end.code != 0) return failedBecause(whyItFailed(end));
  if (!m_report.result) return failedBecause("it ended without a result");
  const std::vector<SpanFigures>& repeats = m_report.result->repeats;
  if (repeats.empty() || repeats.front().samplesPerSecond.mean.value_or(0) <= 0)
    return failedBecause("no batch arrived within the measured time; measure for longer");
  TrialOutcome outcome{TrialOutcome::Kind::Measured, {}, repeats.front()};
  // The store keeps no figures of stages, so repeats from before a stop have none to combine with.
  outcome.figures.stages.clear();
  return outcome;
}

void ProcessTrial::awaitCores() {
  bool waited = false;
  awaitUsualInterCoreLatency(
      [this] {
        const MutexLock lock(m_mutex);
        return m_stopped;
      },
      [&] {
        waited = true;
        m_observer.onWaiting(kMostCoreWaitSeconds);
      });
  if (waited) m_observer.onWaiting(0);
}

TrialOutcome ProcessTrial::run(const Graph& graph) {
  m_report = {};
  awaitCores();
  const auto document = InheritedText::make(graphText(graph, builtinCatalog()));
  if (!document) return failedBecause(document.error().message);
  EventReader reader;
  TrialProcess process(command(document->path()), m_rules.limits, [&](std::string_view line) {
    if (const auto event = reader.read(line)) take(*event);
  });
  {
    const MutexLock lock(m_mutex);
    if (m_stopped) return {TrialOutcome::Kind::Stopped, {}, {}};
    m_running = &process;
  }
  const Result<TrialEnd> end = process.run();
  const MutexLock lock(m_mutex);
  m_running = nullptr;
  m_report.overMemory = end && end->kind == TrialEnd::Kind::OverMemory;
  return end ? outcomeOf(*end) : failedBecause(end.error().message);
}

void ProcessTrial::stop() {
  const MutexLock lock(m_mutex);
  m_stopped = true;
  if (m_running != nullptr) m_running->stop();
}

}  // namespace millrace
