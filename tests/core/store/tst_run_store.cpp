// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/store/run_store.h"

#include <cstdlib>
#include <limits>

#include "core/store/series_blob.h"
#include "tests/core/store/store_fixture.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

std::vector<std::string> namesOf(const std::vector<RunSummary>& runs) {
  std::vector<std::string> names;
  for (const RunSummary& run : runs) names.push_back(run.name);
  return names;
}

}  // namespace

class TestRunStore : public QObject {
  Q_OBJECT
 private slots:
  void isReadAheadInPartsUntilItIsStopped() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    VERIFY_OK(store);
    int asked = 0;
    const auto count = [&asked] { return ++asked > 2; };
    VERIFY_OK(store->warm(count));
    QCOMPARE(asked, 0);
    VERIFY_OK(store->together([&]() -> Status {
      for (int i = 0; i < 600; ++i) MILLRACE_TRY(store->beginRun(smallRun()));
      return {};
    }));
    VERIFY_OK(store->warm([] { return false; }));
    VERIFY_OK(store->warm(count));
    QCOMPARE(asked, 3);
  }

  void givesBackWhatARunBeganWith() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    VERIFY_OK(store);
    NewRun run = smallRun();
    run.experiment = "cats";
    run.notes = "first try";
    run.tags = {"quiet", "draft", "quiet"};
    run.settings = {{"workers", "count", std::int64_t{2}},
                    {"decode", "scaling", "auto"},
                    {"shuffle", "enabled", true},
                    {"resize", "ratio", 1.0}};
    run.environment = {{"kernel", "6.1"}, {"cores", "2"}};
    const auto number = store->beginRun(run);
    VERIFY_OK(number);
    const std::array facts = {KeyValue{"page_cache", "warm"}, KeyValue{"cores", "3"}};
    VERIFY_OK(store->addEnvironment(*number, facts));
    const auto details = store->show(*number);
    VERIFY_OK(details);
    QCOMPARE(details->summary.experiment, std::string("cats"));
    QCOMPARE(details->summary.state, RunState::Running);
    QCOMPARE(details->summary.uid.size(), std::size_t{36});
    QCOMPARE(details->summary.tags, (std::vector<std::string>{"draft", "quiet"}));
    QCOMPARE(details->notes, std::string("first try"));
    QCOMPARE(details->environment,
             (std::vector<KeyValue>{{"cores", "3"}, {"kernel", "6.1"}, {"page_cache", "warm"}}));
    QCOMPARE(details->settings.size(), std::size_t{4});
    QCOMPARE(std::get<std::string>(details->settings[0].value), std::string("auto"));
    QCOMPARE(std::get<double>(details->settings[1].value), 1.0);
    QCOMPARE(std::get<bool>(details->settings[2].value), true);
    QCOMPARE(std::get<std::int64_t>(details->settings[3].value), std::int64_t{2});
  }

  void itsVersionIsAnotherOnceSomebodyElseHasWritten() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    auto other = RunStore::open(folder.file());
    VERIFY_OK(store);
    VERIFY_OK(other);
    const std::int64_t before = *store->version();
    QCOMPARE(*store->version(), before);
    VERIFY_OK(other->beginRun(smallRun()));
    QVERIFY(*store->version() != before);
  }

  void givesBackWhatWasMeasured() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    const auto run = store->beginRun(smallRun());
    const auto repeat = store->beginRepeat(*run, 0);
    VERIFY_OK(repeat);
    VERIFY_OK(store->addWindow(*repeat, {2.0, 1.01, 640, 10}));
    VERIFY_OK(store->addWindow(*repeat, {3.01, 0.99, 576, 9}));
    const std::array nodes = {NodeRecord{"decode", "decode", 1216, 1000, 2000, 1.5, 1.4, 1.2, {}},
                              NodeRecord{"flip", "flip", {}, {}, {}, {}, {}, {}, "decode"}};
    VERIFY_OK(store->addNodeFigures(*repeat, nodes));
    VERIFY_OK(store->addNodeFigures(*repeat, nodes));
    const std::array queues = {
        QueueRecord{"batches", "workers", "drain", "batch", 4, 3.5, 0.1, {}}};
    VERIFY_OK(store->addQueueFigures(*repeat, queues));
    const std::array ofRepeat = {FigureRecord{"samples_per_second", 608.0}};
    VERIFY_OK(store->finishRepeat(*repeat, ofRepeat));
    const std::array ofRun = {FigureRecord{"samples_per_second", 609.0},
                              FigureRecord{"step_share", {}}};
    VERIFY_OK(store->finishRun(*run, RunState::Finished, "", ofRun));

    const auto details = store->show(*run);
    VERIFY_OK(details);
    QCOMPARE(details->summary.state, RunState::Finished);
    QVERIFY(details->summary.finished >= details->summary.started);
    QCOMPARE(*details->summary.samplesPerSecond, 609.0);
    QVERIFY(!details->figures[1].value);
    const RepeatRecord& read = details->repeats.at(0);
    QVERIFY(read.finished);
    QCOMPARE(read.windows.size(), std::size_t{2});
    QCOMPARE(read.windows[1].startSeconds, 3.01);
    QCOMPARE(read.windows[1].samples, std::int64_t{576});
    QCOMPARE(read.nodes.size(), std::size_t{2});
    QCOMPARE(*read.nodes[0].meanMs, 1.2);
    QCOMPARE(*read.nodes[0].items, std::int64_t{1216});
    QVERIFY(!read.nodes[1].items);
    QCOMPARE(*read.nodes[1].fusedInto, std::string("decode"));
    QCOMPARE(*read.queues.at(0).emptyShare, 0.1);
    QVERIFY(!read.queues[0].fullShare);
    QCOMPARE(*read.figures.at(0).value, 608.0);
  }

  void whatIsWrittenTogetherIsThereWholeOrNotAtAll() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    const auto run = store->beginRun(smallRun());
    const auto repeat = store->beginRepeat(*run, 0);
    const std::array before = {FigureRecord{"samples", 4.0}};
    const std::array after = {FigureRecord{"samples", 8.0}};
    VERIFY_OK(store->finishRepeat(*repeat, before));
    VERIFY_OK(store->setRunFigures(*run, before));
    const auto seen = [&] {
      return rawText(folder.file(), "SELECT value FROM repeat_figures") + " " +
             rawText(folder.file(), "SELECT value FROM run_figures");
    };
    const std::string old = seen();
    const Status broken = store->together([&]() -> Status {
      MILLRACE_TRY(store->finishRepeat(*repeat, after));
      return Error{"the second half did not come"};
    });
    QCOMPARE(broken.error().message, std::string("the second half did not come"));
    QCOMPARE(seen(), old);
    std::string between;
    VERIFY_OK(store->together([&]() -> Status {
      MILLRACE_TRY(store->finishRepeat(*repeat, after));
      between = seen();
      return store->setRunFigures(*run, after);
    }));
    QCOMPARE(between, old);
    QCOMPARE(seen(), std::string("8.0 8.0"));
  }

  void aPartThatFailsCanBeLeftOutOfTheWhole() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    const auto run = store->beginRun(smallRun());
    const std::array figure = {FigureRecord{"samples", 4.0}};
    VERIFY_OK(store->together([&]() -> Status {
      MILLRACE_TRY(store->setRunFigures(*run, figure));
      const std::array queues = {QueueRecord{"a", "b", "c", "d", 1, {}, {}, {}}};
      const bool refused = !store->addQueueFigures(RepeatId{77}, queues).ok();
      return refused ? Status() : Error{"there is no such repeat"};
    }));
    QCOMPARE(rawText(folder.file(), "SELECT value FROM run_figures"), std::string("4.0"));
    QCOMPARE(rawText(folder.file(), "SELECT count(*) FROM queue_figures"), std::string("0"));
  }

  void anUnfinishedRunHasTheRateOfItsWindows() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    const auto run = store->beginRun(smallRun());
    QVERIFY(!store->list({})->front().samplesPerSecond);
    const auto repeat = store->beginRepeat(*run, 0);
    VERIFY_OK(store->addWindow(*repeat, {0, 1.5, 300, 3}));
    VERIFY_OK(store->addWindow(*repeat, {1.5, 0.5, 100, 1}));
    QCOMPARE(*store->list({})->front().samplesPerSecond, 200.0);
  }

  void aSeriesIsOneBlobForEachTenSeconds() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    const auto run = store->beginRun(smallRun());
    const auto repeat = store->beginRepeat(*run, 0);
    const std::array first = {SeriesPoint{-0.5, 9}, SeriesPoint{0.2, 1}, SeriesPoint{9.9, 2}};
    const std::array second = {SeriesPoint{9.95, 3}, SeriesPoint{10.0, 4}, SeriesPoint{31, 5}};
    VERIFY_OK(store->addSeries(*repeat, "process.rss_bytes", first));
    VERIFY_OK(store->addSeries(*repeat, "process.rss_bytes", second));
    const auto points = store->series(*repeat, "process.rss_bytes");
    VERIFY_OK(points);
    std::vector<SeriesPoint> all(first.begin(), first.end());
    all.insert(all.end(), second.begin(), second.end());
    QVERIFY(*points == all);
    QVERIFY(store->series(*repeat, "other")->empty());
    QCOMPARE(store->show(*run)->repeats[0].seriesMetrics,
             std::vector<std::string>{"process.rss_bytes"});
    QCOMPARE(
        rawText(folder.file(), "SELECT group_concat(chunk || ':' || length(points)) FROM series"),
        std::string("-1:16,0:48,1:16,3:16"));
  }

  void aBlobsBytesAreLittleEndianDoubles() {
    const std::array points = {SeriesPoint{1.0, -2.5}};
    const auto blob = encodeSeries(points);
    QCOMPARE(QByteArray(reinterpret_cast<const char*>(blob.data()), 16).toHex(),
             QByteArray("000000000000f03f00000000000004c0"));
    QVERIFY(decodeSeries(std::span(blob).first(15)).empty());
    QCOMPARE(decodeSeries(blob).at(0).value, -2.5);
  }

  void equalPipelinesAreKeptOnceAndUnequalOnesApart() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    const auto first = store->beginRun(smallRun());
    const auto second = store->beginRun(smallRun());
    NewRun other = smallRun();
    other.pipelineJson = "{}";
    const auto third = store->beginRun(other);
    QCOMPARE(rawText(folder.file(), "SELECT count(*) FROM pipelines"), std::string("2"));
    QCOMPARE(*store->pipelineJson(*second), smallRun().pipelineJson);
    QCOMPARE(*store->pipelineJson(*third), std::string("{}"));
    // A different text with the same digest, as in a collision.
    QVERIFY(rawSql(folder.file(), "UPDATE pipelines SET json = 'older' WHERE json = '{}'"));
    const auto fourth = store->beginRun(other);
    QCOMPARE(*store->pipelineJson(*fourth), std::string("{}"));
    QCOMPARE(*store->pipelineJson(*third), std::string("older"));
    QVERIFY(!store->pipelineJson(RunNumber{99}).ok());
    QCOMPARE(pipelineDigest(""), std::string("cbf29ce484222325-0"));
  }

  void listsTheNewestFirstInPagesAndByExperiment() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    for (const char* name : {"one", "two", "three", "four"}) {
      NewRun run = smallRun(name);
      if (run.name == "two") run.experiment = "other";
      VERIFY_OK(store->beginRun(run));
    }
    using Names = std::vector<std::string>;
    QCOMPARE(namesOf(*store->list({})), (Names{"four", "three", "two", "one"}));
    QCOMPARE(namesOf(*store->list({{}, 2, 1})), (Names{"three", "two"}));
    QCOMPARE(namesOf(*store->list({"default", 2, 1})), (Names{"three", "one"}));
    QVERIFY(store->list({"absent", 50, 0})->empty());
  }

  void aRunIsFoundByNumberAndByTheBeginningOfItsId() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    const auto first = store->beginRun(smallRun());
    const auto second = store->beginRun(smallRun());
    const std::string uid = store->show(*second)->summary.uid;
    QVERIFY(*store->find("2") == *second);
    QVERIFY(*store->find("#1") == *first);
    QVERIFY(*store->find(uid) == *second);
    QVERIFY(*store->find(uid.substr(0, 9)) == *second);
    QVERIFY(!store->find("77").ok());
    QVERIFY(!store->find("").ok());
    QVERIFY(!store->find("\xff\xfe%_").ok());
    QVERIFY(rawSql(folder.file(), "UPDATE runs SET uid = 'abcdef-' || id"));
    const auto ambiguous = store->find("abcdef");
    QVERIFY(!ambiguous.ok());
    QVERIFY(ambiguous.error().message.find("1 and 2") != std::string::npos);
  }

  void keepsTheFirstFailuresAndCountsAll() {
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    const auto run = store->beginRun(smallRun());
    const std::vector<FailureRecord> many(700, {"train/\xff.jpg", "truncated"});
    VERIFY_OK(store->addFailures(*run, many, 700));
    VERIFY_OK(store->addFailures(*run, many, 1400));
    const auto details = store->show(*run);
    QCOMPARE(details->summary.failedSamples, std::int64_t{1400});
    QCOMPARE(details->failures.size(), static_cast<std::size_t>(RunStore::kMaxFailures));
    QCOMPARE(details->failures[0].sample, std::string("train/\xff.jpg"));
  }

  void aRunWhoseWriterIsGoneReadsAsInterrupted_data() {
    QTest::addColumn<QString>("change");
    QTest::addColumn<bool>("alive");
    QTest::newRow("unchanged") << "pid = pid" << true;
    QTest::newRow("no such process") << "pid = 999999999" << false;
    QTest::newRow("process id given again") << "pid_start = pid_start + 1" << false;
    QTest::newRow("another boot, fresh heartbeat") << "boot_id = 'x'" << true;
    QTest::newRow("another boot, old heartbeat") << "boot_id = 'x', heartbeat_ms = 5" << false;
    QTest::newRow("another container, old") << "pid_namespace = 'x', heartbeat_ms = 5" << false;
  }
  void aRunWhoseWriterIsGoneReadsAsInterrupted() {
    QFETCH(QString, change);
    QFETCH(bool, alive);
    const StoreFolder folder;
    auto store = RunStore::open(folder.file());
    const auto run = store->beginRun(smallRun());
    QVERIFY(rawSql(folder.file(), "UPDATE runs SET " + change.toStdString()));
    QCOMPARE(store->show(*run)->summary.state, alive ? RunState::Running : RunState::Interrupted);
    VERIFY_OK(store->heartbeat(*run));
  }

  void theStartOfAProcessIsReadBehindAnyName() {
    const std::string tail = " S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20 21";
    QCOMPARE(*startTicksOf("12 (a) b (c d))" + tail), std::int64_t{4711});
    QVERIFY(!startTicksOf("12 (x) S 1 2"));
    QVERIFY(!startTicksOf(""));
    QVERIFY(!startTicksOf("12 (x)"));
    QVERIFY(!startTicksOf("12 (x) Z" + tail.substr(2)));
  }

  void thePathComesFromTheEnvironment() {
    const QByteArray store = qgetenv("MILLRACE_STORE");
    const QByteArray data = qgetenv("XDG_DATA_HOME");
    qputenv("MILLRACE_STORE", "/x/y.db");
    QCOMPARE(defaultStorePath().string(), std::string("/x/y.db"));
    qunsetenv("MILLRACE_STORE");
    qputenv("XDG_DATA_HOME", "/data");
    QCOMPARE(defaultStorePath().string(), std::string("/data/millrace/runs.db"));
    qputenv("XDG_DATA_HOME", "relative");
    QCOMPARE(defaultStorePath().string(),
             qgetenv("HOME").toStdString() + "/.local/share/millrace/runs.db");
    store.isNull() ? qunsetenv("MILLRACE_STORE") : qputenv("MILLRACE_STORE", store);
    data.isNull() ? qunsetenv("XDG_DATA_HOME") : qputenv("XDG_DATA_HOME", data);
  }
};

}  // namespace millrace

using millrace::TestRunStore;
MILLRACE_TEST_CASE(TestRunStore)
#include "tst_run_store.moc"
