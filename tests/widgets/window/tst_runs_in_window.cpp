// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#comparing: the tab of runs in the main window, kept pipelines, restoring.
#include <fstream>

#include <QAction>
#include <QDockWidget>
#include <QPushButton>
#include <QSettings>
#include <QTabBar>
#include <QTabWidget>

#include "app/workbench/controllers/diagnose_controller.h"
#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/controllers/run_count.h"
#include "app/workbench/controllers/runs_controller.h"
#include "app/workbench/window/kept_run_page.h"
#include "app/workbench/window/main_window.h"
#include "app/workbench/window/runs_area.h"
#include "core/nodes/builtin.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/engine_script.h"
#include "tests/widgets/kept_store.h"
#include "tests/widgets/opened_files.h"
#include "tests/widgets/patience.h"
#include "widgets/canvas/editor/edit_session.h"
#include "widgets/charts/advice_panel.h"
#include "widgets/charts/chart_link.h"
#include "widgets/charts/run_views.h"
#include "widgets/common/strings.h"
#include "widgets/compare/kept_canvas.h"
#include "widgets/compare/kept_pipeline_page.h"
#include "widgets/runs/runs_page.h"

namespace millrace {

namespace {

using tests::kGenerousMs;

/// The window with a separate store.
class KeptRunsBench {
 public:
  KeptRunsBench() {
    kept.add({.name = "two", .workers = 2});
    kept.add({.name = "four", .workers = 4});
    qputenv("MILLRACE_STORE", QByteArray::fromStdString(kept.file().string()));
    window = std::make_unique<MainWindow>(builtinCatalog());
    qunsetenv("MILLRACE_STORE");
    window->resize(1389, 868);
    window->show();
    ready = tests::openIn(*window, "classification");
    window->runs().open();
    ready =
        ready && QTest::qWaitFor([this] { return page().model().rowCount() == 2; }, kGenerousMs);
  }
  RunsPage& page() { return window->runs().area()->page(); }
  QDockWidget* dock(const QString& name) { return window->findChild<QDockWidget*>(name); }
  /// Whether the run's pipeline is then the tab in front.
  bool opensPipelineOf(RunNumber run) {
    emit page().openRequested(run);
    return QTest::qWaitFor(
        [this] { return qobject_cast<KeptRunPage*>(window->tabs().currentWidget()) != nullptr; },
        kGenerousMs);
  }

  tests::KeptStore kept;
  std::unique_ptr<MainWindow> window;
  bool ready = false;
};

}  // namespace

class TestRunsInWindow : public QObject {
  Q_OBJECT
 private slots:
  void theRunsHaveATabAndHideTheDocksOfPipelines() {
    KeptRunsBench bench;
    QVERIFY(bench.ready);
    QVERIFY(bench.window->page() == nullptr);
    QVERIFY(!bench.dock("inspector")->isVisible());
    QVERIFY(!bench.window->action("delete")->isEnabled());
    QVERIFY(bench.window->action("open")->isEnabled());
    bench.window->tabs().setCurrentIndex(0);
    QVERIFY(bench.window->page() != nullptr);
    QVERIFY(bench.dock("inspector")->isVisible());
    QVERIFY(bench.window->action("select_all")->isEnabled());
  }

