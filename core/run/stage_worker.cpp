// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/stage_worker.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "core/run/early_starts.h"
#include "core/run/thrown_error.h"

namespace millrace {

void StageWorker::waitForOutput() { (void)m_out.waitWritable(m_waitsFor); }

StepResult StageWorker::guardedStep() {
  try {
    return step();
  } catch (const std::exception& thrown) {
    return fail(errorOf(thrown));
  }
}

BatchSlot& StageWorker::prepare(std::uint64_t sequence, const EpochIndices& epoch) {
  BatchSlot& slot = m_out.slot(sequence);
  if (slot.preparedFor.load(std::memory_order_acquire) == sequence) return slot;
  const MutexLock lock(slot.prepareMutex);
  if (slot.preparedFor.load(std::memory_order_relaxed) == sequence) return slot;
  const std::uint64_t within = sequence - epoch.firstBatch;
  slot.begin(sequence, epoch.epoch, static_cast<std::uint32_t>(within), epoch.rowsOf(within));
  slot.preparedFor.store(sequence, std::memory_order_release);
  return slot;
}

namespace {

SampleKey keyAt(const EpochIndices& epoch, std::size_t position) {
  const SampleIndex& entry = epoch.at(position);
  return {epoch.epoch, entry.index, entry.copy};
}

class SampleWorker final : public StageWorker {
 public:
  SampleWorker(const RunParts& parts, DeliveryOrder order, IndexSampler& sampler, BatchRing& out,
               std::unique_ptr<SamplePipeline> pipeline, std::unique_ptr<SegmentRunner> segments,
               MakePipeline another)
      : StageWorker(out),
        m_early(order == DeliveryOrder::Strict ? parts.early : nullptr),
        m_another(std::move(another)),
        m_order(order),
        m_sampler(sampler),
        m_mostClaimed(parts.readAhead == nullptr ? IndexSampler::kMostClaimed : 1),
        m_batchSize(static_cast<std::uint64_t>(parts.plan.batch.size)),
        m_pipeline(std::move(pipeline)),
        m_segments(std::move(segments)) {}

  StepResult step() override {
    if (m_out.cancelled()) return StepResult::Finished;
    if (m_holding) return place();
    if (m_parked && m_out.writable(m_parked->sequence)) return placeParked();
    if (m_next == m_claimed) {
      // First, because the sample of a claimed ticket would wait for the slow one.
      if (m_early != nullptr && !m_parked)
        if (const auto ticket = earlyTicket()) return startEarly(*ticket);
      claim();
    }
    const EpochIndices* epoch = m_sampler.epochOfTicket(m_next, m_epoch);
    if (epoch == nullptr) return finished();
    return m_order == DeliveryOrder::Strict ? strictStep(*epoch) : readyStep(*epoch);
  }

 private:
  /// Claims several cheap samples at a time to avoid contention on the counter. Samples that are
  /// read ahead are claimed singly, because they become ready in the order of their tickets.
  void claim() {
    constexpr auto kLong = std::chrono::microseconds(20);
    const SteadyTime now = std::chrono::steady_clock::now();
    if (m_claims > 0 && now - m_claimTime < kLong && m_claimSize < m_mostClaimed) m_claimSize *= 2;
    if (m_claims > 0 && now - m_claimTime > 4 * kLong && m_claimSize > 1) m_claimSize /= 2;
    ++m_claims;
    m_claimTime = now;
    m_next = m_sampler.takeSamples(m_claimSize);
    m_claimed = m_next + m_claimSize;
  }

  StepResult finished() {
    m_next = m_claimed;
    const auto end = m_sampler.end();
    if (m_parked && end && m_parked->sequence < *end) {
      m_waitsFor = m_parked->sequence;
      return StepResult::WaitsForOutput;
    }
    if (end) m_out.close(*end);
    return StepResult::Finished;
  }

  StepResult strictStep(const EpochIndices& epoch) {
    const std::uint64_t position = m_next - epoch.firstTicket;
    const std::uint64_t sequence = epoch.firstBatch + position / m_batchSize;
    if (!m_out.writable(sequence)) {
      // The batch of the parked sample may come first, and then no other thread can finish it.
      m_waitsFor = m_parked ? std::min(m_parked->sequence, sequence) : sequence;
      return StepResult::WaitsForOutput;
    }
    const std::uint64_t ticket = m_next++;
    if (m_early != nullptr && !m_early->claim(ticket)) return StepResult::Ready;
    BatchSlot& slot = prepare(sequence, epoch);
    const std::size_t row = position % m_batchSize;
    Result<bool> good = m_pipeline->fromSource(keyAt(epoch, position), &slot, row, ticket);
    if (!good) return fail(good.error());
    return put(*m_pipeline, slot, row, sequence, *good);
  }

