// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/spec/order_op.h"

namespace millrace {

/// The order of one epoch, cut into batches. It may begin before it is whole: then it holds its
/// first batches, and grows at its end. One thread at a time makes it grow; any thread may use what
/// `samples` tells of meanwhile.
class EpochOrder {
 public:
  struct Begin {
    std::uint32_t epoch = 0;
    std::uint64_t ticket = 0;
    std::uint64_t batch = 0;
  };
  EpochOrder(const Begin& begin, std::size_t rows)
      : epoch(begin.epoch), firstTicket(begin.ticket), firstBatch(begin.batch), batchSize(rows) {}

  const std::uint32_t epoch;
  const std::uint64_t firstTicket;  ///< of the epoch's first sample, counted over the run
  const std::uint64_t firstBatch;
  const std::size_t batchSize;
  /// Samples of this epoch that found their row, for DeliveryOrder::Ready.
  mutable std::atomic<std::uint64_t> finished{0};

  /// That the epoch uses, as far as is known: whole batches, until all is known. What drop_last
  /// leaves out is not among them.
  std::size_t samples() const { return m_samples.load(std::memory_order_acquire); }
  /// Of the order so far, with what no batch uses.
  std::size_t entries() const { return m_chunks.empty() ? m_flat.size() : m_count; }
  /// Nothing is added any more.
  bool whole() const { return m_whole.load(std::memory_order_acquire); }
  /// `position` below samples().
  const OrderEntry& at(std::size_t position) const {
    return m_chunks.empty() ? m_flat[position] : m_chunks[position / kChunk][position % kChunk];
  }
  std::uint64_t batches() const { return (samples() + batchSize - 1) / batchSize; }
  std::uint64_t endTicket() const { return firstTicket + samples(); }
  std::uint64_t endBatch() const { return firstBatch + batches(); }
  /// Samples of the epoch's batch b, which is below batches().
  std::size_t rowsOf(std::uint64_t b) const;

  /// All of it at once.
  void setWhole(std::vector<OrderEntry> order, bool dropLast);
  /// More of it, and whether that is all.
  void append(std::span<const OrderEntry> entries, bool last, bool dropLast);

 private:
  static constexpr std::size_t kChunk = std::size_t{1} << 16U;
  static constexpr std::size_t kMostChunks = std::size_t{1} << 16U;

  std::vector<OrderEntry> m_flat;
  /// Of an epoch that grew: all places of chunks from the first on, since others read them.
  std::vector<std::unique_ptr<OrderEntry[]>> m_chunks;
  std::size_t m_count = 0;  ///< entries in the chunks
  std::atomic<std::size_t> m_samples{0};
  std::atomic<bool> m_whole{false};
};

}  // namespace millrace
