// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/comparison_keeper.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "app/cli/stopped_search.h"

namespace millrace::cli {

namespace {

/// The first blocks that every side has whole.
MeasuredBlocks measuredOf(const std::vector<RunDetails>& sides) {
  std::vector<std::vector<SpanFigures>> repeats;
  for (const RunDetails& side : sides) repeats.push_back(wholeRepeats(side));
  MeasuredBlocks measured;
  measured.blocks.resize(std::min(repeats[0].size(), repeats[1].size()));
  for (std::size_t i = 0; i < measured.blocks.size(); ++i) {
    MeasuredBlock& block = measured.blocks[i];
    for (std::vector<SpanFigures>& side : repeats) block.sides.push_back(std::move(side[i]));
    block.disturbed = isDisturbed(block.sides);
    if (measured.disturbance.empty()) measured.disturbance = disturbanceOf(block.sides);
  }
  return measured;
}

constexpr std::array kComparisonConditions = {"cpu_model",    "cores_usable",     "engine_version",
                                              "data_samples", "data_fingerprint", "draws",
                                              "fusing"};

/// The details of both sides, where these are the pipelines and the comparison was stopped.
Result<std::optional<std::vector<RunDetails>>> detailsIfStopped(RunStore& store,
                                                                const ComparisonRecord& record,
                                                                const ComparisonSides& sides) {
  std::vector<RunDetails> all;
  if (record.sides.size() != sides.size()) return std::optional<std::vector<RunDetails>>();
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const auto json = store.pipelineJson(record.sides[i]);
    if (!json) return json.error();
    auto details = store.show(record.sides[i]);
    if (!details) return details.error();
    if (*json != keptText(sides[i]->prepared) || details->summary.state != RunState::Interrupted)
      return std::optional<std::vector<RunDetails>>();
    all.push_back(details.take());
  }
  return std::optional(std::move(all));
}

}  // namespace

Result<StoppedComparison> stoppedComparison(const std::filesystem::path& file,
                                            const ComparisonSides& sides) {
  constexpr std::int64_t kLookedAt = 1000;
  const Error none{fmt::format(
      "no stopped comparison of these two in {}; leave --resume out to begin one", file.string())};
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return none;
  auto store = RunStore::open(file);
  if (!store) return store.error();
  const auto all = store->comparisons(kLookedAt);
  if (!all) return all.error();
  for (const ComparisonRecord& record : *all) {
    const auto details = detailsIfStopped(*store, record, sides);
    if (!details) return details.error();
    if (!*details) continue;
    for (std::size_t i = 0; i < sides.size(); ++i)
      MILLRACE_TRY(sameConditions((**details)[i].environment, sides[i]->facts, "comparison",
                                  kComparisonConditions));
    StoppedComparison stopped{record, measuredOf(**details)};
    stopped.measured.replaced = static_cast<std::size_t>(record.replacedBlocks);
    return stopped;
  }
  return none;
}

Result<std::unique_ptr<ComparisonKeeper>> ComparisonKeeper::begin(const std::filesystem::path& file,
                                                                  const RunLabels& labels,
                                                                  const ComparisonSides& sides,
                                                                  ComparisonRecord record) {
  auto store = RunStore::open(file);
  if (!store) return store.error();
  std::vector<Side> kept;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    RunLabels own = labels;
    if (!own.name.empty()) own.name += fmt::format(" ({})", kSideLetters[i]);
    const ComparisonSide& side = *sides[i];
    auto recorder = StoreRecorder::begin(file, own, side.prepared.plan, side.pipeline,
                                         keptText(side.prepared), side.facts);
    if (!recorder) return recorder.error();
    record.sides.push_back((*recorder)->run());
    auto blocks = std::make_unique<BlockRecorder>(**recorder);
    kept.push_back({recorder.take(), std::move(blocks)});
  }
  const auto id = store->beginComparison(record);
  if (!id) return id.error();
  record.id = *id;
  return std::unique_ptr<ComparisonKeeper>(
      new ComparisonKeeper(store.take(), std::move(record), std::move(kept)));
}

Result<std::unique_ptr<ComparisonKeeper>> ComparisonKeeper::goOn(const std::filesystem::path& file,
                                                                 const ComparisonSides& sides,
                                                                 const StoppedComparison& stopped) {
  auto store = RunStore::open(file);
  if (!store) return store.error();
  std::vector<Side> kept;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const RunNumber run = stopped.record.sides[i];
    MILLRACE_TRY(store->resumeRun(run, static_cast<std::int64_t>(stopped.measured.blocks.size())));
    auto recorder = StoreRecorder::goOn(file, run, sides[i]->prepared.plan);
    if (!recorder) return recorder.error();
    auto blocks = std::make_unique<BlockRecorder>(**recorder);
    kept.push_back({recorder.take(), std::move(blocks)});
  }
  return std::unique_ptr<ComparisonKeeper>(
      new ComparisonKeeper(store.take(), stopped.record, std::move(kept)));
}

std::string ComparisonKeeper::runId(std::size_t side) const {
  return std::to_string(static_cast<std::int64_t>(m_record.sides[side]));
}

void ComparisonKeeper::keepBlock(std::size_t index) {
  for (const Side& side : m_sides) side.blocks->keep(index);
}

void ComparisonKeeper::replaceBlock() {
  for (const Side& side : m_sides) side.blocks->drop();
  const Status noted = m_store.setReplacedBlocks(m_record.id, ++m_record.replacedBlocks);
  if (!noted)
    fmt::print(stderr, "warning: not everything of this comparison is kept: {}\n",
               noted.error().message);
}

void ComparisonKeeper::finish(const std::vector<RunResult>& results) {
  for (std::size_t i = 0; i < m_sides.size(); ++i) {
    m_sides[i].blocks->drop();
    m_sides[i].recorder->finish(results[i]);
    m_sides[i].recorder.reset();
  }
}

}  // namespace millrace::cli
