// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/loader/slot_returns.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace millrace {

SlotReturns::~SlotReturns() {
  const MutexLock lock(m_mutex);
  for (const Returned& returned : m_returned)
    for (const std::unique_ptr<Event>& done : returned.done) (void)done->wait();
}

void SlotReturns::add(BatchSlot& slot, std::span<const std::shared_ptr<Stream>> streams) {
  const auto scope = m_executor.device()->enter();
  const MutexLock lock(m_mutex);
  Returned returned{&slot, {}};
  for (const std::shared_ptr<Stream>& stream : streams)
    if (auto done = mark(*stream))
      returned.done.push_back(std::move(done));
    else
      (void)stream->synchronise();
  m_returned.push_back(std::move(returned));
}

std::unique_ptr<Event> SlotReturns::mark(Stream& stream) {
  std::unique_ptr<Event> event;
  if (m_spare.empty()) {
    auto made = m_executor.device()->makeEvent(EventKind::Ordering);
    if (!made) return nullptr;
    event = made.take();
  } else {
    event = std::move(m_spare.back());
    m_spare.pop_back();
  }
  return stream.record(*event) ? std::move(event) : nullptr;
}

/// After a fault every call fails, those of the engine too: then nobody writes any more.
bool SlotReturns::isDone(const Returned& returned) {
  return std::ranges::all_of(returned.done, [](const std::unique_ptr<Event>& done) {
    const Result<bool> passed = done->passed();
    return !passed || *passed;
  });
}

bool SlotReturns::collect() {
  const MutexLock lock(m_mutex);
  for (std::size_t i = 0; i < m_returned.size();) {
    if (!isDone(m_returned[i])) {
      ++i;
      continue;
    }
    std::ranges::move(m_returned[i].done, std::back_inserter(m_spare));
    m_executor.release(*m_returned[i].slot);
    std::swap(m_returned[i], m_returned.back());
    m_returned.pop_back();
  }
  return !m_returned.empty();
}

}  // namespace millrace
