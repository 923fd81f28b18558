// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/formats/io/spilled_bytes.h"

namespace millrace {

/// A list of values of which only the first mebibyte is kept in memory (SpilledBytes). Any number
/// of threads may read while none writes.
template <class T>
class SpilledList {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit SpilledList(std::size_t bytesInMemory = SpilledBytes::kInMemory)
      : m_bytes(bytesInMemory) {}

  std::uint64_t size() const { return m_bytes.size() / sizeof(T); }
  bool empty() const { return size() == 0; }
  /// False: the disk failed, and some values were read as zeros.
  bool isSound() const { return m_bytes.isSound(); }

  void append(const T& value) { m_bytes.append(std::as_bytes(std::span(&value, 1))); }
  /// Appends values whose bytes are zero.
  void grow(std::uint64_t size) { m_bytes.grow(size * sizeof(T)); }
  void put(std::uint64_t first, std::span<const T> values) {
    m_bytes.write(first * sizeof(T), std::as_bytes(values));
  }
  void get(std::uint64_t first, std::span<T> values) const {
    m_bytes.read(first * sizeof(T), std::as_writable_bytes(values));
  }
  T at(std::uint64_t index) const {
    T value;
    get(index, std::span(&value, 1));
    return value;
  }

  /// Calls `use` with the values from `begin` to `end` (exclusive), in order.
  template <class Use>
  void forEach(std::uint64_t begin, std::uint64_t end, Use use) const {
    std::vector<T> some(std::min<std::uint64_t>(end - begin, kAtOnce));
    while (begin < end) {
      some.resize(std::min<std::uint64_t>(end - begin, kAtOnce));
      get(begin, some);
      for (const T& value : some) use(value);
      begin += some.size();
    }
  }
  template <class Use>
  void forEach(Use use) const {
    forEach(0, size(), std::move(use));
  }

 private:
  static constexpr std::uint64_t kAtOnce = (std::size_t{64} << 10U) / sizeof(T) + 1;

  SpilledBytes m_bytes;
};

/// Merges the sorted parts of a list, which have `part` values each but for the last one. Keeps
/// `part` values in memory.
template <class T, class Less>
SpilledList<T> merged(const SpilledList<T>& parts, std::uint64_t part, const Less& less) {
  struct Run {
    std::uint64_t at;
    std::uint64_t end;
    std::vector<T> read{};
    std::size_t next = 0;
  };
  std::vector<Run> runs;
  for (std::uint64_t begin = 0; begin < parts.size(); begin += part)
    runs.push_back({begin, std::min(begin + part, parts.size())});
  const std::uint64_t each = part / runs.size() + 1;
  const auto fill = [&](Run& run) {
    run.read.resize(std::min(each, run.end - run.at));
    parts.get(run.at, run.read);
    run.at += run.read.size();
    run.next = 0;
  };
  const auto isLater = [&](std::size_t a, std::size_t b) {
    return less(runs[b].read[runs[b].next], runs[a].read[runs[a].next]);
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(isLater)> order(isLater);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    fill(runs[i]);
    order.push(i);
  }
  SpilledList<T> all;
  while (!order.empty()) {
    const std::size_t first = order.top();
    order.pop();
    Run& run = runs[first];
    all.append(run.read[run.next]);
    if (++run.next == run.read.size()) fill(run);
    if (!run.read.empty()) order.push(first);
  }
  return all;
}

/// A sorted copy of a list, by `less`: parts of `bytesAtOnce` are sorted in memory and merged.
template <class T, class Less = std::less<>>
SpilledList<T> sorted(const SpilledList<T>& list, Less less = {},
                      std::size_t bytesAtOnce = 4 * SpilledBytes::kInMemory) {
  const std::uint64_t part = std::max<std::size_t>(bytesAtOnce / sizeof(T), 1);
  SpilledList<T> parts;
  std::vector<T> some;
  for (std::uint64_t begin = 0; begin < list.size(); begin += part) {
    some.resize(std::min(part, list.size() - begin));
    list.get(begin, some);
    std::sort(some.begin(), some.end(), less);
    for (const T& value : some) parts.append(value);
  }
  some = {};
  return parts.size() <= part ? std::move(parts) : merged(parts, part, less);
}

/// Calls `use` with begin and end of every group of values of a sorted list that are `alike`, and
/// with its first value.
template <class T, class Alike, class Use>
void forGroups(const SpilledList<T>& sortedList, Alike alike, Use use) {
  std::uint64_t begin = 0;
  std::uint64_t at = 0;
  T first{};
  sortedList.forEach([&](const T& value) {
    if (at > begin && !alike(first, value)) {
      use(begin, at, first);
      begin = at;
    }
    if (at == begin) first = value;
    ++at;
  });
  if (at > begin) use(begin, at, first);
}

}  // namespace millrace
