// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#table-of-runs: the widths of the columns.
#include "widgets/runs/run_column_widths.h"

#include <numeric>

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QScrollBar>

#include "tests/support/test_case.h"
#include "tests/widgets/kept_store.h"
#include "tests/widgets/run_table.h"
#include "widgets/common/format.h"
#include "widgets/common/table_head.h"
#include "widgets/common/theme.h"
#include "widgets/runs/run_cell_delegate.h"
#include "widgets/runs/run_details.h"

namespace millrace {

namespace {

using Column = RunColumnWidths::Column;
using tests::kColumns;
using tests::kGenerousMs;

RunColumnWidths threeColumns() {
  RunColumnWidths widths;
  widths.setColumns({{"number", 60, 60, 60, false},
                     {"name", 300, 240, 100, true},
                     {"rate", 200, 120, 120, false}});
  return widths;
}

int widthOf(tests::RunTable& table, const char* column) {
  return table.page.view().columnWidth(static_cast<int>(kColumns.indexOf(column)));
}

bool isCut(tests::RunTable& table, RunNumber run, const char* column) {
  return widthOf(table, column) < wholeCellWidth(table.cell(run, column));
}

}  // namespace

class TestRunColumnWidths : public QObject {
  Q_OBJECT
 private slots:
  void theNameGetsWhatIsLeftAndGivesUpItsRoomLast() {
    const RunColumnWidths widths = threeColumns();
    QCOMPARE(widths.in(1000), (std::vector<int>{60, 740, 200}));
    QCOMPARE(widths.in(560), (std::vector<int>{60, 300, 200}));
    QCOMPARE(widths.in(420), (std::vector<int>{60, 240, 120}));
    QCOMPARE(widths.in(300), (std::vector<int>{60, 120, 120}));
    QCOMPARE(widths.in(100), (std::vector<int>{60, 100, 120}));
  }

  void aColumnThatGivesLastIsWholeUntilNothingElseCanShrink() {
    RunColumnWidths widths;
    widths.setColumns({{"pipeline", 165, 165, 80, false, true},
                       {"name", 300, 240, 110, true, false},
                       {"rate", 200, 120, 120, false, false}});
    QCOMPARE(widths.in(665), (std::vector<int>{165, 300, 200}));
    QCOMPARE(widths.in(395), (std::vector<int>{165, 110, 120}));
    QCOMPARE(widths.in(350), (std::vector<int>{120, 110, 120}));
    QCOMPARE(widths.in(100), (std::vector<int>{165, 110, 120}));
  }

  void aWidthThatTheUserChoseIsKept() {
    RunColumnWidths widths = threeColumns();
    widths.choose(2, 333);
    widths.choose(9, 5);
    QCOMPARE(widths.in(1000), (std::vector<int>{60, 607, 333}));
    widths.choose(1, 150);
    QCOMPARE(widths.in(1000), (std::vector<int>{60, 150, 333}));
    QCOMPARE(widths.in(200), (std::vector<int>{60, 150, 333}));
    // By its name, wherever the column stands.
    widths.setColumns({{"rate", 200, 120, 120, false}, {"state", 90, 90, 90, false}});
    QCOMPARE(widths.in(1000), (std::vector<int>{333, 90}));
    widths.forget(0);
    QCOMPARE(widths.in(1000), (std::vector<int>{200, 90}));
    RunColumnWidths damaged = threeColumns();
    damaged.setChosen({{"number", "x"}, {"name", -5}, {"rate", 1'000'000}});
    QCOMPARE(damaged.in(4500), (std::vector<int>{60, 440, 4000}));
  }

  void aColumnDoesNotJumpWhenItsWidestRunLeaves() {
    RunColumnWidths widths = threeColumns();
    widths.setColumns({{"number", 50, 50, 50, false},
                       {"name", 310, 240, 100, true},
                       {"rate", 90, 90, 90, false}});
    QCOMPARE(widths.in(570), (std::vector<int>{60, 310, 200}));
  }

  void aLongNameIsWholeWhileOtherColumnsHaveNothingToShow() {
    const tests::KeptStore kept;
    const RunNumber run = kept.add({.name = "photos, 8 workers, crop after decode, second try"});
    tests::RunTable table(kept.file());
    QVERIFY(QTest::qWaitFor([&] { return !isCut(table, run, "name"); }, kGenerousMs));
    for (const char* column : {"number", "samples_per_second", "started"})
      QVERIFY2(!isCut(table, run, column), column);
    // Tags and notes are empty.
    QVERIFY(widthOf(table, "tag") < 90 && widthOf(table, "notes") < 90);
    QHeaderView& head = *table.page.view().horizontalHeader();
    QCOMPARE(head.length(), table.page.view().viewport()->width());
  }

