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
    time.gets(at(3));
    time.asks(at(10));
    time.asks(at(11));  // It had not come yet: the wait goes on.
    time.gets(at(12));
    QCOMPARE(time.waitSeconds(), 5.0);
    QCOMPARE(time.stepSeconds(), 7.0);
    QCOMPARE(time.waits().total(), std::uint64_t{2});
  }

  void whatLiesBetweenTwoEpochsIsNeither() {
    const SteadyTime start{};
    const auto at = [&](int s) { return start + std::chrono::seconds(s); };
    TrainingTime time;
    time.asks(at(0));
    time.gets(at(1));
    time.asks(at(2));
    time.pauses();
    time.asks(at(100));
    time.gets(at(101));
    QCOMPARE(time.waitSeconds(), 2.0);
    QCOMPARE(time.stepSeconds(), 1.0);
  }
};

}  // namespace millrace

using millrace::TestTrainingTime;
MILLRACE_TEST_CASE(TestTrainingTime)
#include "tst_training_time.moc"
