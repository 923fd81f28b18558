// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Runs that were measured together, and continuing an interrupted run.
#include "tests/core/store/store_fixture.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

class TestComparisons : public QObject {
  Q_OBJECT
 private slots:
  void init() { m_folder = std::make_unique<StoreFolder>(); }

  void aRunKnowsWhatItWasMeasuredWith() {
    RunStore store = RunStore::open(m_folder->file()).take();
    const RunNumber alone = store.beginRun(smallRun("alone")).take();
    ComparisonRecord record;
    record.sides = {store.beginRun(smallRun("a")).take(), store.beginRun(smallRun("b")).take()};
    record.seed = 0xfedcba9876543210ULL;
    record.warmupSeconds = 0.5;
    record.seconds = 2.5;
    record.blocks = 5;
    record.moreBlocks = 5;
    const auto id = store.beginComparison(record);
    VERIFY_OK(id);
    VERIFY_OK(store.setReplacedBlocks(*id, 2));
    const auto found = store.comparisonOf(record.sides[1]);
    VERIFY_OK(found);
    QVERIFY(found->has_value());
    QCOMPARE((**found).id, *id);
    QVERIFY((**found).sides == record.sides);
    QCOMPARE((**found).seed, record.seed);
    QCOMPARE((**found).seconds, 2.5);
    QCOMPARE((**found).moreBlocks, std::int64_t{5});
    QCOMPARE((**found).replacedBlocks, std::int64_t{2});
    QVERIFY(!store.comparisonOf(alone)->has_value());
    QCOMPARE(store.comparisons(10)->size(), std::size_t{1});
  }

  void aRunIsASideOfOneComparisonAtMost() {
    RunStore store = RunStore::open(m_folder->file()).take();
    ComparisonRecord record;
    record.sides = {store.beginRun(smallRun()).take(), store.beginRun(smallRun()).take()};
    VERIFY_OK(store.beginComparison(record));
    QVERIFY(!store.beginComparison(record));
    QCOMPARE(store.comparisons(10)->size(), std::size_t{1});
  }

  void aDeletedSideIsNoneUntilItIsBack() {
    RunStore store = RunStore::open(m_folder->file()).take();
    ComparisonRecord record;
    for (int i = 0; i < 2; ++i) {
      record.sides.push_back(store.beginRun(smallRun()).take());
      VERIFY_OK(store.finishRun(record.sides.back(), RunState::Finished, "", {}));
    }
    VERIFY_OK(store.beginComparison(record));
    const std::vector<RunNumber> gone = {record.sides[1]};
    VERIFY_OK(store.hide(gone));
    QVERIFY(((**store.comparisonOf(record.sides[0])).sides == std::vector{record.sides[0]}));
    VERIFY_OK(store.restore(gone));
    QVERIFY((**store.comparisonOf(record.sides[0])).sides == record.sides);
  }

  void anInterruptedRunIsTakenUpAgain() {
    RunStore store = RunStore::open(m_folder->file()).take();
    const RunNumber run = store.beginRun(smallRun()).take();
    for (std::int64_t i = 0; i < 3; ++i)
      VERIFY_OK(store.finishRepeat(store.beginRepeat(run, i).take(), {}));
    QVERIFY2(!store.resumeRun(run, 2), "it is being written");
    VERIFY_OK(store.finishRun(run, RunState::Interrupted, "stopped", {}));
    VERIFY_OK(store.resumeRun(run, 2));
    const RunDetails details = store.show(run).take();
    QVERIFY(details.summary.state == RunState::Running);
    QCOMPARE(details.summary.reason, std::string());
    QVERIFY(!details.summary.finished);
    QCOMPARE(details.repeats.size(), std::size_t{2});
    VERIFY_OK(store.beginRepeat(run, 2));
    VERIFY_OK(store.finishRun(run, RunState::Finished, "", {}));
    const Status again = store.resumeRun(run, 0);
    QVERIFY(!again && again.error().message.find("finished") != std::string::npos);
  }

  void aRunWhoseWriterDiedIsTakenUpAgain() {
    RunNumber run{};
    {
      RunStore store = RunStore::open(m_folder->file()).take();
      run = store.beginRun(smallRun()).take();
    }
    QVERIFY(rawSql(m_folder->file(), "UPDATE runs SET pid_start = pid_start - 1"));
    RunStore store = RunStore::open(m_folder->file()).take();
    VERIFY_OK(store.resumeRun(run, 0));
    QVERIFY(store.show(run)->summary.state == RunState::Running);
  }

 private:
  std::unique_ptr<StoreFolder> m_folder;
};

MILLRACE_TEST_CASE(TestComparisons)

}  // namespace millrace::tests

#include "tst_comparisons.moc"
