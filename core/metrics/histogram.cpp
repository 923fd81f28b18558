// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/histogram.h"

#include <numeric>

namespace millrace {

std::uint64_t Histogram::total() const {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

double Histogram::quantile(double p) const {
  const double wanted = p * static_cast<double>(total());
  double below = 0;
  for (std::size_t b = 0; b < kBuckets; ++b) {
    const auto here = static_cast<double>(counts[b]);
    if (here > 0 && below + here >= wanted) {
      const auto low = static_cast<double>(lowerEdge(b));
      const auto high = static_cast<double>(lowerEdge(b + 1));
      return low + (high - low) * (wanted - below) / here;
    }
    below += here;
  }
  return 0;
}

Histogram& Histogram::operator+=(const Histogram& other) {
  for (std::size_t b = 0; b < kBuckets; ++b) counts[b] += other.counts[b];
  return *this;
}

Histogram& Histogram::operator-=(const Histogram& other) {
  for (std::size_t b = 0; b < kBuckets; ++b) counts[b] -= other.counts[b];
  return *this;
}

}  // namespace millrace
