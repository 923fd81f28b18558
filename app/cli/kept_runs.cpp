// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/kept_runs.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "app/cli/runs.h"
#include "core/base/text.h"
#include "core/compare/sittings.h"
#include "core/nodes/builtin.h"

namespace millrace::cli {

namespace {

constexpr const char* kBaseline = "baseline";
/// Earlier runs of a pipeline that are looked at for its spread, the newest first.
constexpr std::size_t kMostSittings = 30;

Result<RunNumber> baselineOf(RunStore& store, const std::string& experiment) {
  RunQuery query;
  query.experiment = experiment;
  query.limit = std::numeric_limits<std::int64_t>::max();
  const auto runs = store.list(query);
  if (!runs) return runs.error();
  const auto found = std::ranges::find(*runs, true, &RunSummary::baseline);
  if (found != runs->end()) return found->number;
  return Error{fmt::format(
      "the experiment {} has no baseline; `millrace runs baseline RUN` makes a run its baseline",
      validUtf8(experiment))};
}

Result<KeptRun> loadRun(RunStore& store, RunNumber number) {
  auto details = store.show(number);
  if (!details) return details.error();
  auto pipeline = store.pipelineJson(number);
  if (!pipeline) return pipeline.error();
  KeptRun run{details.take(), pipeline.take(), std::nullopt, {}};
  const auto together = store.comparisonOf(number);
  if (!together) return together.error();
  if (*together)
    run.together = MeasuredTogether{(*together)->id,
                                    {static_cast<std::size_t>((*together)->blocks),
                                     static_cast<std::size_t>((*together)->moreBlocks)}};
  return run;
}

/// Earlier runs of the same document; those that cannot be read tell nothing.
std::vector<KeptRun> samePipeline(RunStore& store, const std::vector<RunSummary>& all,
                                  const RunSummary& run) {
  std::vector<KeptRun> found;
  for (const RunSummary& other : all) {
    if (other.pipelineDigest != run.pipelineDigest || other.number == run.number) continue;
    if (Result<KeptRun> kept = loadRun(store, other.number)) found.push_back(kept.take());
    if (found.size() == kMostSittings) break;
  }
  return found;
}

}  // namespace

Result<std::vector<RunNumber>> runsNamed(RunStore& store, const std::vector<std::string>& words) {
  std::vector<RunNumber> numbers(words.size());
  std::string experiment;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == kBaseline) continue;
    const auto number = runNamed(store, words[i]);
    if (!number) return number.error();
    numbers[i] = *number;
    if (!experiment.empty()) continue;
    const auto details = store.show(*number);
    if (!details) return details.error();
    experiment = details->summary.experiment;
  }
  if (experiment.empty()) return Error{"name a run to hold against the baseline"};
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] != kBaseline) continue;
    const auto number = baselineOf(store, experiment);
    if (!number) return number.error();
    numbers[i] = *number;
  }
  for (std::size_t i = 0; i < words.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (numbers[j] == numbers[i])
        return Error{fmt::format("`{}` and `{}` are the same run; each can stand once",
                                 validUtf8(words[j]), validUtf8(words[i]))};
  return numbers;
}

Result<std::vector<KeptRun>> loadRuns(RunStore& store, const std::vector<RunNumber>& numbers) {
  RunQuery query;
  query.limit = std::numeric_limits<std::int64_t>::max();
  const auto all = store.list(query);
  if (!all) return all.error();
  std::vector<KeptRun> runs;
  for (const RunNumber number : numbers) {
    Result<KeptRun> run = loadRun(store, number);
    if (!run) return run.error();
    run->sittingRates =
        sittingRates(*run, samePipeline(store, *all, run->details.summary), builtinCatalog());
    runs.push_back(run.take());
  }
  return runs;
}

}  // namespace millrace::cli
