// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuner/tuner.h"

#include <cmath>
#include <functional>

#include "core/base/random.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// Logarithm of a made-up pipeline's samples/s: 1 to 10 workers, a queue of 1 to 5, a third setting
/// with 3 levels.
using Surface = std::function<double(const TunePoint&)>;

/// Four cores; more workers get in each other's way. The queue adds a little, the third setting
/// much.
double cpuBound(const TunePoint& p) {
  const double workers = static_cast<double>(p[0]) + 1;
  const double kept = workers > 4 ? 4 * (1 - 0.03 * (workers - 4)) : workers;
  const double third[] = {1, 1.1, 0.9};
  return std::log(kept * (1 - 0.15 * std::exp(-static_cast<double>(p[1]) - 0.5)) * third[p[2]]);
}

/// The gain of each setting depends on the others.
double entangled(const TunePoint& p) {
  const double workers = static_cast<double>(p[0]) + 1;
  return -std::log(0.01 / workers + 0.002 / std::exp2(static_cast<double>(p[2])) +
                   0.0005 * workers / (static_cast<double>(p[1]) + 1));
}

/// As measured for tiny records on two cores: 1 to 8 workers, working on samples or whole batches,
/// a queue of 1, 2, 4 to 64 batches. A longer queue gains little until there are more workers.
double longQueue(const TunePoint& p) {
  const bool whole = p[1] == 1;
  const double shortest[2][8] = {{8.1, 9.6, 10, 10.2, 10.2, 10.1, 10, 9.9},
                                 {8.7, 11.2, 12, 12.5, 12.8, 13, 13.1, 13.1}};
  const double longest[2][8] = {{8.1, 10.5, 11, 11.2, 11.2, 11.1, 11, 10.9},
                                {9, 15.5, 17, 18, 18.2, 18.2, 17.9, 18}};
  const double share[7] = {0, 0.15, 0.32, 0.46, 0.66, 0.9, 1};
  const double least = shortest[whole ? 1 : 0][p[0]];
  return std::log(least + (longest[whole ? 1 : 0][p[0]] - least) * share[p[2]]);
}

double flat(const TunePoint& p) {
  return std::log(500 - 0.5 * std::abs(static_cast<double>(p[0]) - 3));
}

double best(const Surface& surface) {
  double most = -1e9;
  for (std::size_t i = 0; i < 150; ++i)
    most = std::max(most, surface({i % 10, i / 10 % 5, i / 50}));
  return most;
}

std::vector<TunerAxis> axes(const TunePoint& start, bool ordered) {
  return {{10, start[0], true}, {5, start[1], true}, {3, start[2], ordered}};
}

/// A trial takes a second. Noise and the drift of each block are about 2 %, drawn from `seed`.
TunerObservation observationOf(const TunerTrial& trial, const Surface& surface,
                               std::uint64_t seed) {
  const auto drawn = [seed](std::uint64_t what) {
    DrawKey key;
    key.seed = seed;
    key.index = what;
    Draw draw(key);
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += draw.unit();
    return 0.02 * sum;
  };
  TunerObservation observed;
  observed.score =
      surface(trial.point) + drawn(trial.block) + drawn(1000 + 1000 * trial.number + trial.repeat);
  observed.seconds = 1;
  return observed;
}

/// Predictions of a model that is ten percent too optimistic.
void expect(Tuner& tuner, const Surface& surface, const TunePoint& start) {
  for (std::size_t axis = 0; axis < 2; ++axis) {
    std::vector<std::optional<double>> expected;
    for (std::size_t level = 0; level < tuner.axes()[axis].levels; ++level) {
      TunePoint point = start;
      point[axis] = level;
      expected.emplace_back(1.1 * (surface(point) - surface(start)));
    }
    tuner.expect(axis, expected);
  }
}

/// The numbers of all points that were proposed, in order.
std::vector<std::size_t> search(Tuner& tuner, const Surface& surface, std::uint64_t seed) {
  std::vector<std::size_t> asked;
  while (const auto trial = tuner.propose()) {
    asked.push_back(trial->number);
    tuner.tell(observationOf(*trial, surface, seed));
  }
  return asked;
}

