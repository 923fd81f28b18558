// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/counters.h"

#include <algorithm>

namespace millrace {

NodeTotals& NodeTotals::operator+=(const NodeCounters& node) {
  items += node.items.get();
  bytesIn += node.bytesIn.get();
  bytesOut += node.bytesOut.get();
  failed += node.failed.get();
  timedItems += node.timedItems.get();
  timedNs += node.timedNs.get();
  failedNs += node.failedNs.get();
  for (std::size_t b = 0; b < Histogram::kBuckets; ++b) service.counts[b] += node.service[b].get();
  return *this;
}

NodeTotals& NodeTotals::operator+=(const NamedCounters& counted) {
  // A node that works in two stages may have different counters in each.
  for (std::size_t i = 0; i < counted.size(); ++i) {
    const auto same = std::ranges::find(counters, counted.name(i), &NamedCount::name);
    if (same == counters.end())
      counters.push_back({counted.name(i), counted.count(i)});
    else
      same->count += counted.count(i);
  }
  return *this;
}

NodeTotals& NodeTotals::operator-=(const NodeTotals& earlier) {
  items -= earlier.items;
  bytesIn -= earlier.bytesIn;
  bytesOut -= earlier.bytesOut;
  failed -= earlier.failed;
  timedItems -= earlier.timedItems;
  timedNs -= earlier.timedNs;
  failedNs -= earlier.failedNs;
  service -= earlier.service;
  for (std::size_t i = 0; i < earlier.counters.size(); ++i)
    counters[i].count -= earlier.counters[i].count;
  return *this;
}

double NodeTotals::busySeconds() const {
  if (timedItems == 0) return 0;
  return static_cast<double>(timedNs) * 1e-9 * static_cast<double>(items) /
         static_cast<double>(timedItems);
}

double NodeTotals::meanMs() const {
  if (timedItems == 0) return 0;
  return static_cast<double>(timedNs) * 1e-6 / static_cast<double>(timedItems);
}

}  // namespace millrace
