// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/batch_ring.h"

#include <deque>
#include <set>
#include <thread>

#include "tests/support/hand_clock.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::HandClock;

namespace {

std::vector<std::unique_ptr<BatchSlot>> makeSlots(std::size_t count) {
  std::vector<std::unique_ptr<BatchSlot>> made;
  for (std::size_t i = 0; i < count; ++i)
    made.push_back(std::make_unique<BatchSlot>(PlanStage{}, 1));
  return made;
}

}  // namespace

class TestBatchRing : public QObject {
  Q_OBJECT
 private slots:
  void batchesAreTakenInOrderWhateverOrderTheyBecomeReadyIn() {
    HandClock clock;
    BatchRing ring(makeSlots(3), 2, 0, clock);
    ring.markReady(1);
    QVERIFY(!ring.take(clock.now()));
    ring.markReady(0);
    QCOMPARE(ring.take().value().sequence, 0U);
    QCOMPARE(ring.take().value().sequence, 1U);
  }

  void aSlotIsWritableAgainAfterItsBatchWasReleased() {
    HandClock clock;
    BatchRing ring(makeSlots(2), 1, 0, clock);
    QVERIFY(ring.writable(0) && ring.writable(1) && !ring.writable(2));
    ring.markReady(0);
    const auto taken = ring.take();
    QCOMPARE(taken.value().sequence, 0U);
    QVERIFY(!ring.writable(2));
    ring.release(*taken->slot);
    QVERIFY(ring.writable(2));
    QVERIFY(&ring.slot(2) == taken->slot);
  }

  void aBatchThatIsKeptCostsItsSlotAlone() {
    HandClock clock;
    BatchRing ring(makeSlots(3), 1, 7, clock);
    ring.markReady(7);
    const auto kept = ring.take();
    for (std::uint64_t b = 8; b < 40; ++b) {
      QVERIFY(ring.writable(b + 1) && !ring.writable(b + 2));
      QVERIFY(!ring.nextIsHeld());
      QVERIFY(&ring.slot(b) != kept->slot);
      QVERIFY(&ring.slot(b) != &ring.slot(b + 1));
      ring.markReady(b);
      const auto taken = ring.take();
      QCOMPARE(taken.value().sequence, b);
      QVERIFY(taken->slot != kept->slot);
      ring.release(*taken->slot);
    }
  }

  void batchesThatAreAllKeptLeaveNoSlotUntilAnyOfThemIsGivenBack() {
    HandClock clock;
    BatchRing ring(makeSlots(3), 1, 0, clock);
    std::vector<BatchSlot*> kept;
    for (std::uint64_t b = 0; b < 3; ++b) {
      QVERIFY(!ring.nextIsHeld());
      ring.markReady(b);
      kept.push_back(ring.take().value().slot);
    }
    QVERIFY(ring.nextIsHeld() && !ring.writable(3));
    ring.release(*kept[1]);
    QVERIFY(ring.writable(3) && !ring.writable(4) && !ring.nextIsHeld());
    QVERIFY(&ring.slot(3) == kept[1]);
    ring.release(*kept[2]);
    ring.release(*kept[0]);
    QVERIFY(&ring.slot(4) == kept[2] && &ring.slot(5) == kept[0]);
  }

