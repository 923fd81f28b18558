// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/run/run_job.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "core/measure/store_figures.h"
#include "tests/core/jobs/job_support.h"
#include "tests/core/store/store_fixture.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// Records what a run reports, in order.
class RunNotes final : public RunJobObserver {
 public:
  void onBegin(const Plan& plan, const RunIdentity& identity) override {
    calls.emplace_back("begin");
    stages = plan.stages.size();
    runId = identity.runId;
    if (atBegin) atBegin();
  }
  void onPhase(const RunPhase&) override { calls.emplace_back("phase"); }
  void onReady(std::size_t repeat) override {
    calls.emplace_back("ready");
    if (atReady) atReady(repeat);
  }
  void onRepeat(std::size_t, const SpanFigures&) override { calls.emplace_back("repeat"); }
  void onNotKept(const std::string& sentence) override { notKept = sentence; }
  void onSnapshot(const RunSnapshot&) override {
    if (atSnapshot) atSnapshot();
  }
  void onBatch(std::size_t, const Batch&) override {
    ++batches;
    if (atBatch) atBatch(batches);
  }
  std::size_t count(const std::string& call) const {
    return static_cast<std::size_t>(std::count(calls.begin(), calls.end(), call));
  }

  std::vector<std::string> calls;
  std::size_t stages = 0;
  std::string runId;
  std::string notKept;
  int batches = 0;
  std::function<void()> atBegin;
  std::function<void(int)> atBatch;
  std::function<void(std::size_t)> atReady;
  std::function<void()> atSnapshot;
};

}  // namespace

class TestRunJob : public QObject {
  Q_OBJECT

  static RunJobSettings quick(KeepSettings keep) {
    RunJobSettings settings;
    settings.pipeline = "stepped.millrace.json";
    settings.measure.warmupSeconds = 0;
    settings.measure.seconds.reset();
    settings.measure.batches = 20;
    settings.measure.repeats = 2;
    settings.keep = std::move(keep);
    return settings;
  }
  static RunJobSettings endless(KeepSettings keep) {
    RunJobSettings settings = quick(std::move(keep));
    settings.measure.batches.reset();
    settings.measure.seconds = 1000;
    settings.measure.repeats = 1;
    return settings;
  }

 private slots:
  void aRunIsMeasuredAndKept() {
    const tests::TemporaryFolder folder;
    RunNotes notes;
    RunJob job(tests::steppedPipeline(), quick(tests::keptIn(folder)), notes);
    const Result<RunJobOutcome> outcome = job.run();
    VERIFY_OK(outcome);
    QVERIFY(outcome->result.outcome == RunOutcome::Finished);
    QCOMPARE(outcome->result.repeats.size(), 2U);
    QCOMPARE(outcome->result.figures.batches, 40U);
    QCOMPARE(outcome->identity.runId, std::string("1"));
    QVERIFY(outcome->unwritten.empty());
    QVERIFY(!outcome->trace);
    const auto kept = keptRun(tests::keptIn(folder).file, "1");
    VERIFY_OK(kept);
    QVERIFY(kept->details.summary.state == RunState::Finished);
    QCOMPARE(kept->details.summary.pipelineName, std::string("stepped.millrace.json"));
    QCOMPARE(kept->details.repeats.size(), 2U);
    QCOMPARE(tests::factOfRun(kept->details, "measured_span"), std::string("20 batches"));
  }

  void aStoreThatFailsLaterLosesNoRunAndIsReported() {
    const tests::TemporaryFolder folder;
    RunNotes notes;
    notes.atBegin = [&] {
      QVERIFY(tests::rawSql(tests::keptIn(folder).file,
                            "CREATE TRIGGER full BEFORE INSERT ON repeats BEGIN "
                            "SELECT RAISE(ABORT, 'the disk is full'); END"));
    };
    RunJob job(tests::steppedPipeline(), quick(tests::keptIn(folder)), notes);
    const Result<RunJobOutcome> outcome = job.run();
    VERIFY_OK(outcome);
    QCOMPARE(outcome->result.repeats.size(), 2U);
    QVERIFY2(notes.notKept.starts_with("this run is not kept completely: ") &&
                 notes.notKept.find("the disk is full") != std::string::npos,
             notes.notKept.c_str());
  }

