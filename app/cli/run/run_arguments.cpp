// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/run_arguments.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/numbers.h"
#include "core/jobs/run/trace_observer.h"
#include "core/monitor/inter_core_latency.h"

namespace millrace::cli {

namespace {

constexpr int kMostRanks = 64;

void addMeasureOptions(CLI::App& run, RunArguments& a) {
  auto* seconds = run.add_option("--seconds", a.seconds, "Length of each measurement (5)")
                      ->check(someSeconds());
  auto* batches =
      run.add_option("--batches", a.measure.batches, "Measure this many batches instead")
          ->transform(whole(1, kMostBatches));
  auto* epochs = run.add_option("--epochs", a.measure.epochs, "Measure this many epochs instead")
                     ->transform(whole(1, kMostBatches));
  seconds->excludes(batches)->excludes(epochs);
  batches->excludes(epochs);
  run.add_option("--warmup", a.warmupSeconds, "Seconds before each measurement, not counted (2)")
      ->check(secondsOrNone());
  run.add_option("--repeats", a.measure.repeats,
                 "Number of measurements, each with its warm-up (3)")
      ->transform(whole(1, 1000));
  run.add_flag("--cold", a.cold, "Drop the data from the page cache before each repeat");
  run.add_option("--start", a.start, "Begin at this batch, to continue an earlier run")
      ->type_name("EPOCH:BATCH");
  a.maxFailures.addTo(run);
  run.add_option(
         "--ranks", a.ranks,
         "Run N processes, each on a part of the data and on its own GPU if any; 1: only this one")
      ->transform(whole(1, kMostRanks))
      ->type_name("N");
  // Used by programs that start this one for their trials: the inter-core latency that they have
  // seen.
  run.add_option_function<double>("--usual-core-exchange", noteInterCoreLatency)
      ->check(someSeconds())
      ->group("");
  // Used by a run that starts this one as a rank.
  run.add_flag("--await-start", a.awaitStart)->group("");
  // Used by the program of another machine that keeps the run there.
  run.add_option("--record", a.record)->check(oneOf({"page", "result"}))->group("");
}

void addOutputOptions(CLI::App& run, RunArguments& a) {
  run.add_option("--dump", a.dump, "Write the first batches to this folder as .npy")
      ->type_name("DIR");
  run.add_option("--dump-batches", a.dumpBatches, "Number of batches to write (8)")
      ->transform(whole(1, kMostBatches));
  run.add_option("--trace", a.trace, "Write a timeline of every thread, for ui.perfetto.dev")
      ->type_name("FILE");
  run.add_flag("--no-fingerprint", a.noFingerprint, "Skip the fingerprint of the data's files");
  auto* json = run.add_flag("--json", a.json, "Print the result as one JSON object");
  run.add_flag("--events", a.events, "Print progress and result as JSON Lines")->excludes(json);
}

/// Parses "2:15" as epoch 2, batch 15. False: it is another text, or a number is too large.
bool parseStart(const std::string& text, MeasureSettings& measure) {
  const auto whole = [](std::string_view digits, auto& number) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error == std::errc() && end == digits.data() + digits.size();
  };
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string_view all = text;
  return whole(all.substr(0, colon), measure.startEpoch) &&
         whole(all.substr(std::min(colon + 1, all.size())), measure.startBatch);
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
    // Data read in a warm-up, or in an earlier epoch, would come from memory.
    if (!warmupSeconds) measure.warmupSeconds = 0;
    if (!seconds && !measure.batches && !measure.epochs) measure.epochs = 1;
  }
  if (measure.batches || measure.epochs) measure.seconds.reset();
  // The ranks of a run would mistake each other for the cause of slow cores.
  measure.awaitCores = !awaitStart;
  measure.noRandom = pipeline.noRandom;
  if (!trace.empty()) measure.traceSpans = TraceObserver::kSpansPerThread;
  if (ranks && !trace.empty())
    return "--ranks and --trace exclude each other: a trace covers one process";
  if (ranks && cold)
    return "--ranks and --cold exclude each other: a rank would drop data that another one reads";
  if (awaitStart && !events) return "--await-start needs --events";
  if (!start.empty() && !parseStart(start, measure))
    return fmt::format(
        "--start {}: expected EPOCH:BATCH, such as 2:15; both are whole numbers from 0, and the "
        "epoch is below 2^32",
        start);
  const Result<FailureLimit> limit = maxFailures.limit();
  if (!limit) return limit.error().message;
  measure.failureLimit = *limit;
  return std::nullopt;
}

}  // namespace millrace::cli
