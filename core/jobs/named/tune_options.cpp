// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/named/tune_options.h"

#include <utility>

namespace millrace {

namespace {

/// The keys `seconds warmup trial_timeout max_failures` have been read into these.
struct TuneMeasure {
  std::optional<double> seconds;
  std::optional<double> warmup;
  std::optional<double> trialTimeout;
  std::optional<std::string> maxFailures;

  bool any() const { return seconds || warmup || trialTimeout || maxFailures; }
};

std::optional<std::string> readText(JobOptions& options, const char* key) {
  std::string text;
  options.read(key, text);
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

TuneMeasure readTuneMeasure(JobOptions& options) {
  TuneMeasure measure;
  options.read("seconds", measure.seconds);
  options.read("warmup", measure.warmup);
  options.read("trial_timeout", measure.trialTimeout);
  measure.maxFailures = readText(options, "max_failures");
  if (measure.seconds && *measure.seconds <= 0)
    options.refuse("seconds: expected a number above 0");
  if (measure.trialTimeout && *measure.trialTimeout <= 0)
    options.refuse("trial_timeout: expected a number above 0");
  return measure;
}

/// The keys `replay` and `resume`.
std::optional<TuneAgain> readAgain(JobOptions& options, const KeepSettings& keep) {
  const std::optional<std::string> replay = readText(options, "replay");
  const std::optional<std::string> resume = readResume(options);
  if (!replay && !resume) return std::nullopt;
  if (replay && resume) options.refuse("`replay` and `resume` exclude each other");
  if (!keep.keep) options.refuse("`replay` and `resume` need the store that keeps the tuning");
  if (!keep.labels.experiment.empty() || !keep.labels.name.empty() || !keep.labels.tags.empty())
    options.refuse(
        "a kept tuning has its labels: leave out `experiment`, `name` and `tags` with `replay` and "
        "`resume`");
  return TuneAgain{replay.has_value(), replay ? *replay : *resume};
}

/// Refuses what a kept tuning fixes.
void checkAgain(JobOptions& options, const TuneOptions& tune, const TuneMeasure& measure) {
  const PipelineRequest& pipeline = tune.pipeline;
  if (measure.any() || pipeline.noRandom || pipeline.noFuse)
    options.refuse(
        "the trials of a kept tuning are measured already: leave out `seconds`, `warmup`, "
        "`trial_timeout`, `max_failures`, `no_random` and `no_fuse` with `replay` and `resume`");
  const TuneOptions::Asked& asked = tune.asked;
  if (!tune.again->replay && (asked.budget || asked.memory || asked.goal || asked.cores ||
                              !asked.allow.empty() || !asked.vary.empty()))
    options.refuse(
        "a continued tuning is the same search: leave out `budget`, `memory`, `for`, `cores`, "
        "`allow` and `vary` with `resume`");
  if (pipeline.pipeline.empty() && !pipeline.document &&
      (!pipeline.data.empty() || !pipeline.settings.empty() || pipeline.seed))
    options.refuse(
        "`data`, `settings` and `seed` need a pipeline: without one, the kept pipeline is used");
}

}  // namespace

TuneRequest TuneOptions::requestOver(const std::optional<KeptTuning>& kept) const {
  TuneRequest request = kept ? *kept->log.request : measure;
  if (asked.budget) request.budget = *asked.budget;
  if (asked.memory) request.memory = *asked.memory;
  if (asked.goal) request.goal = *asked.goal;
  if (asked.cores) request.cores = static_cast<std::int64_t>(*asked.cores);
  if (!asked.allow.empty()) request.allow = asked.allow;
  if (!asked.vary.empty()) request.vary = asked.vary;
  return request;
}

TuneOptions readTuneOptions(JobOptions& options) {
  TuneOptions tune;
  tune.keep = readKeeping(options, "");
  tune.again = readAgain(options, tune.keep);
  tune.pipeline = readPipeline(options, !tune.again);
  tune.asked.budget = readText(options, "budget");
  tune.asked.memory = readText(options, "memory");
  tune.asked.goal = readText(options, "for");
  options.read("cores", tune.asked.cores, 1);
  options.readTexts("allow", tune.asked.allow);
  options.readTexts("vary", tune.asked.vary);
  const TuneMeasure measure = readTuneMeasure(options);
  if (tune.again) checkAgain(options, tune, measure);
  tune.measure.budget = "2m";
  tune.measure.goal = "throughput";
  tune.measure.seconds = measure.seconds.value_or(1.5);
  tune.measure.warmup = measure.warmup.value_or(0.5);
  tune.measure.trialTimeout = measure.trialTimeout;
  tune.measure.maxFailures = measure.maxFailures.value_or("1%");
  tune.measure.noRandom = tune.pipeline.noRandom;
  tune.measure.noFuse = tune.pipeline.noFuse;
  return tune;
}

}  // namespace millrace
