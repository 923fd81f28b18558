// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Copying runs and whole stores; stores of every version; stores with damage in one place.
#include <csignal>
#include <fstream>
#include <iterator>

#include "core/store/migrations/migrations.h"
#include "tests/core/store/store_fixture.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

using enum RunStore::Import;

std::string contentOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A store as version `version` wrote it: the schema and rows of the first version, then the
/// released migrations.
bool makeFixture(const std::filesystem::path& file, std::size_t version) {
  const auto runFile = [&](const std::string& name) {
    const std::string sql =
        contentOf(std::string(MILLRACE_SOURCE_DIR) + "/tests/core/store/fixtures/" + name);
    return !sql.empty() && rawSql(file, sql);
  };
  bool made = runFile("version_1.sql");
  for (std::size_t next = 2; next <= version; ++next)
    made = made && runFile("to_version_" + std::to_string(next) + ".sql");
  return made && rawText(file, "PRAGMA user_version") == std::to_string(version);
}

/// Every table and index of a store, as SQL, by name.
std::string schemaOf(const std::filesystem::path& file) {
  return rawText(file,
                 "SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema WHERE sql IS "
                 "NOT NULL ORDER BY name)");
}

RunNumber richRun(RunStore& store, const std::string& name) {
  NewRun run = smallRun(name);
  run.experiment = "photos";
  run.notes = "two\nlines \xff";
  run.tags = {"keep", "it's"};
  run.settings = {{"workers", "count", std::int64_t{2}}, {"flip", "enabled", true}};
  run.environment = {{"kernel", "6.1"}};
  const auto number = store.beginRun(run);
  const auto repeat = store.beginRepeat(*number, 0);
  const std::array points = {SeriesPoint{0.5, 1}, SeriesPoint{12, 2}};
  const std::array nodes = {NodeRecord{"decode", "decode", 10, 1, 2, 1.5, 1.4, 0.1, {}}};
  const std::array queues = {QueueRecord{"prefetch", "workers", "drain", "batches", 2, 1, 0, 0}};
  const std::array failures = {FailureRecord{"a\xff.jpg", "truncated"}};
  const std::array figures = {FigureRecord{"samples_per_second", 500.0}};
  const bool written =
      store.addWindow(*repeat, {0, 1, 500, 5}).ok() &&
      store.addSeries(*repeat, "process.rss_bytes", points).ok() &&
      store.addNodeFigures(*repeat, nodes).ok() && store.addQueueFigures(*repeat, queues).ok() &&
      store.addFailures(*number, failures, 1).ok() && store.finishRepeat(*repeat, figures).ok() &&
      store.finishRun(*number, RunState::Finished, "", figures).ok();
  return written ? *number : RunNumber{0};
}

/// Everything of a run that a copy must have, as text.
std::string fingerprint(RunStore& store, RunNumber run) {
  const auto details = store.show(run);
  if (!details.ok()) return details.error().message;
  const RunSummary& s = details->summary;
  std::string text = s.uid + s.experiment + s.name + s.pipelineName + std::string(nameOf(s.state)) +
                     details->notes + details->engineVersion +
                     std::to_string(s.started.time_since_epoch().count()) +
                     std::to_string(s.failedSamples) + *store.pipelineJson(run);
  for (const std::string& tag : s.tags) text += "#" + tag;
  for (const SettingRecord& setting : details->settings)
    text += setting.node + setting.param + std::to_string(setting.value.index());
  for (const auto& [key, value] : details->environment) text += key + value;
  for (const FigureRecord& figure : details->figures)
    text += figure.metric + std::to_string(figure.value.value_or(-1));
  for (const FailureRecord& failure : details->failures) text += failure.sample + failure.reason;
  for (const RepeatRecord& repeat : details->repeats) {
    text += std::to_string(repeat.index) + std::to_string(repeat.finished) +
            std::to_string(repeat.windows.size()) + std::to_string(repeat.nodes.size()) +
            std::to_string(repeat.queues.size()) + std::to_string(repeat.figures.size());
    for (const std::string& metric : repeat.seriesMetrics) {
      const auto points = store.series(repeat.id, metric);
      for (const SeriesPoint& point : *points)
        text += metric + std::to_string(point.seconds) + std::to_string(point.value);
    }
  }
  return text;
}

/// Overwrites the page whose number is the first column of the SQL's result.
bool damagePage(const std::filesystem::path& file, const std::string& pageSql) {
  rawText(file, "PRAGMA wal_checkpoint(TRUNCATE)");
  const long page = std::strtol(rawText(file, pageSql).c_str(), nullptr, 10);
  if (page < 2) return false;
  std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
  bytes.seekp((page - 1) * 4096);
  bytes << std::string(4096, '\xa5');
  return bytes.good();
}

}  // namespace

class TestRunImport : public QObject {
  Q_OBJECT
 private slots:
  void theMigrationsAreStillThoseThatWereReleased() {
    for (std::size_t version = 1; version < migrations().size(); ++version) {
      const StoreFolder released;
      const StoreFolder now;
      QVERIFY(makeFixture(released.file(), version));
      for (std::size_t i = 0; i < version; ++i) QVERIFY(rawSql(now.file(), migrations()[i]));
      QCOMPARE(schemaOf(now.file()), schemaOf(released.file()));
    }
  }

