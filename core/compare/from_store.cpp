// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/from_store.h"

#include <algorithm>
#include <map>

#include "core/base/check.h"
#include "core/compare/comparison_parts.h"
#include "core/compare/sessions.h"

namespace millrace {

namespace {

/// How many earlier runs of a pipeline are used to estimate its spread.
constexpr std::int64_t kMostSessions = 30;

KnownSetting knownSetting(const NodeSpec& node, const ParamSpec& param) {
  KnownSetting known;
  known.name = node.kind + "." + param.name;
  known.unit = param.unit;
  known.number = param.type == ParamType::Integer || param.type == ParamType::Real;
  known.flag = param.type == ParamType::Boolean;
  known.text = !known.number && !known.flag;
  return known;
}

}  // namespace

Result<KeptRun> loadRun(RunStore& store, RunNumber number) {
  MILLRACE_ASSIGN_OR_RETURN(auto details, store.show(number));
  MILLRACE_ASSIGN_OR_RETURN(auto pipeline, store.pipelineJson(number));
  KeptRun run{std::move(details), std::move(pipeline), std::nullopt, {}};
  auto together = store.comparisonOf(number);
  // A damaged store still shows the rest of the run.
  if (!together) run.details.unreadable.emplace_back("the runs it was measured together with");
  if (!together || !*together) return run;
  ComparisonRecord& comparison = **together;
  run.together = MeasuredTogether{comparison.id,
                                  {static_cast<std::size_t>(comparison.blocks),
                                   static_cast<std::size_t>(comparison.moreBlocks)},
                                  std::move(comparison.sides)};
  return run;
}

std::vector<KeptRun> runsOfSamePipeline(RunStore& store, const RunSummary& run) {
  const auto digest = findField("digest", {});
  MILLRACE_CHECK(digest.has_value(), "runs have a digest");
  RunQuery query;
  query.where = digest->value + SqlPiece{"= ?", {run.pipelineDigest}};
  query.limit = kMostSessions;
  std::vector<KeptRun> found;
  const auto all = store.list(query);
  if (!all) return found;
  for (const RunSummary& other : *all)
    if (Result<KeptRun> kept = loadRun(store, other.number)) found.push_back(kept.take());
  return found;
}

Result<std::vector<KeptRun>> loadRuns(RunStore& store, std::span<const RunNumber> numbers,
                                      const Catalog& catalog) {
  std::vector<KeptRun> runs;
  std::map<std::string, std::vector<KeptRun>> byDigest;
  for (const RunNumber number : numbers) {
    Result<KeptRun> run = loadRun(store, number);
    if (!run) return run.error();
    const RunSummary& summary = run->details.summary;
    auto others = byDigest.find(summary.pipelineDigest);
    if (others == byDigest.end())
      others = byDigest.emplace(summary.pipelineDigest, runsOfSamePipeline(store, summary)).first;
    run->sessionRates = sessionRates(*run, others->second, catalog);
    runs.push_back(run.take());
  }
  return runs;
}

Verdict judgeRuns(const KeptRun& reference, const KeptRun& run, const Catalog& catalog) {
  const std::vector<KeptRun> both = {reference, run};
  const auto conditions = conditionsOf(both, catalog);
  return verdictOf(reference, run,
                   notAlikeIn(conditions[0], conditions[1], areTogether(reference, run)));
}

Result<QueryVocabulary> vocabularyOf(RunStore& store, const Catalog& catalog) {
  MILLRACE_ASSIGN_OR_RETURN(auto kept, store.vocabulary());
  QueryVocabulary all;
  for (const NodeSpec& node : catalog.all())
    for (const ParamSpec& param : node.params) all.push_back(knownSetting(node, param));
  for (KnownSetting& setting : kept)
    if (std::ranges::find(all, setting.name, &KnownSetting::name) == all.end())
      all.push_back(std::move(setting));
  return all;
}

}  // namespace millrace
