// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/sweep/sweep_measurement.h"

#include <cmath>
#include <set>

#include "core/tune/sweep/sweep_analysis.h"
#include "tests/core/tune/axis.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::axis;

namespace {

class Hand final : public Clock {
 public:
  SteadyTime now() const override { return m_now; }
  void pass(int seconds) { m_now += std::chrono::seconds(seconds); }

 private:
  SteadyTime m_now{};
};

SpanFigures figuresOf(double rate, double otherBusy = 0) {
  SpanFigures figures;
  figures.samples = 10;
  figures.seconds = 1;
  figures.samplesPerSecond.mean = rate;
  figures.otherBusyShare = otherBusy;
  return figures;
}

/// Made-up trials: point p runs at 100 (p + 1) samples/s and takes two seconds.
class FakeRunner final : public TrialRunner {
 public:
  explicit FakeRunner(Hand& clock) : m_clock(clock) {}
  TrialOutcome run(std::size_t point) override {
    const std::size_t number = order.size();
    order.push_back(point);
    m_clock.pass(2);
    if (stopped || number == stopAt) return {TrialOutcome::Kind::Stopped, {}, {}};
    if (point == failing) return {TrialOutcome::Kind::Failed, "it crashed", {}};
    return {
        TrialOutcome::Kind::Measured,
        {},
        figuresOf(100.0 * static_cast<double>(point + 1), disturbed.contains(number) ? 0.2 : 0)};
  }
  void stop() override { stopped = true; }

  std::vector<std::size_t> order;
  std::set<std::size_t> disturbed;
  std::size_t failing = SIZE_MAX;
  std::size_t stopAt = SIZE_MAX;
  bool stopped = false;

 private:
  Hand& m_clock;
};

class Heard final : public SweepObserver {
 public:
  void onTrial(const TrialStep& step) override { steps.push_back(step); }
  void onMeasured(const TrialStep&, const SpanFigures&) override { ++measured; }
  void onReplaced(const TrialStep&, const SpanFigures&) override { ++replaced; }
  void onFailed(const TrialStep&, const std::string& reason) override { failure = reason; }
  std::vector<TrialStep> steps;
  int measured = 0;
  int replaced = 0;
  std::string failure;
};

/// All points measured in `blocks` blocks; `rate` gives the rate for a point and a block.
template <class Rate>
std::vector<PointState> measured(const SweepPlan& plan, std::size_t blocks, const Rate& rate) {
  std::vector<PointState> points(plan.points.size());
  for (std::size_t p = 0; p < points.size(); ++p)
    for (std::size_t b = 0; b < blocks; ++b)
      points[p].repeats.push_back(figuresOf(rate(plan.points[p], b)));
  return points;
}

double level(const SweepPoint& point, std::size_t axis) {
  return static_cast<double>(std::get<std::int64_t>(point.values[axis]));
}

}  // namespace

