// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/ratio/engine_runs.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "core/analysis/statistics.h"
#include "core/graph/graph_check.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"

namespace millrace::bench {

namespace {

[[noreturn]] void giveUp(const Problems& problems) {
  for (const Problem& problem : problems.all()) fmt::print(stderr, "{}\n", problem.text());
  std::exit(2);
}

[[noreturn]] void giveUp(const Error& error) {
  fmt::print(stderr, "{}\n", error.message);
  std::exit(2);
}

}  // namespace

BenchPipeline pipelineFrom(const std::string& json) {
  const ReadGraph read = parseGraph(json, builtinCatalog());
  if (!read.graph) giveUp(read.problems);
  CheckOptions options;
  options.base = std::filesystem::current_path();
  options.openData = true;
  CheckResult checked = checkGraph(*read.graph, builtinCatalog(), options);
  if (!checked.pipeline) giveUp(checked.problems);
  Result<Plan> plan = makePlan(std::move(*checked.pipeline));
  if (!plan) giveUp(plan.error());
  auto kept = std::make_unique<Plan>(plan.take());
  Result<CacheSet> caches = CacheSet::make(*kept);
  if (!caches) giveUp(caches.error());
  return {std::move(kept), caches.take()};
}

double engineRate(const BenchPipeline& pipeline, double warmup, double seconds) {
  auto executor = Executor::make(*pipeline.plan, pipeline.caches, {});
  if (!executor) giveUp(executor.error());
  const SteadyTime start = steadyClock().now();
  std::optional<SteadyTime> begin;
  std::uint64_t samples = 0;
  double rate = 0;
  const RunEnd end = (*executor)->run([&](const Batch& batch, const Executor::Arrival& arrival) {
    const SteadyTime at = arrival.at;
    if (!begin) {
      if (toSeconds(at - start) >= warmup) begin = at;
      return true;
    }
    samples += batch.rows;
    rate = static_cast<double>(samples) / toSeconds(at - *begin);
    return toSeconds(at - *begin) < seconds;
  });
  if (end == RunEnd::Failed) giveUp((*executor)->error());
  return rate;
}

Comparison inTurns(int blocks, const std::function<double()>& first,
                   const std::function<double()>& second) {
  Comparison comparison;
  for (int block = 0; block < blocks; ++block) {
    // Every other block in reverse order, so that drift affects both equally.
    if (block % 2 == 0) comparison.first.push_back(first());
    comparison.second.push_back(second());
    if (block % 2 == 1) comparison.first.push_back(first());
  }
  return comparison;
}

void printRatio(const std::string& name, const std::string& unit, const Comparison& comparison) {
  std::vector<double> logs;
  for (std::size_t i = 0; i < comparison.first.size(); ++i)
    logs.push_back(std::log(comparison.first[i] / comparison.second[i]));
  const double middle = mean(logs).value_or(NAN);
  const auto interval = meanInterval95(logs);
  fmt::print("{}: ratio {:.3f} [{:.3f}, {:.3f}]  ({:.6g} against {:.6g} {}, {} blocks)\n", name,
             std::exp(middle), interval ? std::exp(interval->low) : NAN,
             interval ? std::exp(interval->high) : NAN, mean(comparison.first).value_or(NAN),
             mean(comparison.second).value_or(NAN), unit, logs.size());
  std::fflush(stdout);
}

}  // namespace millrace::bench
