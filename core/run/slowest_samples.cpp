// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/slowest_samples.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace millrace {

namespace {

bool isSlower(const TimedSample& a, const TimedSample& b) {
  return std::pair(a.ns, b.index) > std::pair(b.ns, a.index);
}

}  // namespace

SlowestSamples::SlowestSamples() { m_kept.reserve(kKept); }

void SlowestSamples::begin() { m_span.fetch_add(1, std::memory_order_release); }

void SlowestSamples::renew() {
  const std::uint64_t span = m_span.load(std::memory_order_acquire);
  if (m_ofSpan.load(std::memory_order_relaxed) == span) return;
  m_kept.clear();
  m_leastNs.store(0, std::memory_order_relaxed);
  m_timed.store(0, std::memory_order_relaxed);
  m_timedNs.store(0, std::memory_order_relaxed);
  m_ofSpan.store(span, std::memory_order_relaxed);
}

bool SlowestSamples::isSlow(std::uint64_t ns) {
  if (m_ofSpan.load(std::memory_order_relaxed) != m_span.load(std::memory_order_acquire)) {
    const MutexLock lock(m_mutex);
    renew();
  }
  m_timed.store(m_timed.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  m_timedNs.store(m_timedNs.load(std::memory_order_relaxed) + ns, std::memory_order_relaxed);
  return ns > m_leastNs.load(std::memory_order_relaxed);
}

void SlowestSamples::keep(const TimedSample& sample) {
  const MutexLock lock(m_mutex);
  if (m_kept.size() == kKept) {
    std::ranges::pop_heap(m_kept, isSlower);
    m_kept.pop_back();
  }
  m_kept.push_back(sample);
  std::ranges::push_heap(m_kept, isSlower);
  if (m_kept.size() == kKept) m_leastNs.store(m_kept.front().ns, std::memory_order_relaxed);
}

SlowestSamples::List SlowestSamples::list() const {
  const MutexLock lock(m_mutex);
  // The thread has timed nothing since `begin`.
  if (m_ofSpan.load(std::memory_order_relaxed) != m_span.load(std::memory_order_acquire)) return {};
  List list{m_kept, m_timed.load(std::memory_order_relaxed),
            m_timedNs.load(std::memory_order_relaxed)};
  std::ranges::sort(list.samples, isSlower);
  return list;
}

void SlowestSamples::List::add(const List& other) {
  std::vector<TimedSample> both;
  std::ranges::merge(samples, other.samples, std::back_inserter(both), isSlower);
  both.resize(std::min(both.size(), kKept));
  samples = std::move(both);
  timed += other.timed;
  timedNs += other.timedNs;
}

}  // namespace millrace