  void cutNamesThatDifferAtTheirEndDoNotLookAlike() {
    const tests::KeptStore kept;
    const std::string begin = "photos, 8 workers, crop after decode, prefetch four, large disk ";
    const std::vector<RunNumber> runs = {
        kept.add({.name = begin + "A"}), kept.add({.name = begin + "B"}),
        kept.add({.name = begin + "C", .state = RunState::Failed, .reason = "decode: no memory"})};
    tests::RunTable table(kept.file());
    QVERIFY(table.settled);
    RunTableView& view = table.page.view();
    view.setColumnWidth(static_cast<int>(kColumns.indexOf("name")), 160);
    std::vector<QImage> drawn;
    for (const RunNumber run : runs) {
      const QModelIndex cell = table.cell(run, "name");
      QVERIFY(isCut(table, run, "name"));
      QCOMPARE(cell.data(Qt::ToolTipRole).toString(), cell.data().toString());
      drawn.push_back(view.viewport()->grab(view.visualRect(cell)).toImage());
    }
    QVERIFY(drawn[0] != drawn[1] && drawn[1] != drawn[2]);
  }

  void whatNeedsABaselineTakesNoRoomWithoutOne() {
    const tests::KeptStore kept;
    const RunNumber first = kept.add({.name = "first"});
    kept.add({.name = "second"});
    tests::RunTable table(kept.file());
    QVERIFY(table.settled);
    const auto isShown = [&](const char* column) {
      return !table.page.view().isColumnHidden(static_cast<int>(kColumns.indexOf(column)));
    };
    QVERIFY(!isShown("change") && !isShown("verdict") && isShown("started"));
    table.choose({first});
    table.page.action("baseline")->trigger();
    QVERIFY(QTest::qWaitFor([&] { return isShown("change") && isShown("verdict"); }, kGenerousMs));
    QVERIFY(widthOf(table, "verdict") > 60);
  }

  void whatNeedsAStepTakesNoRoomWithoutOne() {
    const tests::KeptStore kept;
    kept.add({.name = "drained"});
    tests::RunTable table(kept.file());
    QVERIFY(table.settled);
    RunListRequest request = table.page.model().listRequest();
    request.columns = QStringList{"number", "step_share", "peak_rss_bytes"};
    table.page.model().setRequest(request);
    const auto isHidden = [&](int column) { return table.page.view().isColumnHidden(column); };
    QVERIFY(QTest::qWaitFor([&] { return isHidden(1); }, kGenerousMs));
    QVERIFY(!isHidden(0) && !isHidden(2));
    kept.add({.name = "with a step", .stepShare = 0.5});
    table.page.model().reload();
    QVERIFY(QTest::qWaitFor([&] { return !isHidden(1); }, kGenerousMs));
    QCOMPARE(table.page.model().index(0, 1).data().toString(), QString("50%1%").arg(kNoBreak));
  }

  void aRateIsWholeInItsColumn() {
    const tests::KeptStore kept;
    // Some of their widths are fractions of pixels.
    std::vector<RunNumber> runs;
    for (const double rate : {933.1, 182.4, 57.3, 8.1, 457.7, 76.9})
      runs.push_back(kept.add({.rates = {rate}}));
    tests::RunTable table(kept.file());
    QVERIFY(table.settled);
    RunTableView& view = table.page.view();
    const int column = static_cast<int>(kColumns.indexOf("samples_per_second"));
    for (const RunNumber run : runs) {
      const QModelIndex cell = table.cell(run, "samples_per_second");
      const int whole = leastCellWidth(cell);
      const auto drawn = [&](int width) {
        view.setColumnWidth(column, width);
        const QRect box = view.visualRect(cell);
        return view.viewport()->grab(box.adjusted(box.width() - whole, 0, 0, 0)).toImage();
      };
      QVERIFY2(drawn(whole) == drawn(whole + 40), qPrintable(cell.data().toString()));
    }
  }

