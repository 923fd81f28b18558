// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Copying runs and whole stores.
#include <csignal>

#include "tests/core/store/rich_run.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

using enum RunStore::Import;

}  // namespace

class TestRunImport : public QObject {
  Q_OBJECT
 private slots:
  void anImportedRunIsTheSameAndComesOnce() {
    const StoreFolder from;
    const StoreFolder to;
    auto target = RunStore::open(to.file());
    finishOne(*target);
    const RunNumber run = [&] {
      auto source = RunStore::open(from.file());
      const RunNumber number = richRun(*source, "rich \"run\"\n\xff дом");
      static_cast<void>(source->setBaseline(number));
      return number;
    }();
    const std::string before = contentOf(from.file());
    auto source = RunStore::openSource(from.file());
    VERIFY_OK(source);
    QVERIFY(*target->importRun(*source, run) == Added);
    QVERIFY(*target->importRun(*source, run) == AlreadyThere);
    QCOMPARE(fingerprint(*target, RunNumber{2}), fingerprint(*source, run));
    QVERIFY(target->show(RunNumber{2})->summary.baseline);
    QCOMPARE(contentOf(from.file()), before);
    QVERIFY(!source->setNotes(run, "changed").ok());
    QCOMPARE(rawText(to.file(), "SELECT count(*) FROM setting_names"), std::string("2"));
  }

  void runsMeasuredTogetherStaySoOnceASecondIsHere() {
    const StoreFolder from;
    const StoreFolder to;
    auto source = RunStore::open(from.file());
    auto target = RunStore::open(to.file());
    ComparisonRecord record;
    for (const char* name : {"a", "b", "c"}) record.sides.push_back(finishOne(*source, name));
    record.seed = 0xfedcba9876543210ULL;
    record.warmupSeconds = 0.5;
    record.seconds = 2.5;
    record.blocks = 5;
    record.moreBlocks = 5;
    record.replacedBlocks = 2;
    VERIFY_OK(source->beginComparison(record));
    finishOne(*target);
    QVERIFY(*target->importRun(*source, record.sides[1]) == Added);
    QVERIFY2(!target->comparisonOf(RunNumber{2})->has_value(), "one side is no comparison");
    QVERIFY(*target->importRun(*source, record.sides[0]) == Added);
    QVERIFY(*target->importRun(*source, record.sides[2]) == Added);
    const auto found = target->comparisonOf(RunNumber{2});
    VERIFY_OK(found);
    QVERIFY(found->has_value());
    QVERIFY(((**found).sides == std::vector{RunNumber{3}, RunNumber{2}, RunNumber{4}}));
    QCOMPARE((**found).seed, record.seed);
    QCOMPARE((**found).warmupSeconds, 0.5);
    QCOMPARE((**found).seconds, 2.5);
    QCOMPARE((**found).blocks, std::int64_t{5});
    QCOMPARE((**found).replacedBlocks, std::int64_t{2});
    QCOMPARE(target->comparisons(10)->size(), std::size_t{1});
    QVERIFY(!target->comparisonOf(RunNumber{1})->has_value());
  }

  void theTrialsOfASearchComeWithItsFirstRun() {
    const StoreFolder from;
    const StoreFolder to;
    auto source = RunStore::open(from.file());
    auto target = RunStore::open(to.file());
    const RunNumber run = finishOne(*source);
    const RunNumber later = finishOne(*source);
    QVERIFY(rawSql(from.file(),
                   "INSERT INTO trials(experiment_id, position, settings, run_id, state, reason, "
                   "value) VALUES(1, 0, 'count=1', 1, 'finished', '', 812.5), "
                   "(1, 1, 'count=2', NULL, 'failed', 'no memory', NULL), "
                   "(1, 2, 'count=3', 2, 'running', '', NULL)"));
    QVERIFY(*target->importRun(*source, run) == Added);
    const auto trials = [&] {
      return rawText(to.file(),
                     "SELECT group_concat(printf('%d %s %s %s %s %s', position, settings, "
                     "ifnull(run_id, '-'), state, reason, ifnull(value, '-')), '|') FROM trials");
    };
    const std::string first = "0 count=1 1 finished  812.5|1 count=2 - failed no memory -|";
    QCOMPARE(trials(), first + "2 count=3 - waiting  -");
    QVERIFY(
        rawSql(from.file(), "UPDATE trials SET state = 'finished', value = 1 WHERE run_id = 2"));
    QVERIFY(*target->importRun(*source, later) == Added);
    QCOMPARE(trials(), first + "2 count=3 2 finished  1.0");
  }

  void theWayOfASearchComesWithItsFirstRunAndOnce() {
    const StoreFolder from;
    const StoreFolder to;
    auto source = RunStore::open(from.file());
    auto target = RunStore::open(to.file());
    const std::array runs = {finishOne(*source), finishOne(*source)};
    QVERIFY(rawSql(from.file(),
                   "INSERT INTO trials(experiment_id, position, settings, run_id, state) VALUES"
                   "(1, 0, 'count=1', 1, 'finished'), (1, 1, 'count=2', 2, 'finished')"));
    QVERIFY(rawSql(from.file(), "INSERT INTO search_steps VALUES(1, 0, 'asked'), (1, 1, 'tried')"));
    for (const RunNumber run : runs) QVERIFY(*target->importRun(*source, run) == Added);
    QCOMPARE(rawText(to.file(), "SELECT group_concat(position || content) FROM search_steps"),
             std::string("0asked,1tried"));
  }

