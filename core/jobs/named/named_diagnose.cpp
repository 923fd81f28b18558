// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `diagnose`: what limits a pipeline, and what to change.
#include <optional>
#include <utility>

#include "core/base/text.h"
#include "core/events/results/diagnosis_summary.h"
#include "core/events/stream/wait_events.h"
#include "core/jobs/common/machine_warnings.h"
#include "core/jobs/diagnose/diagnose_job.h"
#include "core/jobs/named/job_kinds.h"

namespace millrace {

namespace {

/// Passes what a diagnosis reports on to its event stream.
class DiagnosisStream final : public DiagnoseObserver {
 public:
  explicit DiagnosisStream(int descriptor) : m_events(descriptor), m_waits(m_events) {}

  void problems(const Problems& problems) {
    for (const Problem& problem : problems.all()) m_events.problem(problem);
  }
  void result(const std::string& json) { m_events.result(json); }

  void onWarning(const Problem& problem) override { m_events.problem(problem); }
  void onNotKept(const std::string& sentence) override {
    m_events.problem({Severity::Warning, "", "", sentence, ""});
  }
  void onStep(const DiagnosisStep& step) override {
    m_events.step({step.done, step.of, 0, step.secondsLeft}, step.what);
  }
  void onWaiting(const RunPhase& phase) override { m_waits.onWaiting(phase); }
  void onPhase(const RunPhase& phase) override { m_waits.onPhase(phase); }

 private:
  ComparisonEvents m_events;
  WaitEvents m_waits;
};

class NamedDiagnosis final : public StoppableJob<DiagnoseJob> {
 public:
  NamedDiagnosis(PipelineRequest request, DiagnoseSettings settings)
      : m_request(std::move(request)), m_settings(std::move(settings)) {}

  NamedJobEnd run(int events) override {
    Problems problems;
    StoppableSampleData samples(stopped());
    auto prepared = preparePipeline(m_request, samples, problems);
    if (!prepared) return refusedFor(problems, events);
    warnOfMachine(problems);
    DiagnosisStream stream(events);
    stream.problems(problems);
    DiagnoseJob job(std::move(*prepared), m_settings, stream);
    const Result<DiagnosisOutcome> outcome = runJob(job);
    if (!outcome) return {NamedJobEnd::Kind::Failed, {}, validUtf8(outcome.error().message)};
    if (outcome->notApplied)
      stream.onWarning({Severity::Error, "", "apply", outcome->notApplied->message, ""});
    const std::string json = diagnosisJson(*outcome, false);
    stream.result(json);
    return {NamedJobEnd::Kind::Done, json, {}};
  }

 private:
  const PipelineRequest m_request;
  const DiagnoseSettings m_settings;
};

void readDiagnosis(JobOptions& options, DiagnosisSettings& diagnosis) {
  std::optional<double> seconds;
  std::optional<double> warmup;
  std::optional<std::uint64_t> blocks;
  options.read("seconds", seconds);
  options.read("warmup", warmup);
  options.read("repeats", blocks, 1);
  if (seconds && *seconds <= 0) options.refuse("seconds: expected a number above 0");
  if (blocks && *blocks > 1000) options.refuse("repeats: at most 1000 are allowed");
  if (seconds) diagnosis.seconds = *seconds;
  if (warmup) diagnosis.warmupSeconds = *warmup;
  if (blocks) diagnosis.blocks = static_cast<std::size_t>(*blocks);
  diagnosis.failureLimit = readFailureLimit(options);
}

PageCacheRequest readPageCache(JobOptions& options) {
  std::string state = "as-found";
  options.read("page_cache", state);
  if (state == "warm") return PageCacheRequest::Warm;
  if (state == "cold") return PageCacheRequest::Cold;
  if (state != "as-found") options.refuse("page_cache: choose one of as-found, warm and cold");
  return PageCacheRequest::AsFound;
}

}  // namespace

Result<std::unique_ptr<NamedJob>> makeDiagnoseJob(JobOptions& options,
                                                  const std::string& /*program*/) {
  PipelineRequest request = readPipeline(options);
  DiagnoseSettings settings;
  std::string apply;
  settings.pipeline = request.pipeline.empty() ? "-" : request.pipeline;
  readDiagnosis(options, settings.diagnosis);
  settings.noRandom = request.noRandom;
  settings.fuse = !request.noFuse;
  settings.pageCache = readPageCache(options);
  settings.keep = readKeeping(options);
  options.read("apply", apply);
  settings.apply = apply;
  MILLRACE_TRY(options.finish());
  return std::unique_ptr<NamedJob>(
      std::make_unique<NamedDiagnosis>(std::move(request), std::move(settings)));
}

}  // namespace millrace