  /// A slow sample that is due. Its order may be that of the next epoch.
  std::optional<std::uint64_t> earlyTicket() {
    const std::uint64_t next = m_sampler.nextTicket();
    if (const std::uint64_t lead = m_early->lead(); lead > 0) m_sampler.computeUntil(next + lead);
    return m_early->take(next);
  }

  /// Makes a sample whose batch may have no slot yet.
  StepResult startEarly(std::uint64_t ticket) {
    const EpochIndices* epoch = m_sampler.epochOfTicket(ticket, m_earlyEpoch);
    if (epoch == nullptr) return StepResult::Ready;  // the run ends before it
    if (!m_earlyPipeline) {
      auto made = m_another();
      if (!made) return fail(made.error());
      m_earlyPipeline = made.take();
    }
    const std::uint64_t position = ticket - epoch->firstTicket;
    Result<bool> good = m_earlyPipeline->fromSource(keyAt(*epoch, position), nullptr, 0);
    if (!good) return fail(good.error());
    m_parked = Parked{m_earlyEpoch, epoch->firstBatch + position / m_batchSize,
                      position % m_batchSize, *good};
    return StepResult::Ready;
  }

  StepResult placeParked() {
    const Parked parked = *std::exchange(m_parked, std::nullopt);
    BatchSlot& slot = prepare(parked.sequence, *parked.epoch);
    return put(*m_earlyPipeline, slot, parked.row, parked.sequence, parked.good);
  }

  StepResult readyStep(const EpochIndices& epoch) {
    const std::uint64_t ticket = m_next++;
    const std::uint64_t position = ticket - epoch.firstTicket;
    Result<bool> good = m_pipeline->fromSource(keyAt(epoch, position), nullptr, 0, ticket);
    if (!good) return fail(good.error());
    m_holdsGood = *good;
    m_position = epoch.finished.fetch_add(1, std::memory_order_relaxed);
    m_holding = m_epoch;
    return place();
  }

  /// Puts the finished sample into the row that it got by finishing.
  StepResult place() {
    const EpochIndices& epoch = *m_holding;
    const std::uint64_t sequence = epoch.firstBatch + m_position / m_batchSize;
    if (!m_out.writable(sequence)) {
      m_waitsFor = sequence;
      return StepResult::WaitsForOutput;
    }
    BatchSlot& slot = prepare(sequence, epoch);
    const StepResult result =
        put(*m_pipeline, slot, m_position % m_batchSize, sequence, m_holdsGood);
    m_holding.reset();
    return result;
  }

  StepResult put(SamplePipeline& pipeline, BatchSlot& slot, std::size_t row, std::uint64_t sequence,
                 bool good) {
    if (good) {
      Result<bool> placed = pipeline.put(slot, row);
      if (!placed) return fail(placed.error());
      good = *placed;
    }
    if (!good) slot.markFailed(row);
    if (!slot.completeRow()) return StepResult::Ready;
    if (Status done = m_segments->finish(slot); !done) return fail(done.error());
    m_out.markReady(sequence);
    return StepResult::Ready;
  }

  /// A sample that was started early and waits for its batch.
  struct Parked {
    std::shared_ptr<const EpochIndices> epoch;
    std::uint64_t sequence = 0;
    std::size_t row = 0;
    bool good = false;
  };

  EarlyStarts* const m_early;
  const MakePipeline m_another;
  const DeliveryOrder m_order;
  IndexSampler& m_sampler;
  const std::uint64_t m_mostClaimed;
  const std::uint64_t m_batchSize;
  std::unique_ptr<SamplePipeline> m_pipeline;
  std::unique_ptr<SegmentRunner> m_segments;
  std::shared_ptr<const EpochIndices> m_epoch;
  std::uint64_t m_next = 0;
  std::uint64_t m_claimed = 0;
  std::uint64_t m_claimSize = 1;
  std::uint64_t m_claims = 0;
  SteadyTime m_claimTime;
  std::shared_ptr<const EpochIndices> m_holding;  ///< set while a finished sample waits for its row
  std::uint64_t m_position = 0;
  bool m_holdsGood = false;
  std::unique_ptr<SamplePipeline> m_earlyPipeline;  ///< nullptr until a sample is started early
  std::shared_ptr<const EpochIndices> m_earlyEpoch;
  std::optional<Parked> m_parked;
};

class BatchWorker final : public StageWorker {
 public:
  BatchWorker(const RunParts& parts, IndexSampler& sampler, BatchRing& out,
              std::unique_ptr<SamplePipeline> pipeline, std::unique_ptr<SegmentRunner> segments)
      : StageWorker(out),
        m_parts(parts),
        m_sampler(sampler),
        m_pipeline(std::move(pipeline)),
        m_segments(std::move(segments)) {}

