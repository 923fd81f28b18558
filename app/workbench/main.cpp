// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string_view>

#include <QAction>
#include <QApplication>
#include <QCommandLineParser>
#include <QDeadlineTimer>
#include <QDialog>
#include <QEventLoop>
#include <QScreen>
#include <QSettings>
#include <QThreadPool>
#include <QTimer>

#include "app/workbench/controllers/data_controller.h"
#include "app/workbench/controllers/data_report_controller.h"
#include "app/workbench/controllers/diagnose_controller.h"
#include "app/workbench/controllers/loader_controller.h"
#include "app/workbench/controllers/preview_controller.h"
#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/controllers/runs_controller.h"
#include "app/workbench/controllers/start_controller.h"
#include "app/workbench/controllers/sweep_controller.h"
#include "app/workbench/controllers/tune_controller.h"
#include "app/workbench/window/main_window.h"
#include "app/workbench/window/runs_area.h"
#include "app/workbench/window/tour_steps.h"
#include "core/base/text/text.h"
#include "core/nodes/builtin.h"
#include "core/plugins/plugins.h"
#include "widgets/bridge/data_probe.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/data/sample_pictures.h"
#include "widgets/export/export_dialog.h"
#include "widgets/runs/runs_page.h"
#include "widgets/start/start_page.h"

namespace {

using namespace millrace;

Appearance appearanceNamed(const QString& name) {
  if (name == "dark") return Appearance::Dark;
  return name == "light" ? Appearance::Light : Appearance::System;
}

/// Processes events while `holds` returns true, for at most so many milliseconds. Sleeps in
/// between, to leave the cores to a measurement.
void waitWhile(const std::function<bool()>& holds, int mostMs) {
  const QDeadlineTimer deadline(mostMs);
  QTimer tick;  // the condition may change without an event
  tick.start(20);
  while (holds() && !deadline.hasExpired())
    QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
}

/// Runs the pipeline in front and waits for so many seconds, or less if the run ends earlier.
void runFor(MainWindow& window, double seconds) {
  QEventLoop loop;
  QTimer::singleShot(static_cast<int>(seconds * 1000), &loop, &QEventLoop::quit);
  QObject::connect(&window.controller(), &RunController::becameIdle, &loop, &QEventLoop::quit);
  // It can run only after it has been checked.
  QTimer attempt;
  QObject::connect(&attempt, &QTimer::timeout, &window, [&] {
    window.controller().run();
    if (window.controller().session().isRunning()) attempt.stop();
  });
  attempt.start(50);
  loop.exec();
}

/// Waits until the files are open or have failed to open; not for a file system that does not
/// respond.
void waitForFiles(const MainWindow& window) {
  waitWhile([&] { return window.isWaitingForFiles(); }, 20000);
}

/// Waits until every measurement whose end the window shows is over.
void waitForJobs(MainWindow& window) {
  const auto measures = [&] {
    return window.sweeps().isRunning() || window.tunes().isRunning() ||
           window.diagnoses().isRunning() || window.dataReports().report().isGoing();
  };
  waitWhile(measures, 300000);
}

/// Waits until the loader is measured and translated, or for so many seconds.
void waitForLoader(MainWindow& window, double seconds = 300) {
  waitWhile([&] { return window.loaders().isBusy(); }, static_cast<int>(seconds * 1000));
}

/// Sweeps the opened pipeline, with short repeats.
void sweep(MainWindow& window, const QStringList& variations) {
  SweepOrder order;
  order.seconds = 1;
  order.warmupSeconds = 0.5;
  for (const QString& each : variations)
    order.variations.push_back({each.section('.', 0, 0).toStdString(),
                                each.section('.', 1).section('=', 0, 0).toStdString(),
                                each.section('=', 1).toStdString()});
  if (window.page() != nullptr) window.sweeps().start(*window.page(), order);
  waitForJobs(window);
}

/// Tunes the opened pipeline for so many seconds.
void tune(MainWindow& window, double seconds) {
  TuneOrder order;
  order.budgetSeconds = seconds;
  if (window.page() != nullptr) window.tunes().start(*window.page(), order);
  waitForJobs(window);
}

/// Shows the runs and selects the given ones.
void showRuns(MainWindow& window, const QString& numbers) {
  window.runs().open();
  RunsArea& area = *window.runs().area();
  waitWhile([&] { return !area.isSettled(); }, 10000);
  std::vector<RunNumber> chosen;
  for (const QString& number : numbers.split(',', Qt::SkipEmptyParts))
    chosen.push_back(RunNumber{number.toLongLong()});
  area.page().view().choose(chosen);
}

/// The dialog that an action opened, otherwise the window.
QWidget& inFront(MainWindow& window) {
  for (auto* dialog : window.findChildren<QDialog*>())
    if (dialog->isVisible()) return *dialog;
  return window;
}

void waitUntilSettled(MainWindow& window) {
  int settled = 0;
  const auto isMoving = [&] {
    if (window.runs().area() != nullptr && !window.runs().area()->isSettled()) settled = 0;
    if (window.previews().isAtWork() || window.start().page().isAtWork()) settled = 0;
    if (window.dataReports().page().pictures().isAtWork()) settled = 0;
    const auto* dialog = qobject_cast<ExportDialog*>(&inFront(window));
    const bool current = window.page() == nullptr || window.page()->session().check.isCurrent();
    const DataProbe* data = window.data().probe();
    if (data != nullptr && data->isAtWork()) settled = 0;
    if (!current || (dialog != nullptr && !dialog->isReady())) settled = 0;
    return ++settled < 20;
  };
  waitWhile(isMoving, 20000);
}

/// Waits until the window shows what was asked for, then saves its picture in each appearance. One
/// measurement is thus drawn in both. `file`: `%1` stands for the appearance.
int takeScreenshots(MainWindow& window, const QString& file, const QStringList& appearances) {
  waitForJobs(window);
  for (const QString& name : appearances) {
    applyTheme(appearanceNamed(name));
    waitUntilSettled(window);
    const QString own = QString(file).replace("%1", name);
    // Quality 0 gives the smallest file.
    if (inFront(window).grab().save(own, "PNG", 0)) continue;
    std::fprintf(stderr, "cannot write %s\n", qPrintable(own));
    return 1;
  }
  return 0;
}

/// Runs until the user quits. A pool thread may be waiting for a file system that never responds;
/// the program's end does not wait for it.
int serve(std::unique_ptr<MainWindow> window) {
  constexpr int kPatienceMs = 2000;
  const int code = QApplication::exec();
  window.reset();
  if (!QThreadPool::globalInstance()->waitForDone(kPatienceMs)) std::_Exit(code);
  return code;
}

/// What the program was started with.
struct Arguments {
  QCommandLineOption appearance{
      "appearance", "system, light or dark; light,dark with --screenshot draws both.", "NAME"};
  QCommandLineOption size{"size", "Size of the window in pixels.", "WIDTHxHEIGHT"};
  QCommandLineOption select{"select", "Select this node.", "ID"};
  QCommandLineOption screenshot{
      "screenshot", "Write a picture of the window and exit; %1 stands for the appearance.",
      "FILE"};
  QCommandLineOption run{"run", "Run the pipeline; --screenshot waits this long.", "SECONDS"};
  QCommandLineOption runs{"runs", "Show the kept runs."};
  QCommandLineOption choose{"choose", "Compare these runs.", "RUN,..."};
  QCommandLineOption act{"do", "Trigger the action of this name, such as export or help.",
                         "ACTION"};
  QCommandLineOption vary{"sweep", "Sweep this parameter; can be repeated.", "NODE.PARAM=VALUES"};
  QCommandLineOption budget{"tune", "Find the best settings within this time.", "SECONDS"};
  QCommandLineParser parser;

