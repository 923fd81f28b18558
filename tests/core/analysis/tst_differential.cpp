// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/differential.h"

#include <algorithm>
#include <cmath>

#include "tests/core/analysis/counters_support.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

bool isNear(double value, double expected) { return std::abs(value - expected) < 1e-9; }

double busyOf(const RunCounters& counters, std::size_t node) {
  return counters.stages[0].nodes[node].busySeconds.value_or(-1);
}

/// Decoding and augmentation fused, 17 s.
RunCounters fused() {
  RunCounters counters = loaderBound({2, 17, 0});
  counters.stages[0].nodes[2].busySeconds.reset();
  counters.stages[0].nodes[2].fusedInto = "decode";
  return counters;
}

ProbeResult probe(Probe which, std::vector<double> rates) {
  return {which, std::move(rates), loaderBound({3, 12, 4})};
}

}  // namespace

class TestDifferential : public QObject {
  Q_OBJECT
 private slots:
  void fusedTimeIsSharedByTheRunWithNodesApart() {
    const RunCounters apart = loaderBound({2, 15, 5});
    const RunCounters shared = sharedOut(fused(), &apart, nullptr);
    QVERIFY(isNear(busyOf(shared, 1), 17 * 0.75) && isNear(busyOf(shared, 2), 17 * 0.25));
    QVERIFY(shared.stages[0].nodes[2].fusedInto.empty());
    COMPARE_LIMIT(findLimit(shared), "decode", "decode");
  }

  void theRunToDecodingSaysHowMuchOfAFusedPassItIs() {
    // Without a crop after it a decoder does more; the run that ends with the decoder measures it.
    const RunCounters apart = loaderBound({2, 15, 5});
    RunCounters toDecode = loaderBound({2, 3, 0});
    toDecode.stages[0].nodes.pop_back();
    toDecode.samples = 500;  // 6 ms for each
    const RunCounters shared = sharedOut(fused(), &apart, &toDecode);
    QVERIFY(isNear(busyOf(shared, 1), 6) && isNear(busyOf(shared, 2), 11));
    COMPARE_LIMIT(findLimit(shared), "augmentation", "affine");
  }

  void whatNothingTellsApartStaysFused() {
    const RunCounters shared = sharedOut(fused(), nullptr, nullptr);
    QCOMPARE(QString::fromStdString(shared.stages[0].nodes[2].fusedInto), "decode");
    QVERIFY(isNear(busyOf(shared, 1), 17));
  }

  void ratiosGoBlockByBlock() {
    const ProbeResult a = probe(Probe::Baseline, {100, 200, 0});
    const ProbeResult b = probe(Probe::FromMemory, {150, 600, 10});
    const auto ratio = ratioOf(&b, &a);
    QVERIFY(ratio.has_value());
    QVERIFY(isNear(ratio->mean, std::sqrt(4.5)) && isNear(ratio->least, 1.5) &&
            isNear(ratio->most, 3));
    QVERIFY(!ratioOf(&b, nullptr));
    const ProbeResult none = probe(Probe::Baseline, {0});
    QVERIFY(!ratioOf(&b, &none));
  }

  void aBatchsTimeIsStepThenFetchingThenPreparing() {
    std::vector<ProbeResult> probes = {probe(Probe::Baseline, {100}),
                                       probe(Probe::FromMemory, {160})};
    probes[0].counters.stepShare = 0.25;
    const auto split = stallSplitOf(probes);
    QVERIFY(split && split->fetchByRun && !split->transfer);
    QVERIFY(isNear(split->batchSeconds, 0.1) && isNear(*split->step, 0.025));
    QVERIFY(isNear(*split->fetch, 0.1 * (1 - 100.0 / 160)));
    QVERIFY(isNear(*split->step + *split->fetch + *split->prepare, split->batchSeconds));
    // Not faster from memory, or without that run, the source's share is used.
    probes[1].rates = {99};
    const auto noisy = stallSplitOf(probes);
    QVERIFY(!noisy->fetchByRun && isNear(*noisy->fetch, 0.075 * 3 / 19.1));
    probes.pop_back();
    const auto counted = stallSplitOf(probes);
    QVERIFY(!counted->fetchByRun && isNear(*counted->fetch, 0.075 * 3 / 19.1));
    // Because of noise, the step of a full run can take more than all of the time.
    probes[0].counters.stepShare = 1.002;
    QCOMPARE(*stallSplitOf(probes)->prepare, 0.0);
    QVERIFY(!stallSplitOf({}));
  }