  void storesOfEveryEarlierVersionAreBroughtForward_data() {
    QTest::addColumn<int>("version");
    for (int version = 1; version < static_cast<int>(migrations().size()); ++version)
      QTest::addRow("version %d", version) << version;
  }
  void storesOfEveryEarlierVersionAreBroughtForward() {
    QFETCH(int, version);
    const StoreFolder folder;
    QVERIFY(makeFixture(folder.file(), static_cast<std::size_t>(version)));
    auto store = RunStore::open(folder.file());
    VERIFY_OK(store);
    const auto runs = store->list({});
    VERIFY_OK(runs);
    QCOMPARE(runs->size(), std::size_t{2});
    QCOMPARE((*runs)[0].state, RunState::Interrupted);
    QCOMPARE(*(*runs)[0].samplesPerSecond, 500.0);
    QVERIFY((*runs)[1].baseline);
    const auto details = store->show(RunNumber{1});
    QCOMPARE(details->notes, std::string("its \"quoted\""));
    QCOMPARE(details->repeats.at(0).seriesMetrics.size(), std::size_t{1});
    QCOMPARE(store->series(details->repeats[0].id, "process.rss_bytes")->at(1).value, 1.1e8);
    RunQuery query;
    query.where = parseQuery("workers.count > 2 and tag:keep", *store->vocabulary(), {}).condition;
    QCOMPARE(store->list(query)->size(), std::size_t{1});
    QCOMPARE(rawText(folder.file(), "PRAGMA integrity_check"), std::string("ok"));
    VERIFY_OK(store->beginRun(smallRun()));
  }

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

  void anOlderStoreIsImportedAndStaysOld() {
    for (std::size_t version = 1; version < migrations().size(); ++version) {
      const StoreFolder from;
      const StoreFolder to;
      QVERIFY(makeFixture(from.file(), version));
      const std::string before = contentOf(from.file());
      auto source = RunStore::openSource(from.file());
      VERIFY_OK(source);
      auto target = RunStore::open(to.file());
      for (const int run : {1, 2}) QVERIFY(*target->importRun(*source, RunNumber{run}) == Added);
      for (const int run : {1, 2})
        QCOMPARE(fingerprint(*target, RunNumber{run}), fingerprint(*source, RunNumber{run}));
      QCOMPARE(contentOf(from.file()), before);
      const std::string predictions = rawText(to.file(), "SELECT count(*) FROM predictions");
      QCOMPARE(predictions, std::string(version < 2 ? "0" : "1"));
    }
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

  void oneDamagedPageCostsItsOwnRunsAlone() {
    const StoreFolder folder;
    constexpr int kRuns = 200;
    {
      auto store = RunStore::open(folder.file());
      for (int i = 0; i < kRuns; ++i) QVERIFY(richRun(*store, "run") == RunNumber{i + 1});
    }
    QVERIFY(damagePage(folder.file(),
                       "SELECT pageno FROM dbstat WHERE name = 'runs' AND pagetype = 'leaf' "
                       "ORDER BY pageno LIMIT 1 OFFSET 2"));
    auto store = RunStore::open(folder.file());
    VERIFY_OK(store);
    RunQuery query;
    query.limit = kRuns;
    const auto list = store->search(query);
    VERIFY_OK(list);
    QVERIFY(list->unreadable > 0 && list->unreadable < kRuns / 2);
    QCOMPARE(static_cast<std::int64_t>(list->runs.size()) + list->unreadable, std::int64_t{kRuns});
    QVERIFY(list->damage.find("is damaged") != std::string::npos);
    // The undamaged runs can be copied to a new store.
    const StoreFolder to;
    auto target = RunStore::open(to.file());
    auto source = RunStore::openSource(folder.file());
    for (const RunSummary& run : list->runs)
      QVERIFY(*target->importRun(*source, run.number) == Added);
    QCOMPARE(target->search(query)->matching, static_cast<std::int64_t>(list->runs.size()));
  }

  void aRunIsShownWithoutWhatIsDamaged() {
    const StoreFolder folder;
    VERIFY_OK(RunStore::open(folder.file()));
    {
      auto store = RunStore::open(folder.file());
      QVERIFY(richRun(*store, "run") == RunNumber{1});
    }
    QVERIFY(damagePage(folder.file(), "SELECT rootpage FROM sqlite_schema WHERE name = 'windows'"));
    auto store = RunStore::open(folder.file());
    const auto details = store->show(RunNumber{1});
    VERIFY_OK(details);
    QCOMPARE(details->unreadable, std::vector<std::string>{"windows of repeat 1"});
    QCOMPARE(details->settings.size(), std::size_t{2});
    QCOMPARE(details->repeats.at(0).nodes.size(), std::size_t{1});
    const StoreFolder to;
    auto target = RunStore::open(to.file());
    auto source = RunStore::openSource(folder.file());
    QVERIFY(*target->importRun(*source, RunNumber{1}) == Unreadable);
    QVERIFY2(target->list({})->empty(), "half of a run was imported");
  }

 private:
  static RunNumber finishOne(RunStore& store, const std::string& name = "a run") {
    const auto run = store.beginRun(smallRun(name));
    static_cast<void>(store.finishRun(*run, RunState::Finished, "", {}));
    return *run;
  }
};

}  // namespace millrace

using millrace::TestRunImport;
MILLRACE_TEST_CASE(TestRunImport)
#include "tst_run_import.moc"
