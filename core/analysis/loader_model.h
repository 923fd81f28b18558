// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/metrics/histogram.h"

namespace millrace {

/// Model of threads that fill batches, a queue, and one consumer that takes them in strict order.
/// Value type.
struct LoaderModel {
  /// Time that a sample takes in one node: distributed like `times`, scaled to the mean
  /// `meanSeconds`.
  struct Work {
    Histogram times;
    double meanSeconds = 0;
  };
  std::vector<Work> work;
  double betweenSeconds = 0;  ///< time of a sample outside the nodes
  std::size_t workers = 1;
  std::size_t batchSize = 1;
  std::size_t capacity = 1;   ///< finished batches that may wait
  std::size_t slotCount = 3;  ///< batches waiting, being filled or with the consumer
  bool sharedBatches = true;  ///< workers make samples of the same batches: there are reorder slots
  double stepSeconds = 0;     ///< time of the consumer for a batch
  double slowdown = 1;        ///< factor on all work, for lack of cores or storage bandwidth
  /// Times of successive samples over all their nodes, in the order in which they were started. The
  /// series is repeated and scaled to the mean of all work. Empty: times are drawn from `work`
  /// independently for each sample and node.
  std::vector<double> sampleSeconds;
};

/// Samples per second of `batches` batches, not counting the first tenth. Discrete-event
/// simulation: a worker takes the next sample once its batch has a slot, the consumer takes the
/// next batch once it is complete. Draws depend on `seed` only, so the same model and seed give the
/// same result. 0 batches: enough for 8 000 samples, at least 60, at most 300 (1 000 with a
/// series).
double simulatedRate(const LoaderModel& model, std::uint64_t seed, std::size_t batches = 0);

}  // namespace millrace