TunerSettings secondsOf(double budget, std::uint64_t seed = 0) {
  TunerSettings settings;
  settings.budgetSeconds = budget;
  settings.secondsPerTrial = 1;
  settings.seed = seed;
  return settings;
}

TunerObservation failed(TunerObservation::Kind kind) {
  TunerObservation observed;
  observed.kind = kind;
  observed.seconds = 1;
  return observed;
}

}  // namespace

class TestTuner : public QObject {
  Q_OBJECT
 private slots:
  void findsTheGridsBestWithFewTrials_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<bool>("ordered");
    QTest::addColumn<int>("searches");
    QTest::newRow("cpu bound") << 0 << false << 19;
    // A model of single moves is wrong if they depend on each other.
    QTest::newRow("entangled") << 1 << true << 19;
    QTest::newRow("flat") << 2 << true << 20;
  }
  /// A sweep of the grid takes 150 settings three times each; 8 % of these trials are 36. A
  /// diagnosis of eight runs counts as well, which leaves 28.
  void findsTheGridsBestWithFewTrials() {
    QFETCH(int, which);
    QFETCH(bool, ordered);
    QFETCH(int, searches);
    const Surface surface = which == 0 ? cpuBound : which == 1 ? entangled : flat;
    const TunePoint start = which == 2 ? TunePoint{3, 1, 1} : TunePoint{0, 0, 0};
    const double most = best(surface);
    int reached = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Tuner tuner(axes(start, ordered), secondsOf(28, seed));
      if (which != 2) expect(tuner, surface, start);
      search(tuner, surface, seed);
      QVERIFY(tuner.trials() <= 28);
      const double found = std::exp(surface(tuner.point(*tuner.best())) - most);
      QVERIFY2(found >= 0.9, qPrintable(QString("seed %1: %2").arg(seed).arg(found)));
      reached += found >= 0.97 ? 1 : 0;
    }
    QVERIFY2(reached >= searches, qPrintable(QString::number(reached)));
  }

  /// A grid of eight workers, ten queues and both units has 480 trials; 8 % are 38.
  void findsWhatGainsOnlyAfterAnotherSettingHasMoved() {
    const double most = longQueue({4, 1, 6});
    std::size_t trials = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Tuner tuner({{8, 0, true}, {2, 0, false}, {7, 0, true}}, secondsOf(200, seed));
      // The model is certain of the workers and expects nothing of the queue.
      tuner.expect(0, {0.0, 0.6, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8});
      tuner.expect(2, std::vector<std::optional<double>>(7, 0.0));
      search(tuner, longQueue, seed);
      QCOMPARE(tuner.end(), TunerEnd::NothingBetter);
      const double found = std::exp(longQueue(tuner.point(*tuner.best())) - most);
      QVERIFY2(found >= 0.97, qPrintable(QString("seed %1: %2").arg(seed).arg(found)));
      trials += tuner.trials();
      // A point that is never measured must not be shown.
      for (std::size_t point = 0; point < tuner.pointCount(); ++point)
        QVERIFY(tuner.gainOf(point).has_value());
    }
    QVERIFY2(trials <= 20 * 32, qPrintable(QString::number(trials)));
  }

  void theSameAnswersGiveTheSameQuestions() {
    Tuner one(axes({0, 0, 0}, false), secondsOf(30, 7));
    Tuner other(axes({0, 0, 0}, false), secondsOf(30, 7));
    const auto asked = search(one, cpuBound, 1);
    QCOMPARE(search(other, cpuBound, 1), asked);
    QCOMPARE(*one.best(), *other.best());
    Tuner shuffled(axes({0, 0, 0}, false), secondsOf(30, 8));
    QVERIFY(search(shuffled, cpuBound, 1) != asked);
  }

  void theBudgetIsKeptAndTheBestSoFarStands() {
    for (const double budget : {1.0, 2.0, 5.0, 9.0, 14.0}) {
      Tuner tuner(axes({0, 0, 0}, false), secondsOf(budget));
      search(tuner, cpuBound, 3);
      QVERIFY(tuner.spentSeconds() <= budget);
      QCOMPARE(tuner.end(), TunerEnd::Budget);
      QVERIFY(tuner.best());
      QVERIFY(*tuner.gainOf(*tuner.best()) >= 0);
    }
    Tuner spent(axes({0, 0, 0}, false), secondsOf(20));
    spent.spend(19);
    QCOMPARE(search(spent, cpuBound, 3).size(), std::size_t{1});
  }

  void aPipelineThatIsTheBestStays() {
    Tuner tuner(axes({3, 1, 1}, true), secondsOf(200));
    search(tuner, flat, 5);
    QCOMPARE(tuner.end(), TunerEnd::NothingBetter);
    QVERIFY(tuner.trials() < 60);
    TunerSettings limited = secondsOf(200);
    limited.ceiling = std::log(501);
    Tuner atTop(axes({3, 1, 1}, true), limited);
    while (const auto trial = atTop.propose()) {
      TunerObservation observed;
      observed.score = flat(trial->point);
      atTop.tell(observed);
    }
    QCOMPARE(atTop.end(), TunerEnd::Ceiling);
    QCOMPARE(atTop.trials(), std::size_t{1});
    QCOMPARE(*atTop.best(), std::size_t{0});
  }

  void whatGoesOverTheLimitIsNeverChosen() {
    // With more than three workers it takes too much memory, and half of the rest hangs.
    Tuner tuner(axes({0, 0, 0}, false), secondsOf(60));
    while (const auto trial = tuner.propose()) {
      if (trial->point[0] > 2)
        tuner.tell(failed(TunerObservation::Kind::OverLimit));
      else if (trial->point[1] % 2 == 1)
        tuner.tell(failed(TunerObservation::Kind::Failed));
      else
        tuner.tell(observationOf(*trial, cpuBound, 2));
    }
    const TunePoint& found = tuner.point(*tuner.best());
    QVERIFY(found[0] <= 2 && found[1] % 2 == 0);
    QCOMPARE(found[0], std::size_t{2});
    QCOMPARE(found[2], std::size_t{1});
  }

  void aStartThatDoesNotFitIsLeftForTheLeastSetting() {
    Tuner tuner(axes({7, 4, 0}, false), secondsOf(60));
    while (const auto trial = tuner.propose())
      tuner.tell(trial->point[0] + trial->point[1] > 5 ? failed(TunerObservation::Kind::OverLimit)
                                                       : observationOf(*trial, cpuBound, 2));
    QVERIFY(tuner.best());
    QVERIFY(!tuner.gainOf(0));
    QVERIFY(tuner.point(*tuner.best())[0] >= 2);
  }

  void nothingThatFitsAndAStartThatFailsAreSaidAtOnce() {
    Tuner nothing(axes({7, 4, 0}, false), secondsOf(60));
    while (nothing.propose()) nothing.tell(failed(TunerObservation::Kind::OverLimit));
    QCOMPARE(nothing.end(), TunerEnd::NothingFits);
    QCOMPARE(nothing.trials(), std::size_t{2});
    QVERIFY(!nothing.best());
    Tuner broken(axes({7, 4, 0}, false), secondsOf(60));
    while (broken.propose()) broken.tell(failed(TunerObservation::Kind::Failed));
    QCOMPARE(broken.end(), TunerEnd::StartFails);
    QCOMPARE(broken.trials(), std::size_t{1});
  }

  void aDisturbedTrialIsMeasuredAgainButNotForEver() {
    Tuner tuner(axes({0, 0, 0}, false), secondsOf(40));
    while (const auto trial = tuner.propose()) {
      TunerObservation observed = observationOf(*trial, cpuBound, 2);
      observed.disturbed = true;
      tuner.tell(observed);
    }
    QCOMPARE(tuner.replaced(), std::size_t{6});
    QVERIFY(*tuner.gainOf(*tuner.best()) > 1);
  }

  /// Some processes run a third slower than others of the same pipeline, which earlier trials show.
  /// A point that is slow twice counts as slow.
  void aTrialFarSlowerThanItsOthersIsMeasuredAgain() {
    Tuner tuner(axes({0, 0, 0}, false), secondsOf(60));
    constexpr std::size_t kNone = SIZE_MAX;
    std::size_t suspect = kNone;
    while (const auto trial = tuner.propose()) {
      TunerObservation observed = observationOf(*trial, cpuBound, 4);
      TunerObservation slow = observed;
      slow.score -= 0.4;
      QCOMPARE(tuner.isReplaced(slow), trial->repeat > 0 && trial->number != suspect);
      const bool isSlow = trial->repeat > 0 && suspect == kNone && tuner.replaced() < 3;
      if (isSlow)
        suspect = trial->number;
      else if (trial->number == suspect)
        suspect = kNone;
      tuner.tell(isSlow ? slow : observed);
    }
    QCOMPARE(tuner.replaced(), std::size_t{3});
    QVERIFY(std::exp(cpuBound(tuner.point(*tuner.best())) - best(cpuBound)) >= 0.97);
  }

  /// A point that was measured before and fails once is measured again; after a second failure
  /// another point is the best.
  void theBestThatFails() {
    Tuner tuner(axes({0, 0, 0}, false), secondsOf(60));
    while (const auto trial = tuner.propose()) {
      const bool firstOfBest = trial->number == *tuner.best() && tuner.replaced() == 0;
      const bool fails = trial->number > 0 && firstOfBest;
      if (fails) QVERIFY(tuner.isReplaced(failed(TunerObservation::Kind::Failed)));
      tuner.tell(fails ? failed(TunerObservation::Kind::Failed)
                       : observationOf(*trial, cpuBound, 4));
      if (fails) QCOMPARE(tuner.best(), trial->number);
    }
    QCOMPARE(tuner.replaced(), std::size_t{1});
    const double whole = std::exp(cpuBound(tuner.point(*tuner.best())) - best(cpuBound));
    QVERIFY2(whole >= 0.9, qPrintable(QString::number(whole)));
  }

  void theBestThatFailsTwiceIsLeft() {
    Tuner tuner(axes({0, 0, 0}, false), secondsOf(60));
    std::optional<std::size_t> broken;
    while (const auto trial = tuner.propose()) {
      if (!broken && trial->number > 0 && trial->repeat > 0) broken = trial->number;
      tuner.tell(trial->number == broken ? failed(TunerObservation::Kind::Failed)
                                         : observationOf(*trial, cpuBound, 2));
    }
    QVERIFY(broken && tuner.best());
    QVERIFY(*tuner.best() != *broken);
    QVERIFY(*tuner.gainOf(*tuner.best()) > 0.5);
  }

  void whatTheModelExpectsNothingOfComesLater() {
    Tuner tuner(axes({0, 0, 0}, true), secondsOf(40));
    expect(tuner, flat, {0, 0, 0});
    tuner.tell(observationOf(*tuner.propose(), flat, 1));
    // Only the third axis, for which the model has no prediction, is in the first block.
    for (int i = 0; i < 2; ++i) {
      const TunerTrial trial = *tuner.propose();
      QCOMPARE(trial.block, std::size_t{1});
      QCOMPARE(trial.point[0] + trial.point[1], std::size_t{0});
      tuner.tell(observationOf(trial, flat, 1));
    }
  }

  void pointsOfDifferentBlocksAreComparedThroughOthers() {
    TunerScores scores;
    scores.add(0, 0, 1.0);
    scores.add(1, 0, 2.0);
    scores.add(1, 1, 5.0);
    scores.add(2, 1, 5.5);
    QVERIFY(std::abs(*scores.over(2, 0) - 1.5) < 1e-6);
    scores.add(3, 2, 9);
    QVERIFY(!scores.over(3, 0));
    QVERIFY(!scores.over(7, 0));
    QCOMPARE(scores.pairsOf(0, 1).b, std::vector<double>{2.0});
    QVERIFY(std::abs(scores.scatter() - 0.02) < 1e-6);
  }
};

MILLRACE_TEST_CASE(TestTuner)

}  // namespace millrace

#include "tst_tuner.moc"
