// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#differences, #linked-selection, #plots-of-runs: runs side by side. Graphs are
// tested in tst_compared_graph.
#include <algorithm>

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDockWidget>
#include <QHelpEvent>
#include <QMessageBox>
#include <QTableView>
#include <QTimer>
#include <QToolTip>

#include "tests/support/test_case.h"
#include "tests/widgets/compare_area.h"
#include "widgets/common/theme.h"
#include "widgets/compare/box_view.h"
#include "widgets/compare/line_view.h"
#include "widgets/compare/parallel_view.h"
#include "widgets/compare/scatter_view.h"

namespace millrace {

namespace {

using tests::addThree;
using tests::kGenerousMs;
using Area = tests::CompareArea;

void showAllAxes(ParallelView& view, const CompareSet& set) {
  view.resize(600, 300);
  view.axes().setCloud(set.cloud());
  view.show();
}

/// Clicks down a column of a view until exactly one run is selected.
std::optional<RunNumber> clickedDown(Area& a, QWidget& view, int x) {
  for (int y = 0; y < view.height(); y += 3) {
    QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(x, y));
    if (a.page().view().chosen().size() == 1) return a.page().view().chosen().front();
  }
  return std::nullopt;
}

}  // namespace

class TestComparing : public QObject {
  Q_OBJECT
 private slots:
  void differencesFitTheirDockAlsoAfterItsWidthHasChanged() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    QVERIFY(a.ready && a.compares({RunNumber{1}, RunNumber{2}}));
    const QTableView& table = a.area.differences().table();
    for (const int width : {1400, 1240}) {
      a.area.resize(width, 900);
      const auto fits = [&] {
        int sum = 0;
        for (int c = 0; c < table.model()->columnCount(); ++c) sum += table.columnWidth(c);
        return sum <= table.viewport()->width();
      };
      QVERIFY2(QTest::qWaitFor(fits, kGenerousMs), qPrintable(QString::number(width)));
    }
  }

  void valuesAndSentencesOfDifferencesAreWhole() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    QVERIFY(a.ready && a.compares({RunNumber{1}, RunNumber{2}, RunNumber{3}}));
    QTableView& table = a.area.differences().table();
    a.area.resize(900, 900);
    bool sentences = false;
    const auto isWhole = [&](int line) {
      const QModelIndex name = table.model()->index(line, 0);
      if (name.data(DifferencesModel::SentenceRole).toBool()) {
        sentences = true;
        const QRect room(0, 0, table.viewport()->width() - 16, 10000);
        return QFontMetrics(uiFont(13))
                   .boundingRect(room, Qt::TextWordWrap, name.data().toString())
                   .height() <= table.rowHeight(line);
      }
      for (int c = 1; c < table.model()->columnCount(); ++c) {
        const QModelIndex value = table.model()->index(line, c);
        const int width = QFontMetrics(uiFont(13)).horizontalAdvance(value.data().toString());
        if (!value.data(DifferencesModel::VerdictRole).isValid() && width < 144 &&
            width + 16 > table.columnWidth(c))
          return false;
      }
      return true;
    };
    for (int i = 0; i < 2; ++i) {
      for (int line = 0; line < table.model()->rowCount(); ++line)
        QVERIFY2(isWhole(line), qPrintable(table.model()->index(line, 0).data().toString()));
      a.area.differences().onlyDifferences().click();
    }
    QVERIFY(sentences);
  }

  void longNamesAndValuesOfDifferencesAreWholeAndCanBeCopied() {
    const std::string path = "/data/" + std::string(200, 'x');
    const std::string param = "a_parameter_with_a_name_that_is_as_long_as_those_of_plugins_may_be";
    const tests::KeptStore kept;
    kept.add({.settings = {{"synthetic", param, path + "1"}}});
    kept.add({.settings = {{"synthetic", param, path + "2"}}});
    Area a(kept.file());
    QVERIFY(a.ready && a.compares({RunNumber{1}, RunNumber{2}}));
    a.area.resize(900, 900);
    QTableView& table = a.area.differences().table();
    int line = 0;
    while (line < table.model()->rowCount() &&
           !table.model()->index(line, 2).data().toString().startsWith(toQt(path)))
      ++line;
    QVERIFY(line < table.model()->rowCount());
    const auto isWhole = [&](int column) {
      const QFontMetrics metrics(uiFont(13));
      const QString text = table.model()->index(line, column).data().toString();
      const int lines = 1 + metrics.horizontalAdvance(text) / (table.columnWidth(column) - 16);
      return table.rowHeight(line) >= lines * metrics.height();
    };
    for (const int column : {0, 1, 2})
      QVERIFY2(QTest::qWaitFor([&] { return isWhole(column); }, kGenerousMs),
               qPrintable(QString("%1: %2 px").arg(column).arg(table.rowHeight(line))));
    table.selectRow(line);
    QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
    const QString copied = QApplication::clipboard()->text();
    QVERIFY2(copied.contains(toQt(path) + "1\t" + toQt(path) + "2"), qPrintable(copied));
  }

  void docksKeepTheirWidthsWhileThoseOfAPipelineDisappear() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    QVERIFY(a.ready);
    a.area.resize(1350, 750);
    QCoreApplication::processEvents();
    const auto widths = [&] {
      QList<int> all;
      for (const char* name : {"runs_differences", "runs_lines", "runs_graph"})
        all << a.area.findChild<QDockWidget*>(name)->width();
      return all;
    };
    const QList<int> before = widths();
    for (int i = 0; i < 2; ++i) {
      a.area.hide();
      a.area.resize(1030, 450);
      a.area.show();
      QCoreApplication::processEvents();
      a.area.resize(1350, 750);
      QVERIFY2(QTest::qWaitFor([&] { return widths() == before; }),
               qPrintable(QString("%1, before %2").arg(widths().front()).arg(before.front())));
    }
  }

  void onlyDifferencesAreShownByDefault() {
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
    QCOMPARE(a.row("Samples per second", 1), QString("199.8"));
    QCOMPARE(a.row("Batch › Size", 0), QString("(no such row)"));
    const int few = model.rowCount();
    a.area.differences().onlyDifferences().click();
    QVERIFY(model.rowCount() > few);
    QCOMPARE(a.row("Batch › Size", 0), QString("8"));
    for (const char* name : {"d.csv", "d.json", "d.html"})
      VERIFY_OK(a.area.differences().exported(name));
    QVERIFY(!a.area.differences().exported("d.xyz").ok());
  }

  void fiftyRunsOf120ParametersAreCompared() {
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

  void choosingInOneViewChoosesInAll() {
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

  void clickingALineChoosesItsRunInEveryView() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    QVERIFY(a.ready && a.compares({RunNumber{1}, RunNumber{2}}));
    LineView& lines = a.area.lines();
    lines.resize(500, 300);
    // From the top: the faster run's line is hit first.
    QVERIFY(clickedDown(a, lines, 250) == RunNumber{2});
    const auto isChosen = [&](RunNumber run) {
      return QTest::qWaitFor([&] { return a.area.set().chosen() == std::vector{run}; },
                             kGenerousMs);
    };
    QVERIFY(isChosen(RunNumber{2}));
    ParallelView& parallel = a.area.parallel();
    parallel.resize(600, 300);
    QVERIFY(a.compares({RunNumber{1}, RunNumber{2}}));
    const int between = static_cast<int>(parallel.xOf(1) + parallel.xOf(2)) / 2;
    const auto chosen = clickedDown(a, parallel, between);
    QVERIFY(chosen.has_value() && isChosen(*chosen));
    // The run under the mouse is marked in all of them.
    const QPointF third = *a.area.scatter().placeOf(RunNumber{3});
    QMouseEvent over(QEvent::MouseMove, third, a.area.scatter().mapToGlobal(third), Qt::NoButton,
                     Qt::NoButton, {});
    QCoreApplication::sendEvent(&a.area.scatter(), &over);
    QCOMPARE(a.area.set().hovered(), std::optional(RunNumber{3}));
  }

  void axesAreMovedAndFlippedByMouseAndKeys() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    QVERIFY(a.ready);
    ParallelView view(a.area.set());
    showAllAxes(view, a.area.set());
    const auto title = [&](std::size_t axis) { return view.titleOf(axis).center().toPoint(); };
    const auto send = [&](QEvent::Type type, QPointF at) {
      QMouseEvent event(type, at, view.mapToGlobal(at), Qt::LeftButton, Qt::LeftButton, {});
      QCoreApplication::sendEvent(&view, &event);
    };
    const auto ids = [&] {
      QStringList all;
      for (const auto& axis : view.axes().axes()) all << axis.id;
      return all;
    };
    const QStringList before = ids();
    QTest::mouseClick(&view, Qt::LeftButton, {}, title(1));
    QVERIFY(view.axes().axes()[1].flipped);
    QTest::mousePress(&view, Qt::LeftButton, {}, title(1));
    send(QEvent::MouseMove, title(0));
    QTest::mouseRelease(&view, Qt::LeftButton, {}, title(0));
    QCOMPARE(ids(), QStringList({before[1], before[0], before[2]}));
    QVERIFY2(view.axes().axes()[0].flipped,
             "a flipped axis stays flipped, and a drag flips nothing");
    // The keys act on the axis selected last.
    QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(ids(), before);
    QTest::keyClick(&view, Qt::Key_F);
    QVERIFY(!view.axes().axes()[1].flipped);
    QTest::keyClick(&view, Qt::Key_L);
    QVERIFY(view.axes().axes()[1].log);
    QTest::mouseClick(&view, Qt::LeftButton, {}, title(1));
    send(QEvent::MouseButtonDblClick, title(1));
    QVERIFY(!view.axes().axes()[1].log && !view.axes().axes()[1].flipped);
    view.constantsAction()->setChecked(true);
    QVERIFY(view.axes().axes().size() > 3);
  }

  void aDoubleClickOpensTheRunsPipeline() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    QVERIFY(a.ready);
    QSignalSpy asked(&a.area, &RunsArea::openRequested);
    const auto last = [&] { return asked.last().first().value<RunNumber>(); };
    QTest::mouseDClick(&a.area.scatter(), Qt::LeftButton, {},
                       a.area.scatter().placeOf(RunNumber{3})->toPoint());
    QCOMPARE(asked.count(), 1);
    QCOMPARE(last(), RunNumber{3});
    RunTableView& table = a.page().view();
    const QModelIndex cell = a.page().model().index(a.page().model().rowOf(RunNumber{2}), 0);
    const QPoint at = table.visualRect(cell).center();
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(table.viewport(), Qt::LeftButton, {}, at);
    QCOMPARE(asked.count(), 2);
    QCOMPARE(last(), RunNumber{2});
  }

  void theScatterPlotJoinsTheParetoFront() {
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

  void boxesSummariseTheRepeats() {
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

  void parallelAxesCanBeFlippedMovedAndBrushed() {
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

  void titlesOfAxesAreWholeWhereThereIsRoom() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    QVERIFY(a.ready);
    ParallelView view(a.area.set());
    showAllAxes(view, a.area.set());
    const std::size_t count = view.axes().axes().size();
    QVERIFY(count >= 3);
    for (const int each : {64, 90, 150, 300}) {
      view.resize(96 + each * static_cast<int>(count - 1), 400);
      for (std::size_t i = 0; i < count; ++i) {
        QVERIFY2(each < 90 || !view.titleLines(i).join(' ').contains(QChar(0x2026)),
                 qPrintable(QString("%1: %2").arg(each).arg(view.titleLines(i).join('|'))));
        QVERIFY(view.titleOf(i).top() > 16 && view.titleOf(i).bottom() < view.area().top());
        for (std::size_t j = 0; j < i; ++j)
          QVERIFY2(!view.titleOf(i).intersects(view.titleOf(j)),
                   qPrintable(QString("%1: %2 and %3").arg(each).arg(j).arg(i)));
      }
    }
    const std::size_t last = count - 1;
    const QPoint at(static_cast<int>(view.xOf(last)), static_cast<int>(view.area().center().y()));
    QHelpEvent asked(QEvent::ToolTip, at, view.mapToGlobal(at));
    view.show();
    QCoreApplication::sendEvent(&view, &asked);
    QVERIFY2(QToolTip::text().startsWith(view.axes().axes()[last].title),
             qPrintable(QToolTip::text()));
  }

  void anAxisTitleSaysWhatCanBeDoneWithIt() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    QVERIFY(a.ready);
    ParallelView view(a.area.set());
    showAllAxes(view, a.area.set());
    view.show();
    const QPoint at = view.titleOf(1).center().toPoint();
    QHelpEvent asked(QEvent::ToolTip, at, view.mapToGlobal(at));
    QCoreApplication::sendEvent(&view, &asked);
    const QString words = QToolTip::text();
    for (const QString& part : {view.axes().axes()[1].title.toHtmlEscaped(), QString("flips"),
                                QString("logarithmic"), QString("moves")})
      QVERIFY2(words.contains(part), qPrintable(words));
  }

  void aLineIsInterruptedWhereTheRunHasNoValue() {
    const tests::KeptStore kept;
    kept.add({.workers = 1, .moreSettings = 3});
    kept.add({.workers = 2});
    kept.add({.workers = 3, .moreSettings = 3});
    Area a(kept.file());
    QVERIFY(a.ready);
    ParallelView view(a.area.set());
    view.axes().setHideConstants(false);
    showAllAxes(view, a.area.set());
    const auto& runs = a.area.set().cloud().runs;
    const auto second = std::ranges::find(runs, RunNumber{2}, &CloudRun::number);
    QVERIFY(second != runs.end());
    const double step = view.xOf(1) - view.xOf(0);
    qsizetype points = 0;
    const auto pieces = view.linesOf(*second);
    for (const QPolygonF& piece : pieces) {
      points += piece.size();
      for (qsizetype i = 0; i + 1 < piece.size(); ++i)
        QVERIFY(piece[i + 1].x() - piece[i].x() < 1.5 * step);
    }
    QVERIFY2(pieces.size() > 1, "there are axes without a value between others");
    QVERIFY(points < static_cast<qsizetype>(view.axes().axes().size()));
    view.grab();
  }

  void aBrushChoosesTheRuns() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    QVERIFY(a.ready);
    ParallelView view(a.area.set());
    showAllAxes(view, a.area.set());
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

  void chartsAreSavedAsPictureDrawingAndTable() {
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

  void aComparisonIsSavedAsOnePageAndItsPlaceReported() {
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
    QTimer poll;
    connect(&poll, &QTimer::timeout, [&] {
      auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (box == nullptr) return;
      warned = box->text();
      box->reject();
    });
    poll.start(5);
    a.area.differences().save("/nowhere/at/all/page.html");
    QVERIFY(QTest::qWaitFor([&] { return !warned.isEmpty(); }, kGenerousMs));
    QVERIFY2(warned.contains("/nowhere/at/all/page.html: ") && warned.contains("another folder"),
             qPrintable(warned));
    QCOMPARE(said.count(), 1);
  }
};

}  // namespace millrace

using millrace::TestComparing;
MILLRACE_TEST_CASE(TestComparing)
#include "tst_comparing.moc"
