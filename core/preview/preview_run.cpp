// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/preview/preview_run.h"

#include <algorithm>
#include <vector>

#include "core/preview/preview_chain.h"
#include "core/run/executor.h"
#include "core/run/index_sampler.h"
#include "core/run/sample_pipeline.h"

namespace millrace {

namespace {

FailureLimit noLimit() {
  FailureLimit limit;
  limit.count = UINT64_MAX;
  return limit;
}

std::string reasonFor(const std::vector<FailedSample>& failures, const std::string& name) {
  // A sample that failed before is only counted once, so its reason may be further back.
  const auto found = std::find_if(failures.rbegin(), failures.rend(),
                                  [&](const FailedSample& f) { return f.sample == name; });
  return found == failures.rend() ? "failed" : found->reason;
}

class RowPreview final : public PreviewRun {
 public:
  RowPreview(const Plan& plan, std::unique_ptr<IndexSampler> cursor, bool noRandom)
      : PreviewRun(plan, std::move(cursor)),
        m_live(plan),
        m_failures(noLimit(), plan.pipeline.source),
        m_stop(steadyClock()),
        m_parts{plan, m_caches, m_live, m_failures, m_stop, noRandom},
        m_counters("preview", plan.pipeline.nodes.size()) {}

  Status build() {
    MILLRACE_ASSIGN_OR_RETURN(
        auto rows,
        SamplePipeline::make(m_parts, m_plan.stages.front().segments.front(), 0, true, m_counters));
    m_rows = std::move(rows);
    return {};
  }

 private:
  void makeSample(const Place& place, PreviewSample& result) override {
    const Result<bool> made = m_rows->fromSource(place.key, nullptr, 0);
    if (!made)
      result.error = made.error().message;
    else if (!*made)
      result.error = reasonFor(m_failures.failures(), result.name);
    else
      result.sample = &m_rows->sample();
  }

  CacheSet m_caches;
  LiveValues m_live;
  FailureBudget m_failures;
  StopSignal m_stop;
  RunParts m_parts;
  ThreadCounters m_counters;
  std::unique_ptr<SamplePipeline> m_rows;
};

/// Runs the engine for the one batch that contains the sample, and keeps the rows that follow.
class BatchPreview final : public PreviewRun {
 public:
  BatchPreview(const Plan& plan, std::unique_ptr<IndexSampler> cursor, bool noRandom)
      : PreviewRun(plan, std::move(cursor)), m_noRandom(noRandom) {}

 private:
  static bool same(const SampleKey& a, const SampleKey& b) {
    return a.epoch == b.epoch && a.index == b.index && a.copy == b.copy;
  }

  const Sample* find(const SampleKey& key) const {
    for (const auto& row : m_rows)
      if (same(row->key(), key)) return row.get();
    return nullptr;
  }

  void makeSample(const Place& place, PreviewSample& result) override {
    const bool loaded = m_epoch == place.key.epoch && m_batch == place.batch &&
                        place.row >= m_firstRow && place.row < m_firstRow + kRows;
    if (!loaded) load(place);
    result.sample = find(place.key);
    if (result.sample == nullptr)
      result.error = m_error.empty() ? reasonFor(m_failures, result.name) : m_error;
  }

  void load(const Place& place) {
    m_epoch = place.key.epoch;
    m_batch = place.batch;
    m_firstRow = place.row;
    m_rows.clear();
    m_error.clear();
    ExecutorOptions options;
    options.limits.startEpoch = place.key.epoch;
    options.limits.startBatch = place.batch;
    options.limits.batches = 1;
    options.failureLimit = noLimit();
    options.noRandom = m_noRandom;
    const CacheSet caches;
    auto executor = Executor::make(m_plan, caches, options);
    if (!executor) {
      m_error = executor.error().message;
      return;
    }
    const RunEnd end =
        (*executor)->run([&](const Batch& batch, const Executor::Arrival&) { return keep(batch); });
    if (end == RunEnd::Failed) m_error = (*executor)->error().message;
    m_failures = (*executor)->failures().failures();
  }

  /// Failed samples shorten the batch, so the requested rows may have moved forward.
  bool keep(const Batch& batch) {
    const std::size_t moved = static_cast<std::size_t>(m_plan.batch.size) - batch.rows;
    const std::size_t first = m_firstRow > moved ? m_firstRow - moved : 0;
    for (std::size_t r = first; r < batch.rows && r < m_firstRow + kRows; ++r) {
      auto row = std::make_unique<Sample>();
      row->reset(batch.keys[r], batch.fields.size());
      for (std::size_t f = 0; f < batch.fields.size(); ++f) {
        row->borrow(f, batch.fields[f].row(r));
        (void)row->writable(f);  // the batch's memory is freed with the run
      }
      m_rows.push_back(std::move(row));
    }
    return true;
  }

  static constexpr std::size_t kRows = PreviewOptions::kMostSamples;
  const bool m_noRandom;
  std::uint32_t m_epoch = UINT32_MAX;
  std::uint64_t m_batch = 0;
  std::size_t m_firstRow = 0;
  std::vector<std::unique_ptr<Sample>> m_rows;
  std::vector<FailedSample> m_failures;
  std::string m_error;
};

bool worksOnBatches(const Plan& plan) {
  return std::any_of(plan.pipeline.nodes.begin(), plan.pipeline.nodes.end(),
                     [](const CheckedNode& node) { return node.spec->role == NodeRole::BatchOp; });
}

}  // namespace

PreviewRun::PreviewRun(const Plan& plan, std::unique_ptr<IndexSampler> cursor)
    : m_plan(plan), m_cursor(std::move(cursor)) {}
PreviewRun::~PreviewRun() = default;

Result<std::unique_ptr<PreviewRun>> PreviewRun::make(const Plan& plan, bool noRandom) {
  MILLRACE_ASSIGN_OR_RETURN(auto cursor, IndexSampler::make(plan, {}, noRandom));
  if (worksOnBatches(plan))
    return std::unique_ptr<PreviewRun>(
        std::make_unique<BatchPreview>(plan, std::move(cursor), noRandom));
  auto rows = std::make_unique<RowPreview>(plan, std::move(cursor), noRandom);
  if (Status built = rows->build(); !built) return built.error();
  return std::unique_ptr<PreviewRun>(std::move(rows));
}

PreviewSample PreviewRun::at(std::uint64_t place) {
  const EpochIndices* epoch = m_cursor->epochOfTicket(place, m_epoch);
  const auto position = static_cast<std::size_t>(place - epoch->firstTicket);
  const SampleIndex entry = epoch->at(position);
  PreviewSample result;
  result.key = {epoch->epoch, entry.index, entry.copy};
  result.position = position;
  if (epoch->whole()) result.epochSamples = epoch->samples();
  result.name = m_plan.pipeline.source->name(entry.index);
  makeSample({result.key, position / epoch->batchSize, position % epoch->batchSize}, result);
  return result;
}

}  // namespace millrace
