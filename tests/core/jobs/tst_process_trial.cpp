// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/search/process_trial.h"

#include <filesystem>

#include "tests/core/jobs/job_support.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

class Snapshots final : public TrialObserver {
 public:
  void onSnapshot(const SnapshotEvent&) override { ++count; }
  int count = 0;
};

/// A program that does what the shell's `text` says.
std::filesystem::path program(const tests::TemporaryFolder& folder, const std::string& text) {
  const std::filesystem::path file = folder.path() / "program";
  folder.write("program", "#!/bin/sh\n" + text + "\n");
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return file;
}

TrialOutcome outcomeOf(const std::filesystem::path& file, TrialObserver& observer,
                       TrialReport* report = nullptr) {
  TrialRules rules;
  rules.program = file;
  const auto trial = ProcessTrial::make(rules, observer);
  if (!trial) return {TrialOutcome::Kind::Stopped, trial.error().message, {}};
  TrialOutcome outcome = (*trial)->run(tests::steppedPipeline().graph);
  if (report != nullptr) *report = (*trial)->report();
  return outcome;
}

}  // namespace

class TestProcessTrial : public QObject {
  Q_OBJECT
 private slots:
  void theProgramMustBeNamedAndThere() {
    Snapshots observer;
    const auto unnamed = ProcessTrial::make({}, observer);
    QVERIFY(!unnamed.ok());
    QVERIFY(unnamed.error().message.find("name its path") != std::string::npos);
    TrialRules rules;
    rules.program = "/nowhere/millrace";
    const auto missing = ProcessTrial::make(rules, observer);
    QVERIFY(!missing.ok());
    QVERIFY(missing.error().message.find("/nowhere/millrace") != std::string::npos);
  }

  void theEventsOfTheProgramAreTheTrial() {
    const tests::TemporaryFolder folder;
    const auto file =
        program(folder, R"([ "$1" = run ] && [ "$3" = --events ] && grep -q synthetic "$2" || exit 1
echo '{"event":"hello","version":"1.0"}'
echo '{"event":"plan","queues":[{"id":"prefetch"}]}'
echo '{"event":"snapshot","samples":3}'
echo '{"event":"result","outcome":"finished","repeats":[{"samples_per_second":{"mean":12.5}}]}')");
    Snapshots observer;
    TrialReport report;
    const TrialOutcome outcome = outcomeOf(file, observer, &report);
    QVERIFY2(outcome.kind == TrialOutcome::Kind::Measured, outcome.reason.c_str());
    QCOMPARE(*outcome.figures.samplesPerSecond.mean, 12.5);
    QCOMPARE(observer.count, 1);
    QCOMPARE(report.queues, std::vector<std::string>{"prefetch"});
    QCOMPARE(report.snapshots.size(), 1U);
    QVERIFY(report.result.has_value());
  }

  void aProgramThatFailsSaysWhy() {
    const tests::TemporaryFolder folder;
    Snapshots observer;
    const TrialOutcome outcome =
        outcomeOf(program(folder, "echo 'error: out of luck' >&2; exit 1"), observer);
    QVERIFY(outcome.kind == TrialOutcome::Kind::Failed);
    QCOMPARE(outcome.reason, std::string("out of luck"));
    const TrialOutcome silent = outcomeOf(program(folder, "exit 0"), observer);
    QCOMPARE(silent.reason, std::string("it ended without a result"));
  }

  void aStoppedTrialStartsNothing() {
    const tests::TemporaryFolder folder;
    Snapshots observer;
    TrialRules rules;
    rules.program = program(folder, "echo 'error: it was started' >&2; exit 1");
    const auto trial = ProcessTrial::make(rules, observer);
    VERIFY_OK(trial);
    (*trial)->stop();
    QVERIFY((*trial)->run(tests::steppedPipeline().graph).kind == TrialOutcome::Kind::Stopped);
  }
};

MILLRACE_TEST_CASE(TestProcessTrial)

}  // namespace millrace

#include "tst_process_trial.moc"
