// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/data/sample.h"
#include "core/run/batch_slot.h"
#include "core/run/read_ahead.h"
#include "core/run/run_parts.h"
#include "core/run/thread_counters.h"
#include "core/spec/sample_op.h"
#include "core/spec/source.h"

namespace millrace {

/// Lets a source write values of varying size directly into a row of a batch slot.
class SlotRow final : public RowMemory {
 public:
  /// `record`: the field whose memory takes whole records.
  SlotRow(std::size_t segment, std::size_t record) : m_segment(segment), m_record(record) {}
  void set(BatchSlot& slot, std::size_t row) {
    m_slot = &slot;
    m_row = row;
  }
  std::byte* take(std::size_t i, std::size_t bytes) override;

 private:
  const std::size_t m_segment;
  const std::size_t m_record;
  BatchSlot* m_slot = nullptr;
  std::size_t m_row = 0;
};

/// Takes one sample at a time through the sample operations of a segment and into its row of a
/// batch slot. This is the hot path: no lock, and no allocation by the engine once buffers have
/// grown. One thread.
class SamplePipeline {
 public:
  /// `segmentIndex`: index of `segment` in its stage. `fromSource`: it reads samples from the
  /// source.
  static Result<std::unique_ptr<SamplePipeline>> make(const RunParts& parts,
                                                      const StageSegment& segment,
                                                      std::size_t segmentIndex, bool fromSource,
                                                      ThreadCounters& counters);

  /// Reads a sample and applies all operations. False: the sample failed and is counted as failed.
  /// Error: the failure budget is exceeded. If `slot` is nullptr the row is not known yet, and
  /// operations write to their own memory. `ticket`: the sample's ticket, if it may have been read
  /// ahead.
  Result<bool> fromSource(const SampleKey& key, BatchSlot* slot, std::size_t row,
                          std::optional<std::uint64_t> ticket = std::nullopt);
  /// The result of the last fromSource or fromRow, until the next call or `put`.
  const Sample& sample() const { return m_sample; }
  /// Like fromSource, with a row of an earlier batch as the sample.
  Result<bool> fromRow(const Batch& before, std::size_t beforeRow, BatchSlot& slot,
                       std::size_t row);
  /// Stores the sample in its row. False and error: as for fromSource.
  Result<bool> put(BatchSlot& slot, std::size_t row);

 private:
  struct Step {
    std::size_t node = 0;  ///< node whose counters it uses
    std::vector<std::size_t> nodes;
    OpContext context;
    std::unique_ptr<SampleOp> op;  ///< nullptr for a cache
    SampleCache* cache = nullptr;
    std::uint64_t version = 0;
    std::vector<std::size_t> offers;  ///< fields that this step writes directly into the batch
    std::vector<std::uint64_t> countsBefore;  ///< its named counters before a timed sample
  };

  SamplePipeline(const RunParts& parts, const StageSegment& segment, std::size_t segmentIndex,
                 ThreadCounters& counters);
  Status makeStep(const PlanGroup& group);
  Status buildOp(Step& step);
  void countFor(Step& step);
  void assignOffers();
  std::optional<std::size_t> firstUnchanged() const;
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
  bool lap(std::size_t node);
  void lapStep(const Step& step);
  void noteCounts(Step& step) const;
  static std::string_view raisedCounter(const Step& step);
  void keepIfSlow(std::uint64_t ns);
  void countStep(const Step& step, std::uint64_t bytesIn);
  std::uint64_t sampleBytes() const;

  const RunParts& m_parts;
  const StageSegment& m_segment;
  const std::size_t m_segmentIndex;
  ThreadCounters& m_counters;
  std::unique_ptr<SourceReader> m_reader;
  std::vector<std::size_t> m_readerOffers;
  std::optional<SlotRow> m_row;  ///< lets the reader write into the batch
  std::vector<Step> m_steps;
  bool m_hasCache = false;
  std::uint64_t m_liveVersion = 0;
  ReadAhead::Loan m_loan;  ///< memory of a sample that was read ahead
  Sample m_sample;
  std::size_t m_mostFields = 0;  ///< largest number of fields along the chain
  TimingSampler m_timing;
  bool m_timed = false;
  std::uint64_t m_started = 0;
  std::uint64_t m_lastLap = 0;
  std::uint64_t m_workedNs = 0;
  TimedSample m_slow;  ///< what is known of the timed sample
};

}  // namespace millrace
