// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuner/tuner_surface.h"

#include <cmath>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// 1 to 8 workers, of which four do all the work there is, and a queue that adds a tenth at most.
double rate(std::size_t workers, std::size_t queue) {
  return std::log(std::min<double>(4, static_cast<double>(workers) + 1)) +
         0.1 * (1 - std::exp(-static_cast<double>(queue)));
}

TunerSurface known() {
  TunerSurface surface({true, true});
  std::size_t block = 0;
  for (const std::size_t workers : {0U, 2U, 3U, 5U, 7U}) {
    ++block;
    surface.add({workers, 0}, block, rate(workers, 0));
    surface.add({0, 0}, block, rate(0, 0));
  }
  surface.add({0, 3}, block, rate(0, 3));
  surface.fit();
  return surface;
}

}  // namespace

class TestTunerSurface : public QObject {
  Q_OBJECT
 private slots:
  void whatWasMeasuredIsBelieved() {
    const TunerSurface surface = known();
    const TunerBelief belief = surface.over({3, 0}, {0, 0});
    QVERIFY(std::abs(belief.mean - std::log(4.0)) < 0.05);
    QVERIFY(belief.deviation < 0.05);
    QCOMPARE(surface.over({3, 0}, {3, 0}).mean, 0.0);
    QVERIFY(surface.over({3, 0}, {3, 0}).deviation < 1e-6);
  }

  void moreTrialsLeaveLessOpen() {
    TunerSurface surface = known();
    const double once = surface.over({5, 0}, {0, 0}).deviation;
    for (std::size_t block = 10; block < 13; ++block) {
      surface.add({5, 0}, block, rate(5, 0));
      surface.add({0, 0}, block, rate(0, 0));
    }
    surface.fit();
    QVERIFY(surface.over({5, 0}, {0, 0}).deviation < 0.8 * once);
    QVERIFY(surface.over({3, 3}, {3, 0}).deviation > 2 * once);  // never measured
  }

  void whatLiesBetweenIsKnownBetterThanWhatLiesBeyond() {
    TunerSurface surface({true});
    for (const std::size_t level : {0U, 1U, 3U, 4U}) surface.add({level}, level, 0.3);
    surface.fit();
    QVERIFY(surface.over({2}, {0}).deviation < surface.over({9}, {0}).deviation);
  }

  void neighboursDrawAPointTowardsThem() {
    TunerSurface surface({true});
    for (std::size_t level = 0; level < 8; ++level)
      surface.add({level}, level / 4, level == 4 ? -0.2 : 0.0);
    surface.fit();
    // By its own score it would be 0.2 below.
    const double believed = surface.over({4}, {3}).mean;
    QVERIFY2(believed > -0.19 && believed < -0.01, qPrintable(QString::number(believed)));
  }

  void levelsWithoutOrderTellLessOfTheirNeighbours() {
    const auto open = [](bool ordered) {
      TunerSurface surface({ordered});
      for (const std::size_t level : {0U, 1U, 3U}) surface.add({level}, 0, level == 0 ? 0 : 0.5);
      surface.fit();
      return surface.over({2}, {1}).deviation;
    };
    QVERIFY(open(true) < open(false));
  }

  void theSameScoresGiveTheSameBeliefs() {
    const TunerBelief once = known().over({6, 2}, {3, 0});
    const TunerBelief twice = known().over({6, 2}, {3, 0});
    QCOMPARE(once.mean, twice.mean);
    QCOMPARE(once.deviation, twice.deviation);
  }
};

}  // namespace millrace

using millrace::TestTunerSurface;
MILLRACE_TEST_CASE(TestTunerSurface)
#include "tst_tuner_surface.moc"
