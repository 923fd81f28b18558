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

/// Memory for one batch in the making: rows are written by many workers at once, each its own;
/// the worker that completes the last row owns the whole slot from then on. One Batch for each
/// phase of the stage that fills it.
class BatchSlot {
 public:
  /// The result's memory is of `pinned` where that is given and has enough.
  BatchSlot(const PlanStage& stage, std::size_t batchSize,
            const std::shared_ptr<BufferSource>& pinned = nullptr);
  virtual ~BatchSlot() = default;
  /// Whether the memory of every field of one size is of `pinned`.
  bool isPinned() const;

  /// Takes over for a new batch. Owner only.
  void begin(std::uint64_t sequence, std::uint32_t epoch, std::uint32_t indexInEpoch,
             std::size_t rows);

  /// Where row r of field f is to be written; nullptr for a field without fixed row size.
  std::byte* rowPlace(std::size_t phase, std::size_t f, std::size_t r);
  std::size_t rowBytes(std::size_t phase, std::size_t f) const {
    return m_phases[phase].fields[f].rowBytes;
  }
  bool isRagged(std::size_t phase, std::size_t f) const { return m_phases[phase].fields[f].ragged; }
  /// Memory for `bytes` bytes of field f of row r, of a field without fixed row size.
  std::byte* raggedPlace(std::size_t phase, std::size_t f, std::size_t r, std::size_t bytes);
  /// Puts a finished sample into row r: copies what is not yet in its place. The error concerns
  /// this sample: a shape that the batch has no room for.
  Status putRow(std::size_t phase, std::size_t r, const Sample& sample);
  void markFailed(std::size_t r) { m_good[r] = 0; }
  /// True for the caller that completed the last missing row of the first phase.
  bool completeRow() { return m_missing.fetch_sub(1, std::memory_order_acq_rel) == 1; }

  /// Closes the gaps that failed rows left in `phase` (CONTRACT §4). Owner only.
  void closeGaps(std::size_t phase, OnFailure onFailure);
  /// Readies a later phase's batch to take the rows of `before`. Owner only.
  void beginPhase(std::size_t phase, const Batch& before);

  /// Copies a whole batch of the same fields into the first phase. Owner only.
  void copyFrom(const Batch& batch);

  Batch& phase(std::size_t i) { return m_phases[i]; }
  /// What the next stage gets: set by the owner when the slot is finished.
  Batch& result() { return *m_result; }
  void setResult(Batch& batch) { m_result = &batch; }

  /// For whoever comes first to a slot that was free: prepared once a sequence.
  Mutex prepareMutex;
  std::atomic<std::uint64_t> preparedFor{UINT64_MAX};

 protected:
  /// For a slot that makes its batches itself and sets its result.
  BatchSlot() = default;

 private:
  void fillGaps(std::size_t phase);
  void fillRow(std::size_t phase, std::size_t from, std::size_t to);
  static void copyRow(Batch& batch, std::size_t from, std::size_t to);

  /// Bytes of any length: one arena a field whose space is taken by counting up; what does not fit
  /// goes to a buffer of the row, and the arena is larger next time.
  struct Arena {
    std::atomic<std::size_t> used{0};
    std::vector<Buffer> overflow;
  };

  std::vector<Batch> m_phases;
  std::size_t m_resultPhase = 0;  ///< whose memory the result has
  Batch* m_result = nullptr;
  std::vector<std::vector<std::unique_ptr<Arena>>> m_arenas;  ///< by phase and field
  std::vector<std::uint8_t> m_good;
  std::atomic<std::size_t> m_missing{0};
  Sample m_copied;  ///< scratch of copyFrom
};

}  // namespace millrace
