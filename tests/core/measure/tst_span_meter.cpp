// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/span_meter.h"

#include "tests/support/test_case.h"

namespace millrace {

class TestSpanMeter : public QObject {
  Q_OBJECT

  static SteadyTime at(double seconds) {
    return SteadyTime{} +
           std::chrono::duration_cast<SteadyTime::duration>(std::chrono::duration<double>(seconds));
  }
  using Event = SpanMeter::Event;

 private slots:
  void theBatchThatEndsTheWarmupIsNotCounted() {
    SpanMeter meter({2.0, 0, 5.0, std::nullopt}, at(0));
    QVERIFY(meter.arrived(at(1.9), 64) == Event::Warming);
    QVERIFY(meter.arrived(at(2.1), 64) == Event::Began);
    QCOMPARE(meter.samples(), 0U);
    QVERIFY(meter.arrived(at(2.5), 64) == Event::Counted);
    QCOMPARE(meter.samples(), 64U);
  }

  void aWindowEndsAtTheFirstArrivalAtOrAfterEachSecond() {
    SpanMeter meter({1.0, 0, 10.0, std::nullopt}, at(0));
    meter.arrived(at(1.0), 10);
    QVERIFY(meter.arrived(at(1.6), 10) == Event::Counted);
    QVERIFY(meter.arrived(at(2.3), 10) == Event::Window);
    QVERIFY(meter.arrived(at(2.9), 10) == Event::Counted);
    QVERIFY(meter.arrived(at(3.0), 10) == Event::Window);
    QCOMPARE(meter.windows().size(), std::size_t{2});
    QCOMPARE(meter.windows()[0].samples, 20U);
    QVERIFY(std::abs(meter.windows()[0].seconds - 1.3) < 1e-9);
    QCOMPARE(meter.windows()[1].samples, 20U);
    QVERIFY(std::abs(meter.windows()[1].seconds - 0.7) < 1e-9);
  }

  void severalBatchesMayArriveAtOnce() {
    SpanMeter meter({0, 0, std::nullopt, 5}, at(0));
    QVERIFY(meter.arrived(at(0.5), 12, 3) == Event::Counted);
    QVERIFY(meter.arrived(at(1.5), 16, 4) == Event::Ended);
    QCOMPARE(meter.batches(), 7U);
    QCOMPARE(meter.samples(), 28U);
    QCOMPARE(meter.windows()[0].batches, 7U);
    SpanMeter warming({0, 4, 1.0, std::nullopt}, at(0));
    QVERIFY(warming.arrived(at(0.1), 3, 3) == Event::Warming);
    QVERIFY(warming.arrived(at(0.2), 3, 3) == Event::Began);
  }

  void theSpanEndsByTimeOrByBatches() {
    SpanMeter byTime({0, 0, 1.5, std::nullopt}, at(0));
    QVERIFY(byTime.measuring());
    QVERIFY(byTime.arrived(at(1.4), 1) != Event::Ended);
    QVERIFY(byTime.arrived(at(1.6), 1) == Event::Ended);
    SpanMeter byBatches({0, 0, std::nullopt, 2}, at(0));
    QVERIFY(byBatches.arrived(at(0.1), 1) == Event::Counted);
    QVERIFY(byBatches.arrived(at(0.2), 1) == Event::Ended);
  }

  void aCacheKeepsTheWarmupForAWholeEpoch() {
    SpanMeter meter({1.0, 3, 5.0, std::nullopt}, at(0));
    QVERIFY(meter.arrived(at(1.5), 1) == Event::Warming);
    QVERIFY(meter.arrived(at(1.6), 1) == Event::Warming);
    QVERIFY(meter.arrived(at(1.7), 1) == Event::Began);
  }
};

}  // namespace millrace

using millrace::TestSpanMeter;
MILLRACE_TEST_CASE(TestSpanMeter)
#include "tst_span_meter.moc"
