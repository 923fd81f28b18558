// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/parquet/hybrid_runs.h"

#include <algorithm>
#include <cstring>

namespace millrace {

std::uint64_t parquetBits(std::span<const std::byte> bytes, std::uint64_t at, unsigned width) {
  if (width == 0) return 0;
  const std::uint64_t first = at / 8;
  const auto shift = static_cast<unsigned>(at % 8);
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  if (first + 9 <= bytes.size()) {
    std::memcpy(&low, bytes.data() + first, 8);
    high = std::to_integer<std::uint64_t>(bytes[first + 8]);
  } else if (first < bytes.size()) {
    std::memcpy(&low, bytes.data() + first, std::min<std::size_t>(8, bytes.size() - first));
  }
  std::uint64_t value = low >> shift;
  if (shift > 0) value |= high << (64 - shift);
  return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

bool HybridRuns::nextRun() {
  std::uint64_t head = 0;
  std::size_t at = 0;
  for (unsigned shift = 0;; shift += 7) {
    if (at == m_bytes.size() || shift > 28) return false;
    const auto part = std::to_integer<std::uint64_t>(m_bytes[at++]);
    head |= (part & 0x7fU) << shift;
    if (part < 0x80U) break;
  }
  m_bytes = m_bytes.subspan(at);
  m_packed = (head & 1U) != 0;
  if (m_packed) {
    // Groups of eight values. Some writers cut the last group off after the last value.
    m_left = (head >> 1U) * 8;
    const std::uint64_t bytes = (head >> 1U) * m_width;
    m_group = m_bytes.first(std::min<std::uint64_t>(bytes, m_bytes.size()));
    if (m_width > 0) m_left = std::min<std::uint64_t>(m_left, m_group.size() * 8 / m_width);
    m_bit = 0;
    m_bytes = m_bytes.subspan(m_group.size());
    return m_left > 0 || m_group.size() == bytes;
  }
  m_left = head >> 1U;
  const std::size_t width = (m_width + 7) / 8;
  if (m_bytes.size() < width) return false;
  m_value = 0;
  std::memcpy(&m_value, m_bytes.data(), width);
  m_bytes = m_bytes.subspan(width);
  return true;
}

bool HybridRuns::read(std::span<std::uint32_t> to) {
  while (!to.empty()) {
    if (m_left == 0) {
      if (!nextRun()) return false;
      continue;
    }
    const std::size_t count = std::min<std::uint64_t>(m_left, to.size());
    if (m_packed) {
      for (std::size_t i = 0; i < count; ++i, m_bit += m_width)
        to[i] = static_cast<std::uint32_t>(parquetBits(m_group, m_bit, m_width));
    } else {
      std::fill_n(to.begin(), count, m_value);
    }
    m_left -= count;
    to = to.subspan(count);
  }
  return true;
}

}  // namespace millrace
