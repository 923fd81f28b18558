// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace diagnose`: what limits a pipeline, found by running it with parts removed.
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/numbers.h"
#include "app/cli/common/output.h"
#include "app/cli/common/pipeline_input.h"
#include "app/cli/common/refusal.h"
#include "app/cli/diagnose/diagnose_loader.h"
#include "app/cli/diagnose/diagnosis_page.h"
#include "app/cli/diagnose/diagnosis_screen.h"
#include "app/cli/run/run_flags.h"
#include "core/base/text/loader_word.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/events/results/diagnosis_summary.h"
#include "core/graph/json/graph_file.h"
#include "core/jobs/common/machine_warnings.h"
#include "core/jobs/diagnose/diagnose_job.h"

namespace millrace::cli {

namespace {

struct DiagnoseArguments {
  PipelineArguments pipeline;
  DiagnosisSettings settings;
  std::string python = LoaderArguments().python;
  FailureFlag maxFailures;
  std::string pageCache = "as-found";
  std::string apply;
  KeepFlags keep;
  bool json = false;
  bool events = false;
};

PageCacheRequest requestOf(const std::string& name) {
  if (name == "warm") return PageCacheRequest::Warm;
  return name == "cold" ? PageCacheRequest::Cold : PageCacheRequest::AsFound;
}

DiagnoseSettings settingsOf(const DiagnoseArguments& arguments) {
  DiagnoseSettings settings;
  settings.pipeline = arguments.pipeline.pipeline;
  settings.diagnosis = arguments.settings;
  settings.noRandom = arguments.pipeline.noRandom;
  settings.fuse = !arguments.pipeline.noFuse;
  settings.pageCache = requestOf(arguments.pageCache);
  settings.keep = arguments.keep.settings();
  settings.apply = arguments.apply;
  return settings;
}

int show(const DiagnosisOutcome& outcome, const DiagnoseArguments& arguments,
         ComparisonEvents* events) {
  if (outcome.notApplied)
    printMessage("error: --apply {}: {}\n", visibleName(arguments.apply),
                 visibleName(outcome.notApplied->message));
  if (events != nullptr)
    events->result(diagnosisJson(outcome, false));
  else if (arguments.json)
    print("{}\n", diagnosisJson(outcome, true));
  else
    print("{}", diagnosisText(outcome, arguments.keep.suggested()));
  flushOutput();
  const DiagnosisResult& result = outcome.result;
  if (result.end == BlockEnd::Stopped) return kInterrupted;
  if (result.end == BlockEnd::Failed && (events != nullptr || arguments.json))
    printMessage("error: {}\n", visibleName(result.reason));
  return result.end == BlockEnd::Finished && !outcome.notApplied ? kDone : kFailed;
}

int diagnose(const DiagnoseArguments& arguments, PreparedPipeline prepared,
             const std::vector<Problem>& warnings) {
  DiagnoseJob* running = nullptr;
  DiagnosisScreen screen(arguments.events, warnings, [&running] { running->stop(); });
  DiagnoseJob job(std::move(prepared), settingsOf(arguments), screen);
  running = &job;
  const Result<DiagnosisOutcome> outcome = [&] {
    const InterruptWatch interrupts([&job] { job.stop(); });
    Result<DiagnosisOutcome> ended = job.run();
    screen.end();
    return ended;
  }();
  return outcome ? show(*outcome, arguments, screen.events()) : fail(outcome.error().message);
}

/// The arguments for a loader; an error if one is for pipelines only.
Result<LoaderArguments> loaderArgumentsOf(const DiagnoseArguments& from) {
  const PipelineArguments& pipeline = from.pipeline;
  bool edits = !pipeline.data.empty() || !from.apply.empty() || from.pageCache != "as-found";
  for (const PipelineEditKind& kind : pipelineEditKinds())
    edits = edits || !(pipeline.edits.*kind.texts).empty();
  if (edits)
    return Error{fmt::format(
        "{} is a loader of your own: only --python, --set NAME=VALUE, --step, --seconds, --warmup, "
        "--repeats, --json, --events and those for the store apply to it",
        pipeline.pipeline)};
  LoaderArguments arguments;
  arguments.loader = pipeline.pipeline;
  arguments.python = from.python;
  arguments.set = pipeline.settings;
  arguments.stepSeconds = pipeline.stepSeconds.value_or(0);
  arguments.seconds = from.settings.seconds;
  arguments.measure.warmupSeconds = from.settings.warmupSeconds;
  arguments.measure.repeats = from.settings.blocks;
  arguments.keep = from.keep;
  arguments.json = from.json;
  arguments.events = from.events;
  return arguments;
}

int diagnoseCommand(DiagnoseArguments& arguments) {
  if (const Status may = arguments.keep.mayKeep(arguments.events); !may)
    return fail(may.error().message);
  if (isLoaderWord(arguments.pipeline.pipeline)) {
    const Result<LoaderArguments> loader = loaderArgumentsOf(arguments);
    return loader ? diagnoseLoader(*loader) : fail(loader.error().message);
  }
  const Result<FailureLimit> limit = arguments.maxFailures.limit();
  if (!limit) return fail(limit.error().message);
  if (!arguments.apply.empty())
    if (const Status may = maySaveGraph(arguments.apply); !may)
      return fail("--apply: " + may.error().message);
  arguments.settings.failureLimit = *limit;
  Problems problems;
  std::optional<PreparedPipeline> prepared = preparePipeline(arguments.pipeline, problems);
  if (prepared) warnOfMachine(problems);
  printProblems(problems.all());
  if (!prepared) {
    if (arguments.events) {
      ComparisonEvents events;
      for (const Problem& problem : problems.all()) events.problem(problem);
    }
    return kBadUsage;
  }
  return diagnose(arguments, std::move(*prepared), problems.all());
}

void addMeasureOptions(CLI::App& diagnose, DiagnoseArguments& a) {
  diagnose.add_option("--seconds", a.settings.seconds, "Length of each measurement (2)")
      ->check(someSeconds());
  diagnose
      .add_option("--warmup", a.settings.warmupSeconds,
                  "Seconds before each measurement, not counted (0.5)")
      ->check(secondsOrNone());
  diagnose
      .add_option("--repeats", a.settings.blocks,
                  "Number of blocks; each variant runs once per block (2)")
      ->transform(whole(1, 1000));
  a.maxFailures.addTo(diagnose);
  diagnose
      .add_option("--page-cache", a.pageCache,
                  "State of the data before each run: as-found, warm or cold (as-found)")
      ->type_name("STATE")
      ->check(oneOf({"as-found", "warm", "cold"}));
}

void addKeepOptions(CLI::App& diagnose, DiagnoseArguments& a) {
  diagnose
      .add_option("--apply", a.apply, "Write the pipeline with the first advised edit to this file")
      ->type_name("FILE");
  a.keep.addTo(diagnose, "the run");
  auto* json = diagnose.add_flag("--json", a.json, "Print the result as one JSON object");
  diagnose.add_flag("--events", a.events, "Print progress and result as JSON Lines")
      ->excludes(json);
}

}  // namespace

void addDiagnose(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<DiagnoseArguments>();
  CLI::App* diagnose = app.add_subcommand(
      "diagnose", "Find out what limits a pipeline, or a loader of your own, and what to change");
  diagnose->footer(
      "Example: what limits this pipeline on my photos? Also write a faster pipeline\n"
      "  millrace diagnose classification --data ~/photos --apply faster.millrace.json\n"
      "It alternates between the unmodified pipeline and variants that lack one part (only the "
      "source, up to decoding, without the step, from memory), then runs the first advised edit.\n"
      "With --page-cache as-found, cold data below 256 MB is read once; warm reads all of it; "
      "cold drops it from the page cache, and each run is one epoch at most.\n"
      "Of a loader of your own (train.py:loader), it measures the steps inside, then tries the "
      "first advice if that is an argument of its DataLoader.\n"
      "This takes about a minute. Ctrl+C stops (exit code 3) and prints the results so far.");
  arguments->pipeline.addTo(*diagnose);
  diagnose
      ->add_option("--python", arguments->python, "The interpreter that runs a loader (python3)")
      ->type_name("INTERPRETER");
  addMeasureOptions(*diagnose, *arguments);
  addKeepOptions(*diagnose, *arguments);
  diagnose->callback(
      [arguments, &action] { action = [arguments] { return diagnoseCommand(*arguments); }; });
}

}  // namespace millrace::cli