  void aBatchsTimeAgreesWithTheRateThatIsShown() {
    std::vector<ProbeResult> probes = {probe(Probe::Baseline, {50, 200})};
    const RunCounters& counters = probes[0].counters;
    const double samplesEach =
        static_cast<double>(counters.samples) / static_cast<double>(counters.batches);
    QVERIFY(isNear(stallSplitOf(probes)->batchSeconds, samplesEach / 100));
  }

  void aStepIsConfirmedByTheRunWithoutIt() {
    const LimitFinding counted = findLimit(stepBound(0.99));
    const auto withRate = [](double rate) {
      return std::vector<ProbeResult>{probe(Probe::Baseline, {100}),
                                      probe(Probe::WithoutStep, {rate})};
    };
    const LimitFinding confirmed = confirm(counted, withRate(240));
    QVERIFY(confirmed.confidence == Confidence::Yes);
    QVERIFY(confirmed.limit.evidence.back().meaning.find("2.40 times") != std::string::npos);
    const LimitFinding open = confirm(counted, withRate(97));
    QVERIFY(open.confidence == Confidence::CannotTell);
    QVERIFY(open.also.front().kind == LimitKind::Step);
  }

  void readingIsConfirmedByTheRunFromMemory() {
    const LimitFinding counted = findLimit(loaderBound({14, 3, 2}));
    const auto withRates = [](std::vector<double> rates) {
      return std::vector<ProbeResult>{probe(Probe::Baseline, {100, 100}),
                                      probe(Probe::FromMemory, std::move(rates))};
    };
    QVERIFY(confirm(counted, withRates({300, 310})).confidence == Confidence::Yes);
    QVERIFY(confirm(counted, withRates({120, 121})).confidence == Confidence::Likely);
    QVERIFY(confirm(counted, withRates({101, 101})).confidence == Confidence::CannotTell);
    QVERIFY(confirm(counted, {}).confidence == Confidence::Likely);
  }

  void aRunWithMoreReadersTellsLatencyFromBandwidth() {
    const LimitFinding counted = findLimit(loaderBound({14, 3, 2}));
    std::vector<ProbeResult> probes = {
        probe(Probe::Baseline, {100, 100}), probe(Probe::SourceAlone, {200, 210}),
        probe(Probe::MoreReaders, {400, 420}), probe(Probe::FromMemory, {300, 300})};
    QVERIFY(isNear(gainsOf(probes).moreReaders->mean, 2));
    const auto said = [&](const char* words) {
      const LimitFinding found = confirm(counted, probes);
      return std::ranges::any_of(found.limit.evidence, [&](const LimitEvidence& evidence) {
        return evidence.meaning.find(words) != std::string::npos;
      });
    };
    QVERIFY(said("each read waits for an answer"));
    probes[2].rates = {205, 205};
    QVERIFY(said("storage delivers no more"));
    // A pipeline that only reads is the same as its source alone.
    probes.erase(probes.begin() + 1);
    QVERIFY(isNear(gainsOf(probes).moreReaders->mean, 2.05));
  }

  void readingThatTheQueuesHideIsFoundByTheRunFromMemory() {
    RunCounters counters = loaderBound({9, 1, 1});
    counters.queues[0].emptyShare = 0.6;
    counters.queues[0].writerWaitSeconds = 6;
    const LimitFinding counted = findLimit(counters);
    COMPARE_LIMIT(counted, "queue_too_short", "prefetch");
    std::vector<ProbeResult> probes = {probe(Probe::Baseline, {100, 100}),
                                       probe(Probe::FromMemory, {240, 800})};
    const LimitFinding found = confirm(counted, probes);
    COMPARE_LIMIT(found, "read", "folder");
    QVERIFY(found.confidence == Confidence::Yes && found.decides.empty());
    QVERIFY(found.also.front().kind == LimitKind::QueueTooShort);
    probes[1].rates = {190, 800};  // not in every block
    COMPARE_LIMIT(confirm(counted, probes), "queue_too_short", "prefetch");
    // A busy time that was not counted is taken from the runs; the counters of the cores stay.
    probes[1].rates = {240, 800};
    counters.queues[0].writerWaitSeconds = 0.1;
    counters.queues[0].fullShare = 0.5;
    QVERIFY(findLimit(counters).confidence == Confidence::CannotTell);
    COMPARE_LIMIT(confirm(findLimit(counters), probes), "read", "folder");
    QVERIFY(confirm(findLimit(loaderBound({3, 12, 4})), probes).limit.kind == LimitKind::Decode);
  }

