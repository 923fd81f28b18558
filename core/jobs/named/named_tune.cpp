// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `tune`: the best settings of a pipeline, found by measuring.
#include <optional>
#include <utility>

#include "core/base/text.h"
#include "core/events/search/tune_json.h"
#include "core/events/stream/wait_events.h"
#include "core/jobs/common/machine_warnings.h"
#include "core/jobs/named/job_kinds.h"
#include "core/jobs/tune/tune_events.h"
#include "core/jobs/tune/tune_job.h"

namespace millrace {

namespace {

/// The event stream of the diagnosis at the beginning of a tuning.
class TuneDiagnosisStream final : public DiagnosisObserver {
 public:
  explicit TuneDiagnosisStream(TuneEvents& events) : m_events(events), m_waits(events) {}

  void onStep(const DiagnosisStep& step) override {
    m_events.step({step.done, step.of, 0, step.secondsLeft}, step.what);
  }
  void onWaiting(const RunPhase& phase) override { m_waits.onWaiting(phase); }
  void onPhase(const RunPhase& phase) override { m_waits.onPhase(phase); }

 private:
  TuneEvents& m_events;
  WaitEvents m_waits;
};

/// Passes what a tuning reports on to its event stream.
class TuneStream final : public TuneJobObserver, public TrialObserver {
 public:
  explicit TuneStream(int descriptor) : m_events(descriptor) {}

  void problems(const Problems& problems) {
    for (const Problem& problem : problems.all()) m_events.problem(problem);
  }
  void end(const TuneOutcome& outcome, const std::string& json) {
    m_events.tuneEnded(outcome);
    m_events.result(json);
  }

  void onWarning(const Problem& problem) override { m_events.problem(problem); }
  void onNotKept(const std::string& sentence) override {
    m_events.problem({Severity::Warning, "", "", sentence, ""});
  }
  void onBegin(const TuneOutcome& outcome) override { m_events.tune(outcome); }
  std::unique_ptr<DiagnosisObserver> observeDiagnosis() override {
    return std::make_unique<TuneDiagnosisStream>(m_events);
  }
  void onSpace(const TuneOutcome& outcome) override { m_events.space(outcome); }
  void onTrialBegin(const TuneOutcome& outcome, const TuneTrialBegin& begin) override {
    m_events.trialBegun(outcome, begin);
  }
  void onTrialEnd(const TuneOutcome& outcome, const TuneTrialEnd& end) override {
    m_events.trialEnded(outcome, end);
  }
  void onWaiting(double mostSeconds) override { m_events.waiting(mostSeconds); }

 private:
  TuneEvents m_events;
};

class NamedTuning final : public StoppableJob<TuneJob> {
 public:
  NamedTuning(PipelineRequest request, TuneJobSettings settings)
      : m_request(std::move(request)), m_settings(std::move(settings)) {}

  NamedJobEnd run(int events) override {
    Problems problems;
    StoppableSampleData samples(stopped());
    auto prepared = preparePipeline(m_request, samples, problems);
    if (!prepared) return refusedFor(problems, events);
    warnOfMachine(problems);
    TuneStream stream(events);
    stream.problems(problems);
    const auto trial = ProcessTrial::make(m_settings.meaning.rules, stream);
    if (!trial) return {NamedJobEnd::Kind::Input, {}, validUtf8(trial.error().message)};
    TuneJob job(m_settings, std::move(*prepared), **trial, stream);
    const Result<TuneOutcome> outcome = runJob(job);
    if (!outcome) return {NamedJobEnd::Kind::Failed, {}, validUtf8(outcome.error().message)};
    const std::string json = tuneJson(*outcome, {}, false);
    stream.end(*outcome, json);
    return {NamedJobEnd::Kind::Done, json, {}};
  }

 private:
  const PipelineRequest m_request;
  const TuneJobSettings m_settings;
};

/// The keys `budget memory for allow vary seconds warmup trial_timeout max_failures`.
TuneRequest readRequest(JobOptions& options) {
  TuneRequest request;
  std::optional<double> seconds = 1.5;
  std::optional<double> warmup = 0.5;
  request.budget = "2m";
  request.goal = "throughput";
  request.maxFailures = "1%";
  options.read("budget", request.budget);
  options.read("memory", request.memory);
  options.read("for", request.goal);
  options.readTexts("allow", request.allow);
  options.readTexts("vary", request.vary);
  options.read("seconds", seconds);
  options.read("warmup", warmup);
  options.read("trial_timeout", request.trialTimeout);
  options.read("max_failures", request.maxFailures);
  if (*seconds <= 0) options.refuse("seconds: expected a number above 0");
  request.seconds = *seconds;
  request.warmup = *warmup;
  return request;
}

}  // namespace

Result<std::unique_ptr<NamedJob>> makeTuneJob(JobOptions& options, const std::string& program) {
  PipelineRequest request = readPipeline(options);
  TuneJobSettings settings;
  settings.pipeline = request.pipeline.empty() ? "-" : request.pipeline;
  settings.request = readRequest(options);
  settings.request.noRandom = request.noRandom;
  settings.request.noFuse = request.noFuse;
  settings.keep = readKeeping(options, "");
  MILLRACE_TRY(options.finish());
  if (program.empty())
    return Error{
        "a tuning measures each trial with the program `millrace`: name its path as `program`"};
  MILLRACE_ASSIGN_OR_RETURN(settings.meaning, meaningOf(settings.request));
  settings.meaning.rules.program = program;
  return std::unique_ptr<NamedJob>(
      std::make_unique<NamedTuning>(std::move(request), std::move(settings)));
}

}  // namespace millrace