  void theStatusLineCountsTheRunsAndOpensThem() {
    const tests::KeptStore kept;
    qputenv("MILLRACE_STORE", QByteArray::fromStdString(kept.file().string()));
    MainWindow window(builtinCatalog());
    qunsetenv("MILLRACE_STORE");
    window.resize(1389, 868);
    window.show();
    auto* count = window.findChild<RunCount*>();
    const auto says = [&](const char* words) {
      return QTest::qWaitFor([&] { return count->isVisible() && count->text() == words; },
                             kGenerousMs);
    };
    QVERIFY2(says("runs.db · no runs yet"), qPrintable(count->text()));
    kept.add({.name = "two"});
    window.runs().readAgain();  // as after a run
    QVERIFY2(says("runs.db · 1 run"), qPrintable(count->text()));
    // Another program's runs appear when the user returns to the window.
    kept.add({.name = "four", .workers = 4});
    QEvent back(QEvent::ActivationChange);
    QCoreApplication::sendEvent(&window, &back);
    QVERIFY2(says("runs.db · 2 runs"), qPrintable(count->text()));
    window.resize(800, 600);
    QVERIFY(says("2 runs"));
    count->click();
    QVERIFY(window.tabs().currentWidget() == window.runs().area());
    // Replaces it by another file that is not a store.
    const std::filesystem::path other = kept.folder() / "other";
    std::ofstream(other, std::ios::binary) << std::string(8192, 'x');
    std::filesystem::rename(other, kept.file());
    count->countAgain();
    QVERIFY(says("runs.db cannot be read"));
  }

  void theFirstLayoutOfRunsFitsTheWindow() {
    QSettings("millrace", "workbench").remove("runs/layout");
    KeptRunsBench bench;
    QVERIFY(bench.ready);
    QSettings settings("millrace", "workbench");
    QVERIFY(QTest::qWaitFor([&] { return settings.contains("runs/layout"); }, kGenerousMs));
    RunsArea& area = *bench.window->runs().area();
    QVERIFY(!area.tabifiedDockWidgets(bench.dock("runs_differences"))
                 .contains(bench.dock("runs_lines")));
    QCoreApplication::processEvents();
    for (const QTabBar* bar : area.findChildren<QTabBar*>(Qt::FindDirectChildrenOnly))
      QVERIFY(bar->count() > 0 || bar->visibleRegion().isEmpty());
  }

  /// The layout of a wide window is not that of a small one.
  void aSmallWindowHasOneWideDockOfRuns() {
    QSettings settings("millrace", "workbench");
    for (const char* key : {"runs/layout", "runs/layout_small"}) settings.remove(key);
    {
      KeptRunsBench wide;
      QVERIFY(wide.ready &&
              QTest::qWaitFor([&] { return settings.contains("runs/layout"); }, 5000));
    }
    MainWindow window(builtinCatalog());
    window.resize(800, 600);
    window.show();
    window.runs().open();
    const QDockWidget* differences = window.findChild<QDockWidget*>("runs_differences");
    QVERIFY2(QTest::qWaitFor([&] { return differences->width() > 700; }, 5000),
             qPrintable(QString::number(differences->width())));
    for (const char* key : {"runs/layout", "runs/layout_small"}) settings.remove(key);
  }

  void theDifferencesHaveHalfOfTheRoomUntilTheUserResizesThem() {
    QSettings("millrace", "workbench").remove("runs/layout");
    int chosen = 0;
    {
      KeptRunsBench bench;
      QVERIFY(bench.ready);
      RunsArea& area = *bench.window->runs().area();
      QDockWidget* differences = bench.dock("runs_differences");
      QVERIFY(
          QTest::qWaitFor([&] { return 2 * differences->height() >= area.height(); }, kGenerousMs));
      // The runs above them are readable, too.
      QVERIFY2(bench.page().view().height() >= 200,
               qPrintable(QString::number(bench.page().view().height())));
      chosen = differences->height() - 90;
      area.resizeDocks({differences}, {chosen}, Qt::Vertical);
      QVERIFY2(QTest::qWaitFor([&] { return differences->height() == chosen; }, 5000),
               qPrintable(QString("%1, not %2").arg(differences->height()).arg(chosen)));
    }
    KeptRunsBench bench;
    QVERIFY(bench.ready);
    QDockWidget* differences = bench.dock("runs_differences");
    QVERIFY2(QTest::qWaitFor([&] { return differences->height() == chosen; }, kGenerousMs),
             qPrintable(QString("%1, not %2").arg(differences->height()).arg(chosen)));
    QSettings("millrace", "workbench").remove("runs/layout");
  }

