// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/sweep/sweep_job.h"

#include <algorithm>

#include "core/store/run_store.h"
#include "tests/core/jobs/fake_trial.h"
#include "tests/core/jobs/job_support.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::FakeTrial;

class SweepNotes final : public SweepJobObserver {
 public:
  void onNotKept(const std::string& sentence) override { notKept.push_back(sentence); }
  void onBegin(const SweepBegin& begin) override {
    experiment = begin.experiment;
    trials = begin.trials;
  }
  void onTrial(const TrialStep&, const std::string& runId) override { runIds.push_back(runId); }
  void onMeasured(const TrialStep&, const SpanFigures&, const SpanFigures&) override { ++measured; }
  void onFailed(const TrialStep&, const std::string& reason, const SpanFigures&) override {
    failures.push_back(reason);
  }

  std::string experiment;
  std::size_t trials = 0;
  int measured = 0;
  std::vector<std::string> runIds;
  std::vector<std::string> failures;
  std::vector<std::string> notKept;
};

PreparedSweep swept(const std::string& values = "1,2,4") {
  Problems problems;
  return *prepareSweep(tests::steppedPipeline(), {"workers.count=" + values}, {}, false, problems);
}

SweepJobSettings sweepSettingsIn(const std::filesystem::path& file) {
  SweepJobSettings settings;
  settings.pipeline = "p.millrace.json";
  settings.blocks = 2;
  settings.keep.file = file;
  settings.keep.labels.experiment.clear();
  return settings;
}

/// All searches that the store has.
std::vector<SearchSummary> searchesIn(const std::filesystem::path& file) {
  auto store = RunStore::open(file);
  return store ? store->searches().take() : std::vector<SearchSummary>();
}

}  // namespace

class TestSweepJob : public QObject {
  Q_OBJECT
 private slots:
  void everySettingIsMeasuredInBlocksAndKept() {
    const tests::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "runs.db";
    FakeTrial trial;
    SweepNotes notes;
    SweepJob job(swept(), sweepSettingsIn(file), trial, notes);
    const Result<SweepOutcome> outcome = job.run();
    VERIFY_OK(outcome);
    QVERIFY(!outcome->result.stopped);
    QCOMPARE(notes.trials, 6U);
    QCOMPARE(notes.measured, 6);
    std::vector<int> first(trial.measured.begin(), trial.measured.begin() + 3);
    std::sort(first.begin(), first.end());
    QCOMPARE(first, (std::vector<int>{1, 2, 4}));
    QCOMPARE(outcome->finding.ranking, (std::vector<std::size_t>{2, 1, 0}));
    QCOMPARE(std::string(outcome->stateOf(0)), std::string("measured"));
    QCOMPARE(outcome->experiment, std::string("sweep of p"));
    const auto searches = searchesIn(file);
    QCOMPARE(searches.size(), 1U);
    for (const TrialRecord& kept : searches.front().trials)
      QVERIFY(kept.state == TrialState::Finished && kept.run);
    auto store = RunStore::open(file);
    const auto run = store->show(*searches.front().trials[2].run);
    VERIFY_OK(run);
    QVERIFY(run->summary.state == RunState::Finished);
    QCOMPARE(run->repeats.size(), 2U);
    QCOMPARE(std::to_string(static_cast<std::int64_t>(run->summary.number)), outcome->runIds[2]);
  }

  void aFailingTrialIsTheResultOfItsSetting() {
    const tests::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "runs.db";
    FakeTrial trial;
    trial.failing = 4;
    SweepNotes notes;
    SweepJob job(swept(), sweepSettingsIn(file), trial, notes);
    const Result<SweepOutcome> outcome = job.run();
    VERIFY_OK(outcome);
    QCOMPARE(notes.failures, std::vector<std::string>{"it crashed"});
    QCOMPARE(std::ranges::count(trial.measured, 4), 1);
    QCOMPARE(outcome->finding.ranking, (std::vector<std::size_t>{1, 0}));
    QCOMPARE(std::string(outcome->stateOf(2)), std::string("failed"));
    const TrialRecord kept = searchesIn(file).front().trials[2];
    QVERIFY(kept.state == TrialState::Failed);
    QCOMPARE(kept.reason, std::string("it crashed"));
  }

