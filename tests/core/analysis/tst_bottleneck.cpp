// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// For each rule of docs/reference/limits.md one hand-made set of counters, and one that just misses
// it.
#include "core/analysis/bottleneck.h"
#include "core/analysis/cause_text.h"

#include <algorithm>

#include "tests/core/analysis/counters_support.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

class TestBottleneck : public QObject {
  Q_OBJECT
 private slots:
  /// Without Workers the thread is named after the consumer, which does none of the work.
  void withoutWorkersTheConsumerIsNotBlamed() {
    RunCounters counters = loaderBound({1, 8.5, 0.4});
    RunCounters::Stage all = counters.stages.front();
    all.id = counters.stages.back().id;
    all.threads = 1;
    all.workers.clear();
    all.nodes.insert(all.nodes.end(), counters.stages.back().nodes.begin(),
                     counters.stages.back().nodes.end());
    counters.stages = {all};
    counters.queues.clear();
    counters.cpuSeconds = 10;
    counters.stepShare = 0.0;
    const LimitFinding finding = findLimit(counters);
    std::vector<LimitEvidence> said = finding.limit.evidence;
    said.insert(said.end(), finding.evidence.begin(), finding.evidence.end());
    for (const LimitCause& cause : finding.also)
      said.insert(said.end(), cause.evidence.begin(), cause.evidence.end());
    QVERIFY(!said.empty());
    for (const LimitEvidence& evidence : said) {
      QVERIFY2(evidence.meaning.find("`" + all.id + "`") == std::string::npos,
               evidence.meaning.c_str());
      QVERIFY2(evidence.meaning.find("workers") == std::string::npos, evidence.meaning.c_str());
    }
  }

  void aCauseInAListNamesItsNodeOnce() {
    LimitCause cause{LimitKind::Decode, "photos", 0.7, {}};
    QCOMPARE(causeText(cause), std::string("decoding in `photos`"));
    cause.evidence = {{"m", 0.7, "`photos` takes 70 % of the workers' time"}};
    QCOMPARE(causeText(cause), std::string("`photos` takes 70 % of the workers' time"));
    cause.evidence = {{"m", 0.7, "the queue is empty 97 % of the time"}};
    QCOMPARE(causeText(cause),
             std::string("decoding in `photos`: the queue is empty 97 % of the time"));
  }

  void theLargestShareOfABusyRegionWithoutIdleCoresLimits_data() {
    QTest::addColumn<std::vector<double>>("busy");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("node");
    QTest::newRow("reading") << std::vector<double>{14, 3, 2} << "read" << "folder";
    QTest::newRow("decoding") << std::vector<double>{3, 12, 4} << "decode" << "decode";
    QTest::newRow("augmentation") << std::vector<double>{2, 6, 11} << "augmentation" << "affine";
  }
  void theLargestShareOfABusyRegionWithoutIdleCoresLimits() {
    QFETCH(std::vector<double>, busy);
    QFETCH(QString, kind);
    QFETCH(QString, node);
    const LimitFinding found = findLimit(loaderBound(busy));
    COMPARE_LIMIT(found, kind, node);
    QVERIFY(found.confidence == Confidence::Likely);
    QVERIFY(found.limit.share > 0.55 && found.limit.evidence.size() >= 2);
    QCOMPARE(found.also.size(), std::size_t{2});
    QVERIFY(found.also[0].share >= found.also[1].share);
  }

  void twoSharesThatAreCloseAreNamedTogether() {
    const LimitFinding found = findLimit(loaderBound({2, 8.7, 8.3}));
    COMPARE_LIMIT(found, "work", "decode");
    QVERIFY(found.confidence == Confidence::Likely);
    QCOMPARE(found.limit.with, std::vector<std::string>{"affine"});
    QVERIFY(found.limit.share > 0.85);
    QCOMPARE(found.also.size(), std::size_t{1});
    QVERIFY(found.also[0].kind == LimitKind::Read);
    QCOMPARE(
        headlineOf(found),
        std::string("likely limit: the work in `decode` and `affine`; what would tell them "
                    "apart: `millrace diagnose`, which runs the pipeline with parts left out"));
  }

  void decodingAndAugmentationThatRunAsOneAreNamedTogether() {
    RunCounters counters = loaderBound({2, 17, 0});
    counters.stages[0].nodes[2].busySeconds.reset();
    counters.stages[0].nodes[2].fusedInto = "decode";
    const LimitFinding found = findLimit(counters);
    COMPARE_LIMIT(found, "work", "decode");
    QVERIFY(found.confidence == Confidence::Likely);
    QCOMPARE(titleOf(found.limit), std::string("the work in `decode` and `affine`"));
    QVERIFY(found.limit.evidence.front().meaning.find("fused with affine") != std::string::npos);
    QVERIFY(found.decides.find("measures fused nodes separately") != std::string::npos);
    // Two fused augmentations still count as an augmentation.
    counters.stages[0].nodes[1].work = WorkKind::Augment;
    COMPARE_LIMIT(findLimit(counters), "augmentation", "decode");
  }

