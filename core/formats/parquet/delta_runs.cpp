// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/parquet/delta_runs.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/parquet/hybrid_runs.h"

namespace millrace {

namespace {

constexpr std::uint64_t kLargestDeltaBlock = 1U << 20U;

/// The decoder of one run of deltas.
class DeltaBlocks {
 public:
  explicit DeltaBlocks(std::span<const std::byte> bytes) : m_bytes(bytes) {}

  std::size_t taken() const { return m_at; }

  Status read(std::size_t count, std::vector<std::int64_t>& to) {
    const auto block = varint();
    const auto parts = varint();
    const auto total = varint();
    const auto first = zigzag();
    if (!block || !parts || !total || !first) return cutOff();
    if (*block == 0 || *block > kLargestDeltaBlock || *parts == 0 || *block % *parts != 0 ||
        *block / *parts % 8 != 0)
      return Error{fmt::format("its blocks have {} values in {} parts", *block, *parts)};
    if (*total != count)
      return Error{fmt::format("it has {} numbers instead of {}", grouped(*total), grouped(count))};
    if (count == 0) return {};
    m_last = static_cast<std::uint64_t>(*first);
    to.push_back(*first);
    for (std::size_t left = count - 1; left > 0;)
      MILLRACE_TRY(readBlock(*parts, *block / *parts, left, to));
    return {};
  }

 private:
  static Error cutOff() { return Error{"its numbers are cut off"}; }

  Status readBlock(std::uint64_t parts, std::uint64_t each, std::size_t& left,
                   std::vector<std::int64_t>& to) {
    const auto least = zigzag();
    if (!least || parts > m_bytes.size() - m_at) return cutOff();
    const auto widths = m_bytes.subspan(m_at, parts);
    m_at += parts;
    for (std::uint64_t part = 0; part < parts && left > 0; ++part) {
      const auto width = std::to_integer<unsigned>(widths[part]);
      if (width > 64) return Error{fmt::format("its numbers have {} bits", width)};
      const std::size_t count = std::min<std::uint64_t>(each, left);
      const std::uint64_t held = std::min<std::uint64_t>(each * width / 8, m_bytes.size() - m_at);
      if (held * 8 < count * width) return cutOff();
      const auto packed = m_bytes.subspan(m_at, held);
      m_at += held;
      for (std::size_t i = 0; i < count; ++i) {
        // Sums wrap around by definition.
        m_last += static_cast<std::uint64_t>(*least) + parquetBits(packed, i * width, width);
        to.push_back(static_cast<std::int64_t>(m_last));
      }
      left -= count;
    }
    return {};
  }

  std::optional<std::uint64_t> varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && m_at < m_bytes.size(); shift += 7) {
      const auto part = std::to_integer<std::uint64_t>(m_bytes[m_at++]);
      value |= (part & 0x7fU) << shift;
      if (part < 0x80U) return value;
    }
    return std::nullopt;
  }
  std::optional<std::int64_t> zigzag() {
    const auto coded = varint();
    if (!coded) return std::nullopt;
    return static_cast<std::int64_t>((*coded >> 1U) ^ (0 - (*coded & 1U)));
  }

  const std::span<const std::byte> m_bytes;
  std::size_t m_at = 0;
  std::uint64_t m_last = 0;
};

}  // namespace

Result<std::size_t> appendParquetDeltas(std::span<const std::byte> bytes, std::size_t count,
                                        std::vector<std::int64_t>& to) {
  DeltaBlocks blocks(bytes);
  MILLRACE_TRY(blocks.read(count, to));
  return blocks.taken();
}

}  // namespace millrace
