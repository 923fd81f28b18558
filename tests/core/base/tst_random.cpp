// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/random.h"

#include <cmath>

#include "tests/support/test_case.h"

namespace millrace {

class TestRandom : public QObject {
  Q_OBJECT
 private slots:
  /// Known answers of Philox4x32-10 from Random123's kat_vectors: zero counter and key.
  void givesThePublishedOutputOfPhilox() {
    Draw draw(DrawKey{});
    QCOMPARE(draw.bits(), 0x6627e8d5U);
    QCOMPARE(draw.bits(), 0xe169c58dU);
    QCOMPARE(draw.bits(), 0xbc57ac4cU);
    QCOMPARE(draw.bits(), 0x9b00dbd8U);
  }

  void dependsOnEveryPartOfTheKey() {
    const DrawKey base{1, 2, 3, 4, 5};
    const std::uint32_t first = Draw(base).bits();
    DrawKey other = base;
    other.seed = 1ULL << 32U;
    QVERIFY(Draw(other).bits() != first);
    other = base;
    other.epoch = 9;
    QVERIFY(Draw(other).bits() != first);
    other = base;
    other.index = 9;
    QVERIFY(Draw(other).bits() != first);
    other = base;
    other.copy = 9;
    QVERIFY(Draw(other).bits() != first);
    other = base;
    other.node = 9;
    QVERIFY(Draw(other).bits() != first);
    QCOMPARE(Draw(base).bits(), first);
  }

  void integersCoverTheirRangeEvenly() {
    std::array<int, 7> seen{};
    Draw draw(DrawKey{42});
    for (int i = 0; i < 70000; ++i) ++seen[static_cast<std::size_t>(draw.integer(-3, 3) + 3)];
    // Binomial(70000, 1/7) has a standard deviation of 93; allow five.
    for (const int count : seen) QVERIFY(std::abs(count - 10000) < 465);
  }

  void betaHasItsMeanAndVariance() {
    Draw draw(DrawKey{7});
    double sum = 0;
    double squares = 0;
    constexpr int kDraws = 20000;
    for (int i = 0; i < kDraws; ++i) {
      const double x = draw.beta(0.4, 0.4);
      sum += x;
      squares += x * x;
    }
    const double mean = sum / kDraws;
    const double variance = squares / kDraws - mean * mean;
    QVERIFY(std::abs(mean - 0.5) < 0.015);
    QVERIFY(std::abs(variance - 0.25 / 1.8) < 0.006);
  }

  void centredDrawsGiveTheMiddle() {
    Draw draw(DrawKey{1}, true);
    QCOMPARE(draw.uniform(2, 4), 3.0);
    QCOMPARE(draw.integer(0, 10), 5);
    QVERIFY(!draw.bernoulli(0.99));
    QVERIFY(draw.bernoulli(1.0));
  }
};

}  // namespace millrace

using millrace::TestRandom;
MILLRACE_TEST_CASE(TestRandom)
#include "tst_random.moc"
