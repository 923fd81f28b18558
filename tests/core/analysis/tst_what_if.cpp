// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Models whose rate can be calculated in one line.
#include "core/analysis/what_if.h"

#include <cmath>

#include "core/analysis/loader_model.h"
#include "core/analysis/prediction_spread.h"
#include "tests/core/analysis/counters_support.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

bool near(double value, double expected, double tolerance = 0.02) {
  return std::abs(value / expected - 1) < tolerance;
}

/// Every sample takes a millisecond.
LoaderModel even() {
  LoaderModel model;
  model.work.push_back({{}, 1e-3});
  model.batchSize = 10;
  return model;
}

/// Nine of ten samples take almost no time, one takes ten milliseconds.
LoaderModel uneven() {
  LoaderModel model = even();
  Histogram& times = model.work.front().times;
  times.counts[Histogram::bucketOf(1000)] = 90;
  times.counts[Histogram::bucketOf(10000000)] = 10;
  return model;
}

Advice setTo(const char* node, const char* param, const char* to) {
  Advice advice;
  advice.edit = Advice::Edit::Parameter;
  advice.node = node;
  advice.param = param;
  advice.to = to;
  return advice;
}

}  // namespace

class TestWhatIf : public QObject {
  Q_OBJECT
 private slots:
  void workersDivideTheTimeOfASample() {
    LoaderModel model = even();
    QVERIFY(near(simulatedRate(model, 1), 1000));
    model.workers = 4;
    QVERIFY(near(simulatedRate(model, 1), 4000, 0.05));  // ten rows for four threads
    model.betweenSeconds = 1e-3;
    QVERIFY(near(simulatedRate(model, 1), 2000, 0.05));
    model.slowdown = 2;
    QVERIFY(near(simulatedRate(model, 1), 1000, 0.05));
  }

  void theSlowerSideSetsThePace() {
    LoaderModel model = even();
    model.stepSeconds = 0.02;  // a batch is made in 10 ms
    QVERIFY(near(simulatedRate(model, 1), 500));
    model.stepSeconds = 0.005;
    QVERIFY(near(simulatedRate(model, 1), 1000));
  }

  void aHistogramKeepsItsMean() {
    // Many batches, so that the number of slow samples hardly varies by chance.
    QVERIFY(near(simulatedRate(uneven(), 1, 3000), 1000, 0.05));
    QCOMPARE(simulatedRate(uneven(), 1), simulatedRate(uneven(), 1));
    QVERIFY(simulatedRate(uneven(), 1) != simulatedRate(uneven(), 2));
  }

  void aLongerQueueEvensOutWhatIsUneven() {
    LoaderModel model = uneven();
    model.stepSeconds = 0.01;  // both sides equal on average
    const double shortQueue = simulatedRate(model, 1);
    model.slotCount = 20;
    const double longQueue = simulatedRate(model, 1);
    QVERIFY(shortQueue < 900 && longQueue > 1.05 * shortQueue && longQueue < 1001);
    LoaderModel steady = even();
    steady.stepSeconds = 0.01;
    const double before = simulatedRate(steady, 1);
    steady.slotCount = 20;
    QVERIFY(near(simulatedRate(steady, 1), before, 0.01));
  }

  void moreWorkersArePredictedWhereThereAreCores() {
    RunCounters counters = loaderBound({1, 6, 2.8});  // 9.9 of 10 s for 1000 samples
    counters.stages[0].threads = 1;
    const auto two = predictedRate(counters, setTo("workers", "count", "2"));
    QVERIFY(two && near(two->middle, 200, 0.05));
    QVERIFY(two->low < 0.96 * two->middle && two->high > 1.04 * two->middle);
    counters.cores = 1;
    counters.otherBusyShare = 0;
    QVERIFY(near(predictedRate(counters, setTo("workers", "count", "2"))->middle, 100, 0.05));
  }

  void aCacheIsPredictedByTheRunWithOneAtItsPlace() {
    const RunCounters counters = loaderBound({4, 12, 4});
    Advice cache;
    cache.edit = Advice::Edit::AddCache;
    cache.node = "decode";
    ProbedGains gains;
    QVERIFY(!predictedRate(counters, cache, gains));
    gains.caches = {{"workers", {1.2, 1.1, 1.3}}, {"decode", {4, 3.9, 4.5}}};
    const auto cached = predictedRate(counters, cache, gains);
    QVERIFY(cached && near(cached->middle, 400));
    QVERIFY(near(cached->low, 380) && near(cached->high, 450));
  }

  void threadsThatWaitForStorageArePredictedByARunWithMoreOfThem() {
    RunCounters counters = loaderBound({17, 1, 1});
    counters.stages[0].cpuSeconds = 2;
    const Advice twice = setTo("workers", "count", "4");
    QVERIFY(!predictedRate(counters, twice));
    ProbedGains gains;
    gains.moreReaders = RateRatio{2, 1.95, 2.05};  // each read waits independently
    QVERIFY(near(predictedRate(counters, twice, gains)->middle, 200, 0.06));
    QVERIFY(near(predictedRate(counters, setTo("workers", "count", "8"), gains)->middle, 400, 0.1));
    gains.moreReaders = RateRatio{1, 0.98, 1.02};  // storage delivers no more
    const double same = predictedRate(counters, twice, gains)->middle;
    QVERIFY(same > 95 && same < 115);  // only the small part that runs on cores gains
    // Many more threads are limited by the cores: 2 ms of each sample run on a core, and there are
    // two.
    gains.moreReaders = RateRatio{2, 2, 2};
    counters.queues[0].capacity = 20;  // room for all samples
    QVERIFY(near(predictedRate(counters, setTo("workers", "count", "64"), gains)->middle,
                 1000 * counters.cores.value() * 0.99 / 2, 0.1));
  }

