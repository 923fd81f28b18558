// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `diagnose`: what limits a pipeline, and what to change.
#include <utility>

#include "core/events/results/diagnosis_summary.h"
#include "core/jobs/common/machine_warnings.h"
#include "core/jobs/diagnose/diagnose_job.h"
#include "core/jobs/named/job_kinds.h"
#include "core/jobs/named/job_stream.h"

namespace millrace {

namespace {

/// Passes what a diagnosis reports on to its event stream.
class DiagnosisStream final : public BlockStream<DiagnoseObserver> {
 public:
  using BlockStream::BlockStream;

  void onStep(const DiagnosisStep& step) override {
    events().step({step.done, step.of, 0, step.secondsLeft}, step.what);
  }
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
    return finish(job, stream, [&](const DiagnosisOutcome& outcome) {
      if (outcome.notApplied)
        stream.onWarning({Severity::Error, "", "apply", outcome.notApplied->message, ""});
      return diagnosisJson(outcome, false);
    });
  }

 private:
  const PipelineRequest m_request;
  const DiagnoseSettings m_settings;
};

void readDiagnosis(JobOptions& options, DiagnosisSettings& diagnosis) {
  const MeasureOptions measure = readMeasureOptions(options);
  if (measure.seconds) diagnosis.seconds = *measure.seconds;
  if (measure.warmup) diagnosis.warmupSeconds = *measure.warmup;
  if (measure.repeats) diagnosis.blocks = *measure.repeats;
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
