// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/loader/loader_arguments.h"

#include <CLI/CLI.hpp>

#include "app/cli/common/numbers.h"

namespace millrace::cli {

void LoaderArguments::addTo(CLI::App& command) {
  command
      .add_option("loader", loader,
                  "A Python file, and the name in it of a loader, a dataset or a function that "
                  "returns one")
      ->type_name("FILE.py:NAME")
      ->required();
  command.add_option("--python", python, "The interpreter that runs it (python3)")
      ->type_name("INTERPRETER");
  command
      .add_option(
          "--set", set,
          "An argument in place of that in the file. DataLoader: num_workers, "
          "prefetch_factor, persistent_workers, pin_memory, batch_size, start_method (fork, "
          "spawn or forkserver), and worker_threads, the threads of OpenCV and torch in "
          "each worker. PyDataset: workers, use_multiprocessing, max_queue_size. tf.data: "
          "parallel_calls, prefetch, deterministic, threads, cache")
      ->type_name("NAME=VALUE");
  auto* length = command.add_option("--seconds", seconds, "Length of each measurement (5)")
                     ->check(someSeconds());
  command.add_option("--batches", measure.batches, "Measure at least this many batches instead")
      ->transform(whole(1, kMostBatches))
      ->excludes(length);
  command
      .add_option("--warmup", measure.warmupSeconds,
                  "Seconds between the first batch and each measurement, not counted (2)")
      ->check(secondsOrNone());
  command
      .add_option("--repeats", measure.repeats, "Number of measurements, each in a new process (3)")
      ->transform(whole(1, 1000));
  command
      .add_option("--step", stepSeconds,
                  "After each batch, sleep as long as a training step, such as 20ms")
      ->type_name("TIME")
      ->transform(lengthOfTime());
  command
      .add_option("--samples", samples,
                  "Samples in each batch (the leading dimension of its first array)")
      ->transform(whole(1, kMostBatches));
  command
      .add_option("--patience", patienceSeconds, "Give up if no batch comes in these seconds (60)")
      ->check(someSeconds());
  auto* search = command.add_flag("--tune", tune,
                                  "Find better arguments for a DataLoader: workers, their threads, "
                                  "prefetching; no run is kept");
  keep.addTo(command, "the run");
  auto* asJson = command.add_flag("--json", json, "Print the result as one JSON object");
  command.add_flag("--events", events, "Print progress and result as JSON Lines")->excludes(asJson);
  for (const char* name : {"--batches", "--warmup", "--repeats", "--events", "--store",
                           "--no-store", "--experiment", "--name", "--tag"})
    search->excludes(command.get_option(name));
}

Result<LoaderJobSettings> LoaderArguments::settings() const {
  LoaderJobSettings settings;
  MILLRACE_ASSIGN_OR_RETURN(settings.loader, findOwnLoader(loader, python));
  for (const std::string& entry : set) MILLRACE_TRY(addArgument(settings.loader, entry));
  settings.loader.samples = samples;
  settings.loader.stepSeconds = stepSeconds;
  settings.loader.patienceSeconds = patienceSeconds;
  settings.measure = measure;
  if (seconds) settings.measure.seconds = seconds;
  if (measure.batches) settings.measure.seconds.reset();
  settings.measure.awaitCores = true;
  settings.keep = keep.settings();
  return settings;
}

}  // namespace millrace::cli