  /// Ends the program with a message if they are wrong, and after --help and --version.
  explicit Arguments(const QCoreApplication& application) {
    parser.setApplicationDescription("Assembles, runs and compares training-data loaders.");
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument("pipelines", "Files, or names of shipped examples.",
                                 "[PIPELINE...]");
    parser.addOptions({appearance, size, select, screenshot, run, runs, choose, act, vary, budget});
    parser.process(application);
  }

  /// Whether something is done with the documents once they are open.
  bool acts() const {
    return std::ranges::any_of(
        std::array{&select, &screenshot, &run, &act, &vary, &budget},
        [this](const QCommandLineOption* each) { return parser.isSet(*each); });
  }
};

/// Whether the arguments ask only for text, which needs no display.
bool asksForText(int argc, char** argv) {
  return std::any_of(argv + 1, argv + argc, [](std::string_view word) {
    return word == "-h" || word == "--help" || word == "--help-all" || word == "-v" ||
           word == "--version";
  });
}

/// Qt's message handler until the window system is there. Qt's own advice, to reinstall, is wrong
/// on a machine without a display.
void endWithoutDisplay(QtMsgType type, const QMessageLogContext& context, const QString& message) {
  static QString cause;  // the first message of the window system
  if (type != QtFatalMsg) {
    if (cause.isEmpty() && QByteArray(context.category).startsWith("qt.qpa")) cause = message;
    return;
  }
  std::fprintf(stderr,
               "error: the workbench cannot open a window%s%s\n"
               "    It needs a desktop, or `ssh -X HOST millrace-workbench` from one.\n"
               "    Without a display, the command line runs the same pipelines:\n"
               "    millrace run classification\n",
               cause.isEmpty() ? "" : ": ", qPrintable(cause));
  std::_Exit(2);
}

/// At least one.
QStringList appearancesOf(const Arguments& arguments) {
  const QString wanted = arguments.parser.isSet(arguments.appearance)
                             ? arguments.parser.value(arguments.appearance)
                             : QSettings("millrace", "workbench").value("appearance").toString();
  return wanted.split(',');
}

void applyAppearance(const Arguments& arguments) {
  const QStringList appearances = appearancesOf(arguments);
  applyTheme(appearanceNamed(appearances.front()));
  followSystemTheme();
}

/// At least what a window manager adds around a window.
constexpr QSize kFrame(8, 32);

void showWindow(MainWindow& window, const Arguments& arguments) {
  const QCommandLineParser& parser = arguments.parser;
  const QStringList sides = parser.value(arguments.size).split('x');
  if (sides.size() == 2)
    window.resize(sides[0].toInt(), sides[1].toInt());
  else  // The usual size is too large for a small screen.
    window.resize(window.size().boundedTo(window.screen()->availableSize() - kFrame));
  window.show();
  const bool isBare = parser.positionalArguments().isEmpty() && !parser.isSet(arguments.screenshot);
  const bool isReopened = isBare && window.reopenLast();
  if (parser.positionalArguments().isEmpty() && !isReopened && window.start().isWanted())
    window.start().show();
  for (const QString& pipeline : parser.positionalArguments()) {
    window.open(pipeline);
    // A user has a running window; actions need the documents.
    if (arguments.acts()) waitForFiles(window);
  }
}

/// What the arguments ask for and the opened window does not have; empty if it has everything.
QString missing(MainWindow& window, const Arguments& arguments) {
  const QCommandLineParser& parser = arguments.parser;
  for (const QString& name : parser.values(arguments.act))
    if (window.action(name) == nullptr)
      return "--do " + name + ": there is no action of this name; try export, help or diagnose";
  if (!parser.isSet(arguments.select)) return {};
  const QString id = parser.value(arguments.select);
  if (window.page() == nullptr) return "--select " + id + ": no pipeline is open";
  const Graph& graph = window.page()->session().document.graph();
  if (graph.node(id.toStdString()) != nullptr) return {};
  return "--select " + id + ": there is no such node; the pipeline has " +
         toQt(joinWords(graph.ids()));
}

void act(MainWindow& window, const Arguments& arguments) {
  const QCommandLineParser& parser = arguments.parser;
  if (parser.isSet(arguments.select))
    window.page()->session().selection.set({parser.value(arguments.select).toStdString()});
  const double seconds = parser.value(arguments.run).toDouble();
  if (window.loaders().isBusy())  // It is measured once it has been opened.
    waitForLoader(window, parser.isSet(arguments.run) ? seconds : 300);
  else if (parser.isSet(arguments.run))
    runFor(window, seconds);
  if (parser.isSet(arguments.vary)) sweep(window, parser.values(arguments.vary));
  if (parser.isSet(arguments.budget)) tune(window, parser.value(arguments.budget).toDouble());
  if (parser.isSet(arguments.runs)) showRuns(window, parser.value(arguments.choose));
  for (const QString& name : parser.values(arguments.act))
    if (QAction* action = window.action(name)) action->trigger();
  if (!parser.isSet(arguments.run)) waitForLoader(window);
}

}  // namespace

