// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/compare/comparison_keeper.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/jobs/loader/loader_record.h"
#include "core/jobs/run/run_keeping.h"
#include "core/jobs/search/stopped_search.h"

namespace millrace {

namespace {

/// The leading blocks that every side has completed.
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

/// The details of both sides, if they belong to these pipelines and the comparison was stopped.
Result<std::optional<std::vector<RunDetails>>> detailsIfStopped(RunStore& store,
                                                                const ComparisonRecord& record,
                                                                const ComparisonSides& sides) {
  std::vector<RunDetails> all;
  if (record.sides.size() != sides.size()) return std::optional<std::vector<RunDetails>>();
  for (std::size_t i = 0; i < sides.size(); ++i) {
    MILLRACE_ASSIGN_OR_RETURN(const auto json, store.pipelineJson(record.sides[i]));
    MILLRACE_ASSIGN_OR_RETURN(auto details, store.show(record.sides[i]));
    if (json != sides[i]->document() || details.summary.state != RunState::Interrupted)
      return std::optional<std::vector<RunDetails>>();
    all.push_back(std::move(details));
  }
  return std::optional(std::move(all));
}

Result<std::unique_ptr<StoreRecorder>> beginSide(const std::filesystem::path& file,
                                                 const RunLabels& labels,
                                                 const ComparisonSide& side) {
  if (const OwnLoader* loader = side.asLoader())
    return StoreRecorder::begin(file, loaderRecord(*loader, labels, side.facts), {});
  return StoreRecorder::begin(file, labels, side.asPipeline()->prepared.plan, side.pipeline,
                              side.document(), side.facts);
}

Result<std::unique_ptr<StoreRecorder>> goOnWithSide(const std::filesystem::path& file,
                                                    RunNumber run, const ComparisonSide& side) {
  if (side.asLoader() != nullptr) return StoreRecorder::goOn(file, run, std::vector<std::string>());
  return StoreRecorder::goOn(file, run, side.asPipeline()->prepared.plan);
}

}  // namespace

Result<StoppedComparison> stoppedComparison(const std::filesystem::path& file,
                                            const ComparisonSides& sides) {
  constexpr std::int64_t kLookedAt = 1000;
  const Error none{fmt::format("there is no stopped comparison of these two in {}; begin a new one",
                               file.string())};
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return none;
  MILLRACE_ASSIGN_OR_RETURN(auto store, RunStore::open(file));
  MILLRACE_ASSIGN_OR_RETURN(const auto all, store.comparisons(kLookedAt));
  for (const ComparisonRecord& record : all) {
    MILLRACE_ASSIGN_OR_RETURN(const auto details, detailsIfStopped(store, record, sides));
    if (!details) continue;
    for (std::size_t i = 0; i < sides.size(); ++i)
      MILLRACE_TRY(sameConditions((*details)[i].environment, sides[i]->facts, "comparison",
                                  kComparisonConditions));
    StoppedComparison stopped{record, measuredOf(*details)};
    stopped.measured.replaced = static_cast<std::size_t>(record.replacedBlocks);
    return stopped;
  }
  return none;
}

Result<std::unique_ptr<ComparisonKeeper>> ComparisonKeeper::begin(const std::filesystem::path& file,
                                                                  const RunLabels& labels,
                                                                  const ComparisonSides& sides,
                                                                  ComparisonRecord record) {
  MILLRACE_ASSIGN_OR_RETURN(auto store, RunStore::open(file));
  std::vector<Side> kept;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    RunLabels own = labels;
    if (!own.name.empty()) own.name += fmt::format(" ({})", kSideLetters[i]);
    MILLRACE_ASSIGN_OR_RETURN(auto recorder, beginSide(file, own, *sides[i]));
    record.sides.push_back(recorder->run());
    auto blocks = std::make_unique<BlockRecorder>(*recorder);
    kept.push_back({std::move(recorder), std::move(blocks)});
  }
  MILLRACE_ASSIGN_OR_RETURN(record.id, store.beginComparison(record));
  return std::unique_ptr<ComparisonKeeper>(
      new ComparisonKeeper(std::move(store), std::move(record), std::move(kept)));
}

Result<std::unique_ptr<ComparisonKeeper>> ComparisonKeeper::goOn(const std::filesystem::path& file,
                                                                 const ComparisonSides& sides,
                                                                 const StoppedComparison& stopped) {
  MILLRACE_ASSIGN_OR_RETURN(auto store, RunStore::open(file));
  std::vector<Side> kept;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const RunNumber run = stopped.record.sides[i];
    MILLRACE_TRY(store.resumeRun(run, static_cast<std::int64_t>(stopped.measured.blocks.size())));
    MILLRACE_ASSIGN_OR_RETURN(auto recorder, goOnWithSide(file, run, *sides[i]));
    auto blocks = std::make_unique<BlockRecorder>(*recorder);
    kept.push_back({std::move(recorder), std::move(blocks)});
  }
  return std::unique_ptr<ComparisonKeeper>(
      new ComparisonKeeper(std::move(store), stopped.record, std::move(kept)));
}

std::string ComparisonKeeper::runId(std::size_t side) const {
  return std::to_string(static_cast<std::int64_t>(m_record.sides[side]));
}

void ComparisonKeeper::addFacts(std::size_t side, const Facts& facts) {
  m_sides[side].recorder->addEnvironment(facts);
}

void ComparisonKeeper::keepBlock(std::size_t index) {
  for (const Side& side : m_sides) side.blocks->keep(index);
}

Status ComparisonKeeper::replaceBlock() {
  for (const Side& side : m_sides) side.blocks->drop();
  return m_store.setReplacedBlocks(m_record.id, ++m_record.replacedBlocks);
}

void ComparisonKeeper::finish(const std::vector<RunResult>& results, JobObserver& observer) {
  for (std::size_t i = 0; i < m_sides.size(); ++i) {
    m_sides[i].blocks->drop();
    m_sides[i].recorder->finish(results[i]);
    endKeeping(std::move(m_sides[i].recorder), observer);
  }
}

}  // namespace millrace