  void readingThatWaitsForColdDataIsStorage() {
    RunCounters counters = loaderBound({16, 2, 1});
    counters.stages[0].cpuSeconds = 5;
    counters.cpuSeconds = 5;
    counters.readLatencyMs = 12;
    counters.residentShare = 0.1;
    COMPARE_LIMIT(findLimit(counters), "cold_storage", "folder");
    counters.residentShare = 1;
    COMPARE_LIMIT(findLimit(counters), "read", "folder");
    // The threads do not wait, so reading is work like any other.
    counters.residentShare = 0.1;
    counters.stages[0].cpuSeconds = counters.cpuSeconds = 19;
    COMPARE_LIMIT(findLimit(counters), "read", "folder");
  }

  void aBusyRegionBesideAnIdleCoreHasTooFewWorkers() {
    RunCounters counters = loaderBound({1, 6, 2.5});
    counters.stages[0].threads = 1;
    counters.stages[0].cpuSeconds = counters.cpuSeconds = 9.5;
    COMPARE_LIMIT(findLimit(counters), "workers_too_few", "workers");
    counters.cores = 1.5;  // half a core is not an idle core
    COMPARE_LIMIT(findLimit(counters), "decode", "decode");
    // Whether more workers would help is not known, but that the workers limit is.
    counters.cores.reset();
    const LimitFinding unknown = findLimit(counters);
    COMPARE_LIMIT(unknown, "decode", "decode");
    QVERIFY(
        unknown.limit.evidence.back().meaning.ends_with("whether a core is idle is not known."));
    QCOMPARE(unknown.notMeasured.size(), std::size_t{2});
    // Of a short span, the share of other programs is not known.
    counters.cores = 2;
    counters.otherBusyShare.reset();
    COMPARE_LIMIT(findLimit(counters), "decode", "decode");
  }

  void threadsThatRestBesideAnIdleCoreLeaveTheLimitOpen() {
    RunCounters counters = loaderBound({1, 6, 2.5});
    counters.stages[0].cpuSeconds = counters.cpuSeconds = 9.5;  // two threads, busy half the time
    const LimitFinding found = findLimit(counters);
    QVERIFY(found.confidence == Confidence::CannotTell);
    QCOMPARE(found.decides, std::string("a run with more workers"));
  }

  void theStepLimitsWithNineteenTwentieths() {
    RunCounters counters = stepBound(0.96);
    const LimitFinding found = findLimit(counters);
    COMPARE_LIMIT(found, "step", "step");
    QVERIFY(found.confidence == Confidence::Yes);
    counters.stepShare = 0.94;  // likely, because the queue is full
    QVERIFY(findLimit(counters).confidence == Confidence::Likely);
    COMPARE_LIMIT(findLimit(counters), "step", "step");
    counters.queues[0].fullShare = 0.7;
    counters.queues[0].readerWaitSeconds = 0.5;
    counters.queues[0].writerWaitSeconds = 0;
    QVERIFY(findLimit(counters).confidence == Confidence::CannotTell);
  }

  void workersThatLeaveTheStepNoCoreAreTooMany() {
    RunCounters counters = stepBound(0.97);
    counters.stages[0].threads = 8;
    counters.stepOverNominal = 1.3;
    counters.stages[0].runDelaySeconds = 40;
    COMPARE_LIMIT(findLimit(counters), "workers_too_many", "workers");
    counters.stages[0].runDelaySeconds = 10;  // an eighth of the threads' time
    COMPARE_LIMIT(findLimit(counters), "step", "step");
  }

  void moreThreadsThanCoresAreNamedBesideWhatLimits() {
    RunCounters counters = loaderBound({3, 12, 4});
    counters.stages[0].threads = 4;
    counters.stages[0].nodes[1].busySeconds = 30;
    counters.stages[0].runDelaySeconds = 18;
    const LimitFinding found = findLimit(counters);
    COMPARE_LIMIT(found, "decode", "decode");
    QVERIFY(std::ranges::any_of(found.also, [](const LimitCause& cause) {
      return cause.kind == LimitKind::WorkersTooMany;
    }));
  }

