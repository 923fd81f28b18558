// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#table-of-runs: the table of kept runs, with its exports and imports.
#include "widgets/runs/runs_page.h"

#include <fcntl.h>

#include <QAbstractItemModelTester>
#include <QAction>
#include <QCompleter>
#include <QLabel>
#include <QListWidget>

#include "core/formats/io/unique_fd.h"
#include "core/monitor/page_cache.h"
#include "core/nodes/builtin.h"
#include "tests/support/test_case.h"
#include "tests/widgets/kept_store.h"
#include "tests/widgets/patience.h"
#include "tests/widgets/run_table.h"
#include "tests/widgets/stall_watch.h"
#include "widgets/common/strings.h"
#include "widgets/runs/columns_popup.h"
#include "widgets/runs/query_line.h"

namespace millrace {

namespace {

using tests::kColumns;
using tests::kGenerousMs;
using Table = tests::RunTable;

}  // namespace

class TestRunsPage : public QObject {
  Q_OBJECT
 private slots:
  void theBaselineAndPinsStayOnTopUnderEverySort() {
    const tests::KeptStore kept;
    for (int i = 1; i <= 6; ++i) kept.add({.name = "run", .workers = i, .rates = {100.0 * i}});
    VERIFY_OK(kept.open().setBaseline(RunNumber{2}));
    Table table(kept.file());
    QVERIFY(table.settled);
    table.page.setPins({RunNumber{5}});
    QVERIFY(table.settles());
    QCOMPARE(table.numbers(), QStringList({"2", "5", "6", "4", "3", "1"}));
    const int rate = static_cast<int>(kColumns.indexOf("samples_per_second"));
    table.page.model().sort(rate, Qt::AscendingOrder);
    QVERIFY(table.settles());
    QCOMPARE(table.numbers(), QStringList({"2", "5", "1", "3", "4", "6"}));
    table.page.model().sort(rate, Qt::DescendingOrder);
    QVERIFY(table.settles());
    QCOMPARE(table.numbers(), QStringList({"2", "5", "6", "4", "3", "1"}));
    QVERIFY(table.page.model().index(1, 0).data(RunTableModel::IsLastOnTopRole).toBool());
  }

  void aQueryShowsWhatMatchesAndMarksAMistake() {
    const tests::KeptStore kept;
    for (int i = 1; i <= 4; ++i) kept.add({.name = "run", .workers = i});
    Table table(kept.file());
    QVERIFY(table.asks("workers.count > 2"));
    QCOMPARE(table.numbers(), QStringList({"4", "3"}));
    QCOMPARE(table.page.countText(), QString("2 of 4 runs"));
    QVERIFY(!table.page.queryLine().marked());
    QVERIFY(table.asks("workers.count > 2 and wrokers.count > 1"));
    QCOMPARE(table.numbers(), QStringList({"4", "3"}));
    QVERIFY(table.page.queryLine().marked());
    QCOMPARE(table.page.queryLine().marked()->first, 22);
    QVERIFY(table.page.model().listing().mistake->message.find("workers.count") !=
            std::string::npos);
    QVERIFY(table.asks("name = \"no such\""));
    QCOMPARE(table.page.model().rowCount(), 0);
  }

  void aMistakeIsNotMarkedWhileTheUserTypes() {
    const tests::KeptStore kept;
    kept.add({.name = "run"});
    Table table(kept.file());
    QueryLine& line = table.page.queryLine();
    line.setFocus();
    QSignalSpy listed(&table.page.model(), &RunTableModel::listed);
    QTest::keyClicks(&line, "workers.count >");
    QVERIFY(listed.wait(kGenerousMs) && table.settles());
    QVERIFY(table.page.model().listing().mistake);
    QVERIFY(!line.marked() && !line.shownMistake());
    QTest::keyClick(&line, Qt::Key_Return);
    QVERIFY(line.marked());
    QTest::keyClicks(&line, " 1");
    QVERIFY(!line.marked());
  }

  void aMistakeIsShownWithoutBackticks() {
    const tests::KeptStore kept;
    kept.add({.name = "run"});
    Table table(kept.file());
    QVERIFY(table.asks("wrokers.count > 1"));
    const auto labels = table.page.findChildren<QLabel*>();
    const auto mistake = std::ranges::find_if(
        labels, [](const QLabel* label) { return label->property("role") == "mistake"; });
    QVERIFY(mistake != labels.end() && (*mistake)->isVisible());
    const QString text = (*mistake)->text();
    QVERIFY2(
        text.contains("<code>workers.count</code>?") && !text.contains('`') && !text.contains("?."),
        qPrintable(text));
  }

