// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/base/clock.h"
#include "core/base/mutex.h"
#include "core/run/batch_slot.h"

namespace millrace {

/// Counters of a queue of finished batches since it was created. Value type.
struct QueueTotals {
  std::uint64_t batches = 0;     ///< handed over
  double fillSeconds = 0;        ///< integral of the number of finished batches over time
  double emptySeconds = 0;       ///< no batch was ready, or only later ones than the next
  double fullSeconds = 0;        ///< `capacity` or more were ready and no reader waited
  double readerWaitSeconds = 0;  ///< readers waiting for the next batch, summed over threads
  double headOfLineSeconds = 0;  ///< part of it: a later batch was ready, the next was not
  double writerWaitSeconds = 0;  ///< writers waiting for a free slot, summed over threads
  double seconds = 0;            ///< length of the observed time
  std::size_t fill = 0;          ///< batches ready now, at most `capacity`
};

/// Slots that a ring makes when it needs them; see BatchRing.
struct ReorderSlots {
  std::size_t count = 0;
  std::function<std::unique_ptr<BatchSlot>()>
      make;  ///< called at most `count` times; nullptr: none
};

/// Queue of batches between two stages. Batches are handed over in the order of their sequence
/// numbers, in slots that are reused. A released slot goes to the first batch that has no slot yet.
/// So batches get slots in order, none waits for a slot that a later batch occupies, and a reader
/// that keeps a batch blocks only that one slot.
///
/// If a slow sample holds up a batch, the writers run out of slots although the readers wait. The
/// ring then uses its reorder slots: as long as finished batches wait for an unfinished one and
/// fewer than `capacity` batches can be taken, a writer that waits for a slot gets one. They are
/// reused before new ones are made.
///
/// Thread-safe (monitor); `writable` and `slot` are lock-free. `close` lets the queue drain,
/// `cancel` discards its content.
class BatchRing {
 public:
  /// `first`: sequence number of the first batch. The queue counts as full when `capacity` finished
  /// batches wait; batches beyond that still lie in their writers' slots and are not counted.
  BatchRing(std::vector<std::unique_ptr<BatchSlot>> made, std::size_t capacity, std::uint64_t first,
            const Clock& clock, ReorderSlots more = {});

  enum class Wait { Ready, Cancelled };

  /// All slots but the reorder slots, in the order of the first batches. Call it before the threads
  /// start.
  std::span<const std::unique_ptr<BatchSlot>> allSlots() const { return m_slots; }

  // For the writing stage.
  /// The slot of a batch that is writable and not yet marked as ready.
  BatchSlot& slot(std::uint64_t sequence) { return *m_slotOf[sequence % m_slotOf.size()]; }
  /// Whether the batch has a slot. Once true, it stays true.
  bool writable(std::uint64_t sequence) const {
    return sequence < m_assigned.load(std::memory_order_acquire);
  }
  /// Blocks until the batch has a slot or the ring is cancelled.
  Wait waitWritable(std::uint64_t sequence);
  void markReady(std::uint64_t sequence);
  /// Declares that no batch with number `end` or above will be written. The smallest `end` counts.
  void close(std::uint64_t end);

  // For the reading stage.
  /// A batch in a reader's hands, until the reader releases the slot.
  struct Taken {
    std::uint64_t sequence = 0;
    BatchSlot* slot = nullptr;
  };
  /// Waits for the next batch. nullopt: the ring is drained or cancelled, or the time `until`
  /// passed.
  std::optional<Taken> take(std::optional<SteadyTime> until = std::nullopt);
  /// Releases a slot returned by `take`, once; slots may be released in any order.
  void release(BatchSlot& slot);
  /// Whether the next batch cannot be made because readers hold every slot.
  bool nextIsHeld() const;
  /// Whether every batch before `end` was taken.
  bool drained() const;
  /// One past the number of the last batch; UINT64_MAX before `close`.
  std::uint64_t end() const;

  /// Wakes every waiting thread and makes all later waits return at once.
  void cancel();
  bool cancelled() const { return m_cancelled.load(std::memory_order_acquire); }
  QueueTotals totals() const;

 private:
  void account(SteadyTime now) const MILLRACE_REQUIRES(m_mutex);
  bool isReady(std::uint64_t sequence) const MILLRACE_REQUIRES(m_mutex) {
    return m_ready[sequence % m_ready.size()] != 0;
  }
  bool nextIsReady() const MILLRACE_REQUIRES(m_mutex) { return isReady(m_next); }
  std::size_t slotsInUse() const MILLRACE_REQUIRES(m_mutex) {
    return m_slots.size() + m_more.size() - m_spare.size();
  }
  void assign(BatchSlot& slot) MILLRACE_REQUIRES(m_mutex);
  bool heldUp() const MILLRACE_REQUIRES(m_mutex);
  BatchSlot* spareSlot() MILLRACE_REQUIRES(m_mutex);
  void assignMore(std::uint64_t sequence) MILLRACE_REQUIRES(m_mutex);
  void wakeForReorder() MILLRACE_REQUIRES(m_mutex);

  // Constant after construction.
  const std::vector<std::unique_ptr<BatchSlot>> m_slots;
  const std::size_t m_capacity;
  const Clock& m_clock;
  const ReorderSlots m_reorder;
  // Lock-free. Batches below m_assigned have a slot. Those not taken yet are [m_next, m_assigned).
  // There are at most as many of them as slots, and entry `sequence % slots` belongs to one batch
  // until that batch is taken. The entry is written under m_mutex before m_assigned publishes it.
  // It is overwritten only after its batch was taken, when all its writers have finished.
  std::vector<BatchSlot*> m_slotOf;
  std::atomic<std::uint64_t> m_assigned;
  std::atomic<bool> m_cancelled{false};

  mutable Mutex m_mutex;
  Condition m_slotFreed;
  std::vector<std::unique_ptr<BatchSlot>> m_more MILLRACE_GUARDED_BY(m_mutex);  ///< made so far
  std::vector<BatchSlot*> m_spare MILLRACE_GUARDED_BY(m_mutex);  ///< slots that no batch needs now
  Condition m_batchReady;
  std::vector<std::uint8_t> m_ready MILLRACE_GUARDED_BY(m_mutex);  ///< indexed like m_slotOf
  std::size_t m_readyCount MILLRACE_GUARDED_BY(m_mutex) = 0;
  std::uint64_t m_next MILLRACE_GUARDED_BY(m_mutex);
  std::uint64_t m_end MILLRACE_GUARDED_BY(m_mutex) = UINT64_MAX;
  std::size_t m_readersWaiting MILLRACE_GUARDED_BY(m_mutex) = 0;
  std::size_t m_writersWaiting MILLRACE_GUARDED_BY(m_mutex) = 0;
  mutable QueueTotals m_totals MILLRACE_GUARDED_BY(m_mutex);
  mutable SteadyTime m_accounted MILLRACE_GUARDED_BY(m_mutex);
};

}  // namespace millrace
