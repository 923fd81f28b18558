// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/search/search_events.h"

#include <cmath>

#include "core/events/search/sweep_json.h"
#include "core/events/search/tune_json.h"
#include "core/events/stream/event_reader.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// What a reader has of that line.
template <class Event>
Event readBack(const std::string& line) {
  EventReader reader;
  if (!reader.read(R"({"event":"hello","version":"1.0"})")) return {};
  const Result<StreamEvent> event = reader.read(line);
  if (!event || !std::holds_alternative<Event>(event->content)) return {};
  return std::get<Event>(event->content);
}

/// A tuning with two settings, the second with four threads.
TuneOutcome tuned() {
  TuneOutcome outcome;
  outcome.pipeline = "p";
  outcome.experiment = "tuning of p";
  outcome.budgetSeconds = 60;
  outcome.end = TunerEnd::NothingBetter;
  Advice edit;
  edit.edit = Advice::Edit::Parameter;
  edit.node = "workers";
  edit.param = "count";
  edit.from = "2";
  edit.to = "4";
  edit.changes = SampleChange::Order;
  outcome.axes.push_back({"workers.count", {{"2", {}}, {"4", edit}}, 0, true, SampleChange::Order});
  outcome.settings.resize(2);
  outcome.settings[0].point = {0};
  outcome.settings[1].point = {1};
  outcome.settings[1].settings = "workers.count=4";
  outcome.settings[1].edits = {edit};
  SpanFigures figures;
  figures.samplesPerSecond.mean = 100;
  figures.peakRssBytes = 7;
  outcome.settings[0].repeats = {figures};
  outcome.settings[0].scores = {std::log(100.0)};
  outcome.settings[0].gain = 1;
  outcome.settings[1].failure = "it crashed";
  outcome.best = 0;
  outcome.front = {0};
  outcome.leftOut = {"a cache"};
  return outcome;
}

}  // namespace

class TestSearchEvents : public QObject {
  Q_OBJECT
 private slots:
  void aSweepIsReadAsItWasWritten() {
    SweepPlan plan;
    plan.axes.push_back({"decode", "fast", {false, true}, false});
    plan.axes.push_back({"step", "seconds", {1.0, 0.5}, 1.0});
    plan.axes.push_back({"names", "of", {TextList{"a", "b"}}, TextList{"a", "b"}});
    plan.points.push_back({{true, 1.0, TextList{"a", "b"}}, false, true});
    plan.points.push_back({{false, 1.0, TextList{"a", "b"}}, true, false});
    std::vector<PointState> points(2);
    points[0].repeats.emplace_back().samplesPerSecond.mean = 12.5;
    points[1].failure = "it crashed";
    const SweepEvent sweep = sweepEventOf(plan, "sweep of p", 3, points, {"7", ""});
    const auto read = readBack<SweepEvent>(eventLine(1, sweep));
    QCOMPARE(read.experiment, std::string("sweep of p"));
    QCOMPARE(read.repeats, 3U);
    QCOMPARE(read.axes.size(), 3U);
    for (std::size_t a = 0; a < plan.axes.size(); ++a) {
      QCOMPARE(read.axes[a].name(), plan.axes[a].name());
      QVERIFY(read.axes[a].values == plan.axes[a].values);
      QVERIFY(read.axes[a].current == plan.axes[a].current);
    }
    QCOMPARE(read.trials.size(), 2U);
    QVERIFY(read.trials[0].settings == sweep.trials[0].settings);
    QCOMPARE(*read.trials[0].rates.front(), 12.5);
    QCOMPARE(read.trials[0].runId, std::string("7"));
    QVERIFY(read.trials[1].current && !read.trials[1].designed);
    QCOMPARE(read.trials[1].reason, std::string("it crashed"));
  }

  void aTrialOfASweepHasNoKeysOfATuning() {
    TrialBegunEvent begun;
    begun.trial = 3;
    begun.repeat = 2;
    begun.of = 9;
    begun.secondsLeft = 4.5;
    const std::string line = eventLine(1, begun);
    QVERIFY(line.find("edits") == std::string::npos);
    const auto read = readBack<TrialBegunEvent>(line);
    QCOMPARE(read.trial, begun.trial);
    QCOMPARE(read.repeat, 2U);
    QCOMPARE(read.of, begun.of);
    QCOMPARE(read.secondsLeft, begun.secondsLeft);
    QVERIFY(read.tuned && read.tuned->edits.empty());
    TrialEndedEvent ended;
    ended.trial = 3;
    ended.state = TrialEndedEvent::State::Replaced;
    QVERIFY(eventLine(1, ended).find("goal_value") == std::string::npos);
    QVERIFY(readBack<TrialEndedEvent>(eventLine(1, ended)).state == ended.state);
  }