  void namesAreCompletedInAQuery() {
    const tests::KeptStore kept;
    kept.add({.name = "run"});
    Table table(kept.file());
    QueryLine& line = table.page.queryLine();
    line.setFocus();
    QTest::keyClicks(&line, "not workers.co");
    QCompleter& completer = line.nameCompleter();
    QCOMPARE(completer.completionPrefix(), QString("workers.co"));
    QCOMPARE(completer.currentCompletion(), QString("workers.count"));
    emit completer.activated(completer.currentCompletion());
    QCOMPARE(line.text(), QString("not workers.count"));
    // "training_step.network" only contains it.
    line.setNames({"shard.world", "training_step.network", "workers.count", "workers.unit"});
    line.clear();
    QTest::keyClicks(&line, "wor");
    QStringList offered;
    for (int row = 0; row < completer.completionCount(); ++row) {
      completer.setCurrentRow(row);
      offered << completer.currentCompletion();
    }
    QCOMPARE(offered, QStringList({"workers.count", "workers.unit", "shard.world",
                                   "training_step.network"}));
  }

  void theSettingsThatDifferAreColumns() {
    const tests::KeptStore kept;
    kept.add({.name = "a", .workers = 2, .moreSettings = 3});
    kept.add({.name = "b", .workers = 4, .moreSettings = 3});
    Table table(kept.file());
    RunListRequest request = table.page.model().listRequest();
    request.columns = {"number", kVariedSettings, "samples_per_second"};
    table.page.model().setRequest(request);
    QVERIFY(table.settles());
    QStringList ids;
    for (const RunColumn& column : table.page.model().listing().columns) ids << column.id;
    QCOMPARE(ids,
             QStringList({"number", "synthetic.more_0", "workers.count", "samples_per_second"}));
    // Of one run no setting differs.
    request.query = "name = a";
    table.page.model().setRequest(request);
    QVERIFY(table.settles());
    QCOMPARE(table.page.model().columnCount(), 2);
  }

  void runsOfAPipelineStandTogether() {
    const tests::KeptStore kept;
    for (const char* name : {"b.json", "a.json", "b.json", "a.json"})
      kept.add({.name = name, .pipelineName = name});
    Table table(kept.file());
    table.page.action("group")->trigger();
    QVERIFY(table.settles());
    QCOMPARE(table.numbers(), QStringList({"4", "2", "3", "1"}));
    QVERIFY(!table.page.model().index(0, 0).data(RunTableModel::IsLastOnTopRole).toBool());
    QVERIFY(table.page.model().index(1, 0).data(RunTableModel::IsLastOnTopRole).toBool());
    table.page.action("group")->trigger();
    QVERIFY(table.settles());
    QCOMPARE(table.numbers(), QStringList({"4", "3", "2", "1"}));
  }

  void aFailedRunSaysWhyInsteadOfAVerdict() {
    const tests::KeptStore kept;
    const RunNumber base = kept.add({.name = "base"});
    const RunNumber failed =
        kept.add({.rates = {}, .state = RunState::Failed, .reason = "decode: no memory"});
    VERIFY_OK(kept.open().setBaseline(base));
    Table table(kept.file());
    RunListRequest request = table.page.model().listRequest();
    request.columns = {"number", "state", "verdict"};
    table.page.model().setRequest(request);
    QVERIFY(table.settles());
    RunTableModel& model = table.page.model();
    const int row = model.rowOf(failed);
    QCOMPARE(model.index(row, 1).data().toString(), QString("failed: decode: no memory"));
    QVERIFY(QTest::qWaitFor([&] { return model.isSettled(); }, kGenerousMs));
    QVERIFY(model.index(row, 2).data().toString().isEmpty());
    QVERIFY(!model.index(row, 2).data(RunTableModel::VerdictRole).isValid());
  }

  void aRunKeepsItsColourWhateverIsSelected() {
    const tests::KeptStore kept;
    for (int i = 1; i <= 4; ++i) kept.add({.workers = i});
    Table table(kept.file());
    RunTableModel& model = table.page.model();
    model.setCompared({RunNumber{1}, RunNumber{2}, RunNumber{4}});
    const int colour = model.markOf(RunNumber{4});
    QVERIFY(colour >= 0 && colour != model.markOf(RunNumber{2}));
    model.setCompared({RunNumber{4}, RunNumber{3}});
    QCOMPARE(model.markOf(RunNumber{4}), colour);
    QCOMPARE(model.markOf(RunNumber{1}), -1);
  }

  void aListSettingIsShownAsItsItems() {
    QCOMPARE(shownList(R"(["/data/cats/train","/data/dogs"])"), QString("train, dogs"));
    QCOMPARE(shownList("[0.5,2]"), QString("0.5, 2"));
    QCOMPARE(shownList("plain"), QString());
    QCOMPARE(shownList("[broken"), QString());
  }

