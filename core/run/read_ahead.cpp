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

namespace {

/// Of data at a server: threads at the beginning, and slots for each read in flight.
constexpr std::size_t kFirstThreads = 16;
constexpr std::size_t kSlotsForEach = 2;

}  // namespace

ReadAhead::ReadAhead(const Plan& plan, const CacheSet& caches, IndexSampler& sampler,
                     std::uint64_t mostBytes)
    : m_source(*plan.pipeline.source),
      m_name(plan.node(plan.source).id),
      m_fields(plan.node(plan.source).out.fields.size()),
      m_mostBytes(mostBytes),
      m_spread(sampler.mostOutstanding()),
      m_wakeBelow(plan.readAhead.samples - plan.readAhead.samples / 4),
      m_sampler(sampler),
      m_grows(plan.readAhead.fromServer),
      m_workers(plan.stages.front().threads),
      m_inFlight(m_grows ? kFirstThreads : plan.readAhead.threads, plan.readAhead.threads,
                 m_workers),
      m_next(sampler.firstTicket()) {
  const PlanStage& workers = plan.stages.front();
  for (const PlanGroup& group : workers.segments.front().sampleGroups)
    if (SampleCache* cache = caches.find(plan.node(group.nodes.front()).id))
      m_caches.push_back(cache);
  // Each worker keeps one slot while it works on its sample.
  const std::size_t slots = plan.readAhead.samples + workers.threads;
  for (std::size_t s = 0; s < slots; ++s) m_slots.push_back(std::make_unique<Slot>());
  m_grown.reserve(slots);
  for (const auto& slot : m_slots) m_empty.push_back(slot.get());
  m_entries.resize(std::bit_ceil(m_spread + slots + 1));
}

ReadAhead::~ReadAhead() { stop(); }

Status ReadAhead::start() {
  const MutexLock lock(m_mutex);
  while (m_threads.size() < m_inFlight.now()) MILLRACE_TRY(addThread());
  return {};
}

Status ReadAhead::addThread() {
  const std::size_t number = m_threads.size();
  auto counters = std::make_unique<ThreadCounters>(m_name, 0);
  try {
    m_threads.emplace_back([this, number, c = counters.get()] { threadLoop(number, *c); });
  } catch (const std::system_error& refused) {
    return Error{
        fmt::format("{}: the system allows only {} of the {} threads that read ahead: "
                    "{}; a smaller {}.read_ahead needs fewer",
                    m_name, number, m_inFlight.now(), refused.code().message(), m_name)};
  }
  m_counters.push_back(std::move(counters));
  return {};
}

/// Adds threads if the workers wait. Fewer than wanted are no error: reading goes on.
void ReadAhead::grow(std::chrono::nanoseconds waited, SteadyTime now) {
  if (m_cancelled || !m_inFlight.taken(waited, now)) return;
  while (m_threads.size() < m_inFlight.now() && addThread()) {
  }
  m_slotFreed.notifyAll();
}

void ReadAhead::cancel() {
  const MutexLock lock(m_mutex);
  m_cancelled = true;
  m_slotFreed.notifyAll();
  for (const auto& slot : m_slots) slot->changed.notifyAll();
}

void ReadAhead::stop() {
  cancel();
  std::vector<std::thread> threads;
  {
    const MutexLock lock(m_mutex);
    threads.swap(m_threads);
  }
  for (std::thread& thread : threads) thread.join();
}

void ReadAhead::threadLoop(std::size_t thread, ThreadCounters& counters) {
  setThreadName(fmt::format("{}:{}", m_name, thread));
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
    const SteadyTime begin = m_grows ? std::chrono::steady_clock::now() : SteadyTime();
    const bool isRead =
        read({epoch->epoch, entry.index, entry.copy}, *claimed->slot, counters.reads);
    finish(*claimed->slot, isRead,
           m_grows ? std::chrono::steady_clock::now() - begin : std::chrono::nanoseconds());
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

void ReadAhead::finish(Slot& slot, bool isRead, std::chrono::nanoseconds latency) {
  std::uint64_t bytes = 0;
  if (isRead) {
    bytes = slot.reader->keptBytes();
    for (std::size_t f = 0; f < m_fields; ++f) bytes += slot.sample[f].bytes;
  }
  const MutexLock lock(m_mutex);
  if (m_grows && isRead) m_inFlight.ended(latency);
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

/// A free slot that owns memory, or, within the memory limit, one without memory. Of data at a
/// server, not many more are taken than reads are in flight: a short run would read what it does
/// not need.
bool ReadAhead::hasFreeSlot() const {
  const std::size_t taken = m_slots.size() - m_grown.size() - m_empty.size();
  if (m_grows && taken >= kSlotsForEach * m_inFlight.now() + m_workers) return false;
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
  const SteadyTime begin = m_grows ? std::chrono::steady_clock::now() : SteadyTime();
  if (slot == nullptr) {
    // The worker waits for its own read.
    if (m_grows) grow(m_inFlight.latency(), begin);
    return {};
  }
  while (!slot->done && !m_cancelled) slot->changed.wait(m_mutex);
  if (!slot->done) {
    slot->unwanted = true;
    return {};
  }
  if (m_grows) {
    const SteadyTime now = std::chrono::steady_clock::now();
    grow(now - begin, now);
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
  const MutexLock lock(m_mutex);
  for (const auto& counters : m_counters) {
    totals.add(counters->reads);
    totals.stages.front().cpuNs += counters->cpuNs();
  }
}

}  // namespace millrace