  void closingTheWindowKeepsTheDocksOfPipelines() {
    {
      KeptRunsBench bench;
      QVERIFY(bench.ready && bench.window->close());
    }
    MainWindow again(builtinCatalog());
    again.show();
    QVERIFY(!again.findChild<QDockWidget*>("inspector")->isHidden());
  }

  void anotherStoreIsReadAndKeepsTheNextRuns() {
    KeptRunsBench bench;
    QVERIFY(bench.ready);
    const tests::KeptStore other;
    other.add({.name = "elsewhere"});
    const QString file = fileText(other.file());
    bench.page().takeStore(file);
    QVERIFY(QTest::qWaitFor([&] { return bench.page().model().rowCount() == 1; }, kGenerousMs));
    const auto* count = bench.window->findChild<QToolButton*>("run_count");
    QVERIFY(QTest::qWaitFor([&] { return count->toolTip().startsWith(file); }, kGenerousMs));
    // The next run and the next diagnosis are kept there too.
    const tests::TemporaryFolder engine;
    const QByteArray words = QByteArray::fromStdString((engine.path() / "words").string());
    const QString program =
        tests::writeEngine(fileText(engine.path()), "echo \"$@\" > '" + words + "'; exit 1\n");
    bench.window->controller().session().process().setProgram(program);
    bench.window->diagnoses().job().setProgram(program);
    bench.window->tabs().setCurrentIndex(0);
    for (const char* action : {"run", "diagnose"}) {
      QVERIFY(
          QTest::qWaitFor([&] { return bench.window->action(action)->isEnabled(); }, kGenerousMs));
      bench.window->action(action)->trigger();
      QVERIFY(QTest::qWaitFor([&] { return QFile::exists(words); }, kGenerousMs));
      QFile said(words);
      QVERIFY(said.open(QIODevice::ReadOnly));
      QVERIFY(QTest::qWaitFor([&] { return said.size() > 0; }, kGenerousMs));
      const QByteArray arguments = said.readAll();
      QVERIFY2(arguments.contains("--store " + file.toUtf8()), arguments.constData());
      said.remove();
    }
    QSettings("millrace", "workbench").remove("runs/store");
  }

  void theNextWindowReturnsToTheChosenStore() {
    auto other = std::make_unique<tests::KeptStore>();
    other->add({.name = "elsewhere"});
    const QString file = fileText(other->file());
    {
      KeptRunsBench bench;
      QVERIFY(bench.ready);
      bench.page().takeStore(file);
      QVERIFY(QTest::qWaitFor([&] { return bench.page().model().rowCount() == 1; }, kGenerousMs));
    }
    {
      MainWindow again(builtinCatalog());
      QVERIFY(QTest::qWaitFor([&] { return fileText(again.runs().store()) == file; }, kGenerousMs));
    }
    // A store that is named for this start is used for this start.
    KeptRunsBench named;
    QCOMPARE(named.window->runs().store(), named.kept.file());
    // One that is gone is named, and the usual one is used.
    other.reset();
    MainWindow without(builtinCatalog());
    const QString usual = fileText(without.runs().store());
    const auto remark = [&] { return without.runs().count().toolTip(); };
    QVERIFY2(QTest::qWaitFor([&] { return remark().contains(file); }, kGenerousMs),
             qPrintable(remark()));
    QVERIFY(usual != file && remark().contains(usual));
    QSettings("millrace", "workbench").remove("runs/store");
  }