int main(int argc, char** argv) {
  // Its child processes run in the folders of pipelines.
  millrace::fixPluginPaths();
  QCoreApplication::setApplicationName("millrace-workbench");
  QCoreApplication::setApplicationVersion(MILLRACE_VERSION);
  if (asksForText(argc, argv)) {
    const QCoreApplication withoutDisplay(argc, argv);
    const Arguments printed(withoutDisplay);
  }
  qInstallMessageHandler(endWithoutDisplay);
  QApplication application(argc, argv);
  qInstallMessageHandler(nullptr);
  QApplication::setDesktopFileName("millrace-workbench");
  QApplication::setWindowIcon(programIcon());
  const Arguments arguments(application);
  applyAppearance(arguments);
  auto window = std::make_unique<MainWindow>(builtinCatalog());
  showWindow(*window, arguments);
  if (const QString what = missing(*window, arguments); !what.isEmpty()) {
    std::fprintf(stderr, "error: %s\n", qPrintable(what));
    return 2;
  }
  act(*window, arguments);
  if (arguments.parser.isSet(arguments.screenshot))
    return takeScreenshots(*window, arguments.parser.value(arguments.screenshot),
                           appearancesOf(arguments));
  window->offerRecovery();
  QSettings settings("millrace", "workbench");
  if (!arguments.acts()) tourOnFirstStart(*window, settings);
  return serve(std::move(window));
}
