// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#table-of-runs: the table of kept runs, with its exports and imports.
#include "widgets/runs/runs_page.h"

#include <fcntl.h>
#include <unistd.h>

#include <QAbstractItemModelTester>
#include <QAction>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
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
    QVERIFY(popup.list().item(0)->isHidden());
    popup.list().item(1)->setCheckState(Qt::Checked);
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

  void theTableIsWrittenAsCsvAndJson() {
    const tests::KeptStore kept;
    for (int i = 1; i <= 150; ++i) kept.add({.name = "a, \"b\"", .workers = i});
    Table table(kept.file());
    QSignalSpy said(&table.page, &RunsPage::said);
    const QString csv = fileText(kept.folder() / "t.csv");
    table.page.exportTable(csv);
    QVERIFY(said.wait(kGenerousMs));
    QFile file(csv);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), 151);
    QVERIFY2(lines[0].startsWith("number,name,tags,notes,workers.count,samples_per_second,"),
             lines[0].constData());
    QVERIFY2(lines[1].startsWith("150,\"a, \"\"b\"\"\",,,150,101,98.98,"), lines[1].constData());
    table.page.exportTable(fileText(kept.folder() / "t.json"));
    QVERIFY(said.wait(kGenerousMs));
    QFile json(fileText(kept.folder() / "t.json"));
    QVERIFY(json.open(QIODevice::ReadOnly));
    const QJsonArray runs = QJsonDocument::fromJson(json.readAll()).array();
    QCOMPARE(runs.size(), 150);
    QCOMPARE(runs[0].toObject()["workers.count"].toInt(), 150);
    table.page.exportTable(fileText(kept.folder() / "t.txt"));
    QVERIFY(table.page.problem().contains(".csv or .json"));
    table.page.exportTable("/nowhere/at/all/t.csv");
    const auto isReported = [&] {
      return table.page.problem().contains("/nowhere/at/all/t.csv: ");
    };
    QVERIFY(QTest::qWaitFor(isReported, kGenerousMs));
    QVERIFY2(table.page.problem().endsWith("choose another folder."),
             qPrintable(table.page.problem()));
  }

  void withoutKeptRunsNoTableIsWritten() {
    const tests::TemporaryFolder folder;
    Table table(folder.path() / "runs.db");
    QSignalSpy said(&table.page, &RunsPage::said);
    const QString csv = fileText(folder.path() / "t.csv");
    table.page.exportTable(csv);
    QVERIFY(said.wait(kGenerousMs));
    QCOMPARE(said[0][0].toString(), QString("There are no runs yet, so no file was written."));
    QVERIFY(!QFileInfo::exists(csv));
  }

  void runsComeFromAnotherStore() {
    const tests::KeptStore kept;
    const tests::KeptStore other;
    kept.add({.name = "mine"});
    for (int i = 1; i <= 30; ++i) other.add({.name = "theirs", .workers = i});
    Table table(kept.file());
    QSignalSpy said(&table.page, &RunsPage::said);
    table.page.importFrom(fileText(other.file()));
    QVERIFY(said.wait(kGenerousMs));
    QCOMPARE(said[0][0].toString(), QString("30 runs imported."));
    QVERIFY(QTest::qWaitFor([&] { return table.page.model().rowCount() == 31; }, kGenerousMs));
    table.page.importFrom(fileText(other.file()));
    QVERIFY(said.wait(kGenerousMs));
    QCOMPARE(said[1][0].toString(), QString("0 runs imported, 30 were here already."));
    table.page.importFrom(fileText(kept.file()));
    QVERIFY2(table.page.problem().contains("current store"), qPrintable(table.page.problem()));
  }

  void copyAsCommandNamesTheSameRuns() {
    const tests::KeptStore kept;
    for (int i = 1; i <= 3; ++i) kept.add({.workers = i});
    Table table(kept.file());
    const QString store = " --store " + fileText(kept.file());
    QVERIFY(table.asks("workers.count > 1"));
    QCOMPARE(table.page.command(),
             "millrace runs list 'workers.count > 1' --columns "
             "number,name,tag,notes,workers.count,samples_per_second,started" +
                 store);
    table.choose({RunNumber{2}, RunNumber{3}});
    QCOMPARE(table.page.command(), "millrace runs compare 2 3" + store);
    table.choose({RunNumber{3}});
    QCOMPARE(table.page.command(), "millrace runs show 3" + store);
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