  void aRunsPipelineIsShownAndCanBeRestored() {
    KeptRunsBench bench;
    QVERIFY(bench.ready);
    QTabWidget& tabs = bench.window->tabs();
    QVERIFY(bench.opensPipelineOf(RunNumber{2}));
    QCOMPARE(tabs.tabText(tabs.currentIndex()), QString("Run 2 four"));
    QVERIFY(bench.window->page() == nullptr);
    const int count = tabs.count();
    tabs.currentWidget()->findChild<QPushButton*>("restore")->click();
    QCOMPARE(tabs.count(), count + 1);
    QVERIFY(bench.window->page() != nullptr);
    QVERIFY(bench.window->page()->session().document.graph().node("workers") != nullptr);
    QCOMPARE(tabs.tabText(tabs.currentIndex()), QString("small (from run 2)"));
    // Restored again, its tab comes to the front.
    bench.window->runs().open();
    QVERIFY(bench.opensPipelineOf(RunNumber{2}));
    tabs.currentWidget()->findChild<QPushButton*>("restore")->click();
    QCOMPARE(tabs.count(), count + 1);
    QVERIFY(bench.window->page() != nullptr);
    // When requested again, it comes to the front, once.
    bench.window->runs().open();
    QVERIFY(bench.opensPipelineOf(RunNumber{2}));
    QCOMPARE(tabs.count(), count + 1);
  }

  void aKeptRunIsShownByTheViewsOfARunningOne() {
    KeptRunsBench bench;
    QVERIFY(bench.ready);
    const RunNumber run = bench.kept.add({.name = "whole", .series = true});
    QVERIFY(bench.opensPipelineOf(run));
    auto* page = qobject_cast<KeptRunPage*>(bench.window->tabs().currentWidget());
    QVERIFY(page->run().isOver());
    QCOMPARE(page->run().label(), QString("Run 3"));
    QCOMPARE(page->run().repeats().size(), std::size_t{3});
    QVERIFY(!page->run().windowRates().points().empty());
    QVERIFY(!page->run().memory().points().empty());
    QVERIFY(!page->run().queueFill().at(0).points().empty());
    const RunOverlay& overlay = page->pipeline().canvas().run();
    QVERIFY(overlay.over && !overlay.nodes.at("synthetic").rate.isEmpty());
    QCOMPARE(overlay.label, QString("RUN\u00A03"));
    QVERIFY(!page->hasTrace());
    const auto* middle = qobject_cast<QTabWidget*>(page->centralWidget());
    QVERIFY2(!middle->tabBar()->isVisible(), "the pipeline is all that there is");
    QVERIFY(page->findChild<QDockWidget*>("kept_cores") == nullptr);
    QVERIFY(!page->findChild<QDockWidget*>("kept_gpu")->isVisible());
  }

  void smoothLinesAreThoseOfEveryOpenRun() {
    KeptRunsBench bench;
    QVERIFY(bench.ready);
    QVERIFY(bench.opensPipelineOf(bench.kept.add({.name = "whole", .series = true})));
    auto* page = qobject_cast<KeptRunPage*>(bench.window->tabs().currentWidget());
    ChartLink& present = bench.window->controller().views().link();
    present.setSmooth(true);
    QVERIFY(page->views().link().isSmooth());
    page->views().link().setSmooth(false);
    QVERIFY(!present.isSmooth());
  }

  void aKeptLoaderIsAGraphOfItsSteps() {
    KeptRunsBench bench;
    QVERIFY(bench.ready);
    const RunNumber run = bench.kept.add({.origin = "loader", .series = true});
    QVERIFY(bench.opensPipelineOf(run));
    auto* page = qobject_cast<KeptRunPage*>(bench.window->tabs().currentWidget());
    const KeptCanvas& canvas = page->pipeline().canvas();
    QVERIFY(canvas.session().document.graph().node("synthetic") != nullptr);
    QVERIFY(!canvas.run().nodes.at("synthetic").rate.isEmpty());
    // Only a pipeline can be opened as a document.
    for (const char* name : {"restore", "export"})
      QVERIFY(page->findChild<QPushButton*>(name)->isHidden());
    const auto sections = page->details().findItems("Time by step", Qt::MatchExactly);
    QCOMPARE(sections.size(), 1);
    QVERIFY(sections.first()->childCount() > 0);
  }

