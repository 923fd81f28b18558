// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace millrace {

/// Something that an operation counts in addition to samples and time, for the user to read.
struct NamedCount {
  std::string name;  ///< "progressive", "unknown pixels"
  std::uint64_t count = 0;

  bool operator==(const NamedCount&) const = default;
};

/// The counters of one operation on one thread: the names are fixed at the start, counts are
/// addressed by position. One thread counts, without locked instructions; any thread may read.
class NamedCounters {
 public:
  explicit NamedCounters(std::vector<std::string> names)
      : m_names(std::move(names)),
        m_counts(std::make_unique<std::atomic<std::uint64_t>[]>(m_names.size())) {}

  void add(std::size_t place, std::uint64_t n) {
    std::atomic<std::uint64_t>& count = m_counts[place];
    count.store(count.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
  std::size_t size() const { return m_names.size(); }
  const std::string& name(std::size_t place) const { return m_names[place]; }
  std::uint64_t count(std::size_t place) const {
    return m_counts[place].load(std::memory_order_relaxed);
  }

 private:
  const std::vector<std::string> m_names;
  const std::unique_ptr<std::atomic<std::uint64_t>[]> m_counts;
};

}  // namespace millrace
