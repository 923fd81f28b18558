// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `run`: one run of a pipeline, measured and kept.
#include <optional>
#include <utility>

#include "core/base/text/text.h"
#include "core/events/stream/event_json.h"
#include "core/events/stream/event_observer.h"
#include "core/jobs/named/job_kinds.h"
#include "core/jobs/run/run_job.h"
#include "core/jobs/run/trace_observer.h"

namespace millrace {

namespace {

/// Passes what a run reports on to its event stream.
class RunStream final : public RunJobObserver {
 public:
  RunStream(int descriptor, std::vector<Problem> prepared)
      : m_descriptor(descriptor), m_prepared(std::move(prepared)) {}

  void onBegin(const Plan& plan, const RunIdentity& identity) override {
    m_identity = identity;
    m_events.emplace(m_descriptor, planEventOf(plan), m_identity);
    for (const Problem& problem : m_prepared) m_events->problem(problem);
  }
  void onWarning(const Problem& problem) override {
    if (m_events)
      m_events->problem(problem);
    else
      m_prepared.push_back(problem);
  }
  void onNotKept(const std::string& sentence) override {
    onWarning({Severity::Warning, "", "", sentence, ""});
  }

  void onWaiting(const RunPhase& phase) override { m_events->onWaiting(phase); }
  void onPhase(const RunPhase& phase) override { m_events->onPhase(phase); }
  void onSnapshot(const RunSnapshot& snapshot) override { m_events->onSnapshot(snapshot); }
  void onWindow(std::size_t repeat, const RateWindow& window) override {
    m_events->onWindow(repeat, window);
  }
  void onRepeat(std::size_t repeat, const SpanFigures& figures) override {
    m_events->onRepeat(repeat, figures);
  }
  void onFailures(const std::vector<FailedSample>& failures, std::uint64_t total) override {
    m_events->onFailures(failures, total);
  }

  void end(const RunJobOutcome& outcome) {
    for (const Problem& warning : outcome.warnings) m_events->problem(warning);
    for (const Problem& file : outcome.unwritten) m_events->problem(file);
    m_events->result(outcome.result);
  }

 private:
  const int m_descriptor;
  std::vector<Problem> m_prepared;  ///< before the stream begins
  RunIdentity m_identity;
  std::optional<EventObserver> m_events;  ///< once the run has begun
};

class NamedRun final : public StoppableJob<RunJob> {
 public:
  NamedRun(PipelineRequest request, RunJobSettings settings)
      : m_request(std::move(request)), m_settings(std::move(settings)) {}

  NamedJobEnd run(int events) override {
    Problems problems;
    StoppableSampleData samples(stopped());
    auto prepared = preparePipeline(m_request, samples, problems);
    if (!prepared) return refusedFor(problems, events);
    RunStream stream(events, problems.all());
    RunJob job(std::move(*prepared), m_settings, stream);
    const Result<RunJobOutcome> outcome = runJob(job);
    if (!outcome) return {NamedJobEnd::Kind::Failed, {}, validUtf8(outcome.error().message)};
    stream.end(*outcome);
    return {NamedJobEnd::Kind::Done, resultJson(outcome->result, outcome->identity, false), {}};
  }

 private:
  const PipelineRequest m_request;
  const RunJobSettings m_settings;
};

/// The keys `seconds warmup batches epochs repeats cold`. As on the command line, `cold` alone
/// measures one epoch without a warm-up: data read in a warm-up would come from memory.
void readMeasure(JobOptions& options, RunJobSettings& settings) {
  MeasureSettings& measure = settings.measure;
  const MeasureOptions asked = readMeasureOptions(options);
  options.read("batches", measure.batches, 1);
  options.read("epochs", measure.epochs, 1);
  options.read("cold", settings.cold);
  if (int{asked.seconds.has_value()} + int{measure.batches.has_value()} +
          int{measure.epochs.has_value()} >
      1)
    options.refuse("`seconds`, `batches` and `epochs` exclude each other");
  if (asked.seconds) measure.seconds = asked.seconds;
  if (asked.warmup) measure.warmupSeconds = *asked.warmup;
  if (asked.repeats) measure.repeats = *asked.repeats;
  if (settings.cold && !asked.warmup) measure.warmupSeconds = 0;
  if (settings.cold && !asked.seconds && !measure.batches && !measure.epochs) measure.epochs = 1;
  if (measure.batches || measure.epochs) measure.seconds.reset();
}

}  // namespace

Result<std::unique_ptr<NamedJob>> makeRunJob(JobOptions& options, const std::string& /*program*/) {
  PipelineRequest request = readPipeline(options);
  RunJobSettings settings;
  settings.pipeline = request.pipeline.empty() ? "-" : request.pipeline;
  settings.fuse = !request.noFuse;
  settings.keep = readKeeping(options);
  readMeasure(options, settings);
  settings.measure.failureLimit = readFailureLimit(options);
  settings.measure.noRandom = request.noRandom;
  settings.measure.awaitCores = true;
  std::string trace;
  options.read("trace", trace);
  settings.trace = trace;
  if (!trace.empty()) settings.measure.traceSpans = TraceObserver::kSpansPerThread;
  MILLRACE_TRY(options.finish());
  return std::unique_ptr<NamedJob>(
      std::make_unique<NamedRun>(std::move(request), std::move(settings)));
}

}  // namespace millrace