  /// What is in flight when a run is stopped does not make its nodes disagree.
  void aStoppedRunHasOneRateOnItsKeptPageToo() {
    KeptRunsBench bench;
    QVERIFY(bench.ready);
    const RunNumber run =
        bench.kept.add({.rates = {104}, .series = true, .state = RunState::Interrupted});
    QVERIFY(bench.opensPipelineOf(run));
    auto* page = qobject_cast<KeptRunPage*>(bench.window->tabs().currentWidget());
    const RunOverlay& overlay = page->pipeline().canvas().run();
    QCOMPARE(overlay.nodes.at("drain").rate, QString("13\u00A0/s"));
    QCOMPARE(overlay.nodes.at("batch").rate, QString("13\u00A0/s"));
  }

  void aKeptRunSaysWhatWouldHelp() {
    KeptRunsBench bench;
    QVERIFY(bench.ready);
    const RunNumber run = bench.kept.add({.workers = 1, .series = true});
    QVERIFY(bench.opensPipelineOf(run));
    auto* page = qobject_cast<KeptRunPage*>(bench.window->tabs().currentWidget());
    auto* advice = page->findChild<AdvicePanel*>();
    QVERIFY2(advice->change().has_value(), qPrintable(advice->headline()));
    QVERIFY2(advice->change()->cause.contains("imit"), qPrintable(advice->change()->cause));
    QVERIFY(!advice->applyButton().isVisible());
  }

  void aKeptRunsPipelineIsAsReadableAsTheCanvasForEditing() {
    KeptRunsBench bench;
    QVERIFY(bench.ready);
    for (const QSize size : {QSize(1389, 868), QSize(800, 600)}) {
      bench.window->resize(size);
      QVERIFY(bench.opensPipelineOf(RunNumber{1}));
      auto* page = qobject_cast<KeptRunPage*>(bench.window->tabs().currentWidget());
      QCoreApplication::processEvents();
      const KeptCanvas& canvas = page->pipeline().canvas();
      QVERIFY2(canvas.transform().m11() >= 0.8,
               qPrintable(QString::number(canvas.transform().m11())));
      // What does not fit begins at its beginning.
      const QRectF first = canvas.session().geometry.layout().nodes.at("synthetic");
      const QRectF seen = canvas.mapToScene(canvas.viewport()->rect()).boundingRect();
      QVERIFY(seen.contains(first.topLeft()));
      const QDockWidget* advice = page->findChild<QDockWidget*>("kept_advice");
      if (size.width() > 1000)
        QVERIFY2(advice->height() >= 300, qPrintable(QString::number(advice->height())));
    }
  }

  void aKeptRunNamesItsSettingsAndItsVerdict() {
    KeptRunsBench bench;
    QVERIFY(bench.ready);
    bench.page().setBaseline(RunNumber{1});
    QVERIFY(QTest::qWaitFor([&] { return bench.page().model().listing().baseline.has_value(); },
                            kGenerousMs));
    QVERIFY(bench.opensPipelineOf(RunNumber{2}));
    auto* page = qobject_cast<KeptRunPage*>(bench.window->tabs().currentWidget());
    const auto valueOf = [&](const char* name) {
      const auto items = page->details().findItems(name, Qt::MatchExactly | Qt::MatchRecursive);
      return items.isEmpty() ? QString() : items.first()->text(1);
    };
    QCOMPARE(valueOf("State"), QString("finished"));
    QCOMPARE(valueOf("Workers › Threads"), QString("4\u00A0threads"));
    QVERIFY(!valueOf("Against run 1").isEmpty());
    QCOMPARE(valueOf("Cores usable"), QString("2"));
  }