  void theIntervalOfALargeRateIsWhole() {
    const tests::KeptStore kept;
    const RunNumber large = kept.add({.rates = {1'234'560, 1'234'570, 1'234'590}});
    kept.add({.rates = {100, 101, 102}});
    tests::RunTable table(kept.file());
    QVERIFY(table.settled);
    const QModelIndex cell = table.cell(large, "samples_per_second");
    QVERIFY(wideInterval(cell) > 0);
    QVERIFY(QTest::qWaitFor(
        [&] {
          return widthOf(table, "samples_per_second") >= leastCellWidth(cell) + wideInterval(cell);
        },
        kGenerousMs));
  }

  void aLongLineAboutARunIsWhole() {
    RunDetailsView view;
    view.resize(300, 400);
    view.showSections({{"Run",
                        {{"State", "finished"},
                         {"Verdict",
                          "No verdict on run 4 and run 2: run 2 has fewer than three "
                          "repeats without a disturbance."}}}});
    view.show();
    const auto heightOf = [&](int line) {
      return view.visualItemRect(view.topLevelItem(0)->child(line)).height();
    };
    QVERIFY(QTest::qWaitFor([&] { return heightOf(1) > heightOf(0) + 10; }, kGenerousMs));
    view.resize(900, 400);
    QVERIFY(QTest::qWaitFor([&] { return heightOf(1) == heightOf(0); }, kGenerousMs));
  }

  void aPathAboutARunIsWholeAndCanBeCopied() {
    const QString path = "/data/sets/" + QString("a_folder_with_a_long_name/").repeated(8);
    RunDetailsView view;
    view.resize(300, 400);
    view.showSections({{"Settings",
                        {{"Size", "64"},
                         {"Image folder › The folders with the samples", path},
                         {"Mean", "0.5"}}}});
    view.show();
    const QTreeWidgetItem* section = view.topLevelItem(0);
    const auto isWhole = [&] {
      const QRect box = view.visualRect(view.model()->index(1, 1, view.model()->index(0, 0)));
      const int words = QFontMetrics(uiFont(13)).horizontalAdvance(path);
      return box.right() <= view.viewport()->width() &&
             box.height() >= words / box.width() * QFontMetrics(uiFont(13)).height();
    };
    QVERIFY(QTest::qWaitFor(isWhole, kGenerousMs));
    QVERIFY2(view.columnWidth(0) < view.width() / 2,
             qPrintable(QString::number(view.columnWidth(0))));
    for (int line : {0, 1}) section->child(line)->setSelected(true);
    QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(),
             "Size\t64\nImage folder › The folders with the samples\t" + path);
    QCOMPARE(view.actions().size(), 1);
    QApplication::clipboard()->clear();
    view.actions().front()->trigger();
    QVERIFY(QApplication::clipboard()->text().endsWith(path));
  }

  void titlesTakeTwoLinesAtMost() {
    QHeaderView head(Qt::Horizontal);
    const QFontMetrics font(head.font());
    const QString title = "CPU time per 1 000 samples";
    const int least = leastTitleWidth(head, title);
    QVERIFY(least < font.horizontalAdvance(title));
    const QRect box =
        font.boundingRect(QRect(0, 0, least, 1000), Qt::TextWordWrap | Qt::AlignLeft, title);
    QVERIFY2(box.height() < 3 * font.height(), qPrintable(QString::number(box.height())));
  }

  void widthsAreRememberedUntilADoubleClickOnTheBorder() {
    const tests::KeptStore kept;
    kept.add({.name = "first"});
    int automatic = 0;
    {
      tests::RunTable table(kept.file());
      QVERIFY(QTest::qWaitFor([&] { return widthOf(table, "name") > 300; }, kGenerousMs));
      automatic = widthOf(table, "started");
      table.page.view().horizontalHeader()->resizeSection(
          static_cast<int>(kColumns.indexOf("started")), 277);
    }
    tests::RunTable again(kept.file());
    QVERIFY(QTest::qWaitFor([&] { return widthOf(again, "started") == 277; }, kGenerousMs));
    emit again.page.view().horizontalHeader()->sectionHandleDoubleClicked(
        static_cast<int>(kColumns.indexOf("started")));
    QCOMPARE(widthOf(again, "started"), automatic);
    QVERIFY(again.settings.value("runs/widths").toMap().isEmpty());
  }
};

}  // namespace millrace

using millrace::TestRunColumnWidths;
MILLRACE_TEST_CASE(TestRunColumnWidths)
#include "tst_run_column_widths.moc"
