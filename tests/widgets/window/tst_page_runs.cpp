// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#live-figures, #documents: each of several documents keeps the values of its
// last run, and the docks show and name the one in front.
#include <QAction>
#include <QDockWidget>
#include <QLabel>
#include <QTabWidget>
#include <QToolBar>

#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/controllers/runs_controller.h"
#include "app/workbench/window/main_window.h"
#include "core/graph/edit/graph_edit.h"
#include "core/nodes/builtin.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/opened_files.h"
#include "tests/widgets/patience.h"
#include "tests/widgets/stepped_pipeline.h"
#include "widgets/charts/advice_panel.h"
#include "widgets/charts/chart_panel.h"
#include "widgets/charts/figures_panel.h"
#include "widgets/charts/run_strip.h"
#include "widgets/charts/run_views.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

using tests::kGenerousMs;
using tests::kLongPipeline;

/// A window with two pipelines that can run at once.
class TwoRuns {
 public:
  TwoRuns() : window(builtinCatalog()) {
    controller().session().process().setProgram(tests::kMillrace);
    controller().setMeasure({0, 1, 1});
    window.resize(1600, 900);
    window.show();
    ready = opens("a.millrace.json") && opens("b.millrace.json");
  }
  ~TwoRuns() {
    controller().stop();
    ends();
  }
  bool opens(const char* name) {
    folder.write(name, kLongPipeline);
    return tests::openIn(window, fileText(folder.path() / name));
  }
  bool soon(const std::function<bool()>& condition) {
    return QTest::qWaitFor(condition, kGenerousMs);
  }
  void toFront(int tab) { window.tabs().setCurrentIndex(tab); }
  bool begins() {
    if (!soon([this] { return window.action("run")->isEnabled(); })) return false;
    controller().run();
    return soon([this] { return !overlay().nodes.empty(); });
  }
  bool ends() {
    return soon([this] { return !controller().session().isRunning(); });
  }
  RunController& controller() { return window.controller(); }
  const LiveRun& run() { return controller().views().run(); }
  const RunOverlay& overlay() { return window.page()->scene().run(); }
  QString titleOf(const QString& dock) {
    return window.findChild<QDockWidget*>(dock)->titleBarWidget()->findChild<QLabel*>()->text();
  }
  bool hasStrip() { return window.findChild<QToolBar*>("run_strip")->isVisible(); }

  tests::TemporaryFolder folder;
  MainWindow window;
  bool ready = false;
};

}  // namespace

class TestPageRuns : public QObject {
  Q_OBJECT
 private slots:
  void eachDocumentKeepsTheValuesOfItsLastRun() {
    TwoRuns two;
    QVERIFY(two.ready);
    two.toFront(0);
    const RunViews& views = two.controller().views();
    QVERIFY(two.begins());
    QVERIFY(two.hasStrip());
    QVERIFY2(views.strip().label().endsWith("of a.millrace.json"),
             qPrintable(views.strip().label()));
    const double zoom = two.window.page()->view().transform().m11();
    QVERIFY(two.ends());
    QVERIFY2(!two.hasStrip(), "a run that is over has no progress");
    QCoreApplication::processEvents();
    QCOMPARE(two.window.page()->view().transform().m11(), zoom);
    const QString first = two.overlay().label;
    QCOMPARE(two.run().title(), QString("a.millrace.json"));
    const std::vector<FiguresPanel::Figure> figures = views.figures().figures();
    QVERIFY(!figures.empty());

    // A document that has not been run shows nothing, especially not another one's run.
    two.toFront(1);
    QVERIFY(two.run().state() == LiveRun::State::None);
    QVERIFY(!two.hasStrip());
    QVERIFY(views.figures().figures().empty());
    QVERIFY2(views.advice().headline().startsWith("Press F5 to run"),
             qPrintable(views.advice().headline()));
    QVERIFY(views.advice().evidence().isEmpty());
    for (const char* dock : {"run_advice", "run_throughput", "run_figures"})
      QVERIFY2(two.titleOf(dock).endsWith("· b.millrace.json"), qPrintable(two.titleOf(dock)));

    // A run of the document leaves the other's figures unchanged.
    QVERIFY(two.begins() && two.ends());
    const QString second = two.overlay().label;
    QVERIFY(second != first);
    QCOMPARE(two.run().title(), QString("b.millrace.json"));
    two.toFront(0);
    QCOMPARE(two.run().title(), QString("a.millrace.json"));
    QVERIFY(two.run().isOver());
    QCOMPARE(views.figures().figures(), figures);
    QCOMPARE(two.overlay().label, first);
    QVERIFY(two.overlay().over && !two.overlay().nodes.empty());
    QVERIFY(two.titleOf("run_advice").endsWith("· a.millrace.json"));
    two.toFront(1);
    QCOMPARE(two.overlay().label, second);
  }

