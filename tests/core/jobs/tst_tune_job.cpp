// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/tune/tune_job.h"

#include <algorithm>
#include <cmath>

#include "core/base/random.h"
#include "core/graph/json/graph_json.h"
#include "core/metrics/metric_text.h"
#include "tests/core/jobs/fake_trial.h"
#include "tests/core/jobs/job_support.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::FakeTrial;

class TuneNotes final : public TuneJobObserver {
 public:
  void onNotKept(const std::string& sentence) override { notKept.push_back(sentence); }
  void onBegin(const TuneOutcome& outcome) override { experiment = outcome.experiment; }
  void onSpace(const TuneOutcome& outcome) override { axes = outcome.axes.size(); }
  void onTrialBegin(const TuneOutcome&, const TuneTrialBegin& begin) override {
    ++begun;
    if (begin.replayed) ++replayed;
  }
  void onTrialEnd(const TuneOutcome&, const TuneTrialEnd& end) override {
    if (!end.reason.empty()) reasons.push_back(end.reason);
  }

  std::string experiment;
  std::size_t axes = 0;
  int begun = 0;
  int replayed = 0;
  std::vector<std::string> reasons;
  std::vector<std::string> notKept;
};

/// A request that varies the number of threads. Its budget has no time for a diagnosis.
TuneRequest threadsRequest(const std::string& values = "1,2,4") {
  TuneRequest request;
  request.budget = "10s";
  request.goal = "throughput";
  request.vary = {"workers.count=" + values};
  request.seconds = 0.2;
  request.maxFailures = "1%";
  return request;
}

TuneJobSettings tuneSettingsIn(const std::filesystem::path& file,
                               const TuneRequest& request = threadsRequest()) {
  TuneJobSettings settings;
  settings.pipeline = "p.millrace.json";
  settings.request = request;
  settings.meaning = meaningOf(request).take();
  settings.keep.file = file;
  settings.keep.labels.experiment.clear();
  return settings;
}

/// Replays the tuning that the store has, with another request.
TuneJobSettings replayOf(const std::filesystem::path& file, const TuneRequest& request) {
  TuneJobSettings settings = tuneSettingsIn(file, request);
  settings.keep.keep = false;
  settings.kept = keptTuning(file, "tuning of p").take();
  settings.replay = true;
  return settings;
}

/// The number of threads of the best pipeline.
int bestThreads(const TuneOutcome& outcome) {
  const ReadGraph best = parseGraph(outcome.document, builtinCatalog());
  return best.graph ? tests::threadsOf(*best.graph) : 0;
}

}  // namespace

class TestTuneJob : public QObject {
  Q_OBJECT
 private slots:
  void theBestSettingIsFoundAndKept() {
    const tests::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "runs.db";
    FakeTrial trial;
    TuneNotes notes;
    TuneJob job(tuneSettingsIn(file), tests::steppedPipeline(), trial, notes);
    const Result<TuneOutcome> outcome = job.run();
    VERIFY_OK(outcome);
    QCOMPARE(bestThreads(*outcome), 4);
    QVERIFY(*outcome->settings[*outcome->best].gain > 1.9);
    // Two blocks are enough for so large a gain, but too few for a verdict.
    QVERIFY(outcome->verdict && outcome->verdict->ratio.value_or(0) > 1.9);
    QVERIFY(!outcome->stopped && outcome->missing.empty());
    QCOMPARE(static_cast<std::size_t>(notes.begun), trial.measured.size());
    QCOMPARE(outcome->trials, trial.measured.size());
    QVERIFY(notes.axes >= 1);
    QCOMPARE(trial.measured.front(), 2);
    QCOMPARE(outcome->experiment, std::string("tuning of p"));
    const Result<KeptTuning> kept = keptTuning(file, "tuning of p");
    VERIFY_OK(kept);
    QVERIFY(kept->log.ended);
    QCOMPARE(kept->trials.size(), trial.measured.size());
    QCOMPARE(kept->settings.size(), outcome->settings.size());
  }

