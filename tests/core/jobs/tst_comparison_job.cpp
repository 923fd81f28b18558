// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/compare/comparison_job.h"

#include <functional>
#include <string>

#include "tests/core/jobs/job_support.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

class ComparisonNotes final : public ComparisonObserver {
 public:
  void onBegin() override { ++begun; }
  void onStep(const BlockStep&) override { ++steps; }
  void onBlock(std::size_t index, const MeasuredBlock&) override {
    last = index;
    if (atBlock) atBlock(index);
  }
  void onRepeat(std::size_t, const SpanFigures&) override { ++repeats; }
  void onWarning(const Problem& problem) override { warning = problem.message; }

  int begun = 0;
  int steps = 0;
  int repeats = 0;
  std::size_t last = 0;
  std::string warning;
  std::function<void(std::size_t)> atBlock;
};

}  // namespace

class TestComparisonJob : public QObject {
  Q_OBJECT

  /// A's step takes 30 ms, B's `stepOfB`: far more than a busy machine adds to either.
  static std::optional<ComparisonSides> sides(const std::string& stepOfB, Problems& problems) {
    SideRequests requests;
    requests.names = {"a.millrace.json", "b.millrace.json"};
    requests.documents = {tests::steppedDocument("0.03"), tests::steppedDocument("0.03")};
    requests.settings = {"B:step.seconds=" + stepOfB};
    SampleDataObserver observer;
    return prepareSides(requests, observer, problems);
  }
  static ComparisonSides sides(const std::string& stepOfB) {
    Problems problems;
    return std::move(*sides(stepOfB, problems));
  }
  static ComparisonSettings quick(KeepSettings keep) {
    ComparisonSettings settings;
    settings.blocks = 5;
    settings.seconds = 0.2;
    settings.warmup = 0;
    settings.seed = 1;
    settings.keep = std::move(keep);
    return settings;
  }

 private slots:
  void theFasterSideIsFoundAndBothAreKept() {
    const tests::TemporaryFolder folder;
    ComparisonNotes notes;
    ComparisonJob job(sides("0.003"), quick(tests::keptIn(folder)), notes);
    const Result<ComparisonOutcome> outcome = job.run();
    VERIFY_OK(outcome);
    QVERIFY(outcome->outcome == RunOutcome::Finished);
    QVERIFY(outcome->verdict.kind == VerdictKind::Faster);
    QVERIFY(outcome->verdict.ratio.value_or(0) > 1.5);
    QCOMPARE(outcome->measured.blocks.size(), 5U);
    QCOMPARE(outcome->differences.size(), 1U);
    QCOMPARE(outcome->differences.front().what, std::string("step.seconds"));
    QVERIFY(outcome->kept());
    QCOMPARE(outcome->sides[0].runId, std::string("1"));
    QCOMPARE(outcome->sides[1].runId, std::string("2"));
    QCOMPARE(outcome->sides[0].pipeline, std::string("a.millrace.json"));
    const auto kept = keptRun(tests::keptIn(folder).file, "2");
    VERIFY_OK(kept);
    QCOMPARE(kept->details.repeats.size(), 5U);
    QVERIFY(kept->details.summary.state == RunState::Finished);
    QCOMPARE(notes.begun, 1);
    QCOMPARE(notes.last, 4U);
    QVERIFY(notes.steps >= 10);
    QCOMPARE(notes.repeats, notes.steps);
  }

  void aStoppedComparisonIsResumed() {
    const tests::TemporaryFolder folder;
    ComparisonNotes notes;
    ComparisonJob job(sides("0.003"), quick(tests::keptIn(folder)), notes);
    notes.atBlock = [&job](std::size_t index) {
      if (index == 1) job.stop();
    };
    const Result<ComparisonOutcome> stopped = job.run();
    VERIFY_OK(stopped);
    QVERIFY(stopped->outcome == RunOutcome::Interrupted);
    QCOMPARE(stopped->measured.blocks.size(), 2U);
    QVERIFY(stopped->verdict.kind == VerdictKind::TooFew);

    ComparisonNotes more;
    ComparisonSettings resumed = quick(tests::keptIn(folder));
    resumed.resume = true;
    ComparisonJob again(sides("0.003"), resumed, more);
    const Result<ComparisonOutcome> outcome = again.run();
    VERIFY_OK(outcome);
    QVERIFY(outcome->outcome == RunOutcome::Finished);
    QCOMPARE(outcome->measured.blocks.size(), 5U);
    QCOMPARE(outcome->sides[0].runId, stopped->sides[0].runId);
    QVERIFY(outcome->verdict.kind == VerdictKind::Faster);
  }

  void whatCannotBeResumedIsAnError() {
    const tests::TemporaryFolder folder;
    ComparisonNotes notes;
    ComparisonSettings resumed = quick(tests::keptIn(folder));
    resumed.resume = true;
    ComparisonJob none(sides("0.003"), resumed, notes);
    const Result<ComparisonOutcome> nothing = none.run();
    QVERIFY(!nothing);
    QVERIFY(nothing.error().message.starts_with("there is no stopped comparison"));

    ComparisonJob begun(sides("0.003"), quick(tests::keptIn(folder)), notes);
    begun.stop();
    VERIFY_OK(begun.run());
    resumed.seconds = 0.3;
    ComparisonJob other(sides("0.003"), resumed, notes);
    const Result<ComparisonOutcome> contradicted = other.run();
    QVERIFY(!contradicted);
    QVERIFY2(contradicted.error().message.starts_with(
                 "the stopped comparison was measured with seconds "),
             contradicted.error().message.c_str());
  }

  void aProblemNamesItsSide() {
    Problems problems;
    QVERIFY(!sides("no number", problems));
    QVERIFY(problems.anyError());
    QVERIFY2(problems.all().front().message.starts_with("B: "),
             problems.all().front().message.c_str());
  }

  void aKeptRunIsASide() {
    const tests::TemporaryFolder folder;
    ComparisonNotes notes;
    ComparisonJob job(sides("0.003"), quick(tests::keptIn(folder)), notes);
    job.stop();
    VERIFY_OK(job.run());
    SideRequests requests;
    requests.names = {"1", "2"};
    requests.store = tests::keptIn(folder).file;
    SampleDataObserver observer;
    Problems problems;
    const auto again = prepareSides(requests, observer, problems);
    QVERIFY(again);
    QCOMPARE((*again)[1]->name, std::string("run 2: b.millrace.json"));
    requests.names = {"1", "77"};
    QVERIFY(!prepareSides(requests, observer, problems));
    QVERIFY(problems.all().front().message.starts_with("B: 77: "));
  }
};

}  // namespace millrace

using millrace::TestComparisonJob;
MILLRACE_TEST_CASE(TestComparisonJob)
#include "tst_comparison_job.moc"
