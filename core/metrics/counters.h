// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "core/metrics/histogram.h"
#include "core/spec/named_counters.h"

namespace millrace {

/// A number that one thread increments and any thread reads. Incrementing needs no locked
/// instruction.
class Counter {
 public:
  void add(std::uint64_t n) {
    m_value.store(m_value.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
  std::uint64_t get() const { return m_value.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> m_value{0};
};

/// Counters of a node on one thread. Written by that thread only, read by any.
struct alignas(64) NodeCounters {
  Counter items;
  Counter bytesIn;
  Counter bytesOut;
  Counter failed;
  Counter timedItems;
  Counter timedNs;
  Counter failedNs;
  std::array<Counter, Histogram::kBuckets> service;

  void time(std::uint64_t ns) {
    timedItems.add(1);
    timedNs.add(ns);
    service[Histogram::bucketOf(ns)].add(1);
  }
};

/// The same as plain numbers, summed over threads. Value type.
struct NodeTotals {
  std::uint64_t items = 0;
  std::uint64_t bytesIn = 0;
  std::uint64_t bytesOut = 0;
  std::uint64_t failed = 0;
  std::uint64_t timedItems = 0;
  std::uint64_t timedNs = 0;
  std::uint64_t failedNs = 0;
  Histogram service;
  std::vector<NamedCount> counters;  ///< further counters of its operation, including zeros

  NodeTotals& operator+=(const NodeCounters& counters);
  NodeTotals& operator+=(const NamedCounters& counters);
  NodeTotals& operator-=(const NodeTotals& earlier);
  /// Time of all items in seconds, extrapolated from the timed ones; 0 if none was timed.
  double busySeconds() const;
  /// Mean time of an item in milliseconds; 0 if none was timed.
  double meanMs() const;
};

}  // namespace millrace
