// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/convert/ordered_making.h"

#include <utility>

#include "core/base/thread_name.h"

namespace millrace {

namespace {

/// Samples in progress; enough that one slow sample does not stop the other threads.
std::size_t slotsFor(unsigned workers) { return std::size_t{8} * workers; }

}  // namespace

OrderedMaking::OrderedMaking(const MakePlan& plan, std::uint32_t first, std::uint32_t end,
                             unsigned workers)
    : m_plan(plan), m_end(end), m_slots(slotsFor(workers)), m_begun(first), m_taken(first) {
  m_threads.reserve(workers);
  for (unsigned i = 0; i < workers; ++i) {
    try {
      m_threads.emplace_back([this, i] { runWorker(i); });
    } catch (...) {
      if (m_threads.empty()) throw;
      break;  // With fewer threads the result is the same.
    }
  }
}

OrderedMaking::~OrderedMaking() {
  {
    const MutexLock lock(m_mutex);
    m_stop = true;
    m_changed.notifyAll();
  }
  for (std::thread& thread : m_threads) thread.join();
}

void OrderedMaking::runWorker(unsigned worker) {
  try {
    work(worker);
  } catch (...) {
    const MutexLock lock(m_mutex);
    m_thrown = std::current_exception();
    m_changed.notifyAll();
  }
}

void OrderedMaking::work(unsigned worker) {
  setThreadName("convert-" + std::to_string(worker));
  SampleMaker maker(m_plan);
  for (;;) {
    std::uint32_t index = 0;
    {
      const MutexLock lock(m_mutex);
      while (!m_stop && m_begun < m_end && m_begun - m_taken >= m_slots.size())
        m_changed.wait(m_mutex);
      if (m_stop || m_begun >= m_end) return;
      index = m_begun++;
    }
    Made made = maker.make(index);
    const MutexLock lock(m_mutex);
    m_slots[index % m_slots.size()] = std::move(made);
    m_changed.notifyAll();
  }
}

std::optional<OrderedMaking::Made> OrderedMaking::next() {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  const MutexLock lock(m_mutex);
  std::optional<Made>& slot = m_slots[m_taken % m_slots.size()];
  while (!slot) {
    if (m_thrown) std::rethrow_exception(m_thrown);
    if (!m_changed.waitUntil(m_mutex, until)) return std::nullopt;
  }
  std::optional<Made> made = std::exchange(slot, std::nullopt);
  ++m_taken;
  m_changed.notifyAll();
  return made;
}

}  // namespace millrace
