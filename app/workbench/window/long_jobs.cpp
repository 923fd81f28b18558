// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window/long_jobs.h"

#include "app/workbench/controllers/data_report_controller.h"
#include "app/workbench/controllers/diagnose_controller.h"
#include "app/workbench/controllers/loader_controller.h"
#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/controllers/runs_controller.h"
#include "app/workbench/controllers/sweep_controller.h"
#include "app/workbench/controllers/tune_controller.h"
#include "app/workbench/window/main_window.h"
#include "app/workbench/window/runs_area.h"
#include "core/base/text/text.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/compare/measure_again.h"

namespace millrace {

namespace {

using End = std::optional<LongJob::End>;

bool isStopped(const std::optional<ChildEnd>& end) {
  return !end || end->kind == ChildEnd::Kind::Stopped;
}

bool hasFailed(const std::optional<ChildEnd>& end) {
  return end && end->kind == ChildEnd::Kind::Failed;
}

/// By time.
std::optional<double> doneOf(const LiveRun& run) {
  double done = 0;
  double whole = 0;
  for (const RepeatProgress& repeat : run.repeats()) {
    done += repeat.warmupDone + repeat.measuredDone;
    whole += repeat.warmupSeconds + repeat.measuredSeconds;
  }
  if (run.isOver() || whole <= 0) return std::nullopt;
  return done / whole;
}

End endOf(const LiveRun& run) {
  if (isStopped(run.end())) return std::nullopt;
  const QString name = run.label() + " of " + run.title();
  if (hasFailed(run.end())) return LongJob::End{name + " has failed", run.end()->sentence};
  QString text = run.end()->notKept;
  if (run.rate()) text = (shownRate(*run.rate()) + " samples/s. " + text).trimmed();
  return LongJob::End{name + " is done", text};
}

End endOf(const LiveSweep& sweep) {
  if (isStopped(sweep.end())) return std::nullopt;
  const QString name = "The sweep of " + sweep.title();
  if (hasFailed(sweep.end())) return LongJob::End{name + " has failed", sweep.end()->sentence};
  return LongJob::End{name + " is over",
                      QString("%1 of %2 trials were measured.").arg(sweep.done()).arg(sweep.of())};
}

End endOf(const LiveTune& tune) {
  if (isStopped(tune.end())) return std::nullopt;
  const QString name = "The tuning of " + tune.title();
  if (hasFailed(tune.end())) return LongJob::End{name + " has failed", tune.end()->sentence};
  QString text = tune.verdict();
  return LongJob::End{name + " is over", text.remove('`')};
}

End endOf(const MeasureAgain& again) {
  if (isStopped(again.end())) return std::nullopt;
  const QString name = "The comparison of " + again.pair();
  return LongJob::End{name + (hasFailed(again.end()) ? " has failed" : " is over"), again.words()};
}

LongJob longJobOf(RunController& runs) {
  const RunSession& session = runs.session();
  return {[&session] { return session.isRunning(); }, [&session] { return doneOf(session.run()); },
          [&session] { return endOf(session.run()); }};
}

End endOf(const LiveReport& report) {
  const QString name = "The data of " + report.title();
  if (hasFailed(report.end()))
    return LongJob::End{name + " could not be examined", report.end()->sentence};
  if (!report.isComplete()) return std::nullopt;
  return LongJob::End{name + " is examined",
                      shownCount(static_cast<std::int64_t>(report.of()), "sample") + '.'};
}

LongJob longJobOf(const DataReportController& reports) {
  const LiveReport& report = reports.report();
  return {[&report] { return report.isGoing(); },
          [&report]() -> std::optional<double> {
            if (report.of() == 0) return std::nullopt;
            return static_cast<double>(report.done()) / static_cast<double>(report.of());
          },
          [&report] { return endOf(report); }};
}

LongJob longJobOf(LoaderController& loaders) {
  const LiveLoader& loader = loaders.loader();
  return {[&loaders] { return loaders.isRunning(); }, [&loader] { return doneOf(loader.run()); },
          [&loader] { return endOf(loader.run()); }};
}

LongJob longJobOf(SweepController& sweeps) {
  const LiveSweep& sweep = sweeps.sweep();
  return {[&sweeps] { return sweeps.isRunning(); },
          [&sweep] {
            return sweep.of() > 0 ? std::optional(static_cast<double>(sweep.done()) / sweep.of())
                                  : std::nullopt;
          },
          [&sweep] { return endOf(sweep); }};
}

LongJob longJobOf(TuneController& tunes) {
  const LiveTune& tune = tunes.tune();
  return {[&tunes] { return tunes.isRunning(); },
          [&tune]() -> std::optional<double> {
            if (!tune.secondsLeft() || tune.budgetSeconds() <= 0) return std::nullopt;
            return 1 - *tune.secondsLeft() / tune.budgetSeconds();
          },
          [&tune] { return endOf(tune); }};
}

LongJob longJobOf(const DiagnoseController& diagnoses) {
  return {[&diagnoses] { return diagnoses.isRunning(); },
          [&diagnoses] { return diagnoses.progress(); },
          [&diagnoses]() -> End {
            if (!diagnoses.lastNews()) return std::nullopt;
            return LongJob::End{diagnoses.lastNews()->title, diagnoses.lastNews()->text};
          }};
}

LongJob longJobOf(const RunsController& runs) {
  return {[&runs] { return !runs.measuring().isEmpty(); },
          [&runs]() -> std::optional<double> {
            return runs.area() == nullptr ? std::nullopt : runs.area()->measureAgain().done();
          },
          [&runs] { return endOf(runs.area()->measureAgain()); }};
}

}  // namespace

std::vector<LongJob> longJobsOf(MainWindow& window) {
  return {longJobOf(window.controller()), longJobOf(window.sweeps()), longJobOf(window.tunes()),
          longJobOf(window.diagnoses()),  longJobOf(window.runs()),   longJobOf(window.loaders()),
          longJobOf(window.dataReports())};
}

DesktopController* showOnDesktop(MainWindow& window, QSettings& settings) {
  auto* desktop = new DesktopController(window, settings, new DesktopBus);
  for (LongJob& job : longJobsOf(window)) desktop->add(std::move(job));
  return desktop;
}

}  // namespace millrace
