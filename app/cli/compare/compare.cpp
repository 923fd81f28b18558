// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace compare`: two pipelines measured together.
#include <array>
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
#include "app/cli/common/program_words.h"
#include "app/cli/common/refusal.h"
#include "app/cli/compare/comparison_page.h"
#include "app/cli/compare/comparison_screen.h"
#include "app/cli/run/run_flags.h"
#include "app/cli/run/stop_requests.h"
#include "app/cli/sample_data/sample_line.h"
#include "core/base/text/shell_word.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/events/results/comparison_summary.h"
#include "core/jobs/common/machine_warnings.h"
#include "core/jobs/compare/comparison_job.h"

namespace millrace::cli {

namespace {

/// The arguments that name the two sides.
struct SideArguments {
  std::array<std::string, 2> names;   ///< a file, an example's name, `-`, a kept run, or a loader
  std::vector<std::string> data;      ///< --data [A:|B:]PATH
  std::vector<std::string> settings;  ///< --set [A:|B:]NODE.PARAM=VALUE
  PipelineArguments both;             ///< the flags of addReadingTo and addEditsTo
  std::string python = SideRequests().python;
};

struct CompareArguments {
  SideArguments sides;
  std::optional<std::size_t> blocks;
  std::optional<double> seconds;
  std::optional<double> warmup;
  FailureFlag maxFailures;
  FailureLimit failureLimit;
  KeepFlags keep;
  bool resume = false;
  bool json = false;
  bool events = false;
};

/// The command that continues a stopped comparison.
std::string resumeCommand(const CompareArguments& a) {
  std::string text = programWords() + " compare " + shownShellWord(a.sides.names[0]) + " " +
                     shownShellWord(a.sides.names[1]);
  for (const std::string& data : a.sides.data) text += " --data " + shownShellWord(data);
  for (const std::string& setting : a.sides.settings) text += " --set " + shownShellWord(setting);
  if (a.sides.python != SideRequests().python)
    text += " --python " + shownShellWord(a.sides.python);
  text += a.sides.both.suggestedReading();
  if (a.maxFailures.text != FailureFlag().text)
    text += " --max-failures " + shownShellWord(a.maxFailures.text);
  return text + a.keep.suggested() + " --resume";
}

ComparisonSettings settingsOf(const CompareArguments& arguments) {
  ComparisonSettings settings;
  settings.blocks = arguments.blocks;
  settings.seconds = arguments.seconds;
  settings.warmup = arguments.warmup;
  settings.seed = arguments.sides.both.seed;
  settings.noRandom = arguments.sides.both.noRandom;
  settings.fuse = !arguments.sides.both.noFuse;
  settings.failureLimit = arguments.failureLimit;
  settings.keep = arguments.keep.settings();
  settings.resume = arguments.resume;
  return settings;
}

SideRequests requestsOf(const CompareArguments& arguments) {
  const SideArguments& sides = arguments.sides;
  SideRequests requests{sides.names,           {},          sides.data, sides.settings, sides.both,
                        arguments.keep.file(), sides.python};
  for (std::size_t i = 0; i < sides.names.size(); ++i) {
    PipelineArguments side;
    side.pipeline = sides.names[i];
    requests.documents[i] = requestOf(side).document;
  }
  return requests;
}

int showStopped(const CompareArguments& arguments, bool kept) {
  flushOutput();
  if (kept)
    printMessage("stopped; continue with:\n  {}\n", visibleName(resumeCommand(arguments)));
  else
    printMessage("stopped; it was not kept and cannot be continued\n");
  return kInterrupted;
}

int show(const ComparisonOutcome& outcome, const CompareArguments& arguments,
         ComparisonEvents* events) {
  if (events != nullptr)
    events->result(comparisonJson(outcome, false));
  else if (arguments.json)
    print("{}\n", comparisonJson(outcome, true));
  else
    print("{}", comparisonText(outcome, arguments.keep.suggested()));
  if (outcome.outcome == RunOutcome::Interrupted) return showStopped(arguments, outcome.kept());
  if (outcome.outcome == RunOutcome::Finished) return kDone;
  if (events != nullptr || arguments.json) printMessage("error: {}\n", visibleName(outcome.reason));
  return kFailed;
}

int compare(const CompareArguments& arguments, ComparisonSides sides,
            const std::vector<Problem>& warnings) {
  ComparisonScreen screen(arguments.events, warnings);
  ComparisonJob job(std::move(sides), settingsOf(arguments), screen);
  const Result<ComparisonOutcome> outcome = [&] {
    const InterruptWatch interrupts([&job] { job.stop(); });
    std::optional<RequestReader> requests;
    if (screen.events() != nullptr)
      requests.emplace(stopRequests(*screen.events(), [&job] { job.stop(); }));
    return job.run();
  }();
  screen.clear();
  return outcome ? show(*outcome, arguments, screen.events()) : fail(outcome.error().message);
}

int compareCommand(CompareArguments& arguments) {
  const Result<FailureLimit> limit = arguments.maxFailures.limit();
  if (!limit) return fail(limit.error().message);
  arguments.failureLimit = *limit;
  if (const Status may = arguments.keep.mayKeep(arguments.events); !may)
    return fail(may.error().message);
  Problems problems;
  SampleLine samples;
  std::optional<ComparisonSides> sides = prepareSides(requestsOf(arguments), samples, problems);
  if (sides) warnOfMachine(problems);
  printProblems(problems.all());
  if (!sides) {
    if (arguments.events) {
      ComparisonEvents events;
      for (const Problem& problem : problems.all()) events.problem(problem);
    }
    return kBadUsage;
  }
  return compare(arguments, std::move(*sides), problems.all());
}

void addSideOptions(CLI::App& compare, SideArguments& sides) {
  const char* what =
      "A file, an example's name, a kept run (12, #12, last), a loader (train.py:loader) or -";
  compare.add_option("A", sides.names[0], what)->required();
  compare.add_option("B", sides.names[1], what)->required();
  compare.add_option("--data", sides.data, "Read this data, on both sides or on one")
      ->type_name("[A:|B:]PATH")
      ->allow_extra_args(false);
  compare
      .add_option("--set", sides.settings,
                  "Set a parameter, on both sides or on one; of a loader, an argument of its "
                  "DataLoader, such as A:num_workers=4")
      ->type_name("[A:|B:]NODE.PARAM=VALUE")
      ->allow_extra_args(false);
  compare.add_option("--python", sides.python, "The interpreter that runs a loader (python3)")
      ->type_name("INTERPRETER");
  sides.both.addEditsTo(compare, "[A:|B:]");
  sides.both.addReadingTo(compare);
  compare.get_option("--seed")->description(
      "Seed of all random draws and of the order within blocks");
}

void addMeasureOptions(CLI::App& compare, CompareArguments& a) {
  compare
      .add_option("--repeats", a.blocks, "Number of blocks (5, and 5 more if they do not decide)")
      ->transform(whole(1, 1000));
  compare.add_option("--seconds", a.seconds, "Length of each measurement (5)")
      ->check(someSeconds());
  compare.add_option("--warmup", a.warmup, "Seconds before each measurement, not counted (2)")
      ->check(secondsOrNone());
  a.maxFailures.addTo(compare);
  a.keep.addTo(compare, "the runs");
  compare.get_option("--store")->description(
      "Keep the runs in this file, and look up kept runs there");
  compare.add_flag("--resume", a.resume, "Continue the last stopped comparison of these two")
      ->excludes(compare.get_option("--no-store"));
  auto* json = compare.add_flag("--json", a.json, "Print the result as one JSON object");
  compare.add_flag("--events", a.events, "Print progress and result as JSON Lines")->excludes(json);
}

}  // namespace

void addCompare(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<CompareArguments>();
  CLI::App* compare =
      app.add_subcommand("compare",
                         "Measure two pipelines, or loaders of your own, together and report "
                         "which is faster");
  compare->footer(
      "Examples: do four workers beat two? Is an edited file faster than the last run? Is the "
      "pipeline faster than your own DataLoader?\n"
      "  millrace compare classification classification --set A:workers.count=2 \\\n"
      "      --set B:workers.count=4\n"
      "  millrace compare last edited.millrace.json\n"
      "  millrace compare train.py:loader mine.millrace.json --python env/bin/python\n"
      "The two run in alternation, in blocks with random order, for one or two minutes in all.\n"
      "A disturbed block is measured again: if other programs used more than 3 % of the cores or "
      "the same disk, if a core changed its speed, or if the page cache took in data. There are "
      "at most twice as many repetitions as blocks.\n"
      "Ctrl+C stops and keeps completed blocks (exit code 3); --resume continues from there.");
  addSideOptions(*compare, arguments->sides);
  addMeasureOptions(*compare, *arguments);
  compare->callback(
      [arguments, &action] { action = [arguments] { return compareCommand(*arguments); }; });
}

}  // namespace millrace::cli