  void aTuningIsReadAsItWasWritten() {
    TuneOutcome outcome = tuned();
    outcome.cores = 2;
    const auto tune = readBack<TuneEvent>(eventLine(1, tuneEventOf(outcome)));
    QCOMPARE(tune.goal, std::string("throughput"));
    QCOMPARE(*tune.budgetSeconds, 60.0);
    QCOMPARE(*tune.limits.cores, 2U);
    QVERIFY(!tune.limits.memoryBytes);
    outcome.diagnosis.emplace();
    outcome.diagnosis->runs.emplace_back();
    outcome.diagnosis->finding.confidence = Confidence::Likely;
    outcome.diagnosis->finding.limit.kind = LimitKind::Decode;
    outcome.diagnosis->finding.limit.node = "decode";
    const auto space = readBack<TuneSpaceEvent>(eventLine(1, tuneSpaceOf(outcome)));
    QVERIFY(space.limit && space.limit->confidence == Confidence::Likely);
    QVERIFY(space.limit->limit.kind == LimitKind::Decode);
    QCOMPARE(space.axes.front().levels, (std::vector<std::string>{"2", "4"}));
    const auto begun = readBack<TrialBegunEvent>(eventLine(1, trialBegunOf(outcome, 1, 9, true)));
    QVERIFY(begun.tuned->replayed);
    QCOMPARE(begun.tuned->settings.at("workers.count"), std::string("4"));
    const Advice& edit = begun.tuned->edits.front();
    QVERIFY(edit.edit == Advice::Edit::Parameter && edit.changes == SampleChange::Order);
    QCOMPARE(edit.editText(), std::string("workers.count 2 -> 4"));
    const auto ended = readBack<TrialEndedEvent>(eventLine(1, trialEndedOf(outcome, 0, 0)));
    QCOMPARE(*ended.samplesPerSecond.mean, 100.0);
    QCOMPARE(*ended.tuned->peakRssBytes, 7U);
    QCOMPARE(*ended.tuned->bestGain, 1.0);
    QVERIFY(std::abs(*ended.tuned->goalValue - 100) < 1e-9);
    const auto over = readBack<TuneEndedEvent>(eventLine(1, tuneEndedOf(outcome)));
    QCOMPARE(*over.best, 0U);
    QCOMPARE(over.stoppedBecause, outcome.stoppedBecause());
  }

  void theResultOfATuningIsReadAsItWasWritten() {
    TuneOutcome outcome = tuned();
    outcome.verdict.emplace();
    const TuneResultRecord read = readTuneResult(tuneJson(outcome, {}, false));
    QCOMPARE(read.trials.size(), 2U);
    QVERIFY(read.trials[0].state == TunedSetting::State::Measured);
    QVERIFY(read.trials[1].state == TunedSetting::State::Failed);
    QCOMPARE(read.trials[1].reason, std::string("it crashed"));
    QCOMPARE(read.trials[0].rates.size(), 1U);
    QCOMPARE(*read.best, 0U);
    QCOMPARE(read.front, std::vector<std::uint64_t>{0});
    QCOMPARE(read.leftOut, std::vector<std::string>{"a cache"});
    QCOMPARE(read.stoppedBecause, outcome.stoppedBecause());
    QVERIFY(read.tooFewBlocks && !read.verdict.empty());
    outcome.verdict.reset();
    outcome.best.reset();
    const TuneResultRecord open = readTuneResult(tuneJson(outcome, {}, true));
    QVERIFY(!open.best && !open.tooFewBlocks && open.verdict.empty());
  }

  /// Other programs' output is read as far as it fits.
  void whatDoesNotFitStaysEmpty() {
    const auto begun = readBack<TrialBegunEvent>(
        R"({"event":"trial_begun","trial":-1,"repeat":"two","edits":[3,{"add":"cache"}]})");
    QVERIFY(!begun.trial);
    QCOMPARE(begun.repeat, 0U);
    QCOMPARE(begun.tuned->edits.size(), 2U);
    QVERIFY(begun.tuned->edits[0].edit == Advice::Edit::Words);
    QVERIFY(begun.tuned->edits[1].edit == Advice::Edit::AddCache);
    const auto ended =
        readBack<TrialEndedEvent>(R"({"event":"trial_ended","trial":1,"state":"postponed"})");
    QCOMPARE(*ended.trial, 1U);
    QVERIFY(!ended.state);
    for (const char* text : {"", "3", "[]", R"({"trials":3,"best":[],"verdict":"faster"})"}) {
      const TuneResultRecord read = readTuneResult(text);
      QVERIFY(read.trials.empty() && !read.best && read.verdict.empty());
    }
  }
};

MILLRACE_TEST_CASE(TestSearchEvents)

}  // namespace millrace

#include "tst_search_events.moc"
