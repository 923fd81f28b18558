// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/sample_pipeline.h"

#include "tests/core/run/run_support.h"
#include "tests/core/run/stage_parts.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// One thread's sample pipeline over a chain whose first stage is `chain`, and a slot to write to.
struct Rows : tests::StageParts {
  explicit Rows(const std::string& chain)
      : StageParts(chain + "\nbatch {\"size\": 4}\ndrain", {3, 0}),
        slot(plan.stages[0], 4),
        rows(SamplePipeline::make(parts, plan.stages[0].segments[0], 0, true, counters).take()) {
    slot.begin(0, 0, 0, 4);
  }
  bool make(std::uint32_t index, std::size_t row) {
    const Result<bool> good = rows->fromSource({0, index, 0}, &slot, row);
    return good && *good && *rows->put(slot, row);
  }
  const std::byte* rowPlace(std::size_t row) { return slot.rowPlace(0, 0, row); }
  const TensorView& value(std::size_t row) { return slot.segment(0).fields[0].rows[row]; }

  BatchSlot slot;
  std::unique_ptr<SamplePipeline> rows;
};

}  // namespace

class TestSamplePipeline : public QObject {
  Q_OBJECT
 private slots:
  void aSampleLandsInItsRow() {
    Rows rows("synthetic {\"length\": 8}\ntint {\"amount\": 2}");
    QVERIFY(rows.make(7, 2));
    QVERIFY(rows.value(2).data == rows.rowPlace(2));
    Rows plain("synthetic {\"length\": 8}");
    QVERIFY(plain.make(7, 1));
    for (int i = 0; i < 8; ++i)
      QCOMPARE(int(rows.value(2).data[i]), (int(plain.value(1).data[i]) + 2) % 256);
  }

  void withoutASlotTheSampleIsPutLater() {
    Rows rows("synthetic {\"length\": 8}");
    const Result<bool> good = rows.rows->fromSource({0, 5, 0}, nullptr, 0);
    VERIFY_OK(good);
    QVERIFY(*rows.rows->put(rows.slot, 3));
    QVERIFY(rows.value(3).data == rows.rowPlace(3));
    QCOMPARE(rows.slot.segment(0).keys[3].index, 5U);
  }

  void everyStepIsCounted() {
    Rows rows("words {\"unit\": 10}\ntint\nbroken {\"samples\": [2]}");
    for (std::uint32_t i = 0; i < 4; ++i) QCOMPARE(rows.make(i, i), i != 2);
    const NodeCounters* counters = rows.counters.node.get();
    QCOMPARE(counters[0].items.get(), 4U);
    QCOMPARE(counters[0].bytesOut.get(), std::uint64_t{0 + 10 + 20 + 30});
    QCOMPARE(counters[1].bytesIn.get(), std::uint64_t{60});
    QCOMPARE(counters[2].items.get(), 3U);
    QCOMPARE(counters[2].failed.get(), 1U);
    QCOMPARE(rows.counters.reads.bytes.load(), std::uint64_t{60});
    QCOMPARE(rows.counters.samples.get(), 4U);
    QVERIFY(rows.counters.timedSamples.get() >= 1);
  }

  void aFailureIsRecordedAndTheSampleBeyondTheBudgetEndsTheRun() {
    Rows rows("synthetic\nbroken {\"samples\": [0, 1, 2, 3]}");
    for (std::uint32_t i = 0; i < 3; ++i) {
      const Result<bool> good = rows.rows->fromSource({0, i, 0}, &rows.slot, 0);
      VERIFY_OK(good);
      QVERIFY(!*good);
    }
    QVERIFY(!rows.rows->fromSource({0, 3, 0}, &rows.slot, 0));
  }

  void aCachedSampleIsNotReadAndNotChanged() {
    Rows rows("words {\"unit\": 10}\nkeep\ntint");
    for (int round = 0; round < 3; ++round) {
      QVERIFY(rows.make(5, 0));
      QCOMPARE(int(rows.value(0).data[0]), 6);
    }
    QCOMPARE(rows.counters.reads.reads.load(), std::uint64_t{1});
    QCOMPARE(rows.counters.node[1].items.get(), 3U);
  }

  void aLiveValueHoldsFromTheNextSampleOn() {
    Rows rows("words {\"unit\": 10}\ntint {\"amount\": 1}");
    QVERIFY(rows.make(5, 0));
    QCOMPARE(int(rows.value(0).data[0]), 6);
    VERIFY_OK(rows.live.set(rows.plan, "tint", "amount", "100"));
    QVERIFY(rows.make(5, 1));
    QCOMPARE(int(rows.value(1).data[0]), 105);
  }
};

}  // namespace millrace

using millrace::TestSamplePipeline;
MILLRACE_TEST_CASE(TestSamplePipeline)
#include "tst_sample_pipeline.moc"