class TestSweepMeasurement : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_runner.order.clear();
    m_runner.disturbed.clear();
    m_runner.failing = SIZE_MAX;
    m_runner.stopAt = SIZE_MAX;
    m_heard = Heard();
  }

  void everyBlockHasEveryPointOnceInAnOrderOfItsOwn() {
    const SweepResult result = sweep(6, 3);
    QVERIFY(!result.stopped);
    QCOMPARE(m_runner.order.size(), 18U);
    std::set<std::vector<std::size_t>> orders;
    for (std::size_t b = 0; b < 3; ++b) {
      const auto begin = m_runner.order.begin() + static_cast<std::ptrdiff_t>(6 * b);
      const std::vector<std::size_t> block(begin, begin + 6);
      QCOMPARE(std::set<std::size_t>(block.begin(), block.end()).size(), 6U);
      orders.insert(block);
    }
    QCOMPARE(orders.size(), 3U);
    for (const PointState& point : result.points) QCOMPARE(point.repeats.size(), 3U);
    QCOMPARE(m_heard.steps.front().secondsLeft, 18 * 7.0);
    QCOMPARE(m_heard.steps.back().secondsLeft, 2.0);
    QCOMPARE(m_heard.steps.back().done, 17U);
  }

  void aFailedPointIsAResultAndIsNotTriedAgain() {
    m_runner.failing = 2;
    const SweepResult result = sweep(4, 3);
    QVERIFY(!result.stopped);
    QCOMPARE(std::count(m_runner.order.begin(), m_runner.order.end(), 2), 1);
    QCOMPARE(result.points[2].failure, std::string("it crashed"));
    QCOMPARE(m_heard.failure, std::string("it crashed"));
    for (const std::size_t other : {0U, 1U, 3U}) QCOMPARE(result.points[other].repeats.size(), 3U);
  }

  void disturbedTrialsAreMeasuredAgainAsOftenAsIsAllowed() {
    m_runner.disturbed = {0, 1, 2};
    const SweepResult result = sweep(3, 1, 2);
    QCOMPARE(result.replaced, 2U);
    QCOMPARE(m_heard.replaced, 2);
    QCOMPARE(m_runner.order.size(), 5U);
    for (const PointState& point : result.points) QCOMPARE(point.repeats.size(), 1U);
  }

  void aStopDropsTheRunningTrialAndTheSweepGoesOnBehindTheOthers() {
    m_runner.stopAt = 5;
    const SweepResult stopped = sweep(4, 2);
    QVERIFY(stopped.stopped);
    QCOMPARE(m_heard.measured, 5);
    const std::vector<std::size_t> before = m_runner.order;
    m_runner.stopAt = SIZE_MAX;
    m_runner.order.clear();
    const SweepResult whole = sweep(4, 2, 0, stopped.points);
    QVERIFY(!whole.stopped);
    QCOMPARE(m_runner.order.size(), 3U);
    // The interrupted trial comes first; the others keep their order.
    QCOMPARE(m_runner.order.front(), before.back());
    for (const PointState& point : whole.points) QCOMPARE(point.repeats.size(), 2U);
  }

  void theBestIsJudgedAgainstTheCurrentSettingBlockByBlock() {
    const auto plan = planSweep({axis("a", 3)}, {}, 0);
    const auto points = measured(*plan, 5, [](const SweepPoint& point, std::size_t block) {
      return 100 * level(point, 0) * (1 + 0.1 * static_cast<double>(block));
    });
    const SweepFinding finding = analyseSweep(*plan, points);
    QCOMPARE(finding.ranking, (std::vector<std::size_t>{2, 1, 0}));
    QCOMPARE(*finding.best, 2U);
    QVERIFY(finding.verdict->kind == VerdictKind::Faster);
    QVERIFY(std::abs(*finding.verdict->ratio - 3) < 1e-9);
    QVERIFY(!finding.mayBeChance);
    QVERIFY(!finding.importance.missing.empty());
  }

  void theBestOfManyMayBeSoByChance() {
    // Differences of 3.96 with a standard error of 0.71: p is 0.005, enough only with one rival.
    for (const auto& [count, chance] : {std::pair{2, false}, std::pair{40, true}}) {
      const auto plan = planSweep({axis("a", count)}, {}, 0);
      const auto points = measured(*plan, 5, [&](const SweepPoint& point, std::size_t block) {
        if (level(point, 0) < count) return 100.0;
        return 100 * std::exp(0.00396 + 0.001 * (static_cast<double>(block) - 2));
      });
      const SweepFinding finding = analyseSweep(*plan, points);
      QVERIFY(finding.verdict->kind == VerdictKind::Faster);
      QVERIFY2(std::abs(*finding.verdict->p - 0.005) < 1e-3, "the example is another");
      QCOMPARE(finding.mayBeChance, chance);
    }
  }

  void whatTheBlocksDoNotTellFromTheBestIsItsRival() {
    const auto plan = planSweep({axis("a", 3)}, {}, 0);
    const auto rate = [](const SweepPoint& point, std::size_t block) {
      const double first[] = {101, 104, 99, 102, 100};
      const double second[] = {102.5, 99.5, 101.5, 98.5, 103.5};
      return level(point, 0) > 2 ? first[block] : level(point, 0) > 1 ? second[block] : 50.0;
    };
    const SweepFinding finding = analyseSweep(*plan, measured(*plan, 5, rate));
    QCOMPARE(finding.ranking, (std::vector<std::size_t>{2, 1, 0}));
    QVERIFY(finding.overNext->kind == VerdictKind::Same);
    QCOMPARE(finding.rivals, (std::vector<std::size_t>{1}));
    // Too few blocks for a verdict: the interval shows that half of it is slower.
    const SweepFinding early = analyseSweep(*plan, measured(*plan, 2, rate));
    QVERIFY(early.overNext->kind == VerdictKind::TooFew);
    QCOMPARE(early.rivals, (std::vector<std::size_t>{1}));
    QCOMPARE(analyseSweep(*plan, measured(*plan, 1, rate)).rivals.size(), 2U);
  }

  void importanceSharesOutAKnownVariance() {
    // log rate = 3 a + 4 b + 12 a b for a, b of -1 and 1: 9, 16 and 144 of 169 parts.
    const auto plan = planSweep({axis("a", 2), axis("b", 2)}, {}, 0);
    const auto points = measured(*plan, 2, [](const SweepPoint& point, std::size_t block) {
      const double a = 2 * level(point, 0) - 3;
      const double b = 2 * level(point, 1) - 3;
      return std::exp((3 * a + 4 * b + 12 * a * b) / 10 + 0.5 * static_cast<double>(block));
    });
    const Importance importance = analyseSweep(*plan, points).importance;
    QVERIFY2(importance.missing.empty(), importance.missing.c_str());
    QVERIFY(std::abs(importance.shares[0] - 9.0 / 169) < 1e-9);
    QVERIFY(std::abs(importance.shares[1] - 16.0 / 169) < 1e-9);
    QVERIFY(std::abs(importance.together - 144.0 / 169) < 1e-9);
    QVERIFY(*importance.noise < 1e-9);
  }

  void aParameterThatDoesNothingHasNoImportance() {
    const auto plan = planSweep({axis("a", 4), axis("b", 5)}, {}, 0);
    const auto points = measured(*plan, 5, [](const SweepPoint& point, std::size_t block) {
      const double noise =
          std::sin(91 * level(point, 0) + 57 * level(point, 1) + 23 * static_cast<double>(block));
      return std::exp(0.1 * level(point, 0) + 0.05 * noise);
    });
    const Importance importance = analyseSweep(*plan, points).importance;
    QVERIFY(importance.shares[0] > 0.8);
    QVERIFY(importance.shares[1] < 0.05);
    QVERIFY(*importance.noise > 0);
    double sum = importance.together + *importance.noise;
    for (const double share : importance.shares) sum += share;
    QVERIFY(std::abs(sum - 1) < 1e-9);
  }

  void noImportanceWhereTheDesignDoesNotAllowIt() {
    const auto flat = [](const SweepPoint& point, std::size_t) { return level(point, 0); };
    const auto part = planSweep({axis("a", 4), axis("b", 5)}, {SweepDesign::Kind::Random, 7}, 0);
    QVERIFY(analyseSweep(*part, measured(*part, 2, flat)).importance.missing.find("part of it") !=
            std::string::npos);
    const auto grid = planSweep({axis("a", 2), axis("b", 2)}, {}, 0);
    auto points = measured(*grid, 2, flat);
    points[3].failure = "it crashed";
    QVERIFY(analyseSweep(*grid, points).importance.missing.find("failed") != std::string::npos);
    points[3] = {};
    QVERIFY(analyseSweep(*grid, points).importance.missing.find("not measured") !=
            std::string::npos);
  }

 private:
  SweepResult sweep(std::size_t points, std::size_t blocks, std::size_t mostReplaced = 0,
                    std::vector<PointState> begun = {}) {
    begun.resize(points);
    SweepMeasurement measurement(m_runner, {blocks, 5, mostReplaced, 7}, m_heard, std::move(begun),
                                 m_clock);
    return measurement.run();
  }

  Hand m_clock;
  FakeRunner m_runner{m_clock};
  Heard m_heard;
};

MILLRACE_TEST_CASE(TestSweepMeasurement)

}  // namespace millrace

#include "tst_sweep_measurement.moc"
