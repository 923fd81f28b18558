// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/mutex.h"
#include "core/data/batch.h"
#include "core/graph/plan.h"

namespace millrace {

/// Memory for one batch while it is assembled. Several workers write rows at the same time, each
/// its own row; the worker that completes the last row owns the slot from then on ("owner" below).
/// Holds one Batch for each segment of the stage that fills the slot.
class BatchSlot {
 public:
  /// The resulting batch is allocated from `pinned` if it is given and has enough memory left.
  BatchSlot(const PlanStage& stage, std::size_t batchSize,
            const std::shared_ptr<BufferSource>& pinned = nullptr);
  virtual ~BatchSlot() = default;
  /// Whether every field of the result whose size is known lies in pinned memory.
  bool isPinned() const;

  /// Resets the slot for a new batch of `rows` rows. Owner only.
  void begin(std::uint64_t sequence, std::uint32_t epoch, std::uint32_t indexInEpoch,
             std::size_t rows);

  /// Where row r of field f is to be written; nullptr for a field whose rows vary in size.
  std::byte* rowPlace(std::size_t segment, std::size_t f, std::size_t r);
  std::size_t rowBytes(std::size_t segment, std::size_t f) const {
    return m_segments[segment].fields[f].rowBytes;
  }
  bool isRagged(std::size_t segment, std::size_t f) const {
    return m_segments[segment].fields[f].ragged;
  }
  /// Memory for `bytes` bytes of row r of field f, a field whose rows vary in size. Any worker,
  /// once a row.
  std::byte* raggedPlace(std::size_t segment, std::size_t f, std::size_t r, std::size_t bytes);
  /// Stores a finished sample as row r; copies only the fields that are not in place already. On
  /// error the sample does not fit the shape of the batch; the batch stays usable.
  Status putRow(std::size_t segment, std::size_t r, const Sample& sample);
  void markFailed(std::size_t r) { m_good[r] = 0; }
  /// Counts a row of the first segment as done. True for the caller that completed the last one.
  bool completeRow() { return m_missing.fetch_sub(1, std::memory_order_acq_rel) == 1; }

  /// Removes the rows that failed in `segment`, or fills them with copies of good rows, as
  /// `onFailure` says (docs/reference/failures.md). Owner only.
  void closeGaps(std::size_t segment, OnFailure onFailure);
  /// Prepares the batch of a later segment for the rows of `before`, with their keys. Owner only.
  void beginSegment(std::size_t segment, const Batch& before);

  /// Copies a whole batch with the same fields into the first segment. Owner only.
  void copyFrom(const Batch& batch);

  Batch& segment(std::size_t i) { return m_segments[i]; }
  /// The batch that the next stage gets. The owner sets it when the slot is finished.
  Batch& result() { return *m_result; }
  void setResult(Batch& batch) { m_result = &batch; }

  /// The first thread that reaches a free slot prepares it, once for each sequence number.
  Mutex prepareMutex;
  std::atomic<std::uint64_t> preparedFor{UINT64_MAX};

 protected:
  /// For subclasses that allocate their batches themselves and call setResult.
  BatchSlot() = default;

 private:
  void fillGaps(std::size_t segment);
  void fillRow(std::size_t segment, std::size_t from, std::size_t to);
  static void copyRow(Batch& batch, std::size_t from, std::size_t to);

  /// Memory of a field whose rows vary in size. Space is taken by an atomic addition; a row that
  /// does not fit gets a buffer to itself, and the arena is enlarged for the next batch.
  struct Arena {
    std::atomic<std::size_t> used{0};
    std::vector<Buffer> overflow;
  };

  std::vector<Batch> m_segments;
  std::size_t m_resultSegment = 0;  ///< the segment whose memory becomes the result
  Batch* m_result = nullptr;
  std::vector<std::vector<std::unique_ptr<Arena>>> m_arenas;  ///< by segment and field
  std::vector<std::uint8_t> m_good;
  std::atomic<std::size_t> m_missing{0};
  Sample m_copied;  ///< scratch space of copyFrom
};

}  // namespace millrace
