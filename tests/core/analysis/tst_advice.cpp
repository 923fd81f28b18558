// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/advice.h"

#include <cmath>

#include "core/analysis/what_if.h"
#include "tests/core/analysis/counters_support.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

LimitFinding limitOf(LimitKind kind, const char* node) {
  LimitFinding finding;
  finding.confidence = Confidence::Likely;
  finding.limit.kind = kind;
  finding.limit.node = node;
  return finding;
}

}  // namespace

class TestAdvice : public QObject {
  Q_OBJECT
 private slots:
  void namesTheParameterWithItsValues_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("edit");
    QTest::addColumn<QString>("changes");
    const auto row = [](LimitKind kind, const char* node, const char* edit, const char* changes) {
      QTest::newRow(nameOf(kind).data()) << static_cast<int>(kind) << node << edit << changes;
    };
    row(LimitKind::WorkersTooFew, "workers", "workers.count 2 -> 6", "nothing");
    row(LimitKind::WorkersTooMany, "workers", "workers.count 2 -> 1", "nothing");
    row(LimitKind::ColdStorage, "folder", "workers.count 2 -> 4", "nothing");
    row(LimitKind::QueueTooShort, "prefetch", "prefetch.batches 2 -> 4", "nothing");
    row(LimitKind::HeavyTail, "workers", "prefetch.batches 2 -> 4", "nothing");
    row(LimitKind::PerRecord, "workers", "workers.unit sample -> batch", "nothing");
    row(LimitKind::Batching, "batch", "batch.size 10 -> 20", "batching");
  }
  void namesTheParameterWithItsValues() {
    QFETCH(int, kind);
    QFETCH(QString, node);
    QFETCH(QString, edit);
    QFETCH(QString, changes);
    RunCounters counters = loaderBound({3, 12, 4});
    counters.cores = 6;
    const auto advice =
        adviceFor(limitOf(static_cast<LimitKind>(kind), node.toUtf8().constData()), counters, {});
    QVERIFY(!advice.empty());
    QCOMPARE(QString::fromStdString(advice.front().editText()), edit);
    QCOMPARE(QString::fromUtf8(nameOf(advice.front().changes).data()), changes);
    QVERIFY(!advice.front().costs.empty());
  }

  void aQueueIsAsLongAsTheOrderOfSlowSamplesAsks() {
    RunCounters counters = loaderBound({0, 10, 0});
    counters.batchSize = 8;
    counters.batches = 125;
    const LimitFinding tail = limitOf(LimitKind::HeavyTail, "workers");
    const auto first = [&](const ProbedGains& gains) {
      return QString::fromStdString(adviceFor(tail, counters, {}, gains).front().editText());
    };
    // One sample in 160 takes as long as all others; a queue that reaches that far has two at once.
    ProbedGains gains;
    gains.sampleSeconds.assign(160, 1);
    gains.sampleSeconds[80] = 159;
    QCOMPARE(first(gains), QString("prefetch.batches 2 -> 32"));
    // The queue may not take more than a gigabyte.
    counters.sampleBytes = 1e9 / 8 / 3;
    QCOMPARE(first(gains), QString("workers.order strict -> ready"));
    gains.sampleSeconds.assign(160, 1);
    counters.sampleBytes.reset();
    QCOMPARE(first(gains), QString("workers.order strict -> ready"));
  }

  void anOrderThatNoLongerRepeatsIsSaidSo() {
    const auto advice =
        adviceFor(limitOf(LimitKind::HeavyTail, "workers"), loaderBound({3, 12, 4}), {});
    QCOMPARE(QString::fromStdString(advice.back().editText()), "workers.order strict -> ready");
    QVERIFY(advice.back().changes == SampleChange::Order);
  }

  void copiesOfLargeSamplesAreNotSparedByLargerBatches() {
    RunCounters counters = loaderBound({1, 1, 1});
    counters.sampleBytes = 150528;
    const auto advice = adviceFor(limitOf(LimitKind::Batching, "batch"), counters, {});
    QCOMPARE(advice.size(), std::size_t{1});
    QVERIFY(advice.front().edit == Advice::Edit::Words);
    QVERIFY(advice.front().text.find("151 kB") != std::string::npos);
  }

  void moreReadersAreAdvisedUnlessTheyWereSeenToReadNoMore() {
    RunCounters counters = loaderBound({14, 3, 2});
    const LimitFinding reading = limitOf(LimitKind::Read, "folder");
    // Threads that do not wait gain nothing from more threads.
    QVERIFY(adviceFor(reading, counters, {}).front().edit == Advice::Edit::Words);
    counters.stages[0].cpuSeconds = 5;
    ProbedGains gains;
    gains.moreReaders = RateRatio{1.9, 1.8, 2};
    QCOMPARE(QString::fromStdString(adviceFor(reading, counters, {}, gains).front().editText()),
             "workers.count 2 -> 4");
    gains.moreReaders = RateRatio{1.01, 1, 1.02};
    const auto bandwidth = adviceFor(reading, counters, {}, gains);
    QCOMPARE(bandwidth.size(), std::size_t{1});
    QVERIFY(bandwidth.front().edit == Advice::Edit::Words);
  }

  void whoWaitsForStorageReadsAheadWhereTheSourceCan() {
    RunCounters counters = loaderBound({14, 3, 2});
    counters.stages[0].cpuSeconds = 5;
    const LimitFinding reading = limitOf(LimitKind::Read, "folder");
    counters.readAhead = 0;
    const auto both = adviceFor(reading, counters, {});
    QCOMPARE(QString::fromStdString(both[0].editText()), "folder.read_ahead 0 -> 64");
    QVERIFY(both[0].changes == SampleChange::Nothing && !both[0].costs.empty());
    QCOMPARE(QString::fromStdString(both[1].editText()), "workers.count 2 -> 4");
    // With read-ahead, the number of reads does not depend on the number of workers.
    counters.readAhead = 16;
    const auto further = adviceFor(reading, counters, {});
    QCOMPARE(QString::fromStdString(further[0].editText()), "folder.read_ahead 16 -> 64");
    QVERIFY(further[1].edit == Advice::Edit::Words);
    counters.readAhead = 64;
    QVERIFY(adviceFor(reading, counters, {}).front().edit == Advice::Edit::Words);
    // A probe showed that storage delivers no more.
    counters.readAhead = 0;
    ProbedGains gains;
    gains.moreReaders = RateRatio{1.01, 1, 1.02};
    QVERIFY(adviceFor(reading, counters, {}, gains).front().edit == Advice::Edit::Words);
  }

  void aCacheIsAdvisedWhereItSparesTheWorkThatLimits() {
    const RunCounters counters = loaderBound({3, 12, 4});
    const CachePoint encoded{"workers", 1e9, false};
    const CachePoint decoded{"resize", 3e9, true};
    const auto decode = adviceFor(limitOf(LimitKind::Decode, "decode"), counters, {decoded, {}});
    QCOMPARE(QString::fromStdString(decode.front().editText()),
             "add a memory cache after resize, limit 3000000000");
    const auto none = adviceFor(limitOf(LimitKind::Decode, "decode"), counters, {encoded, {}});
    QVERIFY(none.front().edit == Advice::Edit::Words);
  }

  void whatMakesPicturesSmallerGoesInFrontOfWhatLimits() {
    RunCounters counters = loaderBound({3, 4, 12});
    std::vector<RunCounters::Node>& nodes = counters.stages[0].nodes;
    nodes.push_back({"crop", WorkKind::Augment, 0.9, ""});
    const AdvicePlaces places{{}, {{"crop", {"affine"}}}};
    const LimitFinding blur = limitOf(LimitKind::Augmentation, "affine");
    // First it is not known what the node leaves, then it leaves too much.
    QCOMPARE(adviceFor(blur, counters, places).size(), std::size_t{1});
    nodes.back().keptBytes = 0.9;
    QCOMPARE(adviceFor(blur, counters, places).size(), std::size_t{1});
    nodes.back().keptBytes = 0.25;
    const auto advice = adviceFor(blur, counters, places);
    QCOMPARE(QString::fromStdString(advice.front().editText()), "move crop before affine");
    QVERIFY(advice.front().changes == SampleChange::Content);
    QVERIFY(advice.front().text.find("25 %") != std::string::npos);
    // Directly after the decoder it would make that do less, too.
    QVERIFY(!predictedRate(counters, advice.front()));
    // 20 s of two threads become 11 s.
    nodes.insert(nodes.begin() + 2, {"flip", WorkKind::Augment, 0.0, ""});
    const auto rate = predictedRate(counters, advice.front());
    QVERIFY(rate && std::abs(rate->middle / (100 * 20.0 / 11) - 1) < 0.06);
    // It passes a node that is not the limit.
    QVERIFY(adviceFor(limitOf(LimitKind::Augmentation, "decode"), counters, places)
                .front()
                .editText()
                .empty());
  }

  void whereNothingCanBeSaidNothingIsAdvised() {
    LimitFinding open = limitOf(LimitKind::Decode, "decode");
    open.confidence = Confidence::CannotTell;
    QVERIFY(adviceFor(open, loaderBound({3, 12, 4}), {}).empty());
    QVERIFY(adviceFor(limitOf(LimitKind::None, ""), loaderBound({3, 12, 4}), {}).empty());
    // Without a node to set it on, a text says what to add.
    RunCounters counters = loaderBound({3, 12, 4});
    counters.stages[0].workers.clear();
    const auto words = adviceFor(limitOf(LimitKind::WorkersTooFew, ""), counters, {});
    QVERIFY(words.front().editText().empty() && !words.front().text.empty());
  }
};

}  // namespace millrace

using millrace::TestAdvice;
MILLRACE_TEST_CASE(TestAdvice)
#include "tst_advice.moc"
