// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace tune`: finds the best setting of a pipeline automatically.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/numbers.h"
#include "app/cli/common/output.h"
#include "app/cli/common/refusal.h"
#include "app/cli/sweep/sweep_arguments.h"
#include "app/cli/tune/tune_page.h"
#include "app/cli/tune/tune_screen.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/graph/json/graph_file.h"
#include "core/graph/json/graph_json.h"
#include "core/jobs/common/machine_warnings.h"
#include "core/jobs/tune/tune_again.h"
#include "core/monitor/core_limit.h"
#include "core/nodes/builtin.h"

namespace millrace::cli {

namespace {

/// Flags that may differ in a replay.
constexpr std::array kAskedAgain = {"--budget", "--memory", "--cores",
                                    "--for",    "--allow",  "--vary"};

/// The document that PIPELINE names; empty if it is left out.
Result<std::string> namedDocument(const TuneArguments& arguments) {
  if (arguments.pipeline.pipeline.empty()) return std::string();
  Problems problems;
  const std::optional<LoadedPipeline> loaded = loadPipeline(arguments.pipeline, problems);
  if (!loaded) {
    printProblems(problems.all());
    return Error{"the pipeline could not be read"};
  }
  return tunedDocumentOf(*loaded);
}

/// The requested kept tuning. The error says why it cannot be used.
Result<KeptTuning> keptFor(const TuneArguments& a) {
  if (a.pipeline.pipeline == "-")
    return Error{"--replay and --resume know their pipeline: leave out -"};
  if (a.pipeline.pipeline.empty() &&
      (!a.pipeline.data.empty() || !a.pipeline.settings.empty() || a.pipeline.edits.any() ||
       a.pipeline.stepSeconds || a.pipeline.seed))
    return Error{
        "--data, --set, --seed and changes of nodes need a PIPELINE: without one, the kept "
        "pipeline "
        "is used"};
  const Result<std::string> document = namedDocument(a);
  if (!document) return document.error();
  const TuneAgain again{a.replays(), a.replays() ? a.replayed : a.resumed};
  return tuningAgain(a.keep.file(), again, *document);
}

/// Fills in its pipeline, and its flags where none were given.
void takeArguments(TuneArguments& a, const KeptTuning& kept) {
  takeRequest(a, *kept.log.request);
  if (!a.pipeline.pipeline.empty()) return;
  a.pipeline.document = kept.settings.front().document;
  a.pipeline.pipeline = kept.pipeline;
}

/// Writes the best pipeline to the file of -o. An error if that was asked for and did not work.
Status writeBest(const TuneArguments& arguments, const TuneOutcome& outcome) {
  if (arguments.output.empty()) return {};
  if (outcome.document.empty()) return Error{"there is no best pipeline"};
  const ReadGraph best = parseGraph(outcome.document, builtinCatalog());
  const Status written = saveGraph(arguments.output, *best.graph, builtinCatalog());
  if (!written) printMessage("error: -o: {}\n", visibleName(written.error().message));
  return written;
}

TuneCommands commandsOf(const TuneArguments& arguments, const TuneOutcome& outcome, bool written) {
  TuneCommands commands;
  if (outcome.document.empty()) return commands;
  const TunedSetting& best = outcome.settings[*outcome.best];
  commands.compare = compareCommandOf(arguments, best.edits);
  commands.write = writeCommandOf(arguments, best.edits, best.runId);
  if (written) commands.written = arguments.output;
  return commands;
}

int interrupted(const TuneArguments& arguments, const TuneOutcome& outcome) {
  if (outcome.replay) return kInterrupted;
  if (!outcome.experiment.empty())
    printMessage("stopped; continue with:\n  {}\n",
                 visibleName(resumeCommandOf(arguments, outcome.experiment)));
  else
    printMessage("stopped; it was not kept and cannot be continued\n");
  return kInterrupted;
}

int finish(const TuneArguments& arguments, const TuneOutcome& outcome, TuneScreen& screen) {
  const bool written = writeBest(arguments, outcome).ok();
  const TuneCommands commands = commandsOf(arguments, outcome, written);
  if (arguments.events)
    screen.result(outcome, tuneJson(outcome, commands, false));
  else if (arguments.json)
    print("{}\n", tuneJson(outcome, commands, true));
  else
    print("{}", tuneText(outcome, commands));
  flushOutput();
  if (outcome.stopped) return interrupted(arguments, outcome);
  if (!outcome.missing.empty()) return fail(outcome.missing, kFailed);
  return outcome.best && written ? kDone : kFailed;
}

TuneJobSettings settingsOf(const TuneArguments& arguments, const TuneMeaning& meaning,
                           std::string taskset, std::optional<KeptTuning> kept) {
  TuneJobSettings settings;
  settings.pipeline = arguments.pipeline.pipeline;
  settings.request = requestOf(arguments);
  settings.meaning = meaning;
  settings.taskset = std::move(taskset);
  settings.keep = arguments.keep.settings();
  settings.kept = std::move(kept);
  settings.replay = arguments.replays();
  return settings;
}

int measure(const TuneArguments& arguments, TuneJobSettings settings, PreparedPipeline prepared,
            const std::vector<Problem>& warnings) {
  TuneScreen screen(arguments, warnings);
  const auto trial = ProcessTrial::make(settings.meaning.rules, screen);
  if (!trial) return fail(trial.error().message);
  TuneJob job(std::move(settings), std::move(prepared), **trial, screen);
  const auto stop = [&job] { job.stop(); };
  screen.acceptRequests(stop);
  Result<TuneOutcome> outcome = [&] {
    const InterruptWatch interrupts(stop);
    return job.run();
  }();
  screen.end();
  if (!outcome) return fail(outcome.error().message);
  return finish(arguments, *outcome, screen);
}

/// Restricts this process to the requested cores, before any thread exists, so that all later ones
/// are restricted, too. A replay has the cores of the kept tuning. The error is for the user.
Result<std::string> coresFor(const TuneArguments& arguments,
                             const std::optional<KeptTuning>& kept) {
  if (arguments.replays()) return keptCoresOf(*kept);
  if (!arguments.asked.cores) return std::string();
  const std::int64_t may = usableCores();
  if (*arguments.asked.cores > may)
    return Error{fmt::format("--cores {}: this machine lets it use {}", *arguments.asked.cores,
                             counted(static_cast<std::uint64_t>(may), "core"))};
  Result<std::string> limited =
      limitCores(static_cast<int>(std::max<std::int64_t>(*arguments.asked.cores, 0)));
  if (!limited) return Error{"--cores: " + limited.error().message};
  return limited;
}

/// Loads and checks the pipeline, then tunes it.
int prepareAndMeasure(const TuneArguments& arguments, TuneJobSettings settings) {
  Problems problems;
  std::optional<PreparedPipeline> prepared = preparePipeline(arguments.pipeline, problems);
  if (prepared && !arguments.replays()) warnOfMachine(problems);
  printProblems(problems.all());
  if (prepared)
    return measure(arguments, std::move(settings), std::move(*prepared), problems.all());
  if (arguments.events) {
    ComparisonEvents events;
    for (const Problem& problem : problems.all()) events.problem(problem);
  }
  return kBadUsage;
}

int tuneCommand(TuneArguments& arguments) {
  std::optional<KeptTuning> kept;
  if (arguments.resume || arguments.replays()) {
    Result<KeptTuning> found = keptFor(arguments);
    if (!found) return fail(found.error().message);
    if (const std::string lack = lackOf(*found); !lack.empty()) return fail(lack, kFailed);
    takeArguments(arguments, *found);
    kept = found.take();
  } else if (arguments.pipeline.pipeline.empty()) {
    return fail(
        "a tuning needs a PIPELINE (a file, an example's name, or -); only --replay and --resume "
        "do not");
  }
  Result<TuneMeaning> meaning = meaningOf(requestOf(arguments));
  if (!meaning) return fail("--" + meaning.error().message);  // begins with the flag's name
  meaning->rules.program = kThisProgram;
  if (!arguments.output.empty())
    if (const Status may = maySaveGraph(arguments.output); !may)
      return fail("-o: " + may.error().message);
  if (!arguments.replays())
    if (const Status may = arguments.keep.mayKeep(arguments.events); !may)
      return fail(may.error().message);
  if (arguments.replays())
    if (const Status reach = withinReach(*kept, *meaning, arguments.asked.cores); !reach)
      return fail(reach.error().message, kFailed);
  Result<std::string> taskset = coresFor(arguments, kept);
  if (!taskset) return fail(taskset.error().message);
  return prepareAndMeasure(arguments,
                           settingsOf(arguments, *meaning, taskset.take(), std::move(kept)));
}

void addSearchOptions(CLI::App& tune, TuneArguments& a) {
  tune.add_option("--budget", a.asked.budget, "Total time, such as 90s (2m)")->type_name("TIME");
  tune.add_option("--memory", a.asked.memory, "Memory limit of each trial, such as 8G")
      ->type_name("BYTES");
  tune.add_option("--cores", a.asked.cores, "Number of cores that all trials run on")
      ->type_name("N");
  tune.add_option("--for", a.asked.goal,
                  "What to optimise: throughput, cost, latency or epoch-time (throughput)")
      ->type_name("GOAL");
  tune.add_option("--allow", a.asked.allow,
                  "What may change for training: order, batching, values (nothing)")
      ->type_name("WHAT")
      ->allow_extra_args(false);
  tune.add_option("--vary", a.asked.vary,
                  "Also try these values of a parameter, in the form of sweep")
      ->type_name("NODE.PARAM=VALUES")
      ->allow_extra_args(false);
}

void addMeasureOptions(CLI::App& tune, TuneArguments& a) {
  tune.add_option("--seconds", a.asked.seconds, "Length of each measurement (1.5)")
      ->check(someSeconds());
  tune.add_option("--warmup", a.asked.warmup, "Seconds before each measurement, not counted (0.5)")
      ->check(secondsOrNone());
  a.maxFailures.addTo(tune);
  tune.add_option("--trial-timeout", a.asked.trialTimeout,
                  "A trial that takes longer fails (15 s, or ten times its length)")
      ->type_name("SECONDS")
      ->check(someSeconds());
}

void addOutputOptions(CLI::App& tune, TuneArguments& a) {
  tune.add_option("-o,--apply", a.output, "Write the best pipeline to this file")
      ->type_name("FILE");
  a.keep.labels.experiment.clear();
  a.keep.addTo(tune, "the runs");
  tune.get_option("--experiment")->description("Experiment that groups the runs (a new one)");
  auto* json = tune.add_flag("--json", a.json, "Print the result as one JSON object");
  tune.add_flag("--events", a.events, "Print progress and result as JSON Lines")->excludes(json);
}

void addKeptOptions(CLI::App& tune, TuneArguments& a) {
  auto* replay = tune.add_option("--replay", a.replayed,
                                 "Repeat the search with the trials of this kept tuning")
                     ->type_name("EXPERIMENT");
  auto* resume =
      tune.add_option("--resume", a.resumed,
                      "Continue the last stopped tuning of this pipeline, or this experiment")
          ->type_name("[EXPERIMENT]")
          ->expected(0, 1)
          ->excludes(replay);
  // How its trials were measured and kept is already fixed.
  for (const char* flag :
       {"--seconds", "--warmup", "--max-failures", "--trial-timeout", "--no-random", "--no-fuse",
        "--no-store", "--experiment", "--name", "--tag"})
    for (CLI::Option* kept : {replay, resume}) kept->excludes(tune.get_option(flag));
  // A continued search must be the same search; a replayed one need not be.
  for (const char* flag : kAskedAgain) resume->excludes(tune.get_option(flag));
}

/// Records which of the flags that a kept tuning also has were given.
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
      "Example: find the fastest setting in a minute and in 4 GB, and write it\n"
      "  millrace tune classification --budget 1m --memory 4G -o tuned.millrace.json\n"
      "It first diagnoses the pipeline, then tries the most promising settings, each in a "
      "separate process. If one crashes, hangs or uses too much memory, that is its result.\n"
      "Threads, queue lengths and a memory cache are tuned; what training gets does not change "
      "unless --allow permits it. Goals: cost is the CPU time per sample, latency the 95th "
      "percentile of the wait for a batch, epoch-time the first epoch including the start.\n"
      "Ctrl+C stops (exit code 3) with the best so far; --resume continues from there, also "
      "after a kill or a restart.\n"
      "--replay measures nothing; with another --for, --memory or "
      "--cores it shows what would have been chosen. It ends (exit code 1) when it needs a trial "
      "that was not measured.");
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
