// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/diagnose/diagnose_job.h"

#include <functional>
#include <string>

#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "tests/core/jobs/job_support.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

class DiagnosisNotes final : public DiagnoseObserver {
 public:
  void onBegin() override { ++begun; }
  void onStep(const DiagnosisStep& step) override {
    ++steps;
    if (atStep) atStep(step);
  }
  void onKept(const SpanFigures&) override { ++kept; }
  void onNotKept(const std::string& sentence) override { notKept = sentence; }

  int begun = 0;
  int steps = 0;
  int kept = 0;
  std::string notKept;
  std::function<void(const DiagnosisStep&)> atStep;
};

}  // namespace

class TestDiagnoseJob : public QObject {
  Q_OBJECT

  static DiagnoseSettings quick(KeepSettings keep) {
    DiagnoseSettings settings;
    settings.pipeline = "stepped.millrace.json";
    settings.diagnosis.warmupSeconds = 0.1;
    settings.diagnosis.seconds = 0.4;
    settings.diagnosis.blocks = 1;
    settings.keep = std::move(keep);
    return settings;
  }
  /// A step so long that nothing else can limit the pipeline.
  static PreparedPipeline limited() { return tests::steppedPipeline("0.02"); }

 private slots:
  void aLongStepIsFoundAndKept() {
    const tests::TemporaryFolder folder;
    DiagnosisNotes notes;
    DiagnoseJob job(limited(), quick(tests::keptIn(folder)), notes);
    const Result<DiagnosisOutcome> outcome = job.run();
    VERIFY_OK(outcome);
    QVERIFY(outcome->result.end == BlockEnd::Finished);
    QVERIFY(outcome->result.finding.confidence != Confidence::CannotTell);
    QVERIFY(outcome->result.finding.limit.kind == LimitKind::Step);
    QCOMPARE(outcome->result.finding.limit.node, std::string("step"));
    QCOMPARE(outcome->runId, std::string("1"));
    QVERIFY(outcome->applied.empty() && !outcome->notApplied);
    const auto kept = keptRun(tests::keptIn(folder).file, "1");
    VERIFY_OK(kept);
    QVERIFY(kept->details.summary.state == RunState::Finished);
    QCOMPARE(tests::factOfRun(kept->details, "diagnosis_limit"), std::string("step"));
    QCOMPARE(kept->details.repeats.size(), outcome->result.baseline.size());
    QCOMPARE(notes.begun, 1);
    QVERIFY(notes.steps > notes.kept);
    QCOMPARE(static_cast<std::size_t>(notes.kept), outcome->result.baseline.size());
  }

  void aStoppedDiagnosisIsKeptAsInterrupted() {
    const tests::TemporaryFolder folder;
    DiagnosisNotes notes;
    DiagnoseJob job(limited(), quick(tests::keptIn(folder)), notes);
    notes.atStep = [&job](const DiagnosisStep&) { job.stop(); };
    const Result<DiagnosisOutcome> outcome = job.run();
    VERIFY_OK(outcome);
    QVERIFY(outcome->result.end == BlockEnd::Stopped);
    const auto kept = keptRun(tests::keptIn(folder).file, "1");
    VERIFY_OK(kept);
    QVERIFY(kept->details.summary.state == RunState::Interrupted);
  }

  void withoutAnEditThePipelineIsWrittenUnchanged() {
    const tests::TemporaryFolder folder;
    DiagnosisNotes notes;
    DiagnoseSettings settings = quick(tests::notKept());
    settings.apply = folder.path() / "edited.json";
    DiagnoseJob job(limited(), settings, notes);
    const Result<DiagnosisOutcome> outcome = job.run();
    VERIFY_OK(outcome);
    QVERIFY(!outcome->notApplied);
    QCOMPARE(outcome->unchanged, std::string("no edit of the pipeline is advised"));
    const ReadGraph written = parseGraph(tests::contentOf(settings.apply), builtinCatalog());
    QVERIFY(written.graph);
    QCOMPARE(graphText(*written.graph, builtinCatalog()),
             graphText(limited().graph, builtinCatalog()));
    QVERIFY(outcome->runId.empty());
  }

  void aDiagnosisThatCannotBeKeptGoesOn() {
    const tests::TemporaryFolder folder;
    folder.write("taken");
    DiagnosisNotes notes;
    KeepSettings keep;
    keep.file = folder.path() / "taken" / "runs.sqlite";
    DiagnoseJob job(limited(), quick(keep), notes);
    job.stop();
    const Result<DiagnosisOutcome> outcome = job.run();
    VERIFY_OK(outcome);
    QVERIFY2(notes.notKept.starts_with("this diagnosis is not kept: "), notes.notKept.c_str());
  }
};

}  // namespace millrace

using millrace::TestDiagnoseJob;
MILLRACE_TEST_CASE(TestDiagnoseJob)
#include "tst_diagnose_job.moc"
