// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuner/tune_replay.h"

#include <algorithm>
#include <cmath>

#include "core/tune/tuner/tuner.h"
#include "tests/support/hand_clock.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::HandClock;

namespace {

std::string documentAt(const TunePoint& point) {
  return std::to_string(point[0]) + " " + std::to_string(point[1]);
}

/// Logarithm of a made-up rate, 1 % off in either direction; every fifth trial is disturbed.
TunerObservation madeUp(const TunerTrial& trial, std::size_t asked) {
  const double workers = 1 + static_cast<double>(trial.point[0]);
  TunerObservation observed;
  const double queue = 1 + static_cast<double>(trial.point[1]);
  observed.score = std::log(100 * std::min(workers, 4.0) / (1 + 0.1 / queue)) +
                   (asked % 2 == 0 ? 0.01 : -0.01) / 3;
  observed.seconds = 1 + 0.1 * static_cast<double>(asked % 7);
  observed.disturbed = asked % 5 == 4;
  return observed;
}

KeptTrial keptOf(const TunerTrial& trial, const TunerObservation& observed, bool replaced) {
  KeptTrial kept;
  kept.document = documentAt(trial.point);
  kept.step.trial = trial.number;
  kept.step.state = replaced ? TuneStep::State::Replaced : TuneStep::State::Measured;
  kept.step.spentSeconds = observed.seconds;
  kept.figures.emplace();
  kept.figures->samplesPerSecond.mean = observed.score;
  return kept;
}

/// The observation for a recorded trial.
TunerObservation answerOf(const KeptTrial& kept) {
  TunerObservation observed;
  observed.score = *kept.figures->samplesPerSecond.mean;
  observed.seconds = kept.step.spentSeconds;
  observed.disturbed = kept.step.state == TuneStep::State::Replaced;
  return observed;
}

Tuner tunerFor(double budget) {
  TunerSettings settings;
  settings.budgetSeconds = budget;
  settings.seed = 5;
  return Tuner({{8, 0, true}, {4, 1, true}}, settings);
}

/// Runs a search and returns the recorded trials.
std::vector<KeptTrial> searched(Tuner& tuner) {
  std::vector<KeptTrial> kept;
  while (const auto trial = tuner.propose()) {
    const TunerObservation observed = madeUp(*trial, kept.size());
    kept.push_back(keptOf(*trial, observed, tuner.isReplaced(observed)));
    tuner.tell(observed);
  }
  return kept;
}

}  // namespace

class TestTuneReplay : public QObject {
  Q_OBJECT
 private slots:
  void aSearchOverWhatIsKeptGoesTheSameWay() {
    Tuner first = tunerFor(60);
    const std::vector<KeptTrial> kept = searched(first);
    QVERIFY(first.replaced() > 0);
    TuneReplay replay(kept);
    Tuner again = tunerFor(60);
    for (const KeptTrial& before : kept) {
      const auto trial = again.propose();
      QVERIFY(trial);
      QCOMPARE(trial->number, before.step.trial);
      const KeptTrial* answer = replay.next(documentAt(trial->point));
      QVERIFY(answer != nullptr);
      QCOMPARE(answer->step.state, before.step.state);
      again.tell(answerOf(*answer));
    }
    QVERIFY(!again.propose());
    QCOMPARE(again.end(), first.end());
    QCOMPARE(*again.best(), *first.best());
    QVERIFY(again.spentSeconds() == first.spentSeconds());
    QVERIFY(*again.gainOf(*again.best()) == *first.gainOf(*first.best()));
  }

  void aSearchThatAsksForMoreEndsWhereTheMeasurementsDo() {
    Tuner first = tunerFor(9);
    TuneReplay replay(searched(first));
    QCOMPARE(first.end(), TunerEnd::Budget);
    Tuner longer = tunerFor(60);
    std::size_t answered = 0;
    while (const auto trial = longer.propose()) {
      const KeptTrial* answer = replay.next(documentAt(trial->point));
      if (answer == nullptr) {
        longer.stop();
        break;
      }
      longer.tell(answerOf(*answer));
      ++answered;
    }
    QCOMPARE(longer.end(), TunerEnd::Stopped);
    QVERIFY(answered > 0 && answered <= first.trials());
  }

  void eachTrialOfADocumentAnswersOnceInItsOrder() {
    std::vector<KeptTrial> kept(4);
    const char* documents[] = {"a", "b", "a", ""};
    for (std::size_t i = 0; i < kept.size(); ++i) {
      kept[i].document = documents[i];
      kept[i].step.trial = i;
    }
    TuneReplay replay(kept);
    QCOMPARE(replay.next("a")->step.trial, std::size_t{0});
    QCOMPARE(replay.next("a")->step.trial, std::size_t{2});
    QVERIFY(replay.next("a") == nullptr);
    QCOMPARE(replay.next("b")->step.trial, std::size_t{1});
    QVERIFY2(replay.next("") == nullptr, "a deleted run's trial is found by nothing");
    QVERIFY(TuneReplay().next("a") == nullptr);
  }

  void theClockTakesWhatWasReplayedAndThenItsOwnTime() {
    HandClock steady;
    TuneClock clock(steady);
    steady.pass(100);
    QCOMPARE(clock.seconds(), 0.0);
    clock.replay(2.5);
    clock.replay(1);
    steady.pass(100);
    QCOMPARE(clock.seconds(), 3.5);
    clock.start();
    steady.pass(4);
    clock.start();
    steady.pass(1);
    QCOMPARE(clock.seconds(), 8.5);
  }
};

MILLRACE_TEST_CASE(TestTuneReplay)

}  // namespace millrace

#include "tst_tune_replay.moc"