  void timeInNoNodeIsBatchingAndOfTinySamplesTheirHandOver() {
    RunCounters counters = loaderBound({2, 2, 2});
    counters.stages[0].betweenSeconds = 13;
    COMPARE_LIMIT(findLimit(counters), "batching", "batch");
    counters.samples = 1000000;  // 19 us for each
    COMPARE_LIMIT(findLimit(counters), "per_record", "workers");
    counters.sampleBytes = 16;
    COMPARE_LIMIT(findLimit(counters), "per_record", "workers");
    counters.sampleBytes = 20000;  // 10 of 13 us for each are copying
    COMPARE_LIMIT(findLimit(counters), "batching", "batch");
  }

  void aSourceOfLessThanAMicrosecondIsCalledMoreThanItReads() {
    RunCounters counters = loaderBound({12, 1, 1});
    counters.stages[0].betweenSeconds = 3;
    counters.samples = 40'000'000;  // 0.3 us of reading for each
    COMPARE_LIMIT(findLimit(counters), "per_record", "workers");
    counters.sampleBytes = 400;  // copied in 0.2 us
    COMPARE_LIMIT(findLimit(counters), "read", "folder");
    counters.sampleBytes = 16;
    counters.samples = 10'000'000;
    COMPARE_LIMIT(findLimit(counters), "read", "folder");
  }

  void ofShortBatchesTheQueueTellsNothing() {
    RunCounters counters = loaderBound({3, 12, 4});
    counters.queues[0].emptyShare = 0.4;
    counters.queues[0].writerWaitSeconds = 4;
    COMPARE_LIMIT(findLimit(counters), "queue_too_short", "prefetch");
    counters.batches = 60'000;
    COMPARE_LIMIT(findLimit(counters), "decode", "decode");
  }

  void workersThatNeverWaitLimitThoughTheQueueIsSeldomSeenEmpty() {
    RunCounters counters = loaderBound({3, 12, 4});
    counters.queues[0].emptyShare = 0.6;  // the consumer is woken late
    COMPARE_LIMIT(findLimit(counters), "decode", "decode");
    counters.queues[0].fullShare = 0.3;
    QVERIFY(findLimit(counters).confidence == Confidence::CannotTell);
    counters.queues[0].fullShare = 0;
    counters.queues[0].writerWaitSeconds.reset();
    QVERIFY(findLimit(counters).confidence == Confidence::CannotTell);
  }

  void threadsThatAreOffTheirCoresWaitForStorage() {
    RunCounters counters = loaderBound({16, 2, 1});
    QVERIFY(!waitsForStorage(counters));
    counters.stages[0].cpuSeconds = 5;
    QVERIFY(waitsForStorage(counters));
    counters.stages[0].runDelaySeconds = 12;  // they wait for a core
    QVERIFY(!waitsForStorage(counters));
    QVERIFY(!waitsForStorage(RunCounters()));
  }

  void workersThatWaitForOneSampleHaveAHeavyTail() {
    RunCounters counters = loaderBound({1, 8, 3});
    counters.cpuSeconds = counters.stages[0].cpuSeconds = 12;
    counters.queues[0].headOfLineSeconds = 4;
    counters.queues[0].writerWaitSeconds = 6;
    COMPARE_LIMIT(findLimit(counters), "heavy_tail", "workers");
    // Threads that wait for a core hold up the others, too.
    counters.stages[0].runDelaySeconds = 4;
    QVERIFY(findLimit(counters).limit.kind != LimitKind::HeavyTail);
    counters.stages[0].runDelaySeconds = 0.2;
    counters.stages[0].strict = false;  // no sample waits for its order
    QVERIFY(findLimit(counters).limit.kind != LimitKind::HeavyTail);
  }

  void aQueueThatIsEmptyAndFullByTurnsIsTooShort() {
    RunCounters counters = stepBound(0.8);
    counters.queues[0].fullShare = 0.4;
    counters.queues[0].emptyShare = 0.3;
    counters.queues[0].readerWaitSeconds = 1.5;
    counters.queues[0].writerWaitSeconds = 4;
    COMPARE_LIMIT(findLimit(counters), "queue_too_short", "prefetch");
    counters.queues[0].writerWaitSeconds = 0.1;  // only the consumer waits
    QVERIFY(findLimit(counters).confidence == Confidence::CannotTell);
    counters.queues[0].readerWaitSeconds = 0.1;  // the reader does not wait
    COMPARE_LIMIT(findLimit(counters), "none", "");
  }

  void aFifthOfTheSamplesLostIsALimit() {
    RunCounters counters = loaderBound({3, 12, 4});
    counters.failedSamples = 300;
    COMPARE_LIMIT(findLimit(counters), "failures", "folder");
    counters.failedSamples = 200;
    const LimitFinding fewer = findLimit(counters);
    COMPARE_LIMIT(fewer, "decode", "decode");
    QVERIFY(std::ranges::any_of(
        fewer.also, [](const LimitCause& cause) { return cause.kind == LimitKind::Failures; }));
  }