  void trialsOfAnotherSearchStayBehind() {
    const StoreFolder from;
    const StoreFolder to;
    const std::string trial =
        "INSERT INTO trials(experiment_id, position, settings, run_id, state) VALUES(1, ";
    auto source = RunStore::open(from.file());
    auto target = RunStore::open(to.file());
    const RunNumber run = finishOne(*source);
    finishOne(*target);
    QVERIFY(
        rawSql(from.file(), trial + "0, 'count=1', 1, 'finished'), (1, 7, 'x', NULL, 'waiting')"));
    QVERIFY(rawSql(to.file(), trial + "0, 'size=9', 1, 'finished')"));
    QVERIFY(*target->importRun(*source, run) == Added);
    QCOMPARE(rawText(to.file(), "SELECT group_concat(settings) FROM trials"),
             std::string("size=9"));
  }

  void aBaselineThatIsHereStays() {
    const StoreFolder from;
    const StoreFolder to;
    auto source = RunStore::open(from.file());
    const RunNumber run = richRun(*source, "theirs");
    VERIFY_OK(source->setBaseline(run));
    auto target = RunStore::open(to.file());
    const RunNumber ours = richRun(*target, "ours");
    VERIFY_OK(target->setBaseline(ours));
    QVERIFY(*target->importRun(*source, run) == Added);
    QVERIFY(target->show(ours)->summary.baseline);
    QVERIFY(!target->show(RunNumber{2})->summary.baseline);
  }

  void aRunThatIsStillWrittenIsLeftOut() {
    const StoreFolder from;
    const StoreFolder to;
    auto source = RunStore::open(from.file());
    const auto run = source->beginRun(smallRun());
    auto target = RunStore::open(to.file());
    QVERIFY(*target->importRun(*source, *run) == Running);
    QVERIFY(target->list({})->empty());
  }

  void aFullTargetTakesNothingOfTheRun() {
    const StoreFolder from;
    const StoreFolder to;
    auto source = RunStore::open(from.file());
    NewRun run = smallRun();
    run.pipelineJson = std::string(800'000, ' ');
    const auto number = source->beginRun(run);
    VERIFY_OK(source->finishRun(*number, RunState::Finished, "", {}));
    VERIFY_OK(RunStore::open(to.file()));
    Database::Options options;
    options.maxPages = 80;
    auto target = RunStore::open(to.file(), options);
    VERIFY_OK(target);
    const auto imported = target->importRun(*source, *number);
    QVERIFY(!imported.ok());
    QVERIFY(imported.error().message.find(to.file().string()) != std::string::npos);
    QVERIFY(imported.error().message.find("the disk is full") != std::string::npos);
    QVERIFY(target->list({})->empty());
  }

  void aBackupIsSoundWhileOthersWrite() {
    const StoreFolder folder;
    VERIFY_OK(RunStore::open(folder.file()));
    std::array<int, 2> ends{};
    QVERIFY(pipe(ends.data()) == 0);
    const pid_t child = inChild([&] {
      // Without another reader of the pipe, it ends with the test.
      close(ends[0]);
      std::signal(SIGPIPE, SIG_DFL);
      auto store = RunStore::open(folder.file());
      const auto run = store->beginRun(smallRun());
      const auto repeat = store->beginRepeat(*run, 0);
      const std::array points = {SeriesPoint{1, 2}};
      for (int i = 0;; ++i) {
        if (!store->addWindow(*repeat, {1.0 * i, 1.0, 10, 1}).ok()) return 1;
        if (!store->addSeries(*repeat, "process.rss_bytes", points).ok()) return 2;
        if (write(ends[1], "x", 1) != 1) return 3;
      }
    });
    close(ends[1]);
    std::int64_t told = 0;
    for (int i = 0; i < 10; ++i) {
      for (int byte = 0; byte < 20; ++byte, ++told) {
        char content = 0;
        QVERIFY(read(ends[0], &content, 1) == 1);
      }
      const auto copy = folder.folder() / ("copy" + std::to_string(i) + ".db");
      auto store = RunStore::open(folder.file());
      VERIFY_OK(store->backup(copy));
      QCOMPARE(rawText(copy, "PRAGMA integrity_check"), std::string("ok"));
      const std::int64_t windows =
          std::strtoll(rawText(copy, "SELECT count(*) FROM windows").c_str(), nullptr, 10);
      QVERIFY2(windows >= told, "a copy has all that was written before it began");
      auto opened = RunStore::open(copy);
      QCOMPARE(opened->list({})->size(), std::size_t{1});
    }
    kill(child, SIGKILL);
    QCOMPARE(exitOf(child), -1);
    close(ends[0]);
  }

  void aBackupThatFailsLeavesNoFile() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    const auto copy = folder.folder() / "absent" / "copy.db";
    const Status written = store->backup(copy);
    QVERIFY(!written.ok());
    QVERIFY(written.error().message.find(copy.string()) != std::string::npos);
    QVERIFY(!std::filesystem::exists(copy));
  }
};

}  // namespace millrace

using millrace::TestRunImport;
MILLRACE_TEST_CASE(TestRunImport)
#include "tst_run_import.moc"
