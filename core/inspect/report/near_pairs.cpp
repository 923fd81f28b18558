// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/report/near_pairs.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <vector>

namespace millrace {

namespace {

/// Groups of this many hashes are compared pair by pair.
constexpr std::size_t kFew = 48;

class NearSearch {
 public:
  NearSearch(std::span<const std::uint64_t> hashes, int distance, std::uint64_t budget,
             const std::function<void(std::uint32_t, std::uint32_t)>& found)
      : m_hashes(hashes), m_distance(distance), m_budget(budget), m_found(found) {}

  bool run() {
    std::vector<std::uint32_t> all(m_hashes.size());
    std::iota(all.begin(), all.end(), 0U);
    search(all, ~std::uint64_t{0});
    return !m_exhausted;
  }

 private:
  /// `items` are equal in all bits that are not in `open`.
  void search(std::span<std::uint32_t> items, std::uint64_t open) {
    if (items.size() < 2 || m_exhausted) return;
    const int bands = m_distance + 1;
    open &= differingBits(items);
    if (items.size() <= kFew || std::popcount(open) <= bands) {
      comparePairs(items);
      return;
    }
    for (int band = 0; band < bands && pay(items.size()); ++band) {
      const std::uint64_t bits = bandOf(open, band, bands);
      std::ranges::sort(items, {}, [&](std::uint32_t i) { return m_hashes[i] & bits; });
      for (std::size_t begin = 0; begin < items.size();) {
        std::size_t end = begin + 1;
        while (end < items.size() && ((m_hashes[items[begin]] ^ m_hashes[items[end]]) & bits) == 0)
          ++end;
        search(items.subspan(begin, end - begin), open & ~bits);
        begin = end;
      }
    }
  }

  /// A band of bits that are equal in all items would divide nothing.
  std::uint64_t differingBits(std::span<const std::uint32_t> items) const {
    std::uint64_t bits = 0;
    for (const std::uint32_t i : items) bits |= m_hashes[i] ^ m_hashes[items.front()];
    return bits;
  }

  /// The `band`-th of `bands` equal parts of the set bits of `open`, lowest first.
  static std::uint64_t bandOf(std::uint64_t open, int band, int bands) {
    const int count = std::popcount(open);
    const int first = band * count / bands;
    const int last = (band + 1) * count / bands;
    std::uint64_t bits = 0;
    for (int i = 0; i < last; ++i) {
      const std::uint64_t lowest = open & (~open + 1);
      if (i >= first) bits |= lowest;
      open ^= lowest;
    }
    return bits;
  }

  void comparePairs(std::span<const std::uint32_t> items) {
    for (std::size_t i = 0; i < items.size() && pay(items.size() - i); ++i)
      for (std::size_t k = i + 1; k < items.size(); ++k)
        if (std::popcount(m_hashes[items[i]] ^ m_hashes[items[k]]) <= m_distance)
          m_found(items[i], items[k]);
  }

  bool pay(std::uint64_t comparisons) {
    m_exhausted = m_exhausted || m_budget < comparisons;
    if (!m_exhausted) m_budget -= comparisons;
    return !m_exhausted;
  }

  const std::span<const std::uint64_t> m_hashes;
  const int m_distance;
  std::uint64_t m_budget;
  const std::function<void(std::uint32_t, std::uint32_t)>& m_found;
  bool m_exhausted = false;
};

}  // namespace

bool findNearPairs(std::span<const std::uint64_t> hashes, int distance, std::uint64_t budget,
                   const std::function<void(std::uint32_t, std::uint32_t)>& found) {
  return NearSearch(hashes, distance, budget, found).run();
}

}  // namespace millrace
