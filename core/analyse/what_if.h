// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/analyse/advice.h"
#include "core/metrics/histogram.h"

namespace millrace {

/// Threads that fill batches in front of a queue and one consumer behind it:
/// what the simulation runs, in strict order. Plain values.
struct LoaderModel {
  /// Time of a sample in one of its nodes: the shape of `times`, scaled to
  /// `meanSeconds`.
  struct Work {
    Histogram times;
    double meanSeconds = 0;
  };
  std::vector<Work> work;
  double betweenSeconds = 0;  ///< of a sample in no node
  std::size_t workers = 1;
  std::size_t batchSize = 1;
  std::size_t slotCount = 3;  ///< batches that are waiting, in the making or with the consumer
  double stepSeconds = 0;     ///< of the consumer, for a batch
  double slowdown = 1;        ///< of all work, for want of cores
};

/// Samples per second of `batches` batches behind the first tenth, by events: a
/// worker takes the next sample once its batch has a slot, the consumer the
/// next batch once it is whole. Times are drawn by `seed`; the same model and
/// seed give the same figure.
double simulatedRate(const LoaderModel& model, std::uint64_t seed, std::size_t batches = 300);

struct RatePrediction {
  double low = 0;
  double middle = 0;
  double high = 0;
};

/// Samples per second with an advice applied, from the times that were measured
/// without it. The middle is the measured rate times what the simulation gains;
/// the interval is as wide as the simulation misses the measured rate, and 5 %
/// at least. Absent for words, for a change that the simulation knows nothing
/// of, and where the service times or the cores were not counted.
std::optional<RatePrediction> predictedRate(const RunCounters& counters, const Advice& advice);

}  // namespace millrace
