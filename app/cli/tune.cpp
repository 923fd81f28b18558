// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace tune`: finds the best setting of a pipeline by itself.
#include "app/cli/tune.h"

#include <array>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/machine_warnings.h"
#include "app/cli/refusal.h"
#include "app/cli/stopped_search.h"
#include "app/cli/tune_job.h"
#include "core/base/whole_file.h"
#include "core/graph/graph_edit.h"
#include "core/graph/graph_json.h"
#include "core/monitor/core_limit.h"
#include "core/nodes/builtin.h"

namespace millrace::cli {

namespace {

/// What a replay may ask otherwise.
constexpr std::array kAskedAgain = {"--budget", "--memory", "--cores",
                                    "--for",    "--allow",  "--vary"};

/// The document that PIPELINE names; empty where it is left out.
Result<std::string> namedDocument(const TuneArguments& arguments) {
  if (arguments.pipeline.pipeline.empty()) return std::string();
  Problems problems;
  const std::optional<LoadedPipeline> loaded = loadPipeline(arguments.pipeline, problems);
  if (!loaded) {
    printProblems(problems.all());
    return Error{"the pipeline could not be read"};
  }
  return graphText(withAbsolutePaths(loaded->graph, builtinCatalog(), loaded->base),
                   builtinCatalog());
}

/// What of another question the kept measurements cannot answer at all.
Status withinReach(const KeptTuning& kept, const TuneMeaning& meaning, const TuneArguments& a) {
  const bool epochs = meaning.goal == TuneGoal::EpochTime;
  if (epochs != (kept.log.request->goal == nameOf(TuneGoal::EpochTime)))
    return Error{fmt::format(
        "--for {}: the trials of \"{}\" were measured for {}, and a first epoch is measured in "
        "another way than a span",
        nameOf(meaning.goal), kept.experiment(), kept.log.request->goal)};
  const double cores = surroundingsOf(kept.facts).cores.value_or(0);
  if (a.cores && *a.cores > cores)
    return Error{fmt::format("--cores {}: the trials of \"{}\" were measured on {:.3g}", *a.cores,
                             kept.experiment(), cores)};
  return {};
}

/// The kept tuning that is asked for. The error says why it cannot be taken.
Result<KeptTuning> keptFor(const TuneArguments& a) {
  if (a.pipeline.pipeline == "-")
    return Error{"--replay and --resume know their pipeline: leave - out"};
  if (a.pipeline.pipeline.empty() &&
      (!a.pipeline.data.empty() || !a.pipeline.settings.empty() || a.pipeline.seed))
    return Error{"--data, --set and --seed go with a PIPELINE: without one it is taken as kept"};
  const Result<std::string> document = namedDocument(a);
  if (!document) return document.error();
  if (a.resume) return stoppedTuning(a.keep.file(), a.resumed, *document);
  Result<KeptTuning> kept = keptTuning(a.keep.file(), a.replayed);
  if (!kept || document->empty()) return kept;
  const std::string& before = kept->settings.front().document;
  if (!before.empty() && before != *document)
    return Error{
        fmt::format("\"{}\" was of another pipeline, or of this one before it was "
                    "changed; without PIPELINE it is taken as it was kept",
                    a.replayed)};
  return kept;
}

/// What the store no longer has, or never had, of a tuning without which nothing can be replayed;
/// empty: it is all there.
std::string lackOf(const KeptTuning& kept) {
  const std::string name = "\"" + kept.experiment() + "\"";
  if (!kept.log.request)
    return name + " has no log: it is no tuning, or one that an earlier version kept without";
  if (kept.settings.front().document.empty())
    return name + ": the run of the pipeline as it is was deleted";
  return {};
}

/// Its flags in place of those left out, and its pipeline.
void takeArguments(TuneArguments& a, const KeptTuning& kept) {
  takeRequest(a, *kept.log.request);
  if (!a.pipeline.pipeline.empty()) return;
  a.pipeline.document = kept.settings.front().document;
  a.pipeline.pipeline = kept.pipeline;
}

int tuneCommand(TuneArguments& arguments) {
  std::optional<KeptTuning> kept;
  if (arguments.resume || arguments.replays()) {
    Result<KeptTuning> found = keptFor(arguments);
    if (!found) return refuse(found.error().message);
    if (const std::string lack = lackOf(*found); !lack.empty()) return refuse(lack, kFailed);
    takeArguments(arguments, *found);
    kept = found.take();
  } else if (arguments.pipeline.pipeline.empty()) {
    return refuse(
        "a tuning needs a PIPELINE: a file, an example's name, or - ; only --replay and --resume "
        "know theirs");
  }
  const Result<TuneMeaning> meaning = meaningOf(arguments);
  if (!meaning) return refuse(meaning.error().message);
  if (!arguments.output.empty())
    if (const Status may = mayWrite(arguments.output, IfThere::Replace); !may)
      return refuse("-o: " + may.error().message);
  std::string taskset;
  if (arguments.replays()) {
    if (const Status reach = withinReach(*kept, *meaning, arguments); !reach)
      return refuse(reach.error().message, kFailed);
    taskset = factNamed(kept->facts, "kept_on_cores");
  } else if (arguments.cores) {
    // Before any thread is there: those that follow are on these cores too.
    Result<std::string> limited = limitCores(*arguments.cores);
    if (!limited) return refuse("--cores: " + limited.error().message);
    taskset = limited.take();
  }
  Problems problems;
  std::optional<PreparedPipeline> prepared = preparePipeline(arguments.pipeline, problems);
  if (prepared && !arguments.replays()) warnOfMachine(problems);
  printProblems(problems.all());
  if (!prepared) {
    if (arguments.events) {
      ComparisonEvents events;
      for (const Problem& problem : problems.all()) events.problem(problem);
    }
    return kBadUsage;
  }
  return TuneJob(arguments, *meaning, std::move(*prepared), taskset, std::move(kept))
      .go(problems.all());
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

void addKeptOptions(CLI::App& tune, TuneArguments& a) {
  auto* replay = tune.add_option("--replay", a.replayed,
                                 "Search again among what this kept tuning measured, and measure "
                                 "nothing")
                     ->type_name("EXPERIMENT");
  auto* resume = tune.add_option("--resume", a.resumed,
                                 "Go on with the last stopped tuning of this pipeline, or this one")
                     ->type_name("[EXPERIMENT]")
                     ->expected(0, 1)
                     ->excludes(replay);
  // How its trials were measured, and as what they are kept, is theirs.
  for (const char* flag :
       {"--seconds", "--warmup", "--max-failures", "--trial-timeout", "--no-random", "--no-fuse",
        "--no-store", "--experiment", "--name", "--tag"})
    for (CLI::Option* kept : {replay, resume}) kept->excludes(tune.get_option(flag));
  // A search that goes on is the same search; one that is made again need not be.
  for (const char* flag : kAskedAgain) resume->excludes(tune.get_option(flag));
}

/// Notes what was typed of the flags that a kept tuning has too.
void noteGiven(const CLI::App& tune, TuneArguments& a) {
  a.resume = tune.count("--resume") > 0;
  for (const char* flag : kAskedAgain)
    if (tune.count(flag) > 0) a.given.insert(flag);
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
      "names it. Ctrl+C stops (exit 3) with the best so far; --resume goes on from there, also\n"
      "after a kill or a restart. --replay makes the search again from the trials of a kept\n"
      "tuning, in no time: as it was, or with another --for, --memory or --cores what it would\n"
      "have chosen. Where it needs a trial that was not measured it ends and says so (exit 1).");
  arguments->pipeline.addTo(*tune);
  tune->get_option("pipeline")->required(false);
  tune->get_option("--seed")->description("Seed of all draws and of the order within blocks");
  addSearchOptions(*tune, *arguments);
  addMeasureOptions(*tune, *arguments);
  addOutputOptions(*tune, *arguments);
  addKeptOptions(*tune, *arguments);
  tune->callback([arguments, tune, &action] {
    noteGiven(*tune, *arguments);
    action = [arguments] { return tuneCommand(*arguments); };
  });
}

}  // namespace millrace::cli
