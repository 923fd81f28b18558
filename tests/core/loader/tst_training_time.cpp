// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/loader/training_time.h"

#include "tests/support/test_case.h"

namespace millrace {

class TestTrainingTime : public QObject {
  Q_OBJECT
 private slots:
  void timeIsEitherAStepOrAWait() {
    const SteadyTime start{};
    const auto at = [&](int s) { return start + std::chrono::seconds(s); };
    TrainingTime time;
    time.asks(at(0));
    time.gets(at(3), 4);
    time.asks(at(10));
    time.asks(at(11));  // Timed out: the wait continues.
    time.gets(at(12), 4);
    QCOMPARE(time.waitSeconds(), 5.0);
    QCOMPARE(time.stepSeconds(), 7.0);
    QCOMPARE(time.waits().total(), std::uint64_t{2});
  }

  void workOnADeviceThatHoldsTheNextBatchUpIsAStep() {
    const SteadyTime start{};
    const auto at = [&](int s) { return start + std::chrono::seconds(s); };
    TrainingTime time;
    time.stepsOnADevice(std::chrono::seconds(9));  // No effect while the program is not waiting.
    time.asks(at(0));
    time.gets(at(1), 4);
    time.asks(at(3));
    time.stepsOnADevice(std::chrono::seconds(5));
    time.gets(at(9), 4);
    QCOMPARE(time.stepSeconds(), 7.0);
    QCOMPARE(time.waitSeconds(), 2.0);
  }

  void whatLiesBetweenTwoEpochsIsNeither() {
    const SteadyTime start{};
    const auto at = [&](int s) { return start + std::chrono::seconds(s); };
    TrainingTime time;
    time.asks(at(0));
    time.gets(at(1), 4);
    time.asks(at(2));
    time.pauses();
    time.asks(at(100));
    time.gets(at(101), 4);
    QCOMPARE(time.waitSeconds(), 2.0);
    QCOMPARE(time.stepSeconds(), 1.0);
  }

  void windowsFollowEachOtherInTheProgramsTime() {
    SteadyTime now{};
    const auto pass = [&](int ms) { return now += std::chrono::milliseconds(ms); };
    TrainingTime time;
    for (int epoch = 0; epoch < 3; ++epoch) {
      for (int batch = 0; batch < 4; ++batch) {
        time.asks(pass(300));
        time.gets(pass(100), 8);
      }
      time.asks(pass(300));
      time.pauses();
      pass(60000);
    }
    const std::vector<RateWindow>& windows = time.windows();
    QVERIFY(windows.size() >= 3);
    double end = 0;
    for (const RateWindow& window : windows) {
      QCOMPARE(window.startSeconds, end);
      QVERIFY(window.seconds >= 1 && window.seconds < 1.5);
      QCOMPARE(window.samples, window.batches * 8);
      end += window.seconds;
    }
  }

  void aTrainingOfWeeksKeepsSomeThousandsOfWindows() {
    SteadyTime now{};
    TrainingTime time;
    for (int i = 0; i < 1000000; ++i) {
      time.asks(now += std::chrono::seconds(2));
      time.gets(now, 1);
    }
    QVERIFY(time.windows().size() > 3000 && time.windows().size() < 10000);
    QVERIFY(time.windows().back().seconds > 1000);
  }
};

}  // namespace millrace

using millrace::TestTrainingTime;
MILLRACE_TEST_CASE(TestTrainingTime)
#include "tst_training_time.moc"
