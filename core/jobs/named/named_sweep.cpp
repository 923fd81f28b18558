// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `sweep`: a pipeline measured with many settings.
#include <optional>
#include <utility>

#include "core/events/search/sweep_json.h"
#include "core/jobs/common/machine_warnings.h"
#include "core/jobs/named/job_kinds.h"
#include "core/jobs/named/job_stream.h"
#include "core/jobs/sweep/sweep_events.h"
#include "core/jobs/sweep/sweep_rules.h"

namespace millrace {

namespace {

/// Passes what a sweep reports on to its event stream.
class SweepStream final : public JobStream<SweepJobObserver, SweepEvents>, public TrialObserver {
 public:
  SweepStream(int descriptor, std::size_t blocks) : JobStream(descriptor), m_blocks(blocks) {}

  void onBegin(const SweepBegin& begin) override { events().sweep(begin, m_blocks); }
  void onTrial(const TrialStep& step, const std::string& runId) override {
    events().trialBegun(step, runId);
  }
  void onMeasured(const TrialStep& step, const SpanFigures& repeat,
                  const SpanFigures& all) override {
    events().measured(step, repeat, all);
  }
  void onReplaced(const TrialStep& step, const SpanFigures& repeat) override {
    events().replaced(step, repeat);
  }
  void onFailed(const TrialStep& step, const std::string& reason, const SpanFigures& all) override {
    events().failed(step, reason, all);
  }
  void onWaiting(double mostSeconds) override { events().waiting(mostSeconds); }

 private:
  const std::size_t m_blocks;
};

/// What a sweep varies, and how it measures.
struct NamedSweepRequest {
  PipelineRequest pipeline;
  std::vector<std::string> vary;
  SweepDesign design;
  TrialRules rules;
  SweepJobSettings settings;
};

class NamedSweep final : public StoppableJob<SweepJob> {
 public:
  explicit NamedSweep(NamedSweepRequest request) : m_request(std::move(request)) {}

  NamedJobEnd run(int events) override {
    Problems problems;
    StoppableSampleData samples(stopped());
    auto prepared = preparePipeline(m_request.pipeline, samples, problems);
    std::optional<PreparedSweep> sweep;
    if (prepared)
      sweep = prepareSweep(std::move(*prepared), m_request.vary, m_request.design,
                           m_request.pipeline.noRandom, problems);
    if (!sweep) return refusedFor(problems, events);
    warnOfMachine(problems);
    SweepStream stream(events, m_request.settings.blocks);
    stream.problems(problems);
    const auto trial = ProcessTrial::make(m_request.rules, stream);
    if (!trial) return {NamedJobEnd::Kind::Input, {}, validUtf8(trial.error().message)};
    SweepJob job(std::move(*sweep), m_request.settings, **trial, stream);
    return finish(job, stream,
                  [](const SweepOutcome& outcome) { return sweepJson(outcome, {}, false); });
  }

 private:
  const NamedSweepRequest m_request;
};

SweepDesign readDesign(JobOptions& options, std::string& plan) {
  options.read("plan", plan);
  if (plan.empty()) return {};
  const Result<SweepDesign> design = parseDesign(plan);
  if (!design) options.refuse("plan: " + design.error().message);
  return design ? *design : SweepDesign{};
}

/// The keys `seconds warmup repeats batches trial_timeout trial_memory max_failures`.
SweepRequest readSweepRequest(JobOptions& options, SweepJobSettings& settings) {
  SweepRequest request;
  const MeasureOptions measure = readMeasureOptions(options);
  request.seconds = measure.seconds;
  request.warmup = measure.warmup;
  settings.blocks = measure.repeats.value_or(settings.blocks);
  options.read("batches", request.batches, 1);
  options.read("trial_timeout", request.trialTimeout);
  options.read("trial_memory", request.trialMemory);
  options.read("max_failures", request.maxFailures);
  if (request.trialTimeout && *request.trialTimeout <= 0)
    options.refuse("trial_timeout: expected a number above 0");
  return request;
}

}  // namespace

Result<std::unique_ptr<NamedJob>> makeSweepJob(JobOptions& options, const std::string& program) {
  NamedSweepRequest sweep;
  SweepJobSettings& settings = sweep.settings;
  sweep.pipeline = readPipeline(options);
  options.readTexts("vary", sweep.vary);
  if (sweep.vary.empty())
    options.refuse("name what to vary: `vary`, such as \"workers.count=1,2,4\"");
  std::string plan;
  sweep.design = readDesign(options, plan);
  SweepRequest request = readSweepRequest(options, settings);
  request.noRandom = sweep.pipeline.noRandom;
  request.noFuse = sweep.pipeline.noFuse;
  request.vary = sweep.vary;
  request.plan = plan;
  request.repeats = settings.blocks;
  settings.pipeline = sweep.pipeline.pipeline.empty() ? "-" : sweep.pipeline.pipeline;
  settings.fused = !request.noFuse;
  settings.keep = readKeeping(options, "");
  settings.resumed = readResume(options);
  if (settings.resumed && !settings.keep.keep)
    options.refuse("`resume` needs the store that keeps the sweep");
  MILLRACE_TRY(options.finish());
  MILLRACE_TRY(namedProgram(program, "sweep"));
  MILLRACE_ASSIGN_OR_RETURN(sweep.rules, rulesOf(request));
  sweep.rules.program = program;
  settings.measure = sweep.rules.measure;
  settings.request = std::move(request);
  return std::unique_ptr<NamedJob>(std::make_unique<NamedSweep>(std::move(sweep)));
}

}  // namespace millrace
