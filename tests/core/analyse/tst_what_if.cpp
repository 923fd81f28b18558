// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Models whose rate a line of arithmetic gives.
#include "core/analyse/what_if.h"

#include <cmath>

#include "tests/core/analyse/counters_support.h"
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

/// Nine of ten take next to nothing, one takes ten milliseconds.
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
    QVERIFY(near(simulatedRate(model, 1), 4000, 0.05));  // ten rows for four
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
    // Many batches: of the tenth that is slow chance leaves little.
    QVERIFY(near(simulatedRate(uneven(), 1, 3000), 1000, 0.05));
    QCOMPARE(simulatedRate(uneven(), 1), simulatedRate(uneven(), 1));
    QVERIFY(simulatedRate(uneven(), 1) != simulatedRate(uneven(), 2));
  }

  void aLongerQueueEvensOutWhatIsUneven() {
    LoaderModel model = uneven();
    model.stepSeconds = 0.01;  // both sides alike on average
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
    RunCounters counters = loaderBound({1, 6, 2.8});  // 9.9 s of 10 for 1000 samples
    counters.stages[0].threads = 1;
    const auto two = predictedRate(counters, setTo("workers", "count", "2"));
    QVERIFY(two && near(two->middle, 200, 0.05));
    QVERIFY(two->low < 0.96 * two->middle && two->high > 1.04 * two->middle);
    counters.cores = 1;
    counters.otherBusyShare = 0;
    QVERIFY(near(predictedRate(counters, setTo("workers", "count", "2"))->middle, 100, 0.05));
  }

  void aCacheSparesWhatLiesInFrontOfIt() {
    RunCounters counters = loaderBound({4, 12, 4});
    Advice cache;
    cache.edit = Advice::Edit::AddCache;
    cache.node = "decode";
    const auto cached = predictedRate(counters, cache);
    QVERIFY(cached && near(cached->middle, 100 * 20.1 / 4.1, 0.06));
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
