// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/data_facts.h"

#include "tests/support/test_case.h"

namespace millrace {

class TestDataFacts : public QObject {
  Q_OBJECT
 private slots:
  void howARunWasMeasuredIsReadFromItsFacts() {
    MeasureSettings settings;
    settings.warmupSeconds = 0.5;
    settings.seconds = 2.25;
    settings.noRandom = true;
    const auto timed = measureOf(measureFacts(settings, false));
    QVERIFY(timed.has_value());
    QCOMPARE(timed->settings.seconds.value_or(0), 2.25);
    QCOMPARE(timed->settings.warmupSeconds, 0.5);
    QVERIFY(!timed->settings.batches && !timed->settings.epochs);
    QVERIFY(timed->settings.noRandom && !timed->fused);

    settings = {};
    settings.seconds.reset();
    settings.batches = 100;
    settings.startEpoch = 2;
    settings.startBatch = 15;
    const auto counted = measureOf(measureFacts(settings, true));
    QVERIFY(counted.has_value());
    QVERIFY(!counted->settings.seconds && !counted->settings.epochs);
    QVERIFY(counted->settings.batches == std::uint64_t{100});
    QCOMPARE(counted->settings.startEpoch, std::uint32_t{2});
    QCOMPARE(counted->settings.startBatch, std::uint64_t{15});
    QVERIFY(!counted->settings.noRandom && counted->fused);

    settings = {};
    settings.seconds.reset();
    settings.epochs = 3;
    const auto epochs = measureOf(measureFacts(settings, true));
    QVERIFY(epochs && epochs->settings.epochs == std::uint64_t{3});
  }

  void aRunWithoutSuchFactsDoesNotTell() {
    QVERIFY(!measureOf({}));
    QVERIFY(!measureOf({{"measured_span", "5 s"}}));
    QVERIFY(!measureOf({{"measured_span", "5"}, {"warmup_seconds", "2"}}));
  }

  void aRunUntilStoppedHasNoEnd() {
    MeasureSettings settings;
    settings.seconds.reset();
    const auto open = measureOf(measureFacts(settings, true));
    QVERIFY(open && !open->settings.seconds && !open->settings.batches && !open->settings.epochs);
  }
};

}  // namespace millrace

using millrace::TestDataFacts;
MILLRACE_TEST_CASE(TestDataFacts)
#include "tst_data_facts.moc"
