// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/histogram_quantile.h"

#include <algorithm>
#include <cmath>

namespace millrace {

namespace {

double middleOf(std::size_t bucket) {
  return (static_cast<double>(Histogram::lowerEdge(bucket)) +
          static_cast<double>(Histogram::lowerEdge(bucket + 1))) /
         2;
}

double halfWidthOf(std::size_t bucket) {
  return middleOf(bucket) - static_cast<double>(Histogram::lowerEdge(bucket));
}

/// How far the times lie from the middle of their buckets, in half widths, -1 to 1: the same in
/// each bucket, and such that the mean is `meanNs`.
double offsetOf(const Histogram& times, double meanNs) {
  double middles = 0;
  double widths = 0;
  for (std::size_t b = 0; b < Histogram::kBuckets; ++b) {
    const auto here = static_cast<double>(times.counts[b]);
    middles += here * middleOf(b);
    widths += here * halfWidthOf(b);
  }
  const double wanted = meanNs * static_cast<double>(times.total()) - middles;
  return widths > 0 ? std::clamp(wanted / widths, -1.0, 1.0) : 0;
}

}  // namespace

double quantileMs(const Histogram& times, double p, double meanMs) {
  if (meanMs <= 0) return 1e-6 * times.quantile(p);
  const double offset = offsetOf(times, 1e6 * meanMs);
  const double wanted = p * static_cast<double>(times.total());
  double below = 0;
  for (std::size_t b = 0; b < Histogram::kBuckets; ++b) {
    const auto here = static_cast<double>(times.counts[b]);
    if (here > 0 && below + here >= wanted) {
      // The widest part of the bucket around the mean of its times.
      const double centre = middleOf(b) + offset * halfWidthOf(b);
      const double reach = (1 - std::abs(offset)) * halfWidthOf(b);
      return 1e-6 * (centre + reach * (2 * (wanted - below) / here - 1));
    }
    below += here;
  }
  return 0;
}

}  // namespace millrace