  void theObserverHearsTheBeginBeforeTheRepeats() {
    const tests::TemporaryFolder folder;
    RunNotes notes;
    RunJob job(tests::steppedPipeline(), quick(tests::keptIn(folder)), notes);
    VERIFY_OK(job.run());
    QCOMPARE(notes.calls.front(), std::string("begin"));
    QCOMPARE(notes.count("begin"), 1U);
    QCOMPARE(notes.count("repeat"), 2U);
    QCOMPARE(notes.runId, std::string("1"));
    QVERIFY(notes.stages > 0);
    QCOMPARE(notes.count("ready"), 0U);
    QVERIFY(notes.notKept.empty());
  }

  void aStoppedRunKeepsWhatItMeasured() {
    const tests::TemporaryFolder folder;
    RunNotes notes;
    RunJob job(tests::steppedPipeline(), endless(tests::keptIn(folder)), notes);
    notes.atBatch = [&job](int batches) {
      if (batches == 30) job.stop();
    };
    const Result<RunJobOutcome> outcome = job.run();
    VERIFY_OK(outcome);
    QVERIFY(outcome->result.outcome == RunOutcome::Interrupted);
    QVERIFY(outcome->result.figures.batches >= 30);
    const auto kept = keptRun(tests::keptIn(folder).file, "last");
    VERIFY_OK(kept);
    QVERIFY(kept->details.summary.state == RunState::Interrupted);
    QVERIFY(kept->details.summary.samplesPerSecond.value_or(0) > 0);
  }

  void aJobThatIsStoppedBeforeItRunsMeasuresNothing() {
    RunNotes notes;
    RunJob job(tests::steppedPipeline(), endless(tests::notKept()), notes);
    job.stop();
    const Result<RunJobOutcome> outcome = job.run();
    VERIFY_OK(outcome);
    QVERIFY(outcome->result.outcome == RunOutcome::Interrupted);
    QVERIFY(outcome->result.repeats.empty());
    QVERIFY(outcome->identity.runId.empty());
  }

  void everyRepeatWaitsForItsStart() {
    RunNotes notes;
    RunJobSettings settings = quick(tests::notKept());
    settings.awaitStart = true;
    RunJob job(tests::steppedPipeline(), settings, notes);
    const Status early = job.start();
    QVERIFY(!early);
    QCOMPARE(early.error().message, std::string("no repeat is waiting to be started"));
    std::vector<std::size_t> ready;
    notes.atReady = [&](std::size_t repeat) {
      ready.push_back(repeat);
      if (!job.start()) ready.clear();
    };
    VERIFY_OK(job.run());
    QCOMPARE(ready, (std::vector<std::size_t>{0, 1}));
  }

  void aChangedParameterIsKeptWithTheRun() {
    const tests::TemporaryFolder folder;
    RunNotes notes;
    RunJob job(tests::steppedPipeline(), endless(tests::keptIn(folder)), notes);
    QVERIFY(!job.set("step", "seconds", "0.002"));
    std::optional<Status> set;
    notes.atSnapshot = [&] {
      if (set) return;
      set = job.set("step", "seconds", "0.002");
      job.stop();
    };
    const Result<RunJobOutcome> outcome = job.run();
    VERIFY_OK(outcome);
    QVERIFY(set);
    VERIFY_OK(*set);
    QCOMPARE(outcome->result.liveChanges.size(), 1U);
    const auto kept = keptRun(tests::keptIn(folder).file, "1");
    VERIFY_OK(kept);
    QCOMPARE(tests::factOfRun(kept->details, "live_changes"), std::string("step.seconds=0.002"));
  }

