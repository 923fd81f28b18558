// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/loader/loader_screen.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "app/cli/common/command.h"
#include "app/cli/common/output.h"
#include "app/cli/common/refusal.h"
#include "app/cli/run/report.h"
#include "app/cli/run/run_screen.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_text.h"
#include "core/base/version.h"
#include "core/events/stream/steady_seconds.h"
#include "core/jobs/loader/loader_record.h"

namespace millrace::cli {

LoaderScreen::LoaderScreen(const LoaderArguments& arguments, std::function<void()> stop)
    : m_arguments(arguments),
      m_stop(std::move(stop)),
      m_progress(!arguments.events && isatty(STDERR_FILENO) != 0) {
  m_all.add(m_progress);
}

void LoaderScreen::onBegin(const PlanEvent& plan, const RunIdentity& identity, const LoaderFacts&) {
  m_identity = identity;
  if (!m_arguments.events) return;
  m_all.add(m_events.emplace(STDOUT_FILENO, plan, m_identity));
  m_requests.emplace(handlers());
}

RequestReader::Handlers LoaderScreen::handlers() {
  RequestReader::Handlers handlers;
  handlers.request = [this](const RunRequest& request) {
    const bool stops = request.kind == RunRequest::Kind::Stop;
    if (stops) m_stop();
    m_events->answer(request.id, stops ? "" : "a loader's run only accepts the request `stop`");
  };
  handlers.malformed = [this](const std::string& error) { m_events->answer(0, error); };
  handlers.ended = m_stop;
  return handlers;
}

void LoaderScreen::onNotKept(const std::string& sentence) {
  m_progress.clear();
  reportNotKept(sentence);
}

void LoaderScreen::end() {
  m_requests.reset();
  m_progress.clear();
}

int LoaderScreen::refuse(const std::string& why) {
  if (m_arguments.events) {
    const double now = steadySeconds();
    print("{}\n", helloEvent(now, engineVersion()));
    print("{}\n", problemEvent(now, {Severity::Error, "", "", why, ""}));
  }
  return fail(why, kBadUsage);
}

std::string LoaderScreen::about(const LoaderJobOutcome& outcome) const {
  const LoaderReady& ready = outcome.facts.ready;
  if (ready.what.empty()) return {};  // stopped before the first batch
  std::string text = figureLine("loader", visibleText(loaderText(ready))) +
                     figureLine("first batch", visibleText(batchText(outcome.facts.first)));
  if (const std::string limit = lineOf(outcome.limit); !limit.empty())
    text += figureLine("limit", visibleText(limit));
  if (!outcome.epochStart.empty()) text += figureLine("epoch start", outcome.epochStart);
  const SpanFigures& figures = outcome.result.figures;
  if (const auto busy = outcome.workersBusy())
    text += figureLine("workers", fmt::format("busy {:.0f} % of the time", 100 * *busy));
  if (outcome.queueEmpty)
    text += figureLine("queue", fmt::format("empty for {:.0f} % of the batches when they were "
                                            "asked for",
                                            100 * *outcome.queueEmpty));
  if (figures.stages.size() < 2 || figures.seconds <= 0) return text;
  const auto cores = [&](const StageFigures& stage) {
    return fmt::format("{:.2f}", stage.cpuSeconds.value_or(0) / figures.seconds);
  };
  const StageFigures& workers = figures.stages[1];
  return text + figureLine("cores", fmt::format("{} in the program, {} in {} other process{}",
                                                cores(figures.stages[0]), cores(workers),
                                                workers.threads, workers.threads == 1 ? "" : "es"));
}

int LoaderScreen::show(const LoaderJobOutcome& outcome) {
  const RunResult& result = outcome.result;
  const bool page = !m_arguments.events && !m_arguments.json;
  // Stopped before the first batch.
  if (m_arguments.events && !m_events) m_events.emplace(STDOUT_FILENO, PlanEvent{}, m_identity);
  if (m_events)
    m_events->result(result);
  else if (m_arguments.json)
    print("{}\n", resultJson(result, outcome.identity, true));
  else
    print("{}", reportText(result, outcome.identity.pipeline, about(outcome), "",
                           keptLine(m_arguments.keep, outcome.identity)));
  for (const Problem& warning : outcome.warnings) printMessage("{}\n", warning.text());
  return exitCodeOf(result, !page);
}

}  // namespace millrace::cli
