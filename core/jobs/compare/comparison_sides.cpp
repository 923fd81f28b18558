// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/compare/comparison_sides.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/loader_word.h"
#include "core/base/text/text.h"
#include "core/compare/conditions.h"
#include "core/compare/kept_run.h"
#include "core/graph/diff/graph_diff.h"
#include "core/graph/edit/graph_edit.h"
#include "core/jobs/common/kept_runs.h"
#include "core/jobs/loader/loader_record.h"
#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "core/open/stored_document.h"
#include "core/store/run_origin.h"
#include "core/store/run_record.h"

namespace millrace {

namespace fs = std::filesystem;

std::string ComparisonSide::document() const {
  const OwnLoader* loader = asLoader();
  return loader != nullptr ? documentOf(*loader) : storedDocument(asPipeline()->prepared);
}

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

std::unique_ptr<ComparisonSide> loaderSide(OwnLoader loader) {
  const std::string name = shownName(loader);
  const Facts facts = loaderMachineFacts(loader, readEnvironment());
  return std::make_unique<ComparisonSide>(ComparisonSide{name, name, std::move(loader), facts});
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
  if (isFileOrigin(factOf(run->details, kOriginFact).value_or(""))) {
    problems.error("", "",
                   fmt::format("run {} measured a loader in a Python file, not a pipeline",
                               static_cast<std::int64_t>(summary.number)),
                   "name the loader itself, such as train.py:loader");
    return std::nullopt;
  }
  request.pipeline = summary.pipelineName;
  request.document = std::move(run->pipelineJson);
  return fmt::format("run {}: ", static_cast<std::int64_t>(summary.number));
}

/// Whether a value is for this side alone.
bool isFor(std::size_t side, const std::string& value) {
  return value.starts_with(side == 0 ? "A:" : "B:");
}

bool namesNode(const std::string& setting) {
  return setting.substr(0, setting.find('=')).find('.') != std::string::npos;
}

/// What is meant for pipelines and was given for this side, which is a loader.
Status refusePipelineSettings(const SideRequests& all, std::size_t side) {
  std::vector<std::string> values = all.data;
  for (const PipelineEditKind& kind : pipelineEditKinds())
    for (const std::string& value : all.both.edits.*kind.texts) values.push_back(value);
  for (const std::string& value : all.settings)
    if (namesNode(value)) values.push_back(value);
  const auto found =
      std::ranges::find_if(values, [side](const auto& value) { return isFor(side, value); });
  if (found == values.end()) return {};
  return Error{fmt::format("{} is meant for a pipeline, but {} is a loader of your own", *found,
                           all.names[side])};
}

/// Values without a side that name a node are for the pipeline on the other side.
Result<OwnLoader> loaderOf(const SideRequests& all, std::size_t side) {
  MILLRACE_TRY(refusePipelineSettings(all, side));
  MILLRACE_ASSIGN_OR_RETURN(auto loader, findOwnLoader(all.names[side], all.python));
  for (const std::string& entry : valuesFor(side, all.settings))
    if (!namesNode(entry)) MILLRACE_TRY(addArgument(loader, entry));
  loader.stepSeconds = all.both.stepSeconds.value_or(0);
  return loader;
}

std::unique_ptr<ComparisonSide> prepareLoader(const SideRequests& all, std::size_t side,
                                              Problems& problems) {
  Result<OwnLoader> loader = loaderOf(all, side);
  if (!loader) {
    problems.error("", "", loader.error().message, "");
    return nullptr;
  }
  return loaderSide(loader.take());
}

std::unique_ptr<ComparisonSide> prepareSide(const SideRequests& all, std::size_t side,
                                            SampleDataObserver& observer, Problems& problems) {
  if (!all.documents[side] && isLoaderWord(all.names[side]))
    return prepareLoader(all, side, problems);
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
      ComparisonSide{request.pipeline, prefix + request.pipeline,
                     PipelineSide{std::move(*prepared), caches.take()}, std::move(facts)});
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
  std::vector<std::pair<ComparisonSide*, std::unique_ptr<FingerprintJob>>> jobs;
  for (const auto& side : sides)
    if (const PipelineSide* own = side->asPipeline())
      jobs.emplace_back(side.get(),
                        std::make_unique<FingerprintJob>(own->prepared.plan.pipeline.source));
  for (const auto& [side, job] : jobs)
    for (auto& fact : job->take()) side->facts.push_back(std::move(fact));
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
    const PipelineSide* pipeline = sides[side]->asPipeline();
    if (pipeline == nullptr) return {};
    const Plan& plan = pipeline->prepared.plan;
    if (plan.consumer > 0) streams[side] = plan.node(plan.consumer - 1).out.text();
  }
  if (streams[0] == streams[1]) return {};
  return fmt::format("the consumer's streams differ: {}; and {}", streams[0], streams[1]);
}

namespace {

std::vector<SideDifference> pipelineDifferences(const PipelineSide& a, const PipelineSide& b) {
  const Catalog& catalog = builtinCatalog();
  // The same folder may be written in two ways.
  const auto graphOf = [&](const PipelineSide& side) {
    return withAbsolutePaths(side.prepared.graph, catalog, side.prepared.base);
  };
  const GraphDiff diff = diffGraphs(graphOf(a), graphOf(b), catalog);
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

/// What a loader is, by name.
std::vector<std::pair<std::string, std::string>> partsOf(const OwnLoader& loader) {
  std::vector<std::pair<std::string, std::string>> parts = {
      {"file", loader.file.string()},
      {"name", loader.name},
      {"python", loader.interpreter.string()}};
  parts.insert(parts.end(), loader.set.begin(), loader.set.end());
  return parts;
}

std::vector<SideDifference> loaderDifferences(const OwnLoader& a, const OwnLoader& b) {
  constexpr const char* kAsInFile = "as in the file";
  std::vector<SideDifference> differences;
  for (const auto& [what, value] : partsOf(a)) differences.push_back({what, value, kAsInFile});
  for (const auto& [what, value] : partsOf(b)) {
    const auto found = std::ranges::find(differences, what, &SideDifference::what);
    if (found == differences.end())
      differences.push_back({what, kAsInFile, value});
    else
      found->b = value;
  }
  std::erase_if(differences, [](const SideDifference& each) { return each.a == each.b; });
  return differences;
}

std::string kindOf(const ComparisonSide& side) {
  if (side.asLoader() == nullptr) return "a pipeline";
  const std::string kind = side.fact("loader_kind");
  return kind.empty() ? "a loader of your own" : kind;
}

}  // namespace

std::vector<SideDifference> differencesOf(const ComparisonSides& sides) {
  const ComparisonSide& a = *sides[0];
  const ComparisonSide& b = *sides[1];
  if (a.asPipeline() != nullptr && b.asPipeline() != nullptr)
    return pipelineDifferences(*a.asPipeline(), *b.asPipeline());
  if (a.asLoader() != nullptr && b.asLoader() != nullptr)
    return loaderDifferences(*a.asLoader(), *b.asLoader());
  return {{"the side is", kindOf(a), kindOf(b)}};
}

}  // namespace millrace