  void runsFromMemoryTellWhatACacheAtTheirPlaceGives() {
    std::vector<ProbeResult> probes = {probe(Probe::Baseline, {100, 100}),
                                       probe(Probe::FromMemory, {150, 150}),
                                       probe(Probe::FromCache, {800, 800})};
    probes[1].cacheAfter = "workers";
    probes[2].cacheAfter = "resize";
    const ProbedGains gains = gainsOf(probes);
    QVERIFY(!gains.moreReaders && gains.caches.size() == 2);
    QCOMPARE(QString::fromStdString(gains.caches[1].after), "resize");
    QVERIFY(isNear(gains.caches[0].ratio.mean, 1.5) && isNear(gains.caches[1].ratio.mean, 8));
    probes.erase(probes.begin());  // without a baseline there are no ratios
    QVERIFY(gainsOf(probes).caches.empty());
  }

  void decodingAndAugmentationAreConfirmedByTheCuts() {
    const LimitFinding decodes = findLimit(loaderBound({3, 12, 4}));
    const LimitFinding augments = findLimit(loaderBound({3, 4, 12}));
    // A sample takes 10 ms; up to decoding it takes `cut`, of which reading is 1.5 ms.
    const auto cutAt = [](double cut) {
      return std::vector<ProbeResult>{probe(Probe::Baseline, {100}),
                                      probe(Probe::SourceAlone, {1000 / 1.5}),
                                      probe(Probe::ToDecode, {1000 / cut})};
    };
    QVERIFY(confirm(decodes, cutAt(8)).confidence == Confidence::Yes);
    QVERIFY(confirm(decodes, cutAt(5.8)).confidence == Confidence::Likely);
    // The runs with parts left out were just made.
    QVERIFY(decodes.decides.starts_with("`millrace diagnose`"));
    QCOMPARE(QString::fromStdString(confirm(decodes, cutAt(5.8)).decides), "more blocks");
    const LimitFinding tie = findLimit(loaderBound({3, 8, 8}));
    QVERIFY(tie.limit.kind == LimitKind::Work && tie.decides.starts_with("`millrace diagnose`"));
    QCOMPARE(QString::fromStdString(confirm(tie, cutAt(5.8)).decides), "more blocks");
    QVERIFY(confirm(decodes, cutAt(3)).confidence == Confidence::CannotTell);
    QVERIFY(confirm(augments, cutAt(3)).confidence == Confidence::Yes);
    QVERIFY(confirm(augments, cutAt(8)).confidence == Confidence::CannotTell);
  }

  void theRestIsConfirmedByWhatTheAdviceBrought() {
    RunCounters counters = loaderBound({1, 6, 2.5});
    counters.stages[0].threads = 1;
    counters.stages[0].cpuSeconds = counters.cpuSeconds = 9.5;
    const LimitFinding counted = findLimit(counters);
    const auto gave = [](std::vector<double> rates) {
      return std::vector<ProbeResult>{probe(Probe::Baseline, {500}),
                                      probe(Probe::BaselineAgain, {100, 100}),
                                      probe(Probe::Advised, std::move(rates))};
    };
    QVERIFY(confirm(counted, gave({180, 190})).confidence == Confidence::Yes);
    QVERIFY(confirm(counted, gave({102, 190})).confidence == Confidence::Likely);
    QVERIFY(confirm(counted, gave({90, 95})).confidence == Confidence::CannotTell);
  }
};

}  // namespace millrace

using millrace::TestDifferential;
MILLRACE_TEST_CASE(TestDifferential)
#include "tst_differential.moc"