  void aFifthOfTheCoresTakenByOthersIsALimit() {
    RunCounters counters = loaderBound({2, 8, 4});
    counters.stages[0].cpuSeconds = counters.cpuSeconds = 14;
    counters.otherBusyShare = 0.28;
    COMPARE_LIMIT(findLimit(counters), "other_process", "");
    counters.otherBusyShare = 0.15;
    counters.stages[0].cpuSeconds = counters.cpuSeconds = 16.8;
    COMPARE_LIMIT(findLimit(counters), "decode", "decode");
  }

  void workOnTheConsumersThreadBehindAFullQueueLimits() {
    RunCounters counters = loaderBound({1, 2, 1});
    counters.queues[0].emptyShare = 0.01;
    counters.queues[0].fullShare = 0.95;
    counters.stages[1].nodes.insert(counters.stages[1].nodes.begin(),
                                    {"mix", WorkKind::Augment, 9.5, ""});
    COMPARE_LIMIT(findLimit(counters), "augmentation", "mix");
    counters.stages[1].nodes.front().busySeconds = 0.1;
    QVERIFY(findLimit(counters).confidence == Confidence::CannotTell);
  }

  void aDeviceLimitsOnlyWhereOneWasUsed() {
    RunCounters counters = loaderBound({1, 2, 1});
    counters.transferSeconds = 8.5;
    counters.deviceSeconds = 6;
    COMPARE_LIMIT(findLimit(counters), "transfer", "");
    counters.deviceSeconds = 9;
    COMPARE_LIMIT(findLimit(counters), "device", "");
    counters.transferSeconds.reset();
    counters.deviceSeconds.reset();
    const LimitFinding without = findLimit(counters);
    QVERIFY(without.limit.kind != LimitKind::Transfer && without.limit.kind != LimitKind::Device);
    QVERIFY(without.notMeasured.front().find("no device") != std::string::npos);
  }

  void onlyTheStageThatFindsWorkIsTheLimit() {
    RunCounters counters = loaderBound({3, 12, 4});
    RunCounters::Stage second{"workers_2", 1, true, true, "workers_2", {}, {}, {}, {}};
    second.nodes.push_back({"mix", WorkKind::Augment, 2.0, ""});
    counters.stages.insert(counters.stages.begin() + 1, second);
    counters.queues.push_back(counters.queues.front());
    counters.queues.back().id = "prefetch_2";
    COMPARE_LIMIT(findLimit(counters), "decode", "decode");
    counters.queues.front().emptyShare = 0.2;  // the limit is after the second queue
    counters.stages[1].nodes.front().busySeconds = 9.5;
    COMPARE_LIMIT(findLimit(counters), "augmentation", "mix");
  }

  void withoutAQueueOneThreadDoesEverything() {
    RunCounters counters = loaderBound({1, 6, 2.5});
    counters.queues.clear();
    counters.stages.pop_back();
    counters.stages[0].threads = 1;
    counters.stages[0].workers.clear();
    counters.cpuSeconds = counters.stages[0].cpuSeconds = 9.5;
    COMPARE_LIMIT(findLimit(counters), "workers_too_few", "");
    counters.stepShare = 0.6;
    counters.stages[0].nodes.push_back({"step", WorkKind::Step, 6.0, ""});
    QVERIFY(findLimit(counters).confidence == Confidence::CannotTell);
  }

  void tooShortARunSaysSo() {
    RunCounters counters = loaderBound({3, 12, 4});
    counters.batches = 4;
    const LimitFinding found = findLimit(counters);
    QVERIFY(found.confidence == Confidence::CannotTell);
    QVERIFY(found.decides.starts_with("a longer run"));
    QVERIFY(findLimit(RunCounters()).confidence == Confidence::CannotTell);
    RunCounters untimed = loaderBound({0, 0, 0});
    untimed.stages[0].betweenSeconds.reset();
    QVERIFY(findLimit(untimed).confidence == Confidence::CannotTell);
  }

  void everyKindHasItsName() {
    QCOMPARE(nameOf(LimitKind::ColdStorage), std::string_view("cold_storage"));
    QCOMPARE(nameOf(LimitKind::None), std::string_view("none"));
    QCOMPARE(nameOf(Confidence::CannotTell), std::string_view("cannot tell"));
    for (int kind = 0; kind <= static_cast<int>(LimitKind::None); ++kind) {
      const LimitCause cause{static_cast<LimitKind>(kind), "x", 0, {}};
      QVERIFY(!titleOf(cause).empty() && titleOf(cause).find('{') == std::string::npos);
    }
  }
};

}  // namespace millrace

using millrace::TestBottleneck;
MILLRACE_TEST_CASE(TestBottleneck)
#include "tst_bottleneck.moc"
