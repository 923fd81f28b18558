// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/loader/slot_returns.h"

#include <algorithm>
#include <utility>

namespace millrace {

SlotReturns::~SlotReturns() {
  const MutexLock lock(m_mutex);
  for (const Returned& returned : m_returned)
    for (const Reader& reader : returned.readers) {
      const bool waited = reader.done || (reader.mark && reader.mark->wait().ok());
      if (!waited) (void)reader.on.device->synchronise();
    }
}

void SlotReturns::add(BatchSlot& slot, std::span<const ProgramStream> streams) {
  const auto scope = streams.front().device->enter();
  const MutexLock lock(m_mutex);
  Returned returned{&slot, {}};
  for (const ProgramStream& stream : streams) {
    returned.readers.push_back({stream, nullptr, std::nullopt, false});
    mark(returned.readers.back());
  }
  m_returned.push_back(std::move(returned));
}

void SlotReturns::mark(Reader& reader) {
  std::vector<std::unique_ptr<Event>>& spare = m_spare[reader.on.device];
  if (spare.empty())
    if (auto made = reader.on.device->makeEvent(EventKind::Ordering)) spare.push_back(made.take());
  if (!spare.empty() && reader.on.stream->record(*spare.back())) {
    reader.mark = std::move(spare.back());
    spare.pop_back();
  } else if (!reader.failingSince) {
    reader.failingSince = m_clock.now();
  }
}

/// Recording the event late is safe: the stream can only have more work by then.
void SlotReturns::poll(Reader& reader) {
  if (!reader.mark) mark(reader);
  if (!reader.mark) return;
  const Result<bool> passed = reader.mark->passed();
  if (!passed) {
    reader.mark.reset();
    if (!reader.failingSince) reader.failingSince = m_clock.now();
    return;
  }
  reader.failingSince.reset();
  if (!*passed) return;
  m_spare[reader.on.device].push_back(std::move(reader.mark));
  reader.done = true;
}

bool SlotReturns::pollDone(Returned& returned) {
  bool done = true;
  for (Reader& reader : returned.readers) {
    if (!reader.done) poll(reader);
    done = done && reader.done;
  }
  return done;
}

bool SlotReturns::isOverdue(const Returned& returned) const {
  const SteadyTime now = m_clock.now();
  return std::ranges::any_of(returned.readers, [now](const Reader& reader) {
    return reader.failingSince && now - *reader.failingSince >= kPatience;
  });
}

void SlotReturns::sort(std::vector<BatchSlot*>& done, std::vector<Returned>& overdue) {
  const MutexLock lock(m_mutex);
  std::vector<Returned> left;
  for (Returned& returned : m_returned)
    if (pollDone(returned))
      done.push_back(returned.slot);
    else
      (isOverdue(returned) ? overdue : left).push_back(std::move(returned));
  m_returned = std::move(left);
}

/// Waits for every unfinished reader, also those with an event: they read the same batch.
void SlotReturns::settle(Returned& returned) {
  for (const Reader& reader : returned.readers) {
    if (reader.done) continue;
    if (const Status done = reader.on.device->synchronise(); !done) {
      m_engine.fail(
          Error{"the memory of a returned batch cannot be reused: it is unknown whether the "
                "program's stream still reads it: " +
                done.error().message});
      return;
    }
  }
  m_engine.release(*returned.slot);
}

bool SlotReturns::collect() {
  std::vector<BatchSlot*> done;
  std::vector<Returned> overdue;
  sort(done, overdue);
  for (BatchSlot* slot : done) m_engine.release(*slot);
  for (Returned& returned : overdue) settle(returned);
  const MutexLock lock(m_mutex);
  return !m_returned.empty();
}

}  // namespace millrace
