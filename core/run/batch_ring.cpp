// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/batch_ring.h"

#include <algorithm>

#include "core/base/check.h"

namespace millrace {

BatchRing::BatchRing(std::vector<std::unique_ptr<BatchSlot>> slots, std::size_t capacity,
                     std::uint64_t first, const Clock& clock, ReorderSlots more)
    : m_slots(std::move(slots)),
      m_capacity(capacity),
      m_clock(clock),
      m_reorder(std::move(more)),
      m_slotOf(m_slots.size() + m_reorder.count),
      m_assigned(first),
      m_ready(m_slotOf.size(), 0),
      m_next(first),
      m_accounted(clock.now()) {
  MILLRACE_CHECK(!m_slots.empty(), "a ring has slots");
  const MutexLock lock(m_mutex);
  for (const auto& slot : m_slots) assign(*slot);
}

/// Gives the slot to the first batch without one.
void BatchRing::assign(BatchSlot& slot) {
  const std::uint64_t sequence = m_assigned.load(std::memory_order_relaxed);
  MILLRACE_CHECK(sequence < m_next + m_slotOf.size(), "a slot is given back once");
  m_slotOf[sequence % m_slotOf.size()] = &slot;
  m_assigned.store(sequence + 1, std::memory_order_release);
}

/// Whether a finished batch waits for an unfinished one, the readers can take fewer batches than
/// the queue is for, and they do not keep more of them than the usual slots are for.
bool BatchRing::heldUp() const {
  const std::uint64_t assigned = m_assigned.load(std::memory_order_relaxed);
  if (slotsInUse() - (assigned - m_next) + m_capacity >= m_slots.size()) return false;
  std::uint64_t toTake = 0;
  while (toTake < m_capacity && m_next + toTake < assigned && isReady(m_next + toTake)) ++toTake;
  return toTake < m_capacity && toTake < m_readyCount;
}

/// A slot that no batch has; nullptr if there is none.
BatchSlot* BatchRing::spareSlot() {
  if (!m_spare.empty()) {
    BatchSlot* const spare = m_spare.back();
    m_spare.pop_back();
    return spare;
  }
  if (m_more.size() == m_reorder.count) return nullptr;
  auto made = m_reorder.make();
  if (!made) return nullptr;
  return m_more.emplace_back(std::move(made)).get();
}

void BatchRing::assignMore(std::uint64_t sequence) {
  while (!writable(sequence) && heldUp()) {
    BatchSlot* const spare = spareSlot();
    if (spare == nullptr) return;
    assign(*spare);
  }
}

/// After a change of what is ready: a waiting writer may get a reorder slot.
void BatchRing::wakeForReorder() {
  if (m_writersWaiting > 0 && m_reorder.count > 0 && heldUp()) m_slotFreed.notifyAll();
}

BatchRing::Wait BatchRing::waitWritable(std::uint64_t sequence) {
  const MutexLock lock(m_mutex);
  ++m_writersWaiting;
  account(m_clock.now());
  assignMore(sequence);
  while (!writable(sequence) && !cancelled()) {
    m_slotFreed.wait(m_mutex);
    account(m_clock.now());
    assignMore(sequence);
  }
  --m_writersWaiting;
  return cancelled() ? Wait::Cancelled : Wait::Ready;
}

void BatchRing::markReady(std::uint64_t sequence) {
  const MutexLock lock(m_mutex);
  account(m_clock.now());
  m_ready[sequence % m_ready.size()] = 1;
  ++m_readyCount;
  if (m_readersWaiting > 0) m_batchReady.notifyAll();
  wakeForReorder();
}

void BatchRing::close(std::uint64_t end) {
  const MutexLock lock(m_mutex);
  m_end = std::min(m_end, end);
  m_batchReady.notifyAll();
}

std::optional<BatchRing::Taken> BatchRing::take(std::optional<SteadyTime> until) {
  const MutexLock lock(m_mutex);
  account(m_clock.now());
  ++m_readersWaiting;
  while (!nextIsReady() && m_next < m_end && !cancelled()) {
    if (!until)
      m_batchReady.wait(m_mutex);
    else if (!m_batchReady.waitUntil(m_mutex, *until))
      break;
    account(m_clock.now());
  }
  account(m_clock.now());
  --m_readersWaiting;
  if (cancelled() || m_next >= m_end || !nextIsReady()) return std::nullopt;
  m_ready[m_next % m_ready.size()] = 0;
  --m_readyCount;
  ++m_totals.batches;
  // Another reader may be waiting for the following batch, which may be ready already.
  if (m_readersWaiting > 0) m_batchReady.notifyAll();
  const std::uint64_t sequence = m_next++;
  wakeForReorder();
  return Taken{sequence, m_slotOf[sequence % m_slotOf.size()]};
}

/// A slot beyond the usual number is spared, unless the next batch waits for one: readers may keep
/// more batches than there are usual slots, and each one that they release makes room for another.
void BatchRing::release(BatchSlot& slot) {
  const MutexLock lock(m_mutex);
  if (slotsInUse() > m_slots.size() && writable(m_next))
    m_spare.push_back(&slot);
  else
    assign(slot);
  if (m_writersWaiting > 0) m_slotFreed.notifyAll();
}

bool BatchRing::nextIsHeld() const {
  const MutexLock lock(m_mutex);
  return !writable(m_next);
}

bool BatchRing::drained() const {
  const MutexLock lock(m_mutex);
  return m_next >= m_end;
}

std::uint64_t BatchRing::end() const {
  const MutexLock lock(m_mutex);
  return m_end;
}

void BatchRing::cancel() {
  const MutexLock lock(m_mutex);
  m_cancelled.store(true, std::memory_order_release);
  m_slotFreed.notifyAll();
  m_batchReady.notifyAll();
}

void BatchRing::account(SteadyTime now) const {
  const double span = std::max(0.0, toSeconds(now - m_accounted));
  m_accounted = now;
  m_totals.seconds += span;
  m_totals.fillSeconds += span * static_cast<double>(std::min(m_readyCount, m_capacity));
  const bool blocked = m_readersWaiting > 0 && m_readyCount > 0 && !nextIsReady();
  if (m_readyCount == 0 || blocked) m_totals.emptySeconds += span;
  if (m_readyCount >= m_capacity && !blocked) m_totals.fullSeconds += span;
  if (blocked) m_totals.headOfLineSeconds += span;
  m_totals.readerWaitSeconds += span * static_cast<double>(m_readersWaiting);
  m_totals.writerWaitSeconds += span * static_cast<double>(m_writersWaiting);
}

QueueTotals BatchRing::totals() const {
  const MutexLock lock(m_mutex);
  account(m_clock.now());
  QueueTotals totals = m_totals;
  totals.fill = std::min(m_readyCount, m_capacity);
  return totals;
}

}  // namespace millrace
