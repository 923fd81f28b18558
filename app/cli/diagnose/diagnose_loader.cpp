// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/diagnose/diagnose_loader.h"

#include <utility>

#include "app/cli/common/command.h"
#include "app/cli/common/output.h"
#include "app/cli/common/refusal.h"
#include "app/cli/compare/comparison_screen.h"
#include "app/cli/diagnose/diagnosis_page.h"
#include "app/cli/loader/loader_screen.h"
#include "app/cli/run/run_control.h"

namespace millrace::cli {

namespace {

int codeOf(const LoaderDiagnosisOutcome& outcome) {
  RunOutcome worst = outcome.measured.result.outcome;
  if (worst == RunOutcome::Finished && outcome.tried) worst = outcome.tried->outcome;
  if (worst == RunOutcome::Interrupted) return kInterrupted;
  return worst == RunOutcome::Failed ? kFailed : kDone;
}

}  // namespace

int diagnoseLoader(const LoaderArguments& arguments) {
  auto settings = arguments.settings();
  if (!settings) return fail(settings.error().message);
  LoaderScreen measuring(arguments, [] {});
  ComparisonScreen trying(false, {});
  LoaderDiagnosis diagnosis(settings.take(), measuring, trying);
  const Result<LoaderDiagnosisOutcome> outcome = [&] {
    const InterruptWatch interrupts([&diagnosis] { diagnosis.stop(); });
    Result<LoaderDiagnosisOutcome> ended = diagnosis.run();
    measuring.end();
    trying.clear();
    return ended;
  }();
  if (!outcome) return fail(outcome.error().message);
  print("{}", arguments.json
                  ? loaderDiagnosisJson(*outcome)
                  : loaderDiagnosisText(*outcome, arguments.loader, arguments.keep.suggested()));
  for (const Problem& warning : outcome->measured.warnings) printMessage("{}\n", warning.text());
  return codeOf(*outcome);
}

}  // namespace millrace::cli
