// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/run_screen.h"

#include <unistd.h>

#include <cstdio>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/cli/common/command.h"
#include "app/cli/common/output.h"
#include "app/cli/common/pipeline_input.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/run/report.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"

namespace millrace::cli {

std::string keptLine(const KeepFlags& keep, const RunIdentity& identity) {
  const std::string& run = identity.runId;
  if (run.empty()) return {};
  return fmt::format("kept as run {}: millrace runs show {}{}", run, run, keep.suggested());
}

int exitCodeOf(const RunResult& result, bool tellReason) {
  if (result.outcome == RunOutcome::Interrupted) return kInterrupted;
  if (result.outcome == RunOutcome::Finished) return kDone;
  if (tellReason) printMessage("error: {}\n", visibleName(result.reason) + failureHint(result));
  return kFailed;
}

namespace {

constexpr std::string_view kRecordPage = "page";

std::string traceLine(const std::string& file, const TraceSummary& trace) {
  std::string line = fmt::format("traced in {}: {} spans", file, grouped(trace.spans));
  if (trace.leftOut > 0) line += fmt::format(", {} later ones left out", grouped(trace.leftOut));
  if (trace.overlap)
    line += fmt::format(
        "; copies to the device and work on it overlapped for {:.1f} % of the shorter of the two",
        100 * trace.overlap->share());
  return wrapped(visibleName(line + "; open it in ui.perfetto.dev"), 4, 2);
}

}  // namespace

RunScreen::RunScreen(const RunArguments& arguments, std::vector<Problem> prepared, Answer answer,
                     std::function<void()> stop)
    : m_arguments(arguments),
      m_prepared(std::move(prepared)),
      m_answer(std::move(answer)),
      m_stop(std::move(stop)),
      m_progress(!arguments.events && isatty(STDERR_FILENO) != 0) {
  m_all.add(m_progress);
}

void RunScreen::onRecord(const std::string& document, const Facts& facts) {
  m_record.document = document;
  m_record.environment = facts;
}

void RunScreen::onBegin(const Plan& plan, const RunIdentity& identity) {
  m_plan = &plan;
  m_identity = identity;
  if (!m_arguments.events) return;
  m_all.add(m_events.emplace(STDOUT_FILENO, planEventOf(plan), m_identity));
  if (!m_arguments.record.empty()) {
    m_record.settings = settingsOf(plan);
    m_events->record(m_record);
  }
  for (const Problem& problem : m_prepared) m_events->problem(problem);
  m_requests.emplace(handlers());
}

RequestReader::Handlers RunScreen::handlers() {
  RequestReader::Handlers handlers;
  handlers.request = [this](const RunRequest& request) {
    Status done;
    if (request.kind == RunRequest::Kind::Stop)
      m_stop();
    else
      done = m_answer(request);
    m_events->answer(request.id, done ? "" : done.error().message);
  };
  handlers.malformed = [this](const std::string& error) { m_events->answer(0, error); };
  handlers.ended = m_stop;
  return handlers;
}

void RunScreen::onReady(std::size_t repeat) {
  if (m_events) m_events->ready(repeat);
}

void RunScreen::onWarning(const Problem& problem) {
  m_progress.clear();
  printProblems({problem});
  if (m_events) m_events->problem(problem);
}

void RunScreen::onNotKept(const std::string& sentence) { reportNotKept(sentence); }

void RunScreen::end() {
  m_requests.reset();
  m_progress.clear();
}

/// The report and where the trace is.
std::string RunScreen::page(const RunJobOutcome& outcome) const {
  std::string text = reportText(outcome.result, *m_plan, m_identity.pipeline,
                                keptLine(m_arguments.keep, m_identity));
  if (outcome.trace && outcome.unwritten.empty())
    text += "  " + traceLine(m_arguments.trace, *outcome.trace);
  return text;
}

void RunScreen::showResult(const RunJobOutcome& outcome) {
  if (m_events) {
    m_events->result(outcome.result);
    if (m_arguments.record == kRecordPage) m_events->page(page(outcome));
  } else if (m_arguments.json) {
    print("{}\n", resultJson(outcome.result, m_identity, true));
  } else {
    print("{}", page(outcome));
  }
}

int RunScreen::show(const RunJobOutcome& outcome) {
  showResult(outcome);
  for (const Problem& warning : outcome.warnings) printMessage("{}\n", warning.text());
  for (const Problem& file : outcome.unwritten) printMessage("{}\n", visibleName(file.text()));
  if (!outcome.unwritten.empty()) return kFailed;
  const bool page = (!m_events && !m_arguments.json) || m_arguments.record == kRecordPage;
  return exitCodeOf(outcome.result, !page);
}

}  // namespace millrace::cli
