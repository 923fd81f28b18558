// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/metrics/histogram.h"

namespace millrace {

/// The p-quantile (p in 0 to 1) of times in nanoseconds, in milliseconds; 0 if there are none.
/// `meanMs` is their exact mean, which the histogram does not have: it tells where in their buckets
/// the times lie. So times that are all equal have a quantile next to their mean, and not somewhere
/// in a bucket of 25 %. With a mean of 0 it is Histogram::quantile. Pure.
double quantileMs(const Histogram& times, double p, double meanMs);

}  // namespace millrace