  void nameTagsAndNotesAreChangedInPlace() {
    const tests::KeptStore kept;
    const RunNumber run = kept.add({.name = "old", .tags = {"start"}});
    Table table(kept.file());
    QVERIFY(table.page.model().flags(table.cell(run, "name")) & Qt::ItemIsEditable);
    QVERIFY(!(table.page.model().flags(table.cell(run, "verdict")) & Qt::ItemIsEditable));
    for (const auto& [column, text] : std::vector<std::pair<QString, QString>>{
             {"name", "new name"}, {"tag", "best, night"}, {"notes", "a, \"b\" and ü"}}) {
      QVERIFY(table.page.model().setData(table.cell(run, column), text, Qt::EditRole));
      QCOMPARE(table.text(run, column), text);
    }
    const auto written = [&] {
      const auto details = kept.open().show(run);
      return details.ok() && details->summary.name == "new name" &&
             details->summary.tags == std::vector<std::string>{"best", "night"} &&
             details->notes == "a, \"b\" and ü";
    };
    QVERIFY(QTest::qWaitFor(written, kGenerousMs));
  }

  void theVerdictFollowsTheRepeats() {
    const tests::KeptStore kept;
    const RunNumber base = kept.add({.name = "base", .rates = {100, 101, 99}});
    const RunNumber fast = kept.add({.workers = 4, .rates = {150, 151, 149}});
    const RunNumber slow = kept.add({.workers = 1, .rates = {50, 51, 49}});
    const RunNumber same = kept.add({.workers = 3, .rates = {100, 102, 100}});
    const RunNumber few = kept.add({.workers = 5, .rates = {103}});
    const RunNumber cold = kept.add({.workers = 6, .rates = {50, 51, 49}, .pageCache = "cold"});
    VERIFY_OK(kept.open().setBaseline(base));
    Table table(kept.file());
    QVERIFY(table.settled);
    const std::vector<std::pair<RunNumber, QString>> wanted = {
        {base, "baseline"},      {fast, "faster"},          {slow, "slower"},
        {same, "no difference"}, {few, "too few (1 of 3)"}, {cold, "not alike"}};
    for (const auto& [run, verdict] : wanted)
      QVERIFY2(QTest::qWaitFor([&] { return table.text(run, "verdict") == verdict; }, kGenerousMs),
               qPrintable(table.text(run, "verdict")));
    QCOMPARE(table.text(fast, "change"), QString("+50.0\u00A0%"));
    QCOMPARE(table.text(slow, "change"), QString("\u221250.0\u00A0%"));
    QVERIFY(table.text(base, "change").isEmpty());
    const QString why = table.cell(cold, "verdict").data(Qt::ToolTipRole).toString();
    QVERIFY2(why.contains("page cache"), qPrintable(why));
  }

  void measureBothAgainTakesTheBaselineOrThePair() {
    const tests::KeptStore kept;
    for (int i = 1; i <= 3; ++i) kept.add({.workers = i});
    VERIFY_OK(kept.open().setBaseline(RunNumber{1}));
    Table table(kept.file());
    QSignalSpy asked(&table.page, &RunsPage::measureRequested);
    QVERIFY(!table.page.action("measure")->isEnabled());
    table.choose({RunNumber{3}});
    table.page.action("measure")->trigger();
    QCOMPARE(asked.count(), 1);
    QCOMPARE(asked[0][0].value<RunNumber>(), RunNumber{1});
    QCOMPARE(asked[0][1].value<RunNumber>(), RunNumber{3});
    table.choose({RunNumber{2}, RunNumber{3}});
    table.page.action("measure")->trigger();
    QCOMPARE(asked.count(), 2);
    table.choose({RunNumber{1}});
    QVERIFY(!table.page.action("measure")->isEnabled());
  }

  void columnsAreChosenAndKept() {
    const tests::KeptStore kept;
    kept.add({.name = "run"});
    Table table(kept.file());
    ColumnsPopup& popup = table.page.columnsPopup();
    popup.open({{"number", "Run"}, {"batch.size", "Batch › Size"}}, {"number"}, {});
    popup.line().setText("bat");
    QVERIFY(popup.list().item(1)->isHidden());
    QCOMPARE(popup.list().item(0)->data(Qt::UserRole).toString(), QString("batch.size"));
    popup.list().item(0)->setCheckState(Qt::Checked);
    QVERIFY(table.settles());
    QCOMPARE(table.page.model().columnCount(), 2);
    QCOMPARE(table.page.model().index(0, 1).data().toString(), QString("8"));
    QCOMPARE(table.settings.value("runs/columns").toStringList(),
             QStringList({"number", "batch.size"}));
  }

