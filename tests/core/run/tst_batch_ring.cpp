// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/batch_ring.h"

#include <thread>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// Time stands still until a test moves it.
class FakeClock final : public Clock {
 public:
  SteadyTime now() const override { return m_now; }
  void advance(double seconds) {
    m_now +=
        std::chrono::duration_cast<SteadyTime::duration>(std::chrono::duration<double>(seconds));
  }

 private:
  SteadyTime m_now{};
};

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
    FakeClock clock;
    BatchRing ring(makeSlots(3), 2, 0, clock);
    ring.markReady(1);
    QVERIFY(!ring.take(clock.now()));
    ring.markReady(0);
    QCOMPARE(ring.take().value(), 0U);
    QCOMPARE(ring.take().value(), 1U);
  }

  void aSlotIsWritableAgainAfterItsBatchWasReleased() {
    FakeClock clock;
    BatchRing ring(makeSlots(2), 1, 0, clock);
    QVERIFY(ring.writable(0) && ring.writable(1) && !ring.writable(2));
    ring.markReady(0);
    QCOMPARE(ring.take().value(), 0U);
    QVERIFY(!ring.writable(2));
    ring.release(0);
    QVERIFY(ring.writable(2));
  }

  void closingDrainsAndThenEnds() {
    FakeClock clock;
    BatchRing ring(makeSlots(2), 1, 0, clock);
    ring.markReady(0);
    ring.close(1);
    QCOMPARE(ring.take().value(), 0U);
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
        while (const auto b = ring.take()) {
          ++seen[*b];
          ring.release(*b);
        }
      });
    for (std::thread& thread : threads) thread.join();
    for (const auto& count : seen) QCOMPARE(count.load(), 1);
  }

  void aFullRingHoldsNoMoreThanItsCapacity() {
    FakeClock clock;
    BatchRing ring(makeSlots(4), 2, 0, clock);
    for (std::uint64_t b = 0; b < 3; ++b) ring.markReady(b);
    clock.advance(2);
    QCOMPARE(ring.totals().fill, std::size_t{2});
    QCOMPARE(ring.totals().fillSeconds, 4.0);
    QCOMPARE(ring.totals().fullSeconds, 2.0);
  }

  void fillIsIntegratedOverTime() {
    FakeClock clock;
    BatchRing ring(makeSlots(4), 2, 0, clock);
    clock.advance(1);
    ring.markReady(0);
    clock.advance(2);
    ring.markReady(1);
    clock.advance(3);
    (void)ring.take();
    const QueueTotals totals = ring.totals();
    QCOMPARE(totals.seconds, 6.0);
    QCOMPARE(totals.emptySeconds, 1.0);
    QCOMPARE(totals.fullSeconds, 3.0);
    QCOMPARE(totals.fillSeconds, 2.0 + 6.0);
    QCOMPARE(totals.fill, std::size_t{1});
  }
};

}  // namespace millrace

using millrace::TestBatchRing;
MILLRACE_TEST_CASE(TestBatchRing)
#include "tst_batch_ring.moc"
