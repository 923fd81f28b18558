// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/cache/cache_record.h"

namespace millrace {

/// Where a record is stored. A value type.
struct CachePlace {
  std::uint32_t segment = 0;  ///< starts at 1
  std::uint64_t offset = 0;   ///< a multiple of kRecordUnit
  std::size_t bytes = 0;      ///< a multiple of kRecordUnit, not 0

  bool operator==(const CachePlace&) const = default;
};

// The limits of a place: 12 bits of segment, 28 of offset and 24 of length, in units.
inline constexpr std::uint32_t kMostSegments = (1U << 12U) - 1;
inline constexpr std::uint64_t kLargestSegment = (std::uint64_t{1} << 28U) * kRecordUnit;

/// Where each sample is stored: one word per index, so that a place changes atomically. Lock-free:
/// a record must be written before its place is set.
class CachePlaces {
 public:
  explicit CachePlaces(std::uint32_t samples)
      : m_samples(samples), m_words(std::make_unique<std::atomic<std::uint64_t>[]>(samples)) {}

  std::uint32_t samples() const { return m_samples; }

  std::optional<CachePlace> find(std::uint32_t index) const {
    const std::uint64_t word = m_words[index].load(std::memory_order_acquire);
    if (word == kNothing || word == kClaimed) return std::nullopt;
    return placeOf(word);
  }
  /// Returns true for the one caller that is to write this index's record.
  bool claim(std::uint32_t index) { return change(index, kNothing, kClaimed); }
  /// Withdraws a claim.
  void giveUp(std::uint32_t index) { change(index, kClaimed, kNothing); }
  /// Returns true if the index had no place.
  bool set(std::uint32_t index, const CachePlace& place) {
    return m_words[index].exchange(wordOf(place), std::memory_order_acq_rel) == kNothing;
  }
  /// Sets the place only if the index has none; returns true if it did.
  bool add(std::uint32_t index, const CachePlace& place) {
    return change(index, kNothing, wordOf(place));
  }
  /// Removes a place whose record is invalid, unless it has been replaced.
  bool forget(std::uint32_t index, const CachePlace& place) {
    return change(index, wordOf(place), kNothing);
  }

 private:
  static constexpr std::uint64_t kNothing = 0;
  static constexpr std::uint64_t kClaimed = 1;  // not a place: segments start at 1

  static std::uint64_t wordOf(const CachePlace& place) {
    return std::uint64_t{place.segment} << 52U | place.offset / kRecordUnit << 24U |
           place.bytes / kRecordUnit;
  }
  static CachePlace placeOf(std::uint64_t word) {
    return {static_cast<std::uint32_t>(word >> 52U),
            (word >> 24U & ((std::uint64_t{1} << 28U) - 1)) * kRecordUnit,
            (word & ((std::uint64_t{1} << 24U) - 1)) * kRecordUnit};
  }
  bool change(std::uint32_t index, std::uint64_t from, std::uint64_t to) {
    return m_words[index].compare_exchange_strong(from, to, std::memory_order_acq_rel);
  }

  const std::uint32_t m_samples;
  const std::unique_ptr<std::atomic<std::uint64_t>[]> m_words;
};

}  // namespace millrace
