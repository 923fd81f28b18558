// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/sessions.h"

#include "core/nodes/builtin.h"
#include "tests/core/compare/kept.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::keptRun;
using tests::setFact;

class TestSessions : public QObject {
  Q_OBJECT
 private slots:
  void runsOfTheSameMinutesShareASitting() {
    const KeptRun run = keptRun(1, {100, 102});
    KeptRun soon = keptRun(2, {106});
    soon.details.summary.started = *run.details.summary.finished + std::chrono::minutes(9);
    soon.details.summary.finished = soon.details.summary.started + std::chrono::minutes(1);
    KeptRun later = keptRun(5, {90, 92});
    QCOMPARE(sessionRates(run, std::vector{later, soon}, builtinCatalog()),
             (std::vector<double>{(100. + 102 + 106) / 3, 91}));
  }

  void onlyRunsUnderTheSameConditionsCount() {
    const KeptRun run = keptRun(1, {100});
    KeptRun elsewhere = keptRun(2, {50});
    setFact(elsewhere, "cpu_model", "another");
    KeptRun other = keptRun(3, {60});
    other.details.summary.pipelineDigest = "another";
    KeptRun failed = keptRun(4, {70});
    failed.details.summary.state = RunState::Failed;
    KeptRun alike = keptRun(5, {90});
    QCOMPARE(sessionRates(run, std::vector{elsewhere, other, failed, run, alike}, builtinCatalog()),
             (std::vector<double>{100, 90}));
  }
};

MILLRACE_TEST_CASE(TestSessions)

}  // namespace millrace

#include "tst_sessions.moc"
