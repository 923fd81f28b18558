// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "core/analysis/advice.h"
#include "core/analysis/differential.h"

namespace millrace {

struct RatePrediction {
  double low = 0;
  double middle = 0;
  double high = 0;
};

/// Predicts the samples per second with an advice applied, from measurements without it.
/// - Threads, reading ahead and queue: the measured rate times the simulated gain. The interval is
/// the simulation's error for the measured rate, at least 5 %. Threads share the cores for the time
/// that they run; time waiting for storage grows as `gains.moreReaders` shows. Sample times are
/// `gains.sampleSeconds` in that order, else drawn from the counted times.
/// - A moved node: the nodes it passes take less time in proportion to the bytes that it leaves.
/// Not predicted if it would directly follow a decoder, which then decodes less.
/// - A cache: the rate of the probe with a cache at this place; the interval is that of its blocks,
/// at least 5 %. nullopt for Words, for any other change, for more threads that wait for storage
/// without a probe with more readers, and if service times or cores were not counted.
std::optional<RatePrediction> predictedRate(const RunCounters& counters, const Advice& advice,
                                            const ProbedGains& gains = {});

}  // namespace millrace
