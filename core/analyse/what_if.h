// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "core/analyse/advice.h"
#include "core/analyse/differential.h"

namespace millrace {

struct RatePrediction {
  double low = 0;
  double middle = 0;
  double high = 0;
};

/// Samples per second with an advice applied, from what was measured without it.
/// - Threads and queue: the measured rate times what the simulation gains; the
///   interval is as wide as the simulation misses the measured rate, and 5 % at
///   least. Threads share the cores for the time that they run; what they wait
///   for storage grows as `gains.moreReaders` says. Samples take what
///   `gains.sampleSeconds` says, in that order, else times drawn from the
///   counted ones.
/// - A moved node: those it passes take as much less time as it leaves of the bytes. Not where it
///   comes to stand behind a decoder, which then decodes less.
/// - A cache: what the run with one at this place gave; the interval is that of
///   its blocks, and 5 % at least.
/// Absent for words, for a change of which neither knows anything, for more
/// threads that wait for storage of which no run with more readers tells, and
/// where the service times or the cores were not counted.
std::optional<RatePrediction> predictedRate(const RunCounters& counters, const Advice& advice,
                                            const ProbedGains& gains = {});

}  // namespace millrace
