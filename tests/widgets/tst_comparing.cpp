// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// INTERACTION 22 to 25: runs side by side.
#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QMessageBox>
#include <QScrollBar>
#include <QTimer>

#include "app/workbench/runs_area.h"
#include "core/graph/graph_edit.h"
#include "core/graph/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/samples/examples.h"
#include "tests/support/test_case.h"
#include "tests/widgets/kept_store.h"
#include "tests/widgets/patience.h"
#include "widgets/canvas/edit_session.h"
#include "widgets/common/strings.h"
#include "widgets/compare/box_view.h"
#include "widgets/compare/differences_panel.h"
#include "widgets/compare/graph_diff_view.h"
#include "widgets/compare/kept_canvas.h"
#include "widgets/compare/line_view.h"
#include "widgets/compare/measure_again.h"
#include "widgets/compare/parallel_view.h"
#include "widgets/compare/scatter_view.h"
#include "widgets/runs/runs_page.h"

namespace millrace {

namespace {

using tests::kGenerousMs;

/// The runs and their views over a store.
class Area {
 public:
  explicit Area(const std::filesystem::path& file)
      : settings(fileText(file) + ".ini", QSettings::IniFormat),
        store(file),
        area(store, builtinCatalog(), settings,
             {"number", "name", "workers.count", "samples_per_second", "verdict"}) {
    area.resize(1400, 900);
    area.show();
    ready = QTest::qWaitFor([this] { return page().model().rowCount() > 0; }, kGenerousMs) &&
            QTest::qWaitFor([this] { return !area.set().cloud().runs.empty(); }, kGenerousMs);
  }
  RunsPage& page() { return area.page(); }
  bool compares(const std::vector<RunNumber>& runs) {
    QSignalSpy changed(&area.set(), &CompareSet::changed);
    page().view().choose(runs);
    return QTest::qWaitFor(
        [&] {
          return changed.count() > 0 && area.set().comparison() != nullptr &&
                 area.set().isSettled();
        },
        kGenerousMs);
  }
  QString row(const QString& name, int run) {
    DifferencesModel& model = area.differences().model();
    for (int row = 0; row < model.rowCount(); ++row)
      if (model.index(row, 0).data().toString() == name)
        return model.index(row, run + 1).data().toString();
    return "(no such row)";
  }

  QSettings settings;
  StoreThread store;
  RunsArea area;
  bool ready = false;
};

void addThree(const tests::KeptStore& kept) {
  kept.add({.name = "two", .workers = 2, .rates = {100, 101, 99}, .cost = 2.0});
  kept.add({.name = "four", .workers = 4, .rates = {190, 200, 210}, .cost = 2.5});
  kept.add({.name = "flip", .workers = 4, .rates = {150, 150, 150}, .cost = 3.0, .flip = true});
}

}  // namespace

class TestComparing : public QObject {
  Q_OBJECT
 private slots:
  void point22_onlyDifferencesAreShownAtFirst() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    QVERIFY(a.ready);
    DifferencesModel& model = a.area.differences().model();
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(a.compares({RunNumber{1}, RunNumber{2}}));
    QCOMPARE(model.columnCount(), 3);
    QCOMPARE(a.row("Verdict", 1), QString("faster"));
    QCOMPARE(a.row("Workers › Threads", 0), QString("2"));
    QCOMPARE(a.row("Workers › Threads", 1), QString("4"));
    QCOMPARE(a.row("Samples per second", 1), QString("200"));
    QCOMPARE(a.row("Batch › Size", 0), QString("(no such row)"));
    const int few = model.rowCount();
    a.area.differences().onlyDifferences().click();
    QVERIFY(model.rowCount() > few);
    QCOMPARE(a.row("Batch › Size", 0), QString("8"));
    for (const char* name : {"d.csv", "d.json", "d.html"})
      VERIFY_OK(a.area.differences().exported(name));
    QVERIFY(!a.area.differences().exported("d.xyz").ok());
  }