  void docksNameTheirDocumentIfSeveralAreOpen() {
    TwoRuns two;
    QVERIFY(two.ready);
    two.toFront(0);
    const auto hasNames = [&](const QString& behind) {
      for (const char* dock : {"run_advice", "run_throughput", "run_figures"})
        if (two.titleOf(dock) != two.window.findChild<QDockWidget*>(dock)->windowTitle() + behind)
          return false;
      return true;
    };
    QVERIFY2(hasNames(" · a.millrace.json"), qPrintable(two.titleOf("run_advice")));
    // The other document, which is not in front, is closed with the cross on its tab.
    emit two.window.tabs().tabCloseRequested(1);
    QCOMPARE(two.window.tabs().count(), 1);
    QVERIFY2(hasNames(""), qPrintable(two.titleOf("run_advice")));
    // Tabs of another kind are not documents.
    two.window.runs().open();
    two.toFront(0);
    QVERIFY2(hasNames(""), qPrintable(two.titleOf("run_advice")));
    two.window.action("new")->trigger();
    two.toFront(0);
    QVERIFY2(hasNames(" · a.millrace.json"), qPrintable(two.titleOf("run_advice")));
  }

  void frozenValuesAreNotShownForAnotherDocument() {
    TwoRuns two;
    QVERIFY(two.ready);
    two.toFront(0);
    QVERIFY(two.begins() && two.ends());
    ChartPanel* chart =
        two.window.findChild<QDockWidget*>("run_throughput")->findChild<ChartPanel*>();
    QVERIFY(chart != nullptr);
    chart->freezeAction()->setChecked(true);
    two.toFront(1);
    QVERIFY(!chart->isFrozen());
    QVERIFY2(chart->footer().startsWith("The rate appears here"), qPrintable(chart->footer()));
  }

  void editsOfADocumentThatRanEarlierAreMarked() {
    TwoRuns two;
    QVERIFY(two.ready);
    for (const int tab : {0, 1}) {
      two.toFront(tab);
      QVERIFY(two.begins() && two.ends());
    }
    two.toFront(0);
    QVERIFY(two.overlay().edited.empty());
    Document& document = two.window.page()->session().document;
    document.edit("test", *applySetting(document.graph(), builtinCatalog(), "batch.size=20"));
    QVERIFY(two.soon([&] { return two.overlay().edited.contains("batch"); }));
  }

  void theRunningDocumentIsNamedInAnother() {
    TwoRuns two;
    QVERIFY(two.ready);
    two.controller().setMeasure({0, 1000, 1});
    two.toFront(0);
    QVERIFY(two.begins());
    QVERIFY(two.controller().statusText().startsWith("Running: "));
    two.toFront(1);
    QVERIFY2(two.controller().statusText().startsWith("Running a.millrace.json: "),
             qPrintable(two.controller().statusText()));
    QVERIFY(!two.hasStrip());
    // While the runs are in front, documents have none to show.
    two.window.runs().open();
    QVERIFY(two.hasStrip());
    two.toFront(0);
    QVERIFY(two.hasStrip() && two.run().title() == "a.millrace.json");
    // A closed page takes its figures along.
    two.controller().stop();
    QVERIFY(two.ends());
    two.window.action("close")->trigger();
    QVERIFY(two.run().state() == LiveRun::State::None);
  }
};

}  // namespace millrace

using millrace::TestPageRuns;
MILLRACE_TEST_CASE(TestPageRuns)
#include "tst_page_runs.moc"
