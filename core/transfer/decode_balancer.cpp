// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/transfer/decode_balancer.h"

#include <algorithm>

namespace millrace {

DecodeBalancer::DecodeBalancer(OffloadShare& share, std::size_t between)
    : m_share(share), m_between(std::max<std::size_t>(1, between)) {}

void DecodeBalancer::taken(const DecodeSigns& signs) {
  if (m_passedOver > 0) {
    --m_passedOver;
    return;
  }
  m_votes += static_cast<int>(signs.cpuIsLate) - static_cast<int>(signs.deviceIsLate);
  if (++m_seen < m_between) return;
  const auto majority = static_cast<int>(m_seen / 2);
  if (m_votes > majority) move(1);
  if (m_votes < -majority) move(-1);
  m_seen = 0;
  m_votes = 0;
}

void DecodeBalancer::move(int direction) {
  if (direction != m_direction) {
    if (m_direction != 0) m_step = std::max(kSmallestStep, m_step / 2);
    m_movesThatWay = 0;
  } else if (++m_movesThatWay == kMovesToTrust) {
    m_step = std::min(kLargestStep, 2 * m_step);
    m_movesThatWay = 0;
  }
  m_direction = direction;
  m_passedOver = m_between;
  m_share.set(std::clamp(m_share.percent() + direction * m_step, 0.0, 100.0));
}

}  // namespace millrace
