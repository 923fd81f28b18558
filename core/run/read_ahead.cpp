// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/read_ahead.h"

#include <algorithm>
#include <bit>
#include <exception>
#include <system_error>

#include <fmt/format.h>

#include "core/base/thread_name.h"
#include "core/run/run_parts.h"

namespace millrace {

ReadAhead::ReadAhead(const Plan& plan, const CacheSet& caches, IndexSampler& sampler,
                     std::uint64_t mostBytes)
    : m_source(*plan.pipeline.source),
      m_name(plan.node(plan.source).id),
      m_fields(plan.node(plan.source).out.fields.size()),
      m_mostBytes(mostBytes),
      m_spread(sampler.mostOutstanding()),
      m_wakeBelow(plan.readAhead.samples - plan.readAhead.samples / 4),
      m_sampler(sampler),
      m_next(sampler.firstTicket()) {
  const PlanStage& workers = plan.stages.front();
  for (const PlanGroup& group : workers.segments.front().sampleGroups)
    if (SampleCache* cache = caches.find(plan.node(group.nodes.front()).id))
      m_caches.push_back(cache);
  for (std::size_t t = 0; t < plan.readAhead.threads; ++t)
    m_counters.push_back(std::make_unique<ThreadCounters>(m_name, 0));
  // Each worker keeps one slot while it works on its sample.
  const std::size_t slots = plan.readAhead.samples + workers.threads;
  for (std::size_t s = 0; s < slots; ++s) m_slots.push_back(std::make_unique<Slot>());
  m_grown.reserve(slots);
  for (const auto& slot : m_slots) m_empty.push_back(slot.get());
  m_entries.resize(std::bit_ceil(m_spread + slots + 1));
}

ReadAhead::~ReadAhead() { stop(); }

Status ReadAhead::start() {
  for (std::size_t t = 0; t < m_counters.size(); ++t) {
    try {
      m_threads.emplace_back([this, t] { threadLoop(t); });
    } catch (const std::system_error& refused) {
      return Error{
          fmt::format("{}: the system allows only {} of the {} threads that read ahead: "
                      "{}; a smaller {}.read_ahead needs fewer",
                      m_name, t, m_counters.size(), refused.code().message(), m_name)};
    }
  }
  return {};
}

void ReadAhead::cancel() {
  const MutexLock lock(m_mutex);
  m_cancelled = true;
  m_slotFreed.notifyAll();
  for (const auto& slot : m_slots) slot->changed.notifyAll();
}

void ReadAhead::stop() {
  cancel();
  for (std::thread& thread : m_threads)
    if (thread.joinable()) thread.join();
}

void ReadAhead::threadLoop(std::size_t thread) {
  setThreadName(fmt::format("{}:{}", m_name, thread));
  ThreadCounters& counters = *m_counters[thread];
  counters.enter();
  std::shared_ptr<const EpochIndices> cached;
  while (const auto claimed = claim()) {
    const EpochIndices* epoch = m_sampler.epochOfTicket(claimed->ticket, cached);
    if (epoch == nullptr) {
      finish(*claimed->slot, false);
      end();
      break;
    }
    const SampleIndex& entry = epoch->at(claimed->ticket - epoch->firstTicket);
    finish(*claimed->slot,
           read({epoch->epoch, entry.index, entry.copy}, *claimed->slot, counters.reads));
  }
  counters.leave();
}

/// The run's order has ended: wakes the other threads so that they end too.
void ReadAhead::end() {
  const MutexLock lock(m_mutex);
  m_ended = true;
  m_slotFreed.notifyAll();
}

/// Claims the next free ticket and a slot for it. nullopt: the order has ended or the run was
/// cancelled.
std::optional<ReadAhead::Claim> ReadAhead::claim() {
  const MutexLock lock(m_mutex);
  while (!m_ended && !m_cancelled) {
    if (!hasFreeSlot()) {
      m_slotFreed.wait(m_mutex);
      continue;
    }
    Slot& slot = freeSlot();
    while (entryOf(m_next).ticket == m_next) ++m_next;
    entryOf(m_next) = {m_next, &slot};
    wakeOne();
    return Claim{m_next++, &slot};
  }
  return std::nullopt;
}

bool ReadAhead::read(const SampleKey& key, Slot& slot, ReadCounters& counters) const {
  if (isCached(key.index)) return false;
  try {
    if (!slot.reader) slot.reader = m_source.reader();
    slot.sample.reset(key, m_fields);
    slot.status = slot.reader->read(key.index, slot.sample, counters);
    return true;
  } catch (const std::exception&) {
    // The worker reads the sample again and handles the exception.
    return false;
  }
}

bool ReadAhead::isCached(std::uint32_t index) const {
  return std::any_of(m_caches.begin(), m_caches.end(),
                     [&](const SampleCache* cache) { return cache->holds(index); });
}

void ReadAhead::finish(Slot& slot, bool isRead) {
  std::uint64_t bytes = 0;
  if (isRead) {
    bytes = slot.reader->keptBytes();
    for (std::size_t f = 0; f < m_fields; ++f) bytes += slot.sample[f].bytes;
  }
  const MutexLock lock(m_mutex);
  if (bytes > slot.bytes) {
    m_bytes += bytes - slot.bytes;
    slot.bytes = bytes;
  }
  if (!slot.sized) {
    slot.sized = true;
    ++m_sized;
    wakeOne();
  }
  if (slot.unwanted) return putBack(slot);
  slot.done = true;
  slot.unread = !isRead;
  ++m_ready;
  slot.changed.notifyOne();
}

/// A free slot that owns memory, or, within the memory limit, one without memory.
bool ReadAhead::hasFreeSlot() const {
  if (!m_grown.empty() || m_empty.empty()) return !m_grown.empty();
  const std::size_t unsized = m_slots.size() - m_empty.size() - m_sized;
  if (m_sized == 0) return unsized == 0;
  return m_bytes + (unsized + 1) * (m_bytes / m_sized) <= m_mostBytes;
}

ReadAhead::Slot& ReadAhead::freeSlot() {
  std::vector<Slot*>& from = m_grown.empty() ? m_empty : m_grown;
  Slot* slot = from.back();
  from.pop_back();
  return *slot;
}

void ReadAhead::putBack(Slot& slot) {
  slot.done = slot.unread = slot.unwanted = false;
  if (m_bytes > m_mostBytes) {
    m_bytes -= slot.bytes;
    --m_sized;
    slot.bytes = 0;
    slot.sized = false;
    slot.reader.reset();
    slot.sample = Sample();
    m_empty.push_back(&slot);
  } else {
    m_grown.push_back(&slot);
  }
  wakeOne();
}

/// A thread that is awake continues while slots are free. So fast storage needs few wake-ups; with
/// slow storage few samples are ready and more threads are woken, one after another.
void ReadAhead::wakeOne() {
  if (m_ready < m_wakeBelow && hasFreeSlot()) m_slotFreed.notifyOne();
}

void ReadAhead::giveBack(Slot& slot) {
  const MutexLock lock(m_mutex);
  putBack(slot);
}

/// The slot that the ticket is read into. nullptr: no read has started, and the worker now owns the
/// ticket.
ReadAhead::Slot* ReadAhead::claimForWorker(std::uint64_t ticket) {
  if (ticket > m_spread) m_next = std::max(m_next, ticket - m_spread);
  Entry& entry = entryOf(ticket);
  if (entry.ticket == ticket) return entry.slot;
  entry = {ticket, nullptr};
  return nullptr;
}

ReadAhead::Loan ReadAhead::take(std::uint64_t ticket) {
  const MutexLock lock(m_mutex);
  Slot* slot = claimForWorker(ticket);
  if (slot == nullptr) return {};
  while (!slot->done && !m_cancelled) slot->changed.wait(m_mutex);
  if (!slot->done) {
    slot->unwanted = true;
    return {};
  }
  --m_ready;
  if (!slot->unread) return Loan(slot, GiveBack{this});
  putBack(*slot);
  return {};
}

void ReadAhead::pass(std::uint64_t ticket) {
  const MutexLock lock(m_mutex);
  Slot* slot = claimForWorker(ticket);
  if (slot == nullptr) return;
  if (!slot->done) {
    slot->unwanted = true;
    return;
  }
  --m_ready;
  putBack(*slot);
}

void ReadAhead::addTo(RunTotals& totals) const {
  for (const auto& counters : m_counters) {
    totals.add(counters->reads);
    totals.stages.front().cpuNs += counters->cpuNs();
  }
}

}  // namespace millrace
