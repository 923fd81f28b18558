// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/diagnose/diagnose_loader.h"

#include <optional>
#include <utility>

#include "app/cli/common/command.h"
#include "app/cli/common/output.h"
#include "app/cli/common/refusal.h"
#include "app/cli/compare/comparison_screen.h"
#include "app/cli/diagnose/diagnosis_page.h"
#include "app/cli/loader/loader_screen.h"
#include "app/cli/run/run_control.h"
#include "app/cli/run/stop_requests.h"

namespace millrace::cli {

namespace {

int codeOf(const LoaderDiagnosisOutcome& outcome) {
  RunOutcome worst = outcome.measured.result.outcome;
  if (worst == RunOutcome::Finished && outcome.tried) worst = outcome.tried->outcome;
  if (worst == RunOutcome::Interrupted) return kInterrupted;
  return worst == RunOutcome::Failed ? kFailed : kDone;
}

/// A problem of the stream, and a message.
int refused(ComparisonEvents* events, const std::string& why) {
  if (events != nullptr) events->problem({Severity::Error, "", "", why, ""});
  return fail(why);
}

void show(const LoaderDiagnosisOutcome& outcome, const LoaderArguments& arguments,
          ComparisonEvents* events) {
  if (events != nullptr)
    events->result(loaderDiagnosisJson(outcome));
  else if (arguments.json)
    print("{}\n", loaderDiagnosisJson(outcome));
  else
    print("{}", loaderDiagnosisText(outcome, arguments.loader, arguments.keep.suggested()));
  for (const Problem& warning : outcome.measured.warnings) printMessage("{}\n", warning.text());
}

/// Of the first measurement, for the event stream: a span for each repeat.
double secondsOf(const MeasureSettings& measure) {
  return static_cast<double>(measure.repeats) *
         (measure.warmupSeconds + measure.seconds.value_or(0));
}

}  // namespace

int diagnoseLoader(const LoaderArguments& arguments) {
  ComparisonScreen trying(arguments.events, {});
  ComparisonEvents* const events = trying.events();
  auto settings = arguments.settings();
  if (!settings) return refused(events, settings.error().message);
  LoaderArguments quiet = arguments;
  quiet.events = false;  // the stream is that of a diagnosis, not that of a run
  LoaderScreen measuring(quiet, [] {});
  if (events != nullptr)
    events->step({0, 1, 0, secondsOf(settings->measure)}, "the unchanged loader");
  LoaderDiagnosis diagnosis(settings.take(), measuring, trying);
  const Result<LoaderDiagnosisOutcome> outcome = [&] {
    std::optional<RequestReader> requests;
    if (events != nullptr) requests.emplace(stopRequests(*events, [&] { diagnosis.stop(); }));
    const InterruptWatch interrupts([&diagnosis] { diagnosis.stop(); });
    Result<LoaderDiagnosisOutcome> ended = diagnosis.run();
    measuring.end();
    trying.clear();
    return ended;
  }();
  if (!outcome) return refused(events, outcome.error().message);
  show(*outcome, arguments, events);
  return codeOf(*outcome);
}

}  // namespace millrace::cli
