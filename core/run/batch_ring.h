// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "core/run/batch_slot.h"

namespace millrace {

/// What happened in a queue of finished batches since it was made. Value type.
struct QueueTotals {
  std::uint64_t batches = 0;  ///< handed over
  double fillSeconds = 0;     ///< integral of the number of finished batches over time
  double emptySeconds = 0;    ///< no batch ready, or a reader waits for one before those that are
  double fullSeconds = 0;     ///< as many ready as may wait, and no reader that waits
  double readerWaitSeconds = 0;  ///< readers waited for the next batch
  double headOfLineSeconds = 0;  ///< of that: a later batch was ready, the next one was not
  double writerWaitSeconds = 0;  ///< writers waited for a free slot, summed over threads
  double seconds = 0;            ///< observed
  std::size_t fill = 0;          ///< now
};

/// Hands batches from the stage that makes them to the next one, in the order of their sequence
/// numbers, through slots that are used again and again. A slot that is given back goes at once to
/// the first batch that has none, whichever slot it is: batches get slots in their order, so none
/// waits for one that a later batch has, and a reader that keeps a batch costs its slot alone.
/// Monitor; the test whether a batch has a slot, and finding it, are lock-free. `close` drains,
/// `cancel` drops.
class BatchRing {
 public:
  /// First sequence number is `first`. `capacity` finished batches count as full; what is ready
  /// beyond that lies in the slots of its writers and is not counted as waiting.
  BatchRing(std::vector<std::unique_ptr<BatchSlot>> made, std::size_t capacity, std::uint64_t first,
            const Clock& clock);

  enum class Wait { Ready, Cancelled };

  /// Every slot, before the first batch.
  std::span<const std::unique_ptr<BatchSlot>> allSlots() const { return m_slots; }

  // The writing stage.
  /// The slot of a batch that is writable and not ready yet.
  BatchSlot& slot(std::uint64_t sequence) { return *m_slotOf[sequence % m_slots.size()]; }
  /// Whether the batch has a slot. Stays true.
  bool writable(std::uint64_t sequence) const {
    return sequence < m_assigned.load(std::memory_order_acquire);
  }
  Wait waitWritable(std::uint64_t sequence);
  void markReady(std::uint64_t sequence);
  /// No batch from `end` on will come.
  void close(std::uint64_t end);

  // The reading stage.
  /// A batch that a reader has, until it gives the slot back.
  struct Taken {
    std::uint64_t sequence = 0;
    BatchSlot* slot = nullptr;
  };
  /// The next batch; nothing at the end, when cancelled, or at `until`.
  std::optional<Taken> take(std::optional<SteadyTime> until = std::nullopt);
  /// Gives a slot back that was taken, once, in whatever order.
  void release(BatchSlot& slot);
  /// Whether the next batch cannot be made, because readers have every slot.
  bool nextIsHeld() const;
  /// Whether every batch before the end was taken.
  bool drained() const;
  /// The number behind the last batch, UINT64_MAX while it is open.
  std::uint64_t end() const;

  void cancel();
  bool cancelled() const { return m_cancelled.load(std::memory_order_acquire); }
  QueueTotals totals() const;

 private:
  void account(SteadyTime now) const MILLRACE_REQUIRES(m_mutex);
  bool nextIsReady() const MILLRACE_REQUIRES(m_mutex);

  // Constant after construction.
  const std::vector<std::unique_ptr<BatchSlot>> m_slots;
  const std::size_t m_capacity;
  const Clock& m_clock;
  // Lock-free. Batches below m_assigned have their slots. Those not taken yet are [m_next,
  // m_assigned), as many as slots that no reader has, so at most all of them: entry `sequence %
  // slots` is that batch's until it is taken. It is written under m_mutex before m_assigned tells
  // of it, and again only once its batch was taken, so after all its writers were done.
  std::vector<BatchSlot*> m_slotOf;
  std::atomic<std::uint64_t> m_assigned;
  std::atomic<bool> m_cancelled{false};

  mutable Mutex m_mutex;
  Condition m_slotFreed;
  Condition m_batchReady;
  std::vector<std::uint8_t> m_ready MILLRACE_GUARDED_BY(m_mutex);  ///< as m_slotOf
  std::size_t m_readyCount MILLRACE_GUARDED_BY(m_mutex) = 0;
  std::uint64_t m_next MILLRACE_GUARDED_BY(m_mutex);
  std::uint64_t m_end MILLRACE_GUARDED_BY(m_mutex) = UINT64_MAX;
  std::size_t m_readersWaiting MILLRACE_GUARDED_BY(m_mutex) = 0;
  std::size_t m_writersWaiting MILLRACE_GUARDED_BY(m_mutex) = 0;
  mutable QueueTotals m_totals MILLRACE_GUARDED_BY(m_mutex);
  mutable SteadyTime m_accounted MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace millrace
