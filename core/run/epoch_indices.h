// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/spec/index_transform.h"

namespace millrace {

/// The sample order of one epoch, cut into batches. It may be in use before it is complete: then it
/// holds the epoch's first batches and grows at its end. One thread at a time appends; any thread
/// may concurrently read the positions below `samples()`.
class EpochIndices {
 public:
  struct Begin {
    std::uint32_t epoch = 0;
    std::uint64_t ticket = 0;
    std::uint64_t batch = 0;
  };
  EpochIndices(const Begin& begin, std::size_t rows)
      : epoch(begin.epoch), firstTicket(begin.ticket), firstBatch(begin.batch), batchSize(rows) {}

  const std::uint32_t epoch;
  const std::uint64_t firstTicket;  ///< of the epoch's first sample, counted over the run
  const std::uint64_t firstBatch;
  const std::size_t batchSize;
  /// DeliveryOrder::Ready: number of samples of this epoch that already have a row.
  mutable std::atomic<std::uint64_t> finished{0};

  /// Number of samples that the epoch uses, as far as known: only full batches until the order is
  /// complete. Samples that drop_last leaves out are not counted.
  std::size_t samples() const { return m_samples.load(std::memory_order_acquire); }
  /// Length of the order so far, including entries that no batch uses.
  std::size_t entries() const { return m_chunks.empty() ? m_flat.size() : m_count; }
  /// Whether the order is complete.
  bool whole() const { return m_whole.load(std::memory_order_acquire); }
  /// Requires position < samples().
  const SampleIndex& at(std::size_t position) const {
    return m_chunks.empty() ? m_flat[position] : m_chunks[position / kChunk][position % kChunk];
  }
  std::uint64_t batches() const { return (samples() + batchSize - 1) / batchSize; }
  std::uint64_t endTicket() const { return firstTicket + samples(); }
  std::uint64_t endBatch() const { return firstBatch + batches(); }
  /// Number of samples in the epoch's batch b; requires b < batches().
  std::size_t rowsOf(std::uint64_t b) const;

  /// Sets the complete order. Instead of `append`, once.
  void setWhole(std::vector<SampleIndex> order, bool dropLast);
  /// Appends entries; `last`: the order is complete with them.
  void append(std::span<const SampleIndex> entries, bool last, bool dropLast);

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 16U;
  static constexpr std::size_t kMostChunks = std::size_t{1} << 16U;

  std::vector<SampleIndex> m_flat;
  /// For an order that grows. The table of chunks gets its full size at once, because other threads
  /// read it meanwhile.
  std::vector<std::unique_ptr<SampleIndex[]>> m_chunks;
  std::size_t m_count = 0;  ///< entries in all chunks
  std::atomic<std::size_t> m_samples{0};
  std::atomic<bool> m_whole{false};
};

}  // namespace millrace