  void deletingCanBeUndone() {
    const tests::KeptStore kept;
    for (int i = 1; i <= 3; ++i) kept.add({.workers = i});
    Table table(kept.file());
    table.page.deleteRuns({RunNumber{1}, RunNumber{3}});
    QVERIFY(QTest::qWaitFor([&] { return table.numbers() == QStringList{"2"}; }, kGenerousMs));
    QVERIFY(table.page.undoStack().canUndo());
    table.page.undoStack().undo();
    QVERIFY(QTest::qWaitFor([&] { return table.numbers().size() == 3; }, kGenerousMs));
    table.page.undoStack().redo();
    QVERIFY(QTest::qWaitFor([&] { return table.numbers().size() == 1; }, kGenerousMs));
  }

  void errorsOfTheStoreAreReported() {
    const tests::TemporaryFolder folder;
    {
      Table missing(folder.path() / "none.db");
      QVERIFY(!missing.page.model().hasStore());
      QVERIFY(missing.page.problem().isEmpty());
      QCOMPARE(missing.page.model().rowCount(), 0);
      QVERIFY(!std::filesystem::exists(folder.path() / "none.db"));
    }
    folder.write("foreign.db", std::string(5000, 'x'));
    Table foreign(folder.path() / "foreign.db");
    QVERIFY2(foreign.page.problem().contains("foreign.db"), qPrintable(foreign.page.problem()));
    QVERIFY(foreign.page.problem().endsWith('.'));
  }

  void aNewRunAppearsAutomatically() {
    const tests::KeptStore kept;
    kept.add({.workers = 1});
    Table table(kept.file());
    QCOMPARE(table.page.model().rowCount(), 1);
    table.choose({RunNumber{1}});
    kept.add({.workers = 2});
    QVERIFY(QTest::qWaitFor([&] { return table.page.model().rowCount() == 2; }, kGenerousMs));
    QCOMPARE(table.page.view().chosen(), std::vector<RunNumber>{RunNumber{1}});
  }

  void rowsAreReadWhenTheyComeIntoView() {
    const tests::KeptStore kept;
    RunStore store = kept.open();
    for (int i = 1; i <= 260; ++i) tests::KeptStore::add(store, {.workers = i, .rates = {10}});
    StoreThread thread(kept.file());
    RunTableModel model(thread, builtinCatalog());
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    RunListRequest request;
    request.columns = kColumns;
    model.setRequest(request);
    QVERIFY(QTest::qWaitFor([&] { return model.rowCount() == 260; }, kGenerousMs));
    QVERIFY(
        QTest::qWaitFor([&] { return model.index(259, 0).data().toString() == "1"; }, kGenerousMs));
    QVERIFY(QTest::qWaitFor([&] { return model.index(130, 4).data().toString() == "130"; },
                            kGenerousMs));
  }

  void theStoreIsReadAheadOfQueries() {
    const tests::KeptStore kept;
    {
      RunStore store = kept.open();
      for (int i = 1; i <= 260; ++i) tests::KeptStore::add(store, {.workers = i, .rates = {10}});
    }
    const auto state = [&] { return probePageCache(1, [&](std::size_t) { return kept.file(); }); };
    const UniqueFd file(::open(kept.file().c_str(), O_RDONLY | O_CLOEXEC));
    ::fsync(file.get());
    ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED);
    const bool dropped = state().state == PageCacheState::Cold;
    QObject context;
    for (const std::filesystem::path& path :
         {std::filesystem::path(kept.file()), std::filesystem::path("/nowhere/runs.db")}) {
      bool warm = false;
      StoreThread thread(path);
      thread.warm(&context, [&] { warm = true; });
      QVERIFY(QTest::qWaitFor([&] { return warm; }, kGenerousMs));
      // Opening reads only its first page. A file in memory cannot be dropped.
      if (dropped) QVERIFY(state().residentShare.value_or(0) > 0.5);
    }
  }

  void sortingAndTypingDoNotStallTheWindow() {
    const tests::KeptStore kept;
    RunStore store = kept.open();
    for (int i = 1; i <= 60; ++i) tests::KeptStore::add(store, {.workers = i, .rates = {10}});
    Table table(kept.file());
    const tests::StallWatch stalls;
    for (const int column : {5, 0, 4}) {
      table.page.model().sort(column, Qt::AscendingOrder);
      QVERIFY(table.settles());
    }
    QVERIFY(table.asks("workers.count > 20"));
    QVERIFY2(stalls.worstMs() < 50, qPrintable(QString::number(stalls.worstMs())));
  }
};

}  // namespace millrace

using millrace::TestRunsPage;
MILLRACE_TEST_CASE(TestRunsPage)
#include "tst_runs_page.moc"
