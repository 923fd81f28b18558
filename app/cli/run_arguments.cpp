// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_arguments.h"

#include <cstdio>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/trace_observer.h"
#include "core/monitor/core_exchange.h"

namespace millrace::cli {

namespace {

constexpr int kMostRanks = 64;

void addMeasureOptions(CLI::App& run, RunArguments& a) {
  auto* seconds = run.add_option("--seconds", a.seconds, "Length of the measured span (5)")
                      ->check(CLI::PositiveNumber);
  auto* batches = run.add_option("--batches", a.measure.batches, "Measure so many batches instead")
                      ->check(CLI::PositiveNumber);
  auto* epochs = run.add_option("--epochs", a.measure.epochs, "Measure so many epochs instead")
                     ->check(CLI::PositiveNumber);
  seconds->excludes(batches)->excludes(epochs);
  batches->excludes(epochs);
  run.add_option("--warmup", a.warmupSeconds, "Seconds before that, not counted (2)")
      ->check(CLI::NonNegativeNumber);
  run.add_option("--repeats", a.measure.repeats, "How often, each with its warm-up (3)")
      ->check(CLI::Range(1, 1000));
  run.add_flag("--cold", a.cold,
               "Drop the data from the page cache before each repeat, so that it comes from "
               "storage; without other limits a repeat is one epoch, with no warm-up");
  run.add_option("--start", a.start, "Begin there, to go on with an earlier run")
      ->type_name("EPOCH:BATCH");
  a.maxFailures.addTo(run);
  run.add_option("--ranks", a.ranks,
                 "Run so many processes at the same time, each on its own part of the data (the "
                 "pipeline needs a shard node) and on a GPU of its own while there are any; limits "
                 "hold for each")
      ->check(CLI::Range(1, kMostRanks))
      ->type_name("N");
  // Of the programs that start this one for their trials: what they have seen before.
  run.add_option_function<double>("--usual-core-exchange", noteCoreExchange)
      ->check(CLI::PositiveNumber)
      ->group("");
  // Of a run that starts this one as a rank.
  run.add_flag("--await-start", a.awaitStart)->group("");
}

void addOutputOptions(CLI::App& run, RunArguments& a) {
  run.add_option("--dump", a.dump, "Write the first batches there as .npy")->type_name("DIR");
  run.add_option("--dump-batches", a.dumpBatches, "How many (8)")->check(CLI::PositiveNumber);
  run.add_option("--trace", a.trace,
                 "Write what every thread did when, for ui.perfetto.dev: up to 200 000 "
                 "spans a thread and repeat")
      ->type_name("FILE");
  run.add_flag("--no-fingerprint", a.noFingerprint,
               "Do not look at every file to know the data again");
  auto* json = run.add_flag("--json", a.json, "Print the result as one JSON object");
  run.add_flag("--events", a.events, "Print the run as JSON Lines while it goes on")
      ->excludes(json);
}

/// "2:15" as epoch 2, batch 15.
bool parseStart(const std::string& text, MeasureSettings& measure) {
  unsigned epoch = 0;
  unsigned long long batch = 0;
  int used = 0;
  if (std::sscanf(text.c_str(), "%u:%llu%n", &epoch, &batch, &used) != 2) return false;
  measure.startEpoch = epoch;
  measure.startBatch = batch;
  return static_cast<std::size_t>(used) == text.size() && text.find('-') == std::string::npos;
}

}  // namespace

void RunArguments::addTo(CLI::App& run) {
  pipeline.addTo(run);
  addMeasureOptions(run, *this);
  keep.addTo(run, "the run");
  addOutputOptions(run, *this);
}

std::optional<std::string> RunArguments::settle() {
  if (seconds) measure.seconds = seconds;
  if (warmupSeconds) measure.warmupSeconds = *warmupSeconds;
  if (cold) {
    // What a warm-up reads, and a second epoch, would come from memory.
    if (!warmupSeconds) measure.warmupSeconds = 0;
    if (!seconds && !measure.batches && !measure.epochs) measure.epochs = 1;
  }
  if (measure.batches || measure.epochs) measure.seconds.reset();
  // The ranks of a run would take each other for the reason why cores are slow.
  measure.awaitCores = !awaitStart;
  measure.noRandom = pipeline.noRandom;
  if (!trace.empty()) measure.traceSpans = TraceObserver::kSpansPerThread;
  if (ranks && !trace.empty())
    return "--ranks and --trace exclude each other: a trace is of one process";
  if (ranks && cold)
    return "--ranks and --cold exclude each other: a rank would drop what another one reads";
  if (awaitStart && !events) return "--await-start needs --events";
  if (!start.empty() && !parseStart(start, measure))
    return fmt::format("--start {}: expected EPOCH:BATCH, both from 0, such as 2:15", start);
  const Result<FailureLimit> limit = maxFailures.limit();
  if (!limit) return limit.error().message;
  measure.failureLimit = *limit;
  return std::nullopt;
}

std::vector<std::string> measureWords(const MeasureSettings& measure,
                                      const std::string& maxFailures, bool noFuse) {
  std::vector<std::string> words;
  const auto add = [&](const char* flag, std::string value) {
    words.emplace_back(flag);
    words.push_back(std::move(value));
  };
  add("--repeats", fmt::format("{}", measure.repeats));
  add("--warmup", fmt::format("{}", measure.warmupSeconds));
  if (measure.epochs)
    add("--epochs", fmt::format("{}", *measure.epochs));
  else if (measure.batches)
    add("--batches", fmt::format("{}", *measure.batches));
  else if (measure.seconds)
    add("--seconds", fmt::format("{}", *measure.seconds));
  if (measure.startEpoch > 0 || measure.startBatch > 0)
    add("--start", fmt::format("{}:{}", measure.startEpoch, measure.startBatch));
  add("--max-failures", maxFailures);
  if (measure.noRandom) words.emplace_back("--no-random");
  if (noFuse) words.emplace_back("--no-fuse");
  return words;
}

}  // namespace millrace::cli
