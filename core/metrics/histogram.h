// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace millrace {

/// Histogram of durations in nanoseconds. Buckets are a quarter of an octave, so at most 25 % wide;
/// bucket b covers lowerEdge(b) up to, not including, lowerEdge(b + 1). Value type.
struct Histogram {
  static constexpr std::size_t kBuckets = 160;
  std::array<std::uint64_t, kBuckets> counts{};

  static std::size_t bucketOf(std::uint64_t ns) {
    if (ns < 4) return static_cast<std::size_t>(ns);
    const auto octave = static_cast<std::size_t>(std::bit_width(ns)) - 1;
    const std::size_t quarter = (ns >> (octave - 2)) & 3U;
    const std::size_t bucket = (octave - 1) * 4 + quarter;
    return bucket < kBuckets ? bucket : kBuckets - 1;
  }
  /// Smallest number of nanoseconds that falls into bucket b.
  static std::uint64_t lowerEdge(std::size_t b) {
    if (b < 4) return b;
    return (4 + b % 4) << (b / 4 - 1);
  }
  std::uint64_t total() const;
  /// The p-quantile (p in 0 to 1) in nanoseconds, interpolated linearly within its bucket; 0 if
  /// empty.
  double quantile(double p) const;
  Histogram& operator+=(const Histogram& other);
  Histogram& operator-=(const Histogram& other);
};

}  // namespace millrace
