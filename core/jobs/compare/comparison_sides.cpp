// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/compare/comparison_sides.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/compare/conditions.h"
#include "core/compare/kept_run.h"
#include "core/graph/diff/graph_diff.h"
#include "core/graph/edit/graph_edit.h"
#include "core/jobs/common/kept_runs.h"
#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "core/store/run_origin.h"
#include "core/store/run_record.h"

namespace millrace {

namespace fs = std::filesystem;

std::string ComparisonSide::fact(const std::string& key) const {
  for (const auto& [known, value] : facts)
    if (known == key) return value;
  return {};
}

void ComparisonSide::setFact(const std::string& key, const std::string& value) {
  std::erase_if(facts, [&](const auto& fact) { return fact.first == key; });
  facts.emplace_back(key, value);
}

std::vector<std::string> valuesFor(std::size_t side, const std::vector<std::string>& values) {
  std::vector<std::string> own;
  for (const std::string& value : values) {
    // Node ids are in lower case, so an upper-case letter with a colon is a side.
    const bool forA = value.starts_with("A:");
    const bool forB = value.starts_with("B:");
    if (!forA && !forB)
      own.push_back(value);
    else if (forA == (side == 0))
      own.push_back(value.substr(2));
  }
  return own;
}

namespace {

bool isDocument(const std::string& name) {
  std::error_code error;
  return fs::exists(name, error) || exampleJson(name).has_value();
}

/// Puts the document of a kept run into `request`; returns "run 12: ", or nullopt with a problem.
std::optional<std::string> takeKeptRun(const fs::path& store, PipelineRequest& request,
                                       Problems& problems) {
  Result<KeptRun> run = keptRun(store, request.pipeline);
  if (!run) {
    problems.error("", "", fmt::format("{}: {}", request.pipeline, run.error().message), "");
    return std::nullopt;
  }
  const RunSummary& summary = run->details.summary;
  // Its document is that of rank 0, so only that rank's part would be measured.
  if (factOf(run->details, kRanksFact)) {
    problems.error("", "",
                   fmt::format("run {} had several ranks, but this measures one process",
                               static_cast<std::int64_t>(summary.number)),
                   "run both pipelines with several ranks, then compare the kept runs");
    return std::nullopt;
  }
  if (factOf(run->details, kOriginFact) == kLoaderOrigin) {
    problems.error("", "",
                   fmt::format("run {} measured the user's own loader, not a pipeline",
                               static_cast<std::int64_t>(summary.number)),
                   "measure the pipeline with `millrace run`, then compare the kept runs");
    return std::nullopt;
  }
  request.pipeline = summary.pipelineName;
  request.document = std::move(run->pipelineJson);
  return fmt::format("run {}: ", static_cast<std::int64_t>(summary.number));
}

std::unique_ptr<ComparisonSide> prepareSide(const SideRequests& all, std::size_t side,
                                            SampleDataObserver& observer, Problems& problems) {
  PipelineRequest request = all.both;
  request.pipeline = all.names[side];
  request.document = all.documents[side];
  request.data = valuesFor(side, all.data);
  request.settings = valuesFor(side, all.settings);
  for (const PipelineEditKind& kind : pipelineEditKinds())
    request.edits.*kind.texts = valuesFor(side, request.edits.*kind.texts);
  std::string prefix;
  if (!request.document && !isDocument(request.pipeline) && looksLikeRun(request.pipeline)) {
    const std::optional<std::string> run = takeKeptRun(all.store, request, problems);
    if (!run) return nullptr;
    prefix = *run;
  }
  std::optional<PreparedPipeline> prepared = preparePipeline(request, observer, problems);
  if (!prepared) return nullptr;
  Result<CacheSet> caches = CacheSet::make(prepared->plan);
  if (!caches) {
    problems.error("", "", caches.error().message, "");
    return nullptr;
  }
  Facts facts = machineFacts(*prepared->plan.pipeline.source);
  return std::make_unique<ComparisonSide>(
      ComparisonSide{request.pipeline, prefix + request.pipeline, std::move(*prepared),
                     caches.take(), std::move(facts)});
}

}  // namespace

std::optional<ComparisonSides> prepareSides(const SideRequests& requests,
                                            SampleDataObserver& observer, Problems& problems) {
  ComparisonSides sides;
  for (std::size_t side = 0; side < kSideLetters.size(); ++side) {
    Problems own;
    sides.push_back(prepareSide(requests, side, observer, own));
    for (Problem problem : own.all()) {
      problem.message = fmt::format("{}: {}", kSideLetters[side], problem.message);
      problems.add(std::move(problem));
    }
  }
  if (!sides[0] || !sides[1]) return std::nullopt;
  // Both at once, before anything is measured, so that they disturb no block.
  std::vector<std::unique_ptr<FingerprintJob>> jobs;
  for (const auto& side : sides)
    jobs.push_back(std::make_unique<FingerprintJob>(side->prepared.plan.pipeline.source));
  for (std::size_t side = 0; side < sides.size(); ++side)
    for (auto& fact : jobs[side]->take()) sides[side]->facts.push_back(std::move(fact));
  return sides;
}

std::vector<std::string> notAlikeIn(const ComparisonSides& sides) {
  std::vector<KeptRun> runs(sides.size());
  for (std::size_t i = 0; i < sides.size(); ++i) runs[i].details.environment = sides[i]->facts;
  const auto conditions = conditionsOf(runs, builtinCatalog());
  return millrace::notAlikeIn(conditions[0], conditions[1], true);
}

std::string differentStreams(const ComparisonSides& sides) {
  std::array<std::string, 2> streams;
  for (std::size_t side = 0; side < sides.size(); ++side) {
    const Plan& plan = sides[side]->prepared.plan;
    if (plan.consumer > 0) streams[side] = plan.node(plan.consumer - 1).out.text();
  }
  if (streams[0] == streams[1]) return {};
  return fmt::format("the consumer's streams differ: {}; and {}", streams[0], streams[1]);
}

std::vector<SideDifference> differencesOf(const ComparisonSides& sides) {
  const Catalog& catalog = builtinCatalog();
  // The same folder may be written in two ways.
  const auto graphOf = [&](const ComparisonSide& side) {
    return withAbsolutePaths(side.prepared.graph, catalog, side.prepared.base);
  };
  const GraphDiff diff = diffGraphs(graphOf(*sides[0]), graphOf(*sides[1]), catalog);
  std::vector<SideDifference> differences;
  for (const NodeDiff& node : diff.nodes) {
    if (node.fate == NodeFate::Added) differences.push_back({node.after, "-", node.kind});
    if (node.fate == NodeFate::Removed) differences.push_back({node.before, node.kind, "-"});
    if (node.fate != NodeFate::Changed) continue;
    if (node.renamed()) differences.push_back({node.kind, node.before, node.after});
    for (const ParamDiff& param : node.params)
      differences.push_back(
          {node.id() + "." + param.param, shownParam(param.before), shownParam(param.after)});
    if (node.stateBefore != node.stateAfter)
      differences.push_back(
          {node.id(), std::string(nameOf(node.stateBefore)), std::string(nameOf(node.stateAfter))});
    if (node.moved)
      differences.push_back(
          {node.id(), "after " + node.predecessorBefore, "after " + node.predecessorAfter});
  }
  if (diff.seedBefore != diff.seedAfter)
    differences.push_back(
        {"seed", std::to_string(diff.seedBefore), std::to_string(diff.seedAfter)});
  return differences;
}

}  // namespace millrace