  /// All settings are equally fast and only seem better or worse by chance.
  void chanceIsNotRecommended() {
    int seemedBetter = 0;
    int recommended = 0;
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
      const tests::TemporaryFolder folder;
      FakeTrial trial;
      trial.rateOf = [seed](int, std::size_t n) {
        Draw draw(DrawKey{seed, 0, static_cast<std::uint32_t>(n), 0, 0});
        return 100 * std::exp(0.15 * draw.normal());
      };
      TuneNotes notes;
      TuneJob job(tuneSettingsIn(folder.path() / "runs.db"), tests::steppedPipeline(), trial,
                  notes);
      const Result<TuneOutcome> outcome = job.run();
      VERIFY_OK(outcome);
      QVERIFY(outcome->best);
      if (*outcome->best != 0) {
        ++recommended;
        continue;
      }
      QCOMPARE(bestThreads(*outcome), 2);
      if (!outcome->judged) continue;
      ++seemedBetter;
      QVERIFY(outcome->judgedName() != "the best");
      // The figures, the gain and the verdict say the same.
      if (!outcome->verdict || !outcome->verdict->ratio) continue;
      QCOMPARE(*outcome->shownGain(*outcome->judged), *shownRatioOf(*outcome->verdict));
      QCOMPARE(*outcome->shownGain(*outcome->judged),
               *shownRatio(*outcome->levelOf(0), *outcome->levelOf(*outcome->judged)));
    }
    QVERIFY(seemedBetter > 10);
    QVERIFY2(recommended <= 1, qPrintable(QString::number(recommended)));
  }

  /// A replay repeats the search without a trial; another limit gives another best.
  void aKeptTuningIsReplayed() {
    const tests::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "runs.db";
    FakeTrial trial;
    TuneNotes notes;
    TuneJob job(tuneSettingsIn(file), tests::steppedPipeline(), trial, notes);
    const Result<TuneOutcome> first = job.run();
    VERIFY_OK(first);

    FakeTrial none;
    TuneNotes told;
    TuneJob replay(replayOf(file, threadsRequest()), tests::steppedPipeline(), none, told);
    const Result<TuneOutcome> again = replay.run();
    VERIFY_OK(again);
    QVERIFY2(again->missing.empty(), again->missing.c_str());
    QVERIFY(none.measured.empty());
    QCOMPARE(again->replayed, first->trials);
    QCOMPARE(told.replayed, told.begun);
    QCOMPARE(again->best, first->best);
    QCOMPARE(again->stoppedBecause(), first->stoppedBecause());

    TuneRequest limited = threadsRequest();
    limited.memory = "3MB";
    TuneJob small(replayOf(file, limited), tests::steppedPipeline(), none, told);
    const Result<TuneOutcome> within = small.run();
    VERIFY_OK(within);
    QVERIFY(none.measured.empty());
    QVERIFY(!within->best || bestThreads(*within) <= 2);
    QVERIFY(std::ranges::count(told.reasons, "it used 4 MB of memory, more than the limit") > 0);
  }

  void aReplayEndsWhereATrialIsMissing() {
    const tests::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "runs.db";
    FakeTrial trial;
    TuneNotes notes;
    TuneJob job(tuneSettingsIn(file), tests::steppedPipeline(), trial, notes);
    VERIFY_OK(job.run());
    TuneJob wider(replayOf(file, threadsRequest("1,2,4,6,8")), tests::steppedPipeline(), trial,
                  notes);
    trial.measured.clear();
    const Result<TuneOutcome> outcome = wider.run();
    VERIFY_OK(outcome);
    QVERIFY(outcome->missing.find("it was not measured") != std::string::npos);
    QVERIFY(trial.measured.empty());
  }

  void aStoppedTuningIsContinued() {
    const tests::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "runs.db";
    FakeTrial trial;
    TuneNotes notes;
    TuneJob job(tuneSettingsIn(file), tests::steppedPipeline(), trial, notes);
    trial.before = [&job](std::size_t number) {
      if (number == 3) job.stop();
    };
    const Result<TuneOutcome> stopped = job.run();
    VERIFY_OK(stopped);
    QVERIFY(stopped->stopped);
    QCOMPARE(stopped->trials, 3U);

    TuneJobSettings settings = tuneSettingsIn(file);
    Result<KeptTuning> kept = stoppedTuning(file, "", "");
    VERIFY_OK(kept);
    QCOMPARE(kept->trials.size(), 3U);
    settings.kept = kept.take();
    FakeTrial rest;
    TuneNotes more;
    TuneJob again(settings, tests::steppedPipeline(), rest, more);
    const Result<TuneOutcome> outcome = again.run();
    VERIFY_OK(outcome);
    QVERIFY2(outcome->missing.empty() && !outcome->stopped, outcome->missing.c_str());
    QCOMPARE(more.replayed, 3);
    QCOMPARE(static_cast<std::size_t>(more.begun - more.replayed), rest.measured.size());
    QCOMPARE(bestThreads(*outcome), 4);
    QCOMPARE(outcome->experiment, std::string("tuning of p"));
    const Result<KeptTuning> whole = keptTuning(file, "tuning of p");
    VERIFY_OK(whole);
    QVERIFY(whole->log.ended);
    QVERIFY(!stoppedTuning(file, "", "").ok());
  }

  void aSettingThatFailsIsNotTheBest() {
    FakeTrial trial;
    trial.failing = 4;
    TuneNotes notes;
    TuneJobSettings settings = tuneSettingsIn({});
    settings.keep.keep = false;
    TuneJob job(settings, tests::steppedPipeline(), trial, notes);
    const Result<TuneOutcome> outcome = job.run();
    VERIFY_OK(outcome);
    QCOMPARE(bestThreads(*outcome), 2);
    QVERIFY(std::ranges::count(notes.reasons, "it crashed") > 0);
    QVERIFY(outcome->experiment.empty());
  }

  void whatMustNotBeVariedIsRefusedBeforeTheFirstTrial() {
    TuneRequest request = threadsRequest();
    request.vary = {"step.seconds=0.1,0.2"};
    FakeTrial trial;
    TuneNotes notes;
    TuneJob job(tuneSettingsIn("/nowhere/runs.db", request), tests::steppedPipeline(), trial,
                notes);
    const Result<TuneOutcome> outcome = job.run();
    QVERIFY(!outcome.ok());
    QVERIFY(outcome.error().message.find("allow changes of values first") != std::string::npos);
    QVERIFY(trial.measured.empty() && notes.notKept.empty());
  }

  void aRequestIsReadOrRefused() {
    TuneRequest request = threadsRequest();
    request.memory = "2G";
    const Result<TuneMeaning> meaning = meaningOf(request);
    VERIFY_OK(meaning);
    QCOMPARE(meaning->budgetSeconds, 10.0);
    QCOMPARE(meaning->rules.limits.memoryBytes, std::uint64_t{2'000'000'000});
    request.budget = "100ms";
    QVERIFY(!meaningOf(request).ok());
    request.budget = "10s";
    request.goal = "speed";
    QVERIFY(!meaningOf(request).ok());
  }

  void withoutAStoreTheTuningGoesOn() {
    const tests::TemporaryFolder folder;
    folder.write("taken");
    FakeTrial trial;
    TuneNotes notes;
    TuneJob job(tuneSettingsIn(folder.path() / "taken" / "runs.db"), tests::steppedPipeline(),
                trial, notes);
    const Result<TuneOutcome> outcome = job.run();
    VERIFY_OK(outcome);
    QCOMPARE(bestThreads(*outcome), 4);
    QCOMPARE(notes.notKept.size(), 1U);
    QVERIFY(notes.notKept.front().starts_with("this tuning is not kept: "));
  }
};

MILLRACE_TEST_CASE(TestTuneJob)

}  // namespace millrace

#include "tst_tune_job.moc"
