// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/data/sample.h"
#include "core/run/batch_slot.h"
#include "core/run/read_ahead.h"
#include "core/run/run_parts.h"
#include "core/run/thread_counters.h"
#include "core/spec/sample_op.h"
#include "core/spec/source.h"

namespace millrace {

/// A row of a batch slot, for values of any length.
class SlotRow final : public RowMemory {
 public:
  /// `record`: the field whose memory records lie in.
  SlotRow(std::size_t phase, std::size_t record) : m_phase(phase), m_record(record) {}
  void set(BatchSlot& slot, std::size_t row) {
    m_slot = &slot;
    m_row = row;
  }
  std::byte* take(std::size_t i, std::size_t bytes) override;

 private:
  const std::size_t m_phase;
  const std::size_t m_record;
  BatchSlot* m_slot = nullptr;
  std::size_t m_row = 0;
};

/// Takes one sample at a time through the row operations of a phase, into its row of a batch slot.
/// The hot path: no lock, and no allocation of ours once buffers have grown. One thread.
class RowPipeline {
 public:
  /// `phase`: which of the stage's; the first phase of the first stage reads from the source.
  static Result<std::unique_ptr<RowPipeline>> make(const RunParts& parts, const PlanPhase& phase,
                                                   std::size_t phaseIndex, bool fromSource,
                                                   ThreadCounters& counters);

  /// Reads a sample and works on it until only the row is missing. False: the sample failed, which
  /// is already counted; the error: the failure budget is used up.
  /// `slot` may be nullptr, then no place in a batch is offered yet. `ticket`: of the sample, where
  /// it may have been read ahead.
  Result<bool> fromSource(const SampleKey& key, BatchSlot* slot, std::size_t row,
                          std::optional<std::uint64_t> ticket = std::nullopt);
  /// What the last fromSource or fromRow left, until the next one or `put`.
  const Sample& sample() const { return m_sample; }
  /// The same for a row of an earlier batch.
  Result<bool> fromRow(const Batch& before, std::size_t beforeRow, BatchSlot& slot,
                       std::size_t row);
  /// Puts the finished sample into its row.
  Result<bool> put(BatchSlot& slot, std::size_t row);

 private:
  struct Step {
    std::size_t node = 0;  ///< owner of the counter
    std::vector<std::size_t> nodes;
    OpContext context;
    std::unique_ptr<SampleOp> op;  ///< nullptr for a cache
    SampleCache* cache = nullptr;
    std::uint64_t version = 0;
    std::vector<std::size_t> offers;  ///< fields whose last new memory this step asks for
  };

  RowPipeline(const RunParts& parts, const PlanPhase& phase, std::size_t phaseIndex,
              ThreadCounters& counters);
  Status makeStep(const PlanGroup& group);
  Status buildOp(Step& step);
  void countFor(Step& step);
  void assignOffers();
  std::optional<std::size_t> firstKept() const;
  Status renewLive();

  std::size_t loadFromCache();
  Status readSample(const SampleKey& key, BatchSlot* slot, std::size_t row,
                    std::optional<std::uint64_t> ticket);
  Result<bool> countRead(const Status& read);
  Result<bool> runSteps(std::size_t from, BatchSlot* slot, std::size_t row);
  void offer(const std::vector<std::size_t>& fields, BatchSlot* slot, std::size_t row);
  void beginTiming();
  Result<bool> worked(Result<bool> result);
  Result<bool> failed(std::size_t node, const std::string& reason);
  void lap(std::size_t node);
  void countStep(const Step& step, std::uint64_t bytesIn);
  std::uint64_t sampleBytes() const;

  const RunParts& m_parts;
  const PlanPhase& m_phase;
  const std::size_t m_phaseIndex;
  ThreadCounters& m_counters;
  std::unique_ptr<SourceReader> m_reader;
  std::vector<std::size_t> m_readerOffers;
  std::optional<SlotRow> m_row;  ///< where the reader may put what it reads
  std::vector<Step> m_steps;
  bool m_hasCache = false;
  std::uint64_t m_liveVersion = 0;
  ReadAhead::Loan m_loan;  ///< what the sample was made from, where it was read ahead
  Sample m_sample;
  std::size_t m_mostFields = 0;  ///< that a sample has anywhere along the chain
  TimingSampler m_timing;
  bool m_timed = false;
  std::uint64_t m_started = 0;
  std::uint64_t m_lastLap = 0;
  std::uint64_t m_workedNs = 0;
};

}  // namespace millrace
