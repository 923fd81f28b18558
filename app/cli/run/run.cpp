// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace run`: runs a pipeline, measures it, keeps it.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/output.h"
#include "app/cli/common/pipeline_input.h"
#include "app/cli/common/refusal.h"
#include "app/cli/run/run_arguments.h"
#include "app/cli/run/run_control.h"
#include "app/cli/run/run_screen.h"
#include "app/cli/sample_data/sample_line.h"
#include "core/base/launched_rank.h"
#include "core/base/version.h"
#include "core/events/stream/steady_seconds.h"
#include "core/jobs/run/ranked_run_job.h"
#include "core/jobs/run/run_job.h"
#include "core/monitor/cpu_speed.h"
#include "core/ranks/rank_socket.h"

namespace millrace::cli {

namespace {

RunJobSettings settingsOf(const RunArguments& arguments) {
  RunJobSettings settings;
  settings.pipeline = arguments.pipeline.pipeline;
  settings.measure = arguments.measure;
  settings.fuse = !arguments.pipeline.noFuse;
  settings.keep = arguments.keep.settings();
  settings.fingerprint = !arguments.noFingerprint;
  settings.cold = arguments.cold;
  settings.awaitStart = arguments.awaitStart;
  settings.trace = arguments.trace;
  settings.dump = arguments.dump;
  settings.dumpBatches = arguments.dumpBatches;
  return settings;
}

/// Reports why a pipeline does not run, also as events.
int refuseProblems(const std::vector<Problem>& problems, bool events) {
  if (!events) return kBadUsage;
  const double now = steadySeconds();
  print("{}\n", helloEvent(now, engineVersion()));
  for (const Problem& problem : problems) print("{}\n", problemEvent(now, problem));
  return kBadUsage;
}

/// Runs the job while Ctrl+C stops it, and shows its end. `refused`: the exit code if it could not
/// begin.
template <class Job>
int runShown(Job& job, RunScreen& screen, int refused) {
  Result<RunJobOutcome> outcome = [&] {
    const InterruptWatch interrupts([&job] { job.stop(); });
    Result<RunJobOutcome> ended = job.run();
    screen.end();
    return ended;
  }();
  return outcome ? screen.show(*outcome) : fail(outcome.error().message, refused);
}

int runOne(const RunArguments& arguments) {
  if (const Status may = arguments.keep.mayKeep(arguments.events); !may)
    return fail(may.error().message);
  Problems problems;
  std::optional<PreparedPipeline> prepared = preparePipeline(arguments.pipeline, problems);
  // For a trial, the search that started it has already warned.
  if (prepared && !arguments.noFingerprint) warnOfSlowCores(problems);
  printProblems(problems.all());
  if (!prepared) return refuseProblems(problems.all(), arguments.events);
  RunJob* running = nullptr;
  const auto answer = [&running](const RunRequest& request) {
    return request.kind == RunRequest::Kind::Start
               ? running->start()
               : running->set(request.node, request.param, request.value);
  };
  RunScreen screen(arguments, problems.all(), answer, [&running] { running->stop(); });
  RunJob job(std::move(*prepared), settingsOf(arguments), screen);
  running = &job;
  return runShown(job, screen, kBadUsage);
}

/// This process as one of several of mpirun, srun or torchrun, unless it shall run alone or already
/// is a rank.
Result<std::optional<LaunchedRank>> launchedMeasurement(const RunArguments& arguments) {
  if (arguments.ranks || std::getenv("MILLRACE_RANK") != nullptr)
    return std::optional<LaunchedRank>();
  return launchedRank();
}

/// With `ranks` processes: children of this one, or those that come to the rendezvous.
int runRanks(const RunArguments& arguments, std::size_t ranks,
             std::optional<RankRendezvous> rendezvous = std::nullopt) {
  if (const Status may = arguments.keep.mayKeep(arguments.events); !may) {
    if (rendezvous) rendezvous->dismiss();
    return fail(may.error().message);
  }
  Problems problems;
  SampleLine samples;
  std::optional<RankedPipeline> pipeline =
      prepareForRanks(requestOf(arguments.pipeline), ranks,
                      rendezvous ? NoShard::Insert : NoShard::Refuse, samples, problems);
  if (pipeline && !arguments.noFingerprint) warnOfSlowCores(problems);
  printProblems(problems.all());
  if (!pipeline && rendezvous) rendezvous->dismiss();
  if (!pipeline) return refuseProblems(problems.all(), arguments.events);
  RankedRunSettings settings{settingsOf(arguments), ranks, arguments.maxFailures.text};
  settings.rendezvous = std::move(rendezvous);
  RankedRunJob* running = nullptr;
  const auto answer = [](const RunRequest&) -> Status {
    return Error{"a run of several ranks only accepts the request `stop`"};
  };
  RunScreen screen(arguments, problems.all(), answer, [&running] { running->stop(); });
  RankedRunJob job(std::move(*pipeline), std::move(settings), screen);
  running = &job;
  return runShown(job, screen, kFailed);
}

/// The part of a run that this process has: rank 0 leads and reports, the others only measure.
int runLaunched(const RunArguments& arguments, const LaunchedRank& rank) {
  const auto refused = [&](const Error& error) {
    return fail(error.message + "; to measure with one process, set `--ranks 1`", kFailed);
  };
  const auto world = static_cast<std::size_t>(rank.world);
  if (rank.number == 0) {
    auto rendezvous = RankRendezvous::open(rank);
    printMessage("{} ranks of {} are one run; with `--ranks 1`, each process runs alone\n", world,
                 rank.launcher);
    return rendezvous ? runRanks(arguments, world, rendezvous.take()) : refused(rendezvous.error());
  }
  const auto joined = joinRendezvous(rank, kRendezvousSeconds);
  if (!joined) return refused(joined.error());
  Problems problems;
  SampleLine samples;
  const auto pipeline =
      prepareForRanks(requestOf(arguments.pipeline), world, NoShard::Insert, samples, problems);
  if (!pipeline) {
    printProblems(problems.all());
    return kBadUsage;
  }
  const RankedRunSettings settings{settingsOf(arguments), world, arguments.maxFailures.text};
  return fail(becomeRank(*pipeline, settings, rank, *joined).message, kFailed);
}

int runCommand(RunArguments& arguments) {
  if (const auto wrong = arguments.settle()) {
    printMessage("error: {}\n", *wrong);
    return kBadUsage;
  }
  if (arguments.ranks.value_or(1) > 1) return runRanks(arguments, *arguments.ranks);
  const auto launched = launchedMeasurement(arguments);
  if (!launched) return fail(launched.error().message, kBadUsage);
  if (*launched && (arguments.cold || !arguments.trace.empty()))
    return fail("--cold and --trace are for one process: add `--ranks 1`", kBadUsage);
  return *launched ? runLaunched(arguments, **launched) : runOne(arguments);
}

}  // namespace

void addRun(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* run = app.add_subcommand("run", "Run a pipeline, measure it and keep the result");
  run->footer(
      "Example: your own photos, one folder per class, on four threads for ten seconds\n"
      "  millrace run classification --data ~/photos --set workers.count=4 --seconds 10\n"
      "With --cold and no limits, a repeat is one epoch without warm-up. --ranks needs a shard "
      "node, and limits apply to each process. Processes that mpirun, srun or torchrun starts are "
      "one run, unless --ranks is 1. --trace keeps up to 200 000 spans per thread and "
      "repeat.\n"
      "Ctrl+C stops and keeps the results so far (exit code 3); a second one exits at once.");
  arguments->addTo(*run);
  run->callback([arguments, &action] { action = [arguments] { return runCommand(*arguments); }; });
}

}  // namespace millrace::cli