  void manyReadersThatKeepBatchesNeverShareASlotWithAWriter() {
    constexpr std::uint64_t kBatches = 3000;
    constexpr std::size_t kSlots = 6;
    BatchRing ring(makeSlots(kSlots), 2, 0, steadyClock());
    std::atomic<std::uint64_t> next{0};
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    // A slot holds one batch from its writer until the reader releases it.
    for (int w = 0; w < 3; ++w)
      threads.emplace_back([&] {
        for (std::uint64_t b = next++; b < kBatches; b = next++) {
          (void)ring.waitWritable(b);
          ring.slot(b).begin(b, 0, 0, 0);
          ring.slot(b).setResult(ring.slot(b).segment(0));
          ring.markReady(b);
        }
      });
    ring.close(kBatches);
    for (std::size_t r = 0; r < 2; ++r)
      threads.emplace_back([&, r] {
        std::deque<BatchRing::Taken> kept;
        const auto giveBack = [&](std::size_t at) {
          wrong += kept[at].slot->result().sequence != kept[at].sequence ? 1 : 0;
          ring.release(*kept[at].slot);
          kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(at));
        };
        while (const auto taken = ring.take()) {
          kept.push_back(*taken);
          // One reader releases the older batch, the other the newer one.
          if (kept.size() > 2) giveBack(r);
        }
        while (!kept.empty()) giveBack(0);
      });
    for (std::thread& thread : threads) thread.join();
    QCOMPARE(wrong.load(), 0);
  }

  // Reorder slots.

  void aBatchThatIsHeldUpLetsLaterOnesHaveReorderSlots() {
    HandClock clock;
    BatchRing ring(makeSlots(3), 1, 0, clock, reorderSlots(2));
    ring.markReady(1);
    ring.markReady(2);
    QVERIFY(ring.waitWritable(3) == BatchRing::Wait::Ready);
    QVERIFY(ring.waitWritable(4) == BatchRing::Wait::Ready);
    QCOMPARE(m_made, 2);
    std::set<const BatchSlot*> distinct;
    for (std::uint64_t b = 0; b < 5; ++b) distinct.insert(&ring.slot(b));
    QCOMPARE(distinct.size(), std::size_t{5});
    QVERIFY(!ring.writable(5));
    // All that was made is handed over in order; then the usual slots are enough again.
    for (std::uint64_t b : {3, 4, 0}) ring.markReady(b);
    for (std::uint64_t b = 0; b < 5; ++b) {
      const auto taken = ring.take();
      QCOMPARE(taken.value().sequence, b);
      ring.release(*taken->slot);
      QCOMPARE(ring.writable(b + 3), true);
      QCOMPARE(ring.writable(b + 4), b < 1);
    }
    // The next time, the same slots serve.
    ring.markReady(6);
    ring.markReady(7);
    QVERIFY(ring.waitWritable(8) == BatchRing::Wait::Ready);
    QVERIFY(ring.waitWritable(9) == BatchRing::Wait::Ready);
    QCOMPARE(m_made, 2);
  }

  void aQueueThatIsFullNeedsNoReorderSlot() {
    BatchRing ring(makeSlots(3), 1, 0, steadyClock(), reorderSlots(2));
    for (std::uint64_t b = 0; b < 3; ++b) ring.markReady(b);
    std::thread writer([&] { QVERIFY(ring.waitWritable(3) == BatchRing::Wait::Ready); });
    while (ring.totals().writerWaitSeconds == 0) std::this_thread::yield();
    QVERIFY(!ring.writable(3));
    ring.release(*ring.take()->slot);
    writer.join();
    QCOMPARE(m_made, 0);
  }

  void aReaderThatKeepsBatchesGetsNoReorderSlotsForThem() {
    BatchRing ring(makeSlots(3), 1, 0, steadyClock(), reorderSlots(2));
    for (std::uint64_t b = 0; b < 3; ++b) {
      ring.markReady(b);
      (void)ring.take();
    }
    QVERIFY(ring.nextIsHeld());
    std::thread writer([&] { QVERIFY(ring.waitWritable(3) == BatchRing::Wait::Cancelled); });
    while (ring.totals().writerWaitSeconds == 0) std::this_thread::yield();
    QVERIFY(!ring.writable(3));
    ring.cancel();
    writer.join();
    QCOMPARE(m_made, 0);
  }

  void eachBatchThatIsReleasedMakesRoomAlsoIfReadersKeepReorderSlots() {
    HandClock clock;
    BatchRing ring(makeSlots(3), 1, 0, clock, reorderSlots(2));
    ring.markReady(1);
    ring.markReady(2);
    for (std::uint64_t b : {3, 4}) QVERIFY(ring.waitWritable(b) == BatchRing::Wait::Ready);
    for (std::uint64_t b : {3, 4, 0}) ring.markReady(b);
    std::vector<BatchSlot*> kept;
    for (int b = 0; b < 5; ++b) kept.push_back(ring.take().value().slot);
    QVERIFY(ring.nextIsHeld());
    ring.release(*kept[1]);
    QVERIFY(ring.writable(5));
    // The next batch has a slot, so the others need no more than usual.
    ring.release(*kept[3]);
    QVERIFY(!ring.writable(6));
  }

  void withoutMemoryForAReorderSlotAWriterWaits() {
    BatchRing ring(makeSlots(2), 1, 0, steadyClock(), {3, [] { return nullptr; }});
    ring.markReady(1);
    std::thread writer([&] { QVERIFY(ring.waitWritable(2) == BatchRing::Wait::Ready); });
    ring.markReady(0);
    ring.release(*ring.take()->slot);
    writer.join();
  }

  void slowWritersReadersAndReorderSlotsHandOverEveryBatchOnce() {
    constexpr std::uint64_t kBatches = 2000;
    BatchRing ring(makeSlots(4), 2, 0, steadyClock(), reorderSlots(6));
    std::atomic<std::uint64_t> next{0};
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int w = 0; w < 3; ++w)
      threads.emplace_back([&] {
        for (std::uint64_t b = next++; b < kBatches; b = next++) {
          (void)ring.waitWritable(b);
          ring.slot(b).begin(b, 0, 0, 0);
          ring.slot(b).setResult(ring.slot(b).segment(0));
          if (b % 50 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
          ring.markReady(b);
        }
      });
    ring.close(kBatches);
    std::uint64_t expected = 0;
    while (const auto taken = ring.take()) {
      wrong += taken->sequence != expected++ ? 1 : 0;
      wrong += taken->slot->result().sequence != taken->sequence ? 1 : 0;
      ring.release(*taken->slot);
    }
    for (std::thread& thread : threads) thread.join();
    QCOMPARE(wrong.load(), 0);
    QCOMPARE(expected, kBatches);
    QVERIFY(m_made > 0 && m_made <= 6);
  }

  void closingDrainsAndThenEnds() {
    HandClock clock;
    BatchRing ring(makeSlots(2), 1, 0, clock);
    ring.markReady(0);
    ring.close(1);
    QCOMPARE(ring.take().value().sequence, 0U);
    QVERIFY(!ring.take());
    QVERIFY(ring.drained());
  }

  void closingAnEmptyRingWakesItsReader() {
    BatchRing ring(makeSlots(2), 1, 0, steadyClock());
    std::thread reader([&] { QVERIFY(!ring.take()); });
    ring.close(0);
    reader.join();
  }

  void cancellingWakesReaderAndWriter() {
    BatchRing ring(makeSlots(1), 1, 0, steadyClock());
    std::thread reader([&] { QVERIFY(!ring.take()); });
    std::thread writer([&] { QVERIFY(ring.waitWritable(1) == BatchRing::Wait::Cancelled); });
    ring.cancel();
    reader.join();
    writer.join();
  }

  void manyWritersAndReadersHandOverEveryBatchOnce() {
    constexpr std::uint64_t kBatches = 2000;
    BatchRing ring(makeSlots(4), 2, 0, steadyClock());
    std::atomic<std::uint64_t> next{0};
    std::array<std::atomic<int>, kBatches> seen{};
    std::vector<std::thread> threads;
    for (int w = 0; w < 3; ++w)
      threads.emplace_back([&] {
        for (std::uint64_t b = next++; b < kBatches; b = next++) {
          (void)ring.waitWritable(b);
          ring.markReady(b);
        }
      });
    ring.close(kBatches);
    for (int r = 0; r < 2; ++r)
      threads.emplace_back([&] {
        while (const auto taken = ring.take()) {
          ++seen[taken->sequence];
          ring.release(*taken->slot);
        }
      });
    for (std::thread& thread : threads) thread.join();
    for (const auto& count : seen) QCOMPARE(count.load(), 1);
  }

  void aFullRingHoldsNoMoreThanItsCapacity() {
    HandClock clock;
    BatchRing ring(makeSlots(4), 2, 0, clock);
    for (std::uint64_t b = 0; b < 3; ++b) ring.markReady(b);
    clock.pass(2);
    QCOMPARE(ring.totals().fill, std::size_t{2});
    QCOMPARE(ring.totals().fillSeconds, 4.0);
    QCOMPARE(ring.totals().fullSeconds, 2.0);
  }

  void batchesBehindAnUnfinishedOneAreNoneToTake() {
    HandClock clock;
    BatchRing ring(makeSlots(4), 2, 0, clock);
    for (std::uint64_t b = 1; b < 3; ++b) ring.markReady(b);
    clock.pass(1);  // no reader waits for the first yet
    std::thread reader([&] {
      const auto taken = ring.take();
      QVERIFY(taken && taken->sequence == 0);
    });
    while (ring.totals().readerWaitSeconds == 0) clock.pass(1);
    const QueueTotals before = ring.totals();
    clock.pass(5);
    const QueueTotals after = ring.totals();
    ring.markReady(0);
    reader.join();
    QVERIFY(before.fullSeconds >= 1);
    QCOMPARE(after.fullSeconds, before.fullSeconds);
    QCOMPARE(after.emptySeconds, before.emptySeconds + 5);
    QCOMPARE(after.headOfLineSeconds, before.headOfLineSeconds + 5);
  }

  void fillIsIntegratedOverTime() {
    HandClock clock;
    BatchRing ring(makeSlots(4), 2, 0, clock);
    clock.pass(1);
    ring.markReady(0);
    clock.pass(2);
    ring.markReady(1);
    clock.pass(3);
    (void)ring.take();
    const QueueTotals totals = ring.totals();
    QCOMPARE(totals.seconds, 6.0);
    QCOMPARE(totals.emptySeconds, 1.0);
    QCOMPARE(totals.fullSeconds, 3.0);
    QCOMPARE(totals.fillSeconds, 2.0 + 6.0);
    QCOMPARE(totals.fill, std::size_t{1});
  }

 private:
  /// A ring calls `make` under its lock.
  ReorderSlots reorderSlots(std::size_t count) {
    m_made = 0;
    return {count, [this] {
              ++m_made;
              return std::move(makeSlots(1).front());
            }};
  }

  int m_made = 0;
};

}  // namespace millrace

using millrace::TestBatchRing;
MILLRACE_TEST_CASE(TestBatchRing)
#include "tst_batch_ring.moc"