  void point22_fiftyRunsOf120ParametersAreCompared() {
    const tests::KeptStore kept;
    RunStore store = kept.open();
    std::vector<RunNumber> runs;
    for (int i = 1; i <= 50; ++i)
      runs.push_back(tests::KeptStore::add(store, {.workers = i, .moreSettings = 120}));
    Area a(kept.file());
    QVERIFY(a.ready);
    QVERIFY(a.compares(runs));
    QCOMPARE(a.area.differences().model().columnCount(), 51);
    QCOMPARE(a.area.lines().lines().size(), 50U);
  }

  void point23_choosingInOneViewChoosesInAll() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    QVERIFY(a.ready);
    QVERIFY(a.compares({RunNumber{1}, RunNumber{2}}));
    QCOMPARE(a.page().model().markOf(RunNumber{1}), a.area.set().seriesOf(RunNumber{1}));
    QCOMPARE(a.page().model().markOf(RunNumber{2}), a.area.set().seriesOf(RunNumber{2}));
    const auto place = a.area.scatter().placeOf(RunNumber{3});
    QVERIFY(place);
    QTest::mouseClick(&a.area.scatter(), Qt::LeftButton, Qt::ControlModifier, place->toPoint());
    QCOMPARE(a.page().view().chosen(),
             (std::vector<RunNumber>{RunNumber{1}, RunNumber{2}, RunNumber{3}}));
    QVERIFY(QTest::qWaitFor([&] { return a.area.lines().lines().size() == 3; }, kGenerousMs));
    QTest::mouseClick(&a.area.scatter(), Qt::LeftButton, {}, place->toPoint());
    QCOMPARE(a.page().view().chosen(), std::vector<RunNumber>{RunNumber{3}});
    a.area.set().hover(RunNumber{2});
    QCOMPARE(a.area.set().hovered(), std::optional(RunNumber{2}));
  }

  void point24_scatterJoinsTheRunsThatNoneBeats() {
    const auto run = [](int number, std::optional<double> cost, std::optional<double> rate) {
      CloudRun one;
      one.number = RunNumber{number};
      one.cost = cost;
      one.rate = rate;
      return one;
    };
    const std::vector<CloudRun> runs = {run(1, 2, 100), run(2, 3, 90),   run(3, 4, 300),
                                        run(4, 2, 120), run(5, {}, 999), run(6, 4, 200)};
    QCOMPARE(paretoFront(runs), (std::vector<std::size_t>{3, 2}));
    QVERIFY(paretoFront(std::vector<CloudRun>{}).empty());
  }

  void point24_boxesHoldTheRepeats() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    QVERIFY(a.ready && a.compares({RunNumber{1}, RunNumber{2}}));
    QCOMPARE(a.area.boxes().boxes().size(), 2U);
    const RunBox& box = a.area.boxes().boxes()[1];
    QCOMPARE(box.rates, (std::vector<double>{190, 200, 210}));
    QCOMPARE(box.median, 200.0);
    QCOMPARE(box.quarter, 195.0);
    QVERIFY(QString::fromStdString(a.area.boxes().csv()).contains("2,190"));
    QCOMPARE(a.area.lines().lines()[1].points.size(), 5U);
    QCOMPARE(a.area.lines().lines()[1].points[0].median, 200.0);
    QCOMPARE(a.area.lines().lines()[1].points[0].high, 210.0);
  }

  void point24_parallelAxesAreTurnedMovedAndMarked() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    QVERIFY(a.ready);
    ParallelAxes axes;
    axes.setCloud(a.area.set().cloud());
    QStringList ids;
    for (const auto& axis : axes.axes()) ids << axis.id;
    QCOMPARE(ids,
             QStringList({"workers.count", "cpu_seconds_per_1000_samples", "samples_per_second"}));
    axes.setHideConstants(false);
    QVERIFY(axes.axes().size() > 3);
    axes.setHideConstants(true);
    const CloudRun& four = a.area.set().cloud().runs[1];  // the newest first
    QCOMPARE(four.number, RunNumber{2});
    QCOMPARE(axes.placeOf(four, 2), std::optional(1.0));
    axes.flip(2);
    QCOMPARE(axes.placeOf(four, 2), std::optional(0.0));
    axes.setBrush(2, AxisBrush{0, 0.4});
    QCOMPARE(axes.wanted(a.area.set().cloud()), std::vector<RunNumber>{RunNumber{2}});
    axes.flip(2);
    QCOMPARE(axes.wanted(a.area.set().cloud()), std::vector<RunNumber>{RunNumber{2}});
    axes.toggleLog(2);
    QVERIFY(axes.axes()[2].log && !axes.isBrushed());
    axes.move(2, 0);
    QCOMPARE(axes.axes()[0].id, QString("samples_per_second"));
    QVERIFY(axes.axes()[0].log);
  }

  void point24_aBrushChoosesTheRuns() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    QVERIFY(a.ready);
    ParallelView view(a.area.set());
    view.resize(600, 300);
    view.axes().setCloud(a.area.set().cloud());
    view.show();
    const double x = view.xOf(2);
    const QRectF area = view.area();
    QTest::mousePress(&view, Qt::LeftButton, {}, QPointF(x, area.top() + 1).toPoint());
    QTest::mouseMove(&view, QPointF(x, area.center().y() + 6).toPoint());
    QMouseEvent move(QEvent::MouseMove, QPointF(x, area.center().y() + 6),
                     view.mapToGlobal(QPointF(x, area.center().y() + 6)), Qt::NoButton,
                     Qt::LeftButton, {});
    QCoreApplication::sendEvent(&view, &move);
    QTest::mouseRelease(&view, Qt::LeftButton, {}, QPointF(x, area.center().y() + 6).toPoint());
    QCOMPARE(a.page().view().chosen().size(), 2U);
    QTest::keyClick(&view, Qt::Key_Escape);
    QVERIFY(!view.axes().isBrushed());
  }

  void point24_chartsAreSavedAsPictureDrawingAndTable() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    QVERIFY(a.ready && a.compares({RunNumber{1}, RunNumber{2}}));
    for (CompareView* view : std::initializer_list<CompareView*>{
             &a.area.lines(), &a.area.scatter(), &a.area.boxes(), &a.area.parallel()}) {
      for (const char* suffix : {"png", "svg", "csv"})
        VERIFY_OK(view->exportTo(fileText(kept.folder() / "chart.") + suffix));
      QVERIFY(!view->exportTo(fileText(kept.folder() / "chart.pdf")).ok());
      QVERIFY(view->csv().find('\n') != std::string::npos);
    }
  }

  void point25_theDifferenceIsDrawnOnTheGraph() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    QVERIFY(a.ready && a.compares({RunNumber{1}, RunNumber{3}}));
    GraphDiffView& graph = a.area.graph();
    QCOMPARE(graph.counts(), QString("+ added 1   ≠ changed 1   − removed 0"));
    QVERIFY2(graph.figures().contains("+50.0"), qPrintable(graph.figures()));
    QVERIFY(graph.canvas().session().document.graph().node("flip") != nullptr);
    // Large enough to be read, and each node tells more.
    QVERIFY(graph.canvas().transform().m11() >= 0.36);
    const auto told = [&](const char* node) {
      return graph.canvas().toolTipAt(
          graph.canvas().session().geometry.layout().nodes.at(node).topLeft() + QPointF(20, 10));
    };
    QVERIFY2(told("workers").contains("Threads: 2 → <b>4</b>"), qPrintable(told("workers")));
    QVERIFY2(told("flip").contains("added"), qPrintable(told("flip")));
    QVERIFY2(told("drain").contains("→ <b>"), qPrintable(told("drain")));
    // The other way round a node has gone, and is drawn all the same.
    VERIFY_OK(kept.open().setBaseline(RunNumber{3}));
    a.page().setBaseline(RunNumber{3});
    QVERIFY(QTest::qWaitFor(
        [&] { return graph.counts() == "+ added 0   ≠ changed 1   − removed 1"; }, kGenerousMs));
    QVERIFY(graph.canvas().session().document.graph().node("flip") != nullptr);
  }

  void point25_allThatChangedIsSeenThoughTheViewIsLow() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    QVERIFY(a.ready && a.compares({RunNumber{1}, RunNumber{3}}));
    KeptCanvas& canvas = a.area.graph().canvas();
    int held = 0;
    for (int height = 60; height < 320; height += 4) {
      canvas.setFixedSize(430, height);
      canvas.fit();
      // The rows are others at each height.
      const auto& bodies = canvas.session().geometry.layout().nodes;
      const QRectF changed =
          QRectF(bodies.at("workers").topLeft(), QSizeF(200, 36)) | bodies.at("flip");
      const QRectF marked = changed.adjusted(-40, -40, 40, 40);
      const QRectF seen = canvas.mapToScene(canvas.viewport()->rect()).boundingRect();
      if (marked.width() > seen.width() || marked.height() > seen.height()) continue;
      ++held;
      QVERIFY2(seen.contains(changed), qPrintable(QString::number(height)));
    }
    QVERIFY(held > 0);
  }

  void point25_theWholeDifferenceIsSeenInADockAndReadable() {
    const std::string before = *exampleJson("classification");
    const Graph old = *parseGraph(before, builtinCatalog()).graph;
    const Graph now =
        setParameter(old, builtinCatalog(), "workers", "count", Value{std::int64_t{7}}).take();
    const GraphDiff diff = diffGraphs(old, now, builtinCatalog());
    KeptCanvas canvas(builtinCatalog());
    canvas.setVisible(true);
    const auto zoomIn = [&](QSize size) {
      canvas.resize(size);
      if (!canvas.showDiff(before, graphText(now, builtinCatalog()), diff)) return 0.0;
      const QRectF all = canvas.session().geometry.layout().bounds();
      const QRectF seen = canvas.mapToScene(canvas.viewport()->rect()).boundingRect();
      const double zoom = canvas.transform().m11();
      return seen.contains(all) && zoom >= 0.36 ? zoom : 0.0;
    };
    QVERIFY(zoomIn({320, 250}) > 0);  // as LOOK has it
    QVERIFY(zoomIn({640, 180}) > 0);  // wide and low
    QVERIFY(zoomIn({900, 700}) > 0.9);
    // Where not all can be seen there are bars.
    QCOMPARE(zoomIn({150, 120}), 0.0);
    QVERIFY(QTest::qWaitFor(
        [&] {
          return canvas.horizontalScrollBar()->isVisible() ||
                 canvas.verticalScrollBar()->isVisible();
        },
        kGenerousMs));
  }

  void point32_aComparisonIsSavedAsOnePageAndSaidWhere() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    QVERIFY(a.ready && a.compares({RunNumber{1}, RunNumber{3}}));
    QSignalSpy said(&a.page(), &RunsPage::said);
    const QTemporaryDir folder;
    const QString file = folder.filePath("page.html");
    a.area.differences().save(file);
    QVERIFY(said.wait(kGenerousMs));
    QCOMPARE(said.count(), 1);
    QVERIFY2(said.front().front().toString().contains(file),
             qPrintable(said.front().front().toString()));
    QFile page(file);
    QVERIFY(page.open(QIODevice::ReadOnly));
    QVERIFY(page.readAll().trimmed().endsWith("</html>"));
    QString warned;
    QTimer look;
    connect(&look, &QTimer::timeout, [&] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (box == nullptr) return;
      warned = box->text();
      box->reject();
    });
    look.start(5);
    a.area.differences().save("/nowhere/at/all/page.html");
    QVERIFY(QTest::qWaitFor([&] { return !warned.isEmpty(); }, kGenerousMs));
    QVERIFY2(warned.contains("/nowhere/at/all/page.html: ") && warned.contains("another folder"),
             qPrintable(warned));
    QCOMPARE(said.count(), 1);
  }

  void point32_runsWhoseDataIsGoneAreNotMeasuredAgain() {
    const tests::KeptStore kept;
    kept.add({.name = "two", .workers = 2});
    kept.add({.name = "four", .workers = 4});
    kept.add({.name = "moved", .pictures = (kept.folder() / "gone").string()});
    Area a(kept.file());
    QVERIFY(a.ready && a.compares({RunNumber{1}, RunNumber{3}}));
    const QAction* measure = a.page().action("measure");
    QVERIFY(!measure->isEnabled());
    QVERIFY2(measure->toolTip().startsWith("Run 3 reads ") && measure->toolTip().contains("gone"),
             qPrintable(measure->toolTip()));
    QVERIFY(a.compares({RunNumber{1}, RunNumber{2}}));
    QVERIFY(measure->isEnabled());
  }

  void point21_bothAreMeasuredAgainTogether() {
    const tests::KeptStore kept;
    kept.add({.name = "two", .workers = 2});
    kept.add({.name = "one", .workers = 1});
    Area a(kept.file());
    QVERIFY(a.ready);
    MeasureAgain& measure = a.area.measureAgain();
    measure.job().setProgram(MILLRACE_BINARY);
    measure.setFlags({"--seconds", "0.05", "--warmup", "0", "--repeats", "5"});
    QSignalSpy measured(&measure, &MeasureAgain::measured);
    measure.start(RunNumber{1}, RunNumber{2});
    QVERIFY(measured.wait(kGenerousMs));
    QVERIFY2(!measure.verdict().isEmpty(), qPrintable(measure.words()));
    QVERIFY2(measure.words().contains("Kept as runs 3 and 4"), qPrintable(measure.words()));
    QVERIFY(QTest::qWaitFor([&] { return a.page().model().rowCount() == 4; }, kGenerousMs));
  }

  void point31_measuringShowsProgressAndCanBeStopped() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    QVERIFY(a.ready);
    MeasureAgain& measure = a.area.measureAgain();
    measure.job().setProgram(MILLRACE_BINARY);
    measure.setFlags({"--seconds", "1000"});
    measure.start(RunNumber{1}, RunNumber{2});
    QVERIFY2(QTest::qWaitFor([&] { return measure.words().contains("block 1 of"); }, kGenerousMs),
             qPrintable(measure.words()));
    QVERIFY2(measure.words().contains("left"), qPrintable(measure.words()));
    measure.stop();
    QVERIFY(QTest::qWaitFor([&] { return !measure.job().isRunning(); }, kGenerousMs));
    QVERIFY2(measure.words().contains("topped"), qPrintable(measure.words()));
  }

  void point21_whatCannotBeMeasuredIsASentence() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    MeasureAgain& measure = a.area.measureAgain();
    measure.job().setProgram(MILLRACE_BINARY);
    measure.start(RunNumber{1}, RunNumber{77});
    QVERIFY(QTest::qWaitFor([&] { return !measure.job().isRunning(); }, kGenerousMs));
    QVERIFY2(measure.words().contains("77"), qPrintable(measure.words()));
    measure.setObstacle([] { return QString("A run goes on."); });
    measure.start(RunNumber{1}, RunNumber{2});
    QCOMPARE(measure.words(), QString("A run goes on."));
  }
};

}  // namespace millrace

using millrace::TestComparing;
MILLRACE_TEST_CASE(TestComparing)
#include "tst_comparing.moc"