  /// What counts after a stop is kept, and another job measures only the rest, in the same runs.
  void aStoppedSweepIsContinued() {
    const tests::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "runs.db";
    FakeTrial trial;
    SweepNotes notes;
    SweepJob job(swept(), sweepSettingsIn(file), trial, notes);
    trial.before = [&job](std::size_t number) {
      if (number == 4) job.stop();
    };
    const Result<SweepOutcome> stopped = job.run();
    VERIFY_OK(stopped);
    QVERIFY(stopped->result.stopped);
    QCOMPARE(notes.measured, 4);

    FakeTrial rest;
    SweepNotes more;
    SweepJobSettings settings = sweepSettingsIn(file);
    settings.resumed = "";
    SweepJob again(swept(), settings, rest, more);
    const Result<SweepOutcome> outcome = again.run();
    VERIFY_OK(outcome);
    QVERIFY(!outcome->result.stopped);
    QCOMPARE(more.experiment, std::string("sweep of p"));
    QCOMPARE(more.trials, 2U);
    QCOMPARE(rest.measured.size(), 2U);
    QCOMPARE(outcome->runIds, stopped->runIds);
    for (const PointState& point : outcome->result.points) QCOMPARE(point.repeats.size(), 2U);
    QCOMPARE(searchesIn(file).size(), 1U);
  }

  void whatCannotBeContinuedIsRefusedBeforeTheFirstTrial() {
    const tests::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "runs.db";
    FakeTrial trial;
    SweepNotes notes;
    SweepJobSettings settings = sweepSettingsIn(file);
    settings.resumed = "";
    SweepJob none(swept(), settings, trial, notes);
    const Result<SweepOutcome> nothing = none.run();
    QVERIFY(!nothing.ok());
    QVERIFY(nothing.error().message.starts_with("there is no stopped sweep"));

    SweepJobSettings named = sweepSettingsIn(file);
    named.keep.labels.experiment = "threads";
    SweepJob first(swept(), named, trial, notes);
    VERIFY_OK(first.run());
    trial.measured.clear();
    SweepJob second(swept(), named, trial, notes);
    const Result<SweepOutcome> taken = second.run();
    QVERIFY(!taken.ok());
    QVERIFY(taken.error().message.find("name another experiment") != std::string::npos);
    // Complete sweeps, and other settings, are no stopped sweep of these.
    named.resumed = "threads";
    SweepJob whole(swept(), named, trial, notes);
    QVERIFY(!whole.run().ok());
    QVERIFY(trial.measured.empty());
  }

  void aStopBeforeTheBeginningMeasuresNothing() {
    FakeTrial trial;
    SweepNotes notes;
    SweepJobSettings settings = sweepSettingsIn({});
    settings.keep.keep = false;
    SweepJob job(swept(), settings, trial, notes);
    job.stop();
    const Result<SweepOutcome> outcome = job.run();
    VERIFY_OK(outcome);
    QVERIFY(outcome->result.stopped);
    QVERIFY(outcome->experiment.empty());
    QVERIFY(trial.measured.empty());
    QVERIFY(!outcome->finding.best);
  }

  void withoutAStoreTheSweepGoesOn() {
    const tests::TemporaryFolder folder;
    folder.write("taken");
    FakeTrial trial;
    SweepNotes notes;
    SweepJob job(swept(), sweepSettingsIn(folder.path() / "taken" / "runs.db"), trial, notes);
    const Result<SweepOutcome> outcome = job.run();
    VERIFY_OK(outcome);
    QCOMPARE(notes.measured, 6);
    QCOMPARE(notes.notKept.size(), 1U);
    QVERIFY(notes.notKept.front().starts_with("this sweep is not kept: "));
    QCOMPARE(outcome->runIds, std::vector<std::string>(3));
  }

  void everyWrongSettingIsReportedBeforeTheSweep() {
    Problems problems;
    QVERIFY(!prepareSweep(tests::steppedPipeline(), {"workers.count=1,2", "step.second=1"}, {},
                          false, problems));
    QCOMPARE(problems.all().size(), 1U);
    QCOMPARE(problems.all().front().field, std::string("step.second=1"));
  }
};

MILLRACE_TEST_CASE(TestSweepJob)

}  // namespace millrace

#include "tst_sweep_job.moc"
