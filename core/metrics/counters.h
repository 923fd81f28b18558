// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "core/metrics/histogram.h"
#include "core/spec/tally.h"

namespace millrace {

/// A number that one thread counts up and any thread reads: no locked instruction on the way up.
class Counter {
 public:
  void add(std::uint64_t n) {
    m_value.store(m_value.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
  std::uint64_t get() const { return m_value.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> m_value{0};
};

/// What one node did on one thread. Written by that thread alone, read by any.
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

/// The same as plain numbers, summed over threads.
struct NodeTotals {
  std::uint64_t items = 0;
  std::uint64_t bytesIn = 0;
  std::uint64_t bytesOut = 0;
  std::uint64_t failed = 0;
  std::uint64_t timedItems = 0;
  std::uint64_t timedNs = 0;
  std::uint64_t failedNs = 0;
  Histogram service;
  std::vector<TallyCount> tally;  ///< what its operation counts besides, zeros included

  NodeTotals& operator+=(const NodeCounters& counters);
  NodeTotals& operator+=(const Tally& tally);
  NodeTotals& operator-=(const NodeTotals& earlier);
  /// Time of all items, from that of the timed ones.
  double busySeconds() const;
  /// Mean time of an item in milliseconds; 0 when none was timed.
  double meanMs() const;
};

}  // namespace millrace