  void theRequestedFilesAreWritten() {
    const tests::TemporaryFolder folder;
    RunNotes notes;
    RunJobSettings settings = quick(tests::notKept());
    settings.dump = folder.path() / "batches";
    settings.dumpBatches = 2;
    settings.trace = folder.path() / "trace.json";
    settings.measure.traceSpans = 1000;
    RunJob job(tests::steppedPipeline(), settings, notes);
    const Result<RunJobOutcome> outcome = job.run();
    VERIFY_OK(outcome);
    QVERIFY(outcome->unwritten.empty());
    QVERIFY(outcome->trace && outcome->trace->spans > 0);
    QVERIFY(tests::contentOf(settings.trace).size() > 1000);
    QVERIFY(!std::filesystem::is_empty(settings.dump));
    for (const auto& entry : std::filesystem::directory_iterator(settings.dump))
      QVERIFY(entry.path().native().find(".part") == std::string::npos);
  }

  void theWarmUpLastsUntilTheBatchesAreWritten() {
    const tests::TemporaryFolder folder;
    RunNotes notes;
    RunJobSettings settings = quick(tests::notKept());
    settings.dump = folder.path() / "batches";
    settings.dumpBatches = 20;
    settings.measure.warmupSeconds = 1e-6;
    settings.measure.seconds.reset();
    settings.measure.batches = 2;
    settings.measure.repeats = 1;
    RunJob job(tests::steppedPipeline(), settings, notes);
    const Result<RunJobOutcome> outcome = job.run();
    VERIFY_OK(outcome);
    QVERIFY(std::filesystem::exists(settings.dump / "batch_00019.json"));
    QCOMPARE(outcome->result.repeats.size(), std::size_t{1});
    QCOMPARE(outcome->result.repeats[0].batches, std::uint64_t{2});
    QVERIFY(!outcome->result.repeats[0].dumpedBatches);
  }

  void aRepeatWhoseBatchesWereWrittenWhileMeasuredIsDisturbed() {
    const tests::TemporaryFolder folder;
    RunNotes notes;
    RunJobSettings settings = quick(tests::notKept());
    settings.dump = folder.path() / "batches";
    settings.dumpBatches = 2;
    settings.measure.warmupSeconds = 0;
    settings.measure.repeats = 2;
    RunJob job(tests::steppedPipeline(), settings, notes);
    const Result<RunJobOutcome> outcome = job.run();
    VERIFY_OK(outcome);
    const std::vector<SpanFigures>& repeats = outcome->result.repeats;
    QCOMPARE(repeats.size(), std::size_t{2});
    QCOMPARE(repeats[0].dumpedBatches, std::optional<std::uint64_t>(2));
    QVERIFY(!repeats[1].dumpedBatches);
    const std::vector<std::string> why = disturbancesIn(repeats[0]);
    QVERIFY(std::ranges::count(why, "2 batches were written to files") == 1);
  }

  void whatCannotBeginIsAnError() {
    RunNotes notes;
    RunJobSettings traced = quick(tests::notKept());
    traced.trace = "/nowhere/trace.json";
    RunJob toNowhere(tests::steppedPipeline(), traced, notes);
    const Result<RunJobOutcome> untraced = toNowhere.run();
    QVERIFY(!untraced);
    QVERIFY(untraced.error().message.starts_with("trace: "));
    RunJobSettings cold = quick(tests::notKept());
    cold.cold = true;
    RunJob withoutFiles(tests::steppedPipeline(), cold, notes);
    const Result<RunJobOutcome> warm = withoutFiles.run();
    QVERIFY(!warm);
    QVERIFY(warm.error().message.starts_with("cold: the source reads no files"));
    QCOMPARE(notes.count("begin"), 0U);
  }

  void aRunThatCannotBeKeptGoesOn() {
    const tests::TemporaryFolder folder;
    folder.write("taken");
    RunNotes notes;
    KeepSettings keep;
    keep.file = folder.path() / "taken" / "runs.sqlite";
    RunJob job(tests::steppedPipeline(), quick(keep), notes);
    const Result<RunJobOutcome> outcome = job.run();
    VERIFY_OK(outcome);
    QVERIFY(outcome->result.outcome == RunOutcome::Finished);
    QVERIFY(outcome->identity.runId.empty());
    QVERIFY2(notes.notKept.starts_with("this run is not kept: "), notes.notKept.c_str());
  }
};

}  // namespace millrace

using millrace::TestRunJob;
MILLRACE_TEST_CASE(TestRunJob)
#include "tst_run_job.moc"
