// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace tune`: finds the best setting of a pipeline by itself.
#include "app/cli/tune.h"

#include <memory>

#include <CLI/CLI.hpp>

#include "app/cli/refusal.h"
#include "app/cli/tune_job.h"
#include "core/base/whole_file.h"
#include "core/monitor/core_limit.h"

namespace millrace::cli {

namespace {

int tuneCommand(const TuneArguments& arguments) {
  const Result<TuneMeaning> meaning = meaningOf(arguments);
  if (!meaning) return refuse(meaning.error().message);
  if (!arguments.output.empty())
    if (const Status may = mayWrite(arguments.output, IfThere::Replace); !may)
      return refuse("-o: " + may.error().message);
  std::string taskset;
  if (arguments.cores) {
    // Before any thread is there: those that follow are on these cores too.
    Result<std::string> limited = limitCores(*arguments.cores);
    if (!limited) return refuse("--cores: " + limited.error().message);
    taskset = limited.take();
  }
  Problems problems;
  std::optional<PreparedPipeline> prepared = preparePipeline(arguments.pipeline, problems);
  printProblems(problems.all());
  if (!prepared) {
    if (arguments.events) {
      ComparisonEvents events;
      for (const Problem& problem : problems.all()) events.problem(problem);
    }
    return kBadUsage;
  }
  return TuneJob(arguments, *meaning, std::move(*prepared), taskset).go(problems.all());
}

void addSearchOptions(CLI::App& tune, TuneArguments& a) {
  tune.add_option("--budget", a.budget, "Time for all of it, such as 90s (2m)")->type_name("TIME");
  tune.add_option("--memory", a.memory, "No trial may take more, such as 8G")->type_name("BYTES");
  tune.add_option("--cores", a.cores, "All trials run on so many cores")->type_name("N");
  tune.add_option("--for", a.goal,
                  "throughput, cost (CPU time a sample), latency (95th percentile of waiting for "
                  "a batch) or epoch-time (the first, with its start) (throughput)")
      ->type_name("GOAL");
  tune.add_option("--allow", a.allow,
                  "What training may see change: order, batching, values (nothing)")
      ->type_name("WHAT")
      ->allow_extra_args(false);
  tune.add_option("--vary", a.vary, "Try these values of a parameter, as sweep takes them")
      ->type_name("NODE.PARAM=VALUES")
      ->allow_extra_args(false);
}

void addMeasureOptions(CLI::App& tune, TuneArguments& a) {
  tune.add_option("--seconds", a.seconds, "Length of each measured span (1.5)")
      ->check(CLI::PositiveNumber);
  tune.add_option("--warmup", a.warmup, "Seconds before each, not counted (0.5)")
      ->check(CLI::NonNegativeNumber);
  a.maxFailures.addTo(tune);
  tune.add_option("--trial-timeout", a.trialTimeout,
                  "A trial that takes longer fails (15 s, or ten times its spans)")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber);
}

void addOutputOptions(CLI::App& tune, TuneArguments& a) {
  tune.add_option("-o,--apply", a.output, "Write the best pipeline there")->type_name("FILE");
  a.keep.labels.experiment.clear();
  a.keep.addTo(tune, "the runs");
  tune.get_option("--experiment")->description("Experiment of the runs (one of its own)");
  auto* json = tune.add_flag("--json", a.json, "Print the result as one JSON object");
  tune.add_flag("--events", a.events, "Print it as JSON Lines while it goes on")->excludes(json);
}

}  // namespace

void addTune(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<TuneArguments>();
  CLI::App* tune = app.add_subcommand("tune", "Find the best settings of a pipeline");
  tune->footer(
      "Example: the fastest setting in a minute, in 4 GB, and the pipeline with it\n"
      "  millrace tune classification --budget 1m --memory 4G -o tuned.millrace.json\n"
      "It diagnoses first, then tries settings where the model expects most, each in a process\n"
      "of its own: one that crashes, hangs or takes too much memory is a result. Threads, queue\n"
      "lengths and a memory cache are tuned; what training sees stays as it is unless --allow\n"
      "names it. Ctrl+C stops (exit 3) with the best so far.");
  arguments->pipeline.addTo(*tune);
  tune->get_option("--seed")->description("Seed of all draws and of the order within blocks");
  addSearchOptions(*tune, *arguments);
  addMeasureOptions(*tune, *arguments);
  addOutputOptions(*tune, *arguments);
  tune->callback(
      [arguments, &action] { action = [arguments] { return tuneCommand(*arguments); }; });
}

}  // namespace millrace::cli
