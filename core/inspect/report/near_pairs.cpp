// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/report/near_pairs.h"

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

namespace millrace {

namespace {

/// Groups of this many hashes are compared pair by pair.
constexpr std::size_t kFew = 48;

struct Item {
  std::uint64_t hash = 0;
  std::uint32_t index = 0;
};

class NearSearch {
 public:
  NearSearch(int distance, std::uint64_t budget, std::size_t atOnce, const FoundPair& found)
      : m_distance(distance), m_atOnce(atOnce), m_found(found), m_budget(budget) {}

  bool run(const SpilledList<std::uint64_t>& hashes) {
    SpilledList<Item> all;
    hashes.forEach([&, i = 0U](std::uint64_t hash) mutable { all.append({hash, i++}); });
    divide(all, 0, all.size(), ~std::uint64_t{0});
    return !m_exhausted;
  }

 private:
  /// Searches among the items from `begin` to `end` (exclusive), on disk until they are few enough.
  void divide(const SpilledList<Item>& items, std::uint64_t begin, std::uint64_t end,
              std::uint64_t open) {
    if (end - begin < 2 || m_exhausted) return;
    const int bands = m_distance + 1;
    std::uint64_t differing = 0;
    if (end - begin > m_atOnce)
      items.forEach(begin, end, [&, first = items.at(begin).hash](const Item& item) {
        differing |= item.hash ^ first;
      });
    if (std::popcount(open & differing) <= bands) {  // also if there are few items
      std::vector<Item> few(end - begin);
      items.get(begin, few);
      search(few, open);
      return;
    }
    SpilledList<Item> group;
    items.forEach(begin, end, [&](const Item& item) { group.append(item); });
    for (int band = 0; band < bands && pay(end - begin); ++band) {
      const std::uint64_t bits = bandOf(open & differing, band, bands);
      const SpilledList<Item> byBand = sorted(
          group, [&](const Item& a, const Item& b) { return (a.hash & bits) < (b.hash & bits); });
      forGroups(
          byBand, [&](const Item& a, const Item& b) { return ((a.hash ^ b.hash) & bits) == 0; },
          [&](std::uint64_t from, std::uint64_t to, const Item&) {
            divide(byBand, from, to, open & differing & ~bits);
          });
    }
  }

  /// `items` are equal in all bits that are not in `open`.
  void search(std::span<Item> items, std::uint64_t open) {
    if (items.size() < 2 || m_exhausted) return;
    const int bands = m_distance + 1;
    open &= differingBits(items);
    if (items.size() <= kFew || std::popcount(open) <= bands) {
      comparePairs(items);
      return;
    }
    for (int band = 0; band < bands && pay(items.size()); ++band) {
      const std::uint64_t bits = bandOf(open, band, bands);
      std::ranges::sort(items, {}, [&](const Item& item) { return item.hash & bits; });
      for (std::size_t begin = 0; begin < items.size();) {
        std::size_t end = begin + 1;
        while (end < items.size() && ((items[begin].hash ^ items[end].hash) & bits) == 0) ++end;
        search(items.subspan(begin, end - begin), open & ~bits);
        begin = end;
      }
    }
  }

  /// A band of bits that are equal in all items would divide nothing.
  static std::uint64_t differingBits(std::span<const Item> items) {
    std::uint64_t bits = 0;
    for (const Item& item : items) bits |= item.hash ^ items.front().hash;
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

  void comparePairs(std::span<const Item> items) {
    for (std::size_t i = 0; i < items.size() && pay(items.size() - i); ++i)
      for (std::size_t k = i + 1; k < items.size(); ++k)
        if (std::popcount(items[i].hash ^ items[k].hash) <= m_distance &&
            !pay(m_found(items[i].index, items[k].index)))
          return;
  }

  bool pay(std::uint64_t comparisons) {
    m_exhausted = m_exhausted || m_budget < comparisons;
    if (!m_exhausted) m_budget -= comparisons;
    return !m_exhausted;
  }

  const int m_distance;
  const std::size_t m_atOnce;
  const FoundPair& m_found;
  std::uint64_t m_budget;
  bool m_exhausted = false;
};

}  // namespace

bool findNearPairs(const SpilledList<std::uint64_t>& hashes, int distance, std::uint64_t budget,
                   const FoundPair& found, std::size_t atOnce) {
  return NearSearch(distance, budget, atOnce, found).run(hashes);
}

}  // namespace millrace