  StepResult step() override {
    if (m_out.cancelled()) return StepResult::Finished;
    if (!m_batch) m_batch = m_sampler.takeBatch();
    const EpochIndices* epoch = m_sampler.epochOfBatch(*m_batch, m_epoch);
    if (epoch == nullptr) {
      if (const auto end = m_sampler.end()) m_out.close(*end);
      return StepResult::Finished;
    }
    if (!m_out.writable(*m_batch)) {
      m_waitsFor = *m_batch;
      return StepResult::WaitsForOutput;
    }
    return make(*epoch);
  }

 private:
  StepResult make(const EpochIndices& epoch) {
    BatchSlot& slot = prepare(*m_batch, epoch);
    const std::uint64_t within = *m_batch - epoch.firstBatch;
    const std::size_t first = static_cast<std::size_t>(within) * epoch.batchSize;
    for (std::size_t row = 0; row < epoch.rowsOf(within); ++row) {
      if (m_parts.stop.dropped()) return StepResult::Finished;
      Result<bool> good = m_pipeline->fromSource(keyAt(epoch, first + row), &slot, row,
                                                 epoch.firstTicket + first + row);
      if (good && *good) good = m_pipeline->put(slot, row);
      if (!good) return fail(good.error());
      if (!*good) slot.markFailed(row);
    }
    if (Status done = m_segments->finish(slot); !done) return fail(done.error());
    m_out.markReady(*m_batch);
    m_batch.reset();
    return StepResult::Ready;
  }

  const RunParts& m_parts;
  IndexSampler& m_sampler;
  std::unique_ptr<SamplePipeline> m_pipeline;
  std::unique_ptr<SegmentRunner> m_segments;
  std::shared_ptr<const EpochIndices> m_epoch;
  std::optional<std::uint64_t> m_batch;
};

class LaterWorker final : public StageWorker {
 public:
  LaterWorker(BatchRing& in, BatchRing& out, std::unique_ptr<SegmentRunner> segments)
      : StageWorker(out), m_in(in), m_segments(std::move(segments)) {}

  StepResult step() override {
    if (m_out.cancelled()) return StepResult::Finished;
    if (!m_taken) m_taken = m_in.take();
    if (!m_taken) {
      m_out.close(m_in.end());
      return StepResult::Finished;
    }
    if (!m_out.writable(m_taken->sequence)) {
      m_waitsFor = m_taken->sequence;
      return StepResult::WaitsForOutput;
    }
    BatchSlot& slot = m_out.slot(m_taken->sequence);
    Batch& before = m_taken->slot->result();
    slot.begin(before.sequence, before.epoch, before.indexInEpoch, before.rows);
    Result<Batch*> done = m_segments->run(before, slot, true);
    if (!done) return fail(done.error());
    m_out.markReady(m_taken->sequence);
    m_in.release(*m_taken->slot);
    m_taken.reset();
    return StepResult::Ready;
  }

 private:
  BatchRing& m_in;
  std::unique_ptr<SegmentRunner> m_segments;
  std::optional<BatchRing::Taken> m_taken;
};

}  // namespace

std::unique_ptr<StageWorker> makeSampleWorker(const RunParts& parts, DeliveryOrder order,
                                              IndexSampler& sampler, BatchRing& out,
                                              std::unique_ptr<SamplePipeline> pipeline,
                                              std::unique_ptr<SegmentRunner> segments,
                                              MakePipeline another) {
  return std::make_unique<SampleWorker>(parts, order, sampler, out, std::move(pipeline),
                                        std::move(segments), std::move(another));
}

std::unique_ptr<StageWorker> makeBatchWorker(const RunParts& parts, IndexSampler& sampler,
                                             BatchRing& out,
                                             std::unique_ptr<SamplePipeline> pipeline,
                                             std::unique_ptr<SegmentRunner> segments) {
  return std::make_unique<BatchWorker>(parts, sampler, out, std::move(pipeline),
                                       std::move(segments));
}

std::unique_ptr<StageWorker> makeLaterWorker(BatchRing& in, BatchRing& out,
                                             std::unique_ptr<SegmentRunner> segments) {
  return std::make_unique<LaterWorker>(in, out, std::move(segments));
}

}  // namespace millrace
