// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/early_starts.h"

#include <algorithm>
#include <cmath>

namespace millrace {

void EarlyStarts::learn(const SlowestSamples::List& list) {
  if (list.timed == 0) return;
  // The slow samples raise the mean; without them it is what the others take.
  std::uint64_t slowNs = 0;
  for (const TimedSample& sample : list.samples) slowNs += sample.ns;
  const std::uint64_t others = list.timed - list.samples.size();
  if (others == 0) return;
  const double mean = static_cast<double>(list.timedNs - slowNs) / static_cast<double>(others);
  if (mean < kLeastMeanNs) return;
  const MutexLock lock(m_mutex);
  // Samples that were slow once, because their thread lost its core, would be more and more.
  if (m_slow.size() > kMostKnown) {
    m_slow.clear();
    m_maybeSlow.reset();
  }
  for (const TimedSample& sample : list.samples) {
    const double ratio = static_cast<double>(sample.ns) / std::max(1.0, mean);
    if (ratio < kSlow) break;  // the slowest come first
    // While it is made, every other worker makes `ratio` samples; half as many again, because times
    // vary.
    const double lead = std::ceil(1.5 * ratio * m_workers);
    m_slow[sample.index] =
        static_cast<std::uint64_t>(std::min(lead, static_cast<double>(kMostLead)));
    m_maybeSlow.set(sample.index % m_maybeSlow.size());
  }
}

void EarlyStarts::plan(const EpochIndices& epoch) {
  // More than two epochs ahead there is nothing to gain, and tiny epochs would be many.
  const std::uint64_t most = 2 * std::uint64_t{epoch.samples()};
  const MutexLock lock(m_mutex);
  if (m_slow.empty()) return;
  std::uint64_t longest = 0;
  for (std::size_t position = 0; position < epoch.samples(); ++position) {
    const std::uint32_t index = epoch.at(position).index;
    if (!m_maybeSlow.test(index % m_maybeSlow.size())) continue;
    const auto slow = m_slow.find(index);
    if (slow == m_slow.end()) continue;
    const std::uint64_t ticket = epoch.firstTicket + position;
    const std::uint64_t lead = std::min({slow->second, most, ticket});
    m_noted.emplace(ticket, false);
    m_starts.emplace(ticket - lead, ticket);
    longest = std::max(longest, lead);
  }
  m_lead.store(longest, std::memory_order_relaxed);
  publish();
}

void EarlyStarts::publish() {
  m_nextStart.store(m_starts.empty() ? UINT64_MAX : m_starts.begin()->first,
                    std::memory_order_relaxed);
  m_nextTicket.store(m_noted.empty() ? UINT64_MAX : m_noted.begin()->first,
                     std::memory_order_relaxed);
}

std::optional<std::uint64_t> EarlyStarts::take(std::uint64_t ticket) {
  if (ticket < m_nextStart.load(std::memory_order_relaxed)) return std::nullopt;
  const MutexLock lock(m_mutex);
  if (m_starts.empty() || m_starts.begin()->first > ticket) return std::nullopt;
  const std::uint64_t taken = m_starts.begin()->second;
  m_starts.erase(m_starts.begin());
  m_noted[taken] = true;
  publish();
  return taken;
}

bool EarlyStarts::claim(std::uint64_t ticket) {
  if (ticket < m_nextTicket.load(std::memory_order_relaxed)) return true;
  const MutexLock lock(m_mutex);
  const auto noted = m_noted.find(ticket);
  if (noted == m_noted.end()) return true;
  const bool isTaken = noted->second;
  m_noted.erase(noted);
  if (!isTaken) std::erase_if(m_starts, [&](const auto& start) { return start.second == ticket; });
  publish();
  return !isTaken;
}

}  // namespace millrace
