// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

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
  double slowdown = 1;        ///< of all work, for want of cores or of storage
  /// What samples took in all of their nodes, in the order in which they were begun; they come
  /// round and round, scaled to the mean of all the work. Empty: times are drawn from `work`, each
  /// sample and node by itself.
  std::vector<double> sampleSeconds;
};

/// Samples per second of `batches` batches behind the first tenth, by events: a
/// worker takes the next sample once its batch has a slot, the consumer the
/// next batch once it is whole. Times are drawn by `seed`; the same model and
/// seed give the same figure. 0 batches: as many as 8 000 samples fill, 60 to
/// 300, or 1 000 of a series.
double simulatedRate(const LoaderModel& model, std::uint64_t seed, std::size_t batches = 0);

}  // namespace millrace
