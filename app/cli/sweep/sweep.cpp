// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace sweep`: measures a pipeline with many settings and reports which is the fastest.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/numbers.h"
#include "app/cli/common/output.h"
#include "app/cli/common/refusal.h"
#include "app/cli/run/run_control.h"
#include "app/cli/sweep/sweep_page.h"
#include "app/cli/sweep/sweep_screen.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/base/whole_file.h"
#include "core/events/search/sweep_json.h"
#include "core/jobs/common/machine_warnings.h"

namespace millrace::cli {

namespace {

SweepJobSettings settingsOf(const SweepArguments& arguments, const SweepMeaning& meaning) {
  SweepJobSettings settings;
  settings.pipeline = arguments.pipeline.pipeline;
  settings.blocks = arguments.blocks();
  settings.measure = meaning.trial.measure;
  settings.fused = !arguments.pipeline.noFuse;
  settings.keep = arguments.keep.settings();
  settings.request = requestOf(arguments);
  if (arguments.resume) settings.resumed = arguments.resumed;
  return settings;
}

SweepCommands commandsOf(const SweepArguments& arguments, const SweepOutcome& outcome) {
  SweepCommands commands;
  const auto best = outcome.finding.best;
  if (!best) return commands;
  if (arguments.pipeline.document) {
    // The kept pipeline may differ from what its name gives now; its runs do not.
    const std::string& own = outcome.runIds[*best];
    const std::string& current = outcome.runIds[outcome.plan.current()];
    if (!own.empty() && !current.empty() && own != current)
      commands.compare =
          fmt::format("millrace compare {} {}{}", current, own, arguments.keep.suggested());
    return commands;
  }
  commands.next = runCommandOf(arguments, outcome.plan, *best);
  if (!outcome.plan.points[*best].current)
    commands.compare = compareCommandOf(arguments, outcome.plan, *best);
  return commands;
}

int interrupted(const SweepArguments& arguments, const SweepOutcome& outcome) {
  if (!outcome.experiment.empty())
    printMessage("stopped; continue with:\n  {}\n",
                 visibleName(resumeCommandOf(arguments, outcome.experiment)));
  else
    printMessage("stopped; it was not kept and cannot be continued\n");
  return kInterrupted;
}

int finish(const SweepArguments& arguments, const SweepOutcome& outcome, SweepScreen& screen) {
  const SweepCommands commands = commandsOf(arguments, outcome);
  if (arguments.events)
    screen.result(sweepJson(outcome, commands.next, false));
  else if (arguments.json)
    print("{}\n", sweepJson(outcome, commands.next, true));
  else
    print("{}", sweepText(outcome, commands));
  flushOutput();
  Status written;
  if (!arguments.csv.empty())
    written = writeWholeFile(arguments.csv, sweepCsv(outcome), IfThere::Replace);
  if (!written) printMessage("error: --csv: {}\n", visibleName(written.error().message));
  if (outcome.result.stopped) return interrupted(arguments, outcome);
  return written && outcome.finding.best ? kDone : kFailed;
}

int measure(const SweepArguments& arguments, const SweepMeaning& meaning, PreparedSweep sweep,
            const std::vector<Problem>& warnings) {
  SweepScreen screen(arguments, warnings);
  const auto trial = ProcessTrial::make(meaning.trial, screen);
  if (!trial) return fail(trial.error().message);
  SweepJob job(std::move(sweep), settingsOf(arguments, meaning), **trial, screen);
  const auto stop = [&job] { job.stop(); };
  screen.acceptRequests(stop);
  Result<SweepOutcome> outcome = [&] {
    const InterruptWatch interrupts(stop);
    return job.run();
  }();
  screen.end();
  if (!outcome) return fail(outcome.error().message);
  return finish(arguments, *outcome, screen);
}

/// For --resume without a PIPELINE: takes everything from the kept sweep.
Status takeKept(SweepArguments& arguments) {
  if (!arguments.resume)
    return Error{
        "a sweep needs a PIPELINE (a file, an example's name, or -), or a --file that names one; "
        "only --resume does not"};
  if (const std::string flag = givenAgain(arguments); !flag.empty())
    return Error{"--resume without a PIPELINE continues with the kept arguments: leave out " +
                 flag};
  const Result<SweepRequest> request =
      stoppedSweepRequest(arguments.keep.file(), arguments.resumed);
  if (!request) return request.error();
  takeRequest(arguments, *request);
  return {};
}

int sweepCommandAction(SweepArguments& arguments) {
  if (!arguments.file.empty())
    if (const Status read = readSweepFile(arguments); !read) return fail(read.error().message);
  if (arguments.resume && arguments.keep.noStore)
    return fail("--resume continues a kept sweep: leave out --no-store");
  if (arguments.pipeline.pipeline.empty())
    if (const Status kept = takeKept(arguments); !kept) return fail(kept.error().message);
  const Result<SweepMeaning> meaning = meaningOf(arguments);
  if (!meaning) return fail(meaning.error().message);
  if (!arguments.csv.empty())
    if (const Status may =
            mayReplaceKind(arguments.csv, "the table of a sweep",
                           [](std::string_view head) { return head.starts_with(kSweepCsvHead); });
        !may)
      return fail("--csv: " + may.error().message);
  if (const Status may = arguments.keep.mayKeep(arguments.events); !may)
    return fail(may.error().message);
  Problems problems;
  std::optional<PreparedPipeline> prepared = preparePipeline(arguments.pipeline, problems);
  std::optional<PreparedSweep> sweep;
  if (prepared)
    sweep = prepareSweep(std::move(*prepared), arguments.asked.vary, meaning->design,
                         arguments.pipeline.noRandom, problems);
  if (sweep) warnOfMachine(problems);
  printProblems(problems.all());
  if (!sweep) {
    if (arguments.events) {
      ComparisonEvents events;
      for (const Problem& problem : problems.all()) events.problem(problem);
    }
    return kBadUsage;
  }
  return measure(arguments, *meaning, std::move(*sweep), problems.all());
}

void addPlanOptions(CLI::App& sweep, SweepArguments& a) {
  a.pipeline.addTo(sweep);
  sweep.get_option("pipeline")->required(false);
  sweep.get_option("--seed")->description("Seed of all random draws, of the plan and of the order");
  sweep
      .add_option("--vary", a.asked.vary,
                  "A parameter and its values: 1,2,4, 1..16, 1..16:2, 16..256:x2 or *")
      ->type_name("NODE.PARAM=VALUES")
      ->allow_extra_args(false);
  sweep.add_option("--plan", a.asked.plan, "full (all settings), random:N or latin:N (full)")
      ->type_name("PLAN");
  sweep.add_option("--random", a.asked.random, "Measure N settings drawn at random")
      ->type_name("N")
      ->transform(whole(1, 1'000'000));
  sweep.add_option("--latin", a.asked.latin, "Measure N settings of a Latin hypercube")
      ->type_name("N")
      ->transform(whole(1, 1'000'000));
  sweep.add_option("--file", a.file, "Read arguments from this JSON file; flags override it")
      ->type_name("FILE");
}

void addMeasureOptions(CLI::App& sweep, SweepArguments& a) {
  sweep
      .add_option("--repeats", a.asked.repeats,
                  "Number of blocks; each setting runs once per block (3)")
      ->transform(whole(1, 1000));
  auto* seconds = sweep.add_option("--seconds", a.asked.seconds, "Length of each measurement (5)")
                      ->check(someSeconds());
  sweep.add_option("--batches", a.asked.batches, "Measure this many batches instead")
      ->transform(whole(1, kMostBatches))
      ->excludes(seconds);
  sweep.add_option("--warmup", a.asked.warmup, "Seconds before each measurement, not counted (2)")
      ->check(secondsOrNone());
  a.maxFailures.addTo(sweep);
  sweep
      .add_option("--trial-timeout", a.asked.trialTimeout,
                  "A trial that takes longer fails (60 s plus ten times its length)")
      ->type_name("SECONDS")
      ->check(someSeconds());
  sweep
      .add_option("--trial-memory", a.asked.trialMemory,
                  "A trial that uses more memory fails, such as 2G")
      ->type_name("BYTES");
}

void addOutputOptions(CLI::App& sweep, SweepArguments& a) {
  a.keep.labels.experiment.clear();
  a.keep.addTo(sweep, "the runs");
  sweep.get_option("--experiment")->description("Experiment that groups the runs (a new one)");
  sweep.add_option("--csv", a.csv, "Write every setting and its figures to this file")
      ->type_name("FILE");
  auto* json = sweep.add_flag("--json", a.json, "Print the result as one JSON object");
  sweep.add_flag("--events", a.events, "Print progress and result as JSON Lines")->excludes(json);
}

}  // namespace

void addSweep(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<SweepArguments>();
  CLI::App* sweep =
      app.add_subcommand("sweep", "Measure a pipeline with many settings and find the fastest");
  sweep->footer(
      "Example: which number of workers and which batch size are fastest?\n"
      "  millrace sweep classification --vary workers.count=1..4 --vary batch.size=16..64:x2\n"
      "Every setting runs once per block, in random order and in a separate process. If it "
      "crashes, hangs or uses too much memory, that is its result, and the sweep continues. The "
      "current setting is also measured.\n"
      "Ctrl+C stops (exit code 3) and keeps all trials except "
      "the running one; --resume continues from there, also after a kill or a restart.");
  addPlanOptions(*sweep, *arguments);
  addMeasureOptions(*sweep, *arguments);
  addOutputOptions(*sweep, *arguments);
  auto* resume = sweep
                     ->add_option("--resume", arguments->resumed,
                                  "Continue this stopped sweep; without a name the last one")
                     ->type_name("[EXPERIMENT]")
                     ->expected(0, 1);
  sweep->callback([arguments, resume, &action] {
    arguments->resume = resume->count() > 0;
    action = [arguments] { return sweepCommandAction(*arguments); };
  });
}

}  // namespace millrace::cli
