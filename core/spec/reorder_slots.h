// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

namespace millrace {

/// Batches for which a queue has memory: `capacity` that wait, one with the reader, and those in
/// progress. With `wholeBatches` every worker makes its own, otherwise they share each batch.
inline std::size_t usualSlots(std::size_t capacity, std::size_t workers, bool wholeBatches,
                              std::size_t batchSize) {
  const std::size_t atOnce = wholeBatches ? workers : (workers + batchSize - 1) / batchSize;
  return capacity + 1 + atOnce;
}

/// Batches that workers may begin, beyond the `usual` number, while an earlier batch waits for a
/// slow sample: all in all 12 samples for each worker, so that one of them may take 12 times as
/// long as the others.
inline std::size_t reorderSlots(std::size_t workers, std::size_t batchSize, std::size_t usual) {
  constexpr std::size_t kSamplesOfAWorker = 12;
  if (workers < 2) return 0;
  const std::size_t batches = (kSamplesOfAWorker * workers + batchSize - 1) / batchSize + 1;
  return batches - std::min(batches, usual);
}

}  // namespace millrace
