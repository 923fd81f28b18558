// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/storage/hedge_delay.h"

#include <algorithm>

namespace millrace {

namespace {

constexpr std::size_t kFewest = 100;
constexpr std::size_t kEvery = 32;  ///< requests between two looks at the recent ones
constexpr double kShare = 0.99;
constexpr std::size_t kOneIn = 50;
/// Less is what a busy machine needs to take an answer.
constexpr auto kLeast = std::chrono::milliseconds(20);

}  // namespace

void HedgeDelay::add(Duration firstByte) {
  m_recent[m_known % kKept] = firstByte;
  ++m_known;
  if (m_known < kFewest || m_known % kEvery != 0) return;
  auto recent = m_recent;
  const std::size_t count = std::min(m_known, kKept);
  const auto at = recent.begin() + static_cast<std::ptrdiff_t>(kShare * static_cast<double>(count));
  std::nth_element(recent.begin(), at, recent.begin() + static_cast<std::ptrdiff_t>(count));
  m_delay = std::max<Duration>(*at, kLeast);
}

bool HedgeDelay::take() {
  if ((m_taken + 1) * kOneIn > m_known) return false;
  ++m_taken;
  return true;
}

}  // namespace millrace
