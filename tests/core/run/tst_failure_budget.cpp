// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/failure_budget.h"

#include <thread>

#include "tests/support/test_case.h"

namespace millrace {

class TestFailureBudget : public QObject {
  Q_OBJECT
  static FailureLimit limit(const std::string& text) { return FailureLimit::parse(text).take(); }

 private slots:
  void aLimitIsANumberOrAShare() {
    QCOMPARE(limit("37").allowed(1000), 37U);
    QCOMPARE(limit("2.5%").allowed(1000), 25U);
    QCOMPARE(limit("0").allowed(1000), 0U);
    QCOMPARE(limit("100%").allowed(7), 7U);
    QCOMPARE(limit("2.5%").text(), std::string("2.5 %"));
    QCOMPARE(limit("12").text(), std::string("12"));
  }

  void aShareAllowsOneSampleOfASmallSet() {
    for (const std::uint64_t samples : {1U, 8U, 99U, 100U})
      QCOMPARE(limit("1%").allowed(samples), 1U);
    QCOMPARE(limit("0%").allowed(8), 0U);
    FailureBudget budget({}, 8);
    VERIFY_OK(budget.record(3, "decode", "a", "x"));
    QVERIFY(!budget.record(4, "decode", "b", "x"));
  }

  void aShareOfWholePercentIsExact() {
    for (std::uint64_t percent = 0; percent <= 100; ++percent)
      QCOMPARE(limit(std::to_string(percent) + "%").allowed(100), percent);
  }

  void nonsenseIsRefusedWithWhatIsExpected() {
    for (const char* text :
         {"", "%", "-1", "1.5", "101%", "nan", "inf", "1e300", "5 %", "3x", "%5"}) {
      const auto parsed = FailureLimit::parse(text);
      QVERIFY2(!parsed, text);
      QVERIFY(parsed.error().message.find("a number of samples such as 20") != std::string::npos);
    }
  }

  void theSampleBeyondTheLimitEndsTheRunOnceAndNamesTheFirst() {
    FailureBudget budget(limit("1%"), 300);
    VERIFY_OK(budget.record(4, "decode", "train/0042.jpg", "truncated after 18 231 bytes"));
    VERIFY_OK(budget.record(5, "decode", "b.jpg", "x"));
    VERIFY_OK(budget.record(6, "decode", "c.jpg", "x"));
    const Status over = budget.record(7, "decode", "d.jpg", "x");
    QVERIFY(!over);
    QVERIFY(budget.limitExceeded());
    // More samples fail while the run ends, so the sentence does not count them.
    QCOMPARE(over.error().message,
             std::string("decode: more than 3 of 300 samples failed, limit 1 %; first: "
                         "train/0042.jpg: decode: truncated after 18 231 bytes"));
    VERIFY_OK(budget.record(8, "decode", "e.jpg", "x"));
    QCOMPARE(budget.failedSamples(), 5U);
  }

  void aSampleThatFailsInEveryEpochCountsOnce() {
    FailureBudget budget(limit("1"), 10);
    for (int epoch = 0; epoch < 5; ++epoch) VERIFY_OK(budget.record(3, "decode", "a", "x"));
    QCOMPARE(budget.failedSamples(), 1U);
    QVERIFY(budget.known(3) && !budget.known(4));
  }

  void theFirstThousandAreNamedAndAllAreCounted() {
    FailureBudget budget(limit("100%"), 5000);
    for (std::uint32_t i = 0; i < 1500; ++i)
      VERIFY_OK(budget.record(i, "decode", std::to_string(i), "x"));
    QCOMPARE(budget.failedSamples(), 1500U);
    QCOMPARE(budget.failures().size(), FailureBudget::kKept);
    QCOMPARE(budget.failures(998).size(), std::size_t{2});
    QCOMPARE(budget.failures(998).front().sample, std::string("998"));
    QVERIFY(budget.failures(2000).empty());
  }

  void ofManyThreadsOneHearsThatTheBudgetIsUsedUp() {
    FailureBudget budget(limit("10"), 1000);
    std::atomic<int> told{0};
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (std::uint32_t i = 0; i < 200; ++i)
          if (!budget.record(t * 200 + i, "n", "s", "r")) ++told;
      });
    for (std::thread& thread : threads) thread.join();
    QCOMPARE(told.load(), 1);
    QCOMPARE(budget.failedSamples(), 800U);
  }

  void aNameThatIsNotUtf8IsReadableInTheMessage() {
    FailureBudget budget(limit("0"), 10);
    const Status over = budget.record(0, "decode", "caf\xe9.jpg", "x");
    QVERIFY(over.error().message.find("caf\xef\xbf\xbd.jpg") != std::string::npos);
  }
};

}  // namespace millrace

using millrace::TestFailureBudget;
MILLRACE_TEST_CASE(TestFailureBudget)
#include "tst_failure_budget.moc"