  void readingAheadIsPredictedByARunWithMoreReaders() {
    RunCounters counters = loaderBound({17, 1, 1});
    counters.stages[0].cpuSeconds = 2;
    counters.readAhead = 0;
    const Advice ahead = setTo("folder", "read_ahead", "64");
    ProbedGains gains;
    QVERIFY(!predictedRate(counters, ahead, gains));
    gains.moreReaders = RateRatio{2, 2, 2};  // each read waits independently
    // 2 ms of each sample run on a core, and there are two cores.
    QVERIFY(near(predictedRate(counters, ahead, gains)->middle,
                 1000 * counters.cores.value() * 0.99 / 2, 0.1));
    // Eight reads at once: storage limits, at four times the rate of two reads.
    QVERIFY(
        near(predictedRate(counters, setTo("folder", "read_ahead", "8"), gains)->middle, 450, 0.1));
    gains.moreReaders = RateRatio{1, 0.98, 1.02};  // storage delivers no more
    const double same = predictedRate(counters, ahead, gains)->middle;
    QVERIFY(same > 95 && same < 125);
    counters.readAhead.reset();
    QVERIFY(!predictedRate(counters, ahead, gains));
  }

  void samplesTakeWhatASeriesSaysInItsOrder() {
    LoaderModel model = even();
    model.stepSeconds = 0.01;  // as long as a batch takes
    model.sampleSeconds = {3, 3};
    QVERIFY(near(simulatedRate(model, 1), 1000, 0.01));  // scaled to the mean of the work
    // Five batches that take no time, then five that take twice as long: a short queue is
    // alternately empty and full, a long one evens it out.
    model.sampleSeconds.assign(50, 0);
    model.sampleSeconds.insert(model.sampleSeconds.end(), 50, 2);
    QVERIFY(simulatedRate(model, 1) < 850);
    model.slotCount = 20;
    QVERIFY(near(simulatedRate(model, 1), 1000, 0.02));
  }

  void aQueueThatReachesTheNextSlowSampleLetsTwoBeMadeAtOnce() {
    // One of forty samples takes 79 times as long; batches of eight, two threads. With four slots
    // the second thread waits for the first, with six both have a slow sample.
    LoaderModel model = even();
    model.batchSize = 8;
    model.workers = 2;
    model.slotCount = 4;
    model.sampleSeconds.assign(40, 1);
    model.sampleSeconds[20] = 79;
    const double held = simulatedRate(model, 1);
    model.slotCount = 6;
    QVERIFY(near(simulatedRate(model, 1), 2000, 0.02));
    QVERIFY(held < 1500);
    // If samples are drawn independently it is not known where the slow ones are.
    RunCounters counters = loaderBound({0, 10, 0});
    ProbedGains gains;
    gains.sampleSeconds = model.sampleSeconds;
    counters.batchSize = 8;
    counters.batches = 125;
    const Advice longer = setTo("prefetch", "batches", "4");
    const auto known = predictedRate(counters, longer, gains);
    const auto drawn = predictedRate(counters, longer);
    QVERIFY(known && drawn && known->middle > 1.4 * drawn->middle);
  }

  void aPredictionThatCouldBeAnythingIsNotToldAsOne() {
    QVERIFY(isWorthTelling({950, 1000, 1050}));
    QVERIFY(isWorthTelling({500, 1000, 1500}));
    QVERIFY(!isWorthTelling({0, 19161, 44569}));
    QVERIFY(!isWorthTelling({490, 1000, 1010}));
    // A disturbed run: the threads' times do not explain its rate.
    RunCounters counters = loaderBound({3, 12, 4});
    counters.seconds *= 4;
    const auto predicted = predictedRate(counters, setTo("workers", "count", "2"));
    QVERIFY(predicted && !isWorthTelling(*predicted));
  }

  void whatTheSimulationDoesNotKnowIsNotPredicted() {
    RunCounters counters = loaderBound({1, 6, 2.8});
    QVERIFY(!predictedRate(counters, Advice()));
    QVERIFY(!predictedRate(counters, setTo("workers", "order", "ready")));
    QVERIFY(!predictedRate(counters, setTo("workers", "count", "0")));
    QVERIFY(!predictedRate(counters, setTo("batch", "size", "20")));
    QVERIFY(predictedRate(counters, setTo("prefetch", "batches", "8")));
    counters.cores.reset();
    QVERIFY(!predictedRate(counters, setTo("workers", "count", "2")));
    QVERIFY(!predictedRate(RunCounters(), setTo("workers", "count", "2")));
  }
};

}  // namespace millrace

using millrace::TestWhatIf;
MILLRACE_TEST_CASE(TestWhatIf)
#include "tst_what_if.moc"