  void aRunThatTheUserStoppedHasNoFault() {
    KeptRunsBench bench;
    QVERIFY(bench.ready);
    const RunNumber run = bench.kept.add({.state = RunState::Interrupted, .reason = "stopped"});
    bench.window->runs().readAgain();
    const auto stateOf = [&] {
      const RunTableModel& model = bench.page().model();
      const int row = model.rowOf(run);
      return model.index(row, model.columnOf(RunColumn::Kind::State)).data().toString();
    };
    QVERIFY2(QTest::qWaitFor([&] { return stateOf() == "stopped"; }, kGenerousMs),
             qPrintable(stateOf()));
    QVERIFY(bench.opensPipelineOf(run));
    auto* page = qobject_cast<KeptRunPage*>(bench.window->tabs().currentWidget());
    const AdvicePanel& advice = page->views().advice();
    QVERIFY(
        QTest::qWaitFor([&] { return !advice.headline().startsWith("Press F5"); }, kGenerousMs));
    QCOMPARE(advice.endText(), QString());
    QVERIFY(
        !page->details().findItems("stopped", Qt::MatchExactly | Qt::MatchRecursive, 1).isEmpty());
  }

  void aKeptRunThatFailedSaysWhy() {
    KeptRunsBench bench;
    QVERIFY(bench.ready);
    const RunNumber run = bench.kept.add(
        {.rates = {}, .state = RunState::Failed, .reason = "decode: no memory is left"});
    QVERIFY(bench.opensPipelineOf(run));
    auto* page = qobject_cast<KeptRunPage*>(bench.window->tabs().currentWidget());
    const AdvicePanel& advice = page->views().advice();
    QVERIFY2(QTest::qWaitFor([&] { return advice.endText().contains("Decode: no memory is left"); },
                             kGenerousMs),
             qPrintable(advice.endText()));
  }

  void aShownPipelineOfARunIsReadOnly() {
    KeptRunsBench bench;
    QVERIFY(bench.ready);
    QTabWidget& tabs = bench.window->tabs();
    QVERIFY(bench.opensPipelineOf(RunNumber{2}));
    auto* canvas = tabs.currentWidget()->findChild<KeptCanvas*>();
    const Document& kept = canvas->session().document;
    const std::string before = kept.text();
    QVERIFY(kept.graph().node("workers") != nullptr);
    for (const char* name :
         {"cut", "paste", "delete", "bypass", "add", "arrange", "rename", "save"})
      QVERIFY2(!bench.window->action(name)->isEnabled(), name);
    const QRectF body = canvas->session().geometry.layout().nodes.at("batch");
    const QPoint on = canvas->mapFromScene(body.center());
    QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, on);
    for (const Qt::Key key : {Qt::Key_Delete, Qt::Key_B, Qt::Key_D, Qt::Key_Space})
      QTest::keyClick(canvas, key);
    QTest::mousePress(canvas->viewport(), Qt::LeftButton, {}, on);
    QTest::mouseMove(canvas->viewport(), on + QPoint(60, 60));
    QTest::mouseRelease(canvas->viewport(), Qt::LeftButton, {}, on + QPoint(60, 60));
    QCOMPARE(kept.text(), before);
    QVERIFY(canvas->session().geometry.layout().nodes.at("batch") == body);
  }

  void undoInTheRunsTabBringsRunsBack() {
    KeptRunsBench bench;
    QVERIFY(bench.ready);
    bench.page().deleteRuns({RunNumber{1}});
    QVERIFY(QTest::qWaitFor([&] { return bench.page().model().rowCount() == 1; }, kGenerousMs));
    QVERIFY(bench.window->action("undo")->isEnabled());
    bench.window->action("undo")->trigger();
    QVERIFY(QTest::qWaitFor([&] { return bench.page().model().rowCount() == 2; }, kGenerousMs));
  }

  void theTabsOfRunsCanBeClosed() {
    KeptRunsBench bench;
    QVERIFY(bench.ready);
    QTabWidget& tabs = bench.window->tabs();
    emit tabs.tabCloseRequested(tabs.currentIndex());
    QVERIFY(bench.window->page() != nullptr);
    QVERIFY(bench.dock("inspector")->isVisible());
    bench.window->runs().open();
    QCOMPARE(bench.page().model().rowCount(), 2);
  }
};

}  // namespace millrace

using millrace::TestRunsInWindow;
MILLRACE_TEST_CASE(TestRunsInWindow)
#include "tst_runs_in_window.moc"
