// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Tags, notes, baselines, deleting and tidying.
#include <filesystem>
#include <fstream>

#include "core/store/trace_folder.h"
#include "tests/core/store/store_fixture.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

using Names = std::vector<std::string>;

/// A finished run.
RunNumber finishedRun(RunStore& store, const NewRun& run = smallRun()) {
  const auto number = store.beginRun(run);
  static_cast<void>(store.finishRun(*number, RunState::Finished, "", {}));
  return *number;
}

std::size_t countOf(RunStore& store) { return store.list({})->size(); }

}  // namespace

class TestRunLabels : public QObject {
  Q_OBJECT
 private slots:
  void tagsAreAddedAndTakenAway() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    const RunNumber run = finishedRun(*store);
    const Names add = {"quiet", "it's \"odd\"\n", "\xff\xfe", "дом", "quiet"};
    VERIFY_OK(store->changeTags(run, add, {}));
    QCOMPARE(store->show(run)->summary.tags, (Names{"it's \"odd\"\n", "quiet", "дом", "\xff\xfe"}));
    const Names remove = {"quiet", "never there"};
    VERIFY_OK(store->changeTags(run, {}, remove));
    QCOMPARE(store->show(run)->summary.tags, (Names{"it's \"odd\"\n", "дом", "\xff\xfe"}));
    QVERIFY(!store->changeTags(RunNumber{99}, add, {}).ok());
    QCOMPARE(rawText(folder.file(), "PRAGMA foreign_key_check"), std::string("(failed)"));
  }

  void notesAreReplaced() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    const RunNumber run = finishedRun(*store);
    const std::string notes = "two lines\n'quotes' \"and\" \xff, дом";
    VERIFY_OK(store->setNotes(run, notes));
    QCOMPARE(store->show(run)->notes, notes);
    VERIFY_OK(store->setNotes(run, ""));
    QCOMPARE(store->show(run)->notes, std::string());
    QVERIFY(!store->setNotes(RunNumber{99}, "x").ok());
  }

  void anExperimentHasAtMostOneBaseline() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    const RunNumber first = finishedRun(*store);
    const RunNumber second = finishedRun(*store);
    NewRun other = smallRun();
    other.experiment = "it's other";
    const RunNumber third = finishedRun(*store, other);
    VERIFY_OK(store->setBaseline(first));
    VERIFY_OK(store->setBaseline(third));
    VERIFY_OK(store->setBaseline(second));
    QVERIFY(!store->show(first)->summary.baseline);
    QVERIFY(store->show(second)->summary.baseline);
    QVERIFY(store->show(third)->summary.baseline);
    VERIFY_OK(store->clearBaseline("it's other"));
    QVERIFY(!store->show(third)->summary.baseline);
    const Status unknown = store->clearBaseline("absent");
    QVERIFY(unknown.error().message.find("default and it's other") != std::string::npos);
  }

  void aHiddenRunIsOnNoListUntilItIsRestored() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    const RunNumber run = finishedRun(*store);
    const RunNumber other = finishedRun(*store);
    VERIFY_OK(store->setBaseline(run));
    const std::array hidden = {run};
    VERIFY_OK(store->hide(hidden));
    QCOMPARE(countOf(*store), std::size_t{1});
    QVERIFY(!store->find("1").ok());
    QVERIFY(!store->setNotes(run, "x").ok());
    VERIFY_OK(store->restore(hidden));
    QCOMPARE(countOf(*store), std::size_t{2});
    QVERIFY(store->show(run)->summary.baseline);
    VERIFY_OK(store->hide(hidden));
    QCOMPARE(*store->removeHidden(), std::int64_t{1});
    QVERIFY(!store->restore(hidden).ok());
    QCOMPARE(countOf(*store), std::size_t{1});
    QVERIFY(*store->find("2") == other);
    QCOMPARE(rawText(folder.file(), "SELECT count(*) FROM experiments WHERE baseline_run = 1"),
             std::string("0"));
  }

  void aTraceIsRemovedWithItsRunOnly() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    const std::filesystem::path own = traceFolder(folder.file()) / "a.trace.json";
    const std::filesystem::path users = folder.file().parent_path() / "b.trace.json";
    std::filesystem::create_directories(own.parent_path());
    std::vector<RunNumber> runs;
    for (const std::filesystem::path& trace : {own, users}) {
      std::ofstream(trace) << "{}";
      NewRun traced = smallRun();
      traced.environment.emplace_back(std::string(kTraceFileFact), trace.string());
      runs.push_back(finishedRun(*store, traced));
    }
    VERIFY_OK(store->hide(runs));
    QVERIFY2(std::filesystem::exists(own), "the run can still be restored");
    VERIFY_OK(store->restore(runs));
    QVERIFY(std::filesystem::exists(own));
    VERIFY_OK(store->hide(runs));
    QCOMPARE(*store->removeHidden(), std::int64_t{2});
    QVERIFY(!std::filesystem::exists(own));
    QVERIFY2(std::filesystem::exists(users), "the user chose that place");
  }

  void hiddenRunsAreKeptForThirtyDays() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    const std::array run = {finishedRun(*store)};
    VERIFY_OK(store->hide(run));
    QVERIFY(rawSql(folder.file(), "UPDATE deletions SET pid = 999999999"));
    QCOMPARE(*store->removeExpired(), std::int64_t{0});
    QCOMPARE(store->hidden()->size(), std::size_t{1});
    const std::string month = std::to_string(31LL * 24 * 3600 * 1000);
    QVERIFY(rawSql(folder.file(), "UPDATE deletions SET deleted_ms = deleted_ms - " + month));
    QCOMPARE(*store->removeExpired(), std::int64_t{1});
    QVERIFY(store->hidden()->empty());
  }

  void nothingIsHiddenWhenOneIsStillWritten() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    const RunNumber done = finishedRun(*store);
    const auto running = store->beginRun(smallRun());
    const std::array both = {done, *running};
    const Status hidden = store->hide(both);
    QVERIFY(!hidden.ok());
    QVERIFY(hidden.error().message.find("run 2 is still being written") != std::string::npos);
    QCOMPARE(countOf(*store), std::size_t{2});
    QVERIFY(!store->tidy().ok());
    QVERIFY(rawSql(folder.file(), "UPDATE runs SET pid = 999999999"));
    VERIFY_OK(store->hide(both));
  }

  void whatADeadProgramHidIsRemovedByTheNext_data() {
    QTest::addColumn<QString>("change");
    QTest::addColumn<int>("removed");
    QTest::newRow("its process is gone") << "pid = 999999999" << 1;
    QTest::newRow("the number was given again") << "pid_start = pid_start + 1" << 1;
    QTest::newRow("another boot, just now") << "boot_id = 'x'" << 0;
    QTest::newRow("another boot, long ago") << "boot_id = 'x', deleted_ms = 5" << 1;
  }
  void whatADeadProgramHidIsRemovedByTheNext() {
    QFETCH(QString, change);
    QFETCH(int, removed);
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    const std::array run = {finishedRun(*store)};
    VERIFY_OK(store->hide(run));
    QVERIFY(rawSql(folder.file(), "UPDATE deletions SET " + change.toStdString()));
    QCOMPARE(countOf(*store), std::size_t{0});
    QCOMPARE(*store->removeHidden(), std::int64_t{removed});
  }

  void aLivingProgramsHiddenRunsAreItsOwn() {
    const StoreFolder folder;
    std::array<int, 2> up{};
    std::array<int, 2> down{};
    QVERIFY(pipe(up.data()) == 0 && pipe(down.data()) == 0);
    const pid_t child = inChild([&] {
      auto store = RunStore::open(folder.file());
      const std::array run = {finishedRun(*store)};
      char byte = 0;
      const bool hidden = store->hide(run).ok() && write(up[1], "x", 1) == 1;
      return hidden && read(down[0], &byte, 1) == 1 && store->restore(run).ok() ? 0 : 1;
    });
    char byte = 0;
    QVERIFY(read(up[0], &byte, 1) == 1);
    auto store = RunStore::open(folder.file());
    QCOMPARE(*store->removeHidden(), std::int64_t{0});
    QVERIFY(write(down[1], "x", 1) == 1);
    QCOMPARE(exitOf(child), 0);
    QCOMPARE(countOf(*store), std::size_t{1});
    for (const int end : {up[0], up[1], down[0], down[1]}) close(end);
  }

  void tidyingRemovesWhatNoRunUses() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    NewRun big = smallRun();
    big.pipelineJson = std::string(500'000, ' ') + "{}";
    big.experiment = "gone";
    big.settings = {{"old", "setting", true}};
    const std::array run = {finishedRun(*store, big)};
    finishedRun(*store);
    VERIFY_OK(store->hide(run));
    const auto tidied = store->tidy();
    VERIFY_OK(tidied);
    QCOMPARE(tidied->removedRuns, std::int64_t{1});
    QVERIFY(tidied->bytesAfter < tidied->bytesBefore - 400'000);
    QCOMPARE(rawText(folder.file(), "SELECT count(*) FROM pipelines"), std::string("1"));
    QCOMPARE(rawText(folder.file(), "SELECT group_concat(name) FROM experiments"),
             std::string("default"));
    QVERIFY(store->vocabulary()->empty());
    QCOMPARE(rawText(folder.file(), "PRAGMA integrity_check"), std::string("ok"));
    QCOMPARE(static_cast<std::int64_t>(std::filesystem::file_size(folder.file())),
             tidied->bytesAfter);
  }
};

}  // namespace millrace

using millrace::TestRunLabels;
MILLRACE_TEST_CASE(TestRunLabels)
#include "tst_run_labels.moc"
