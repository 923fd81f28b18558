// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `tune`: the best settings of a pipeline, found by measuring.
#include <optional>
#include <utility>

#include "core/events/search/tune_json.h"
#include "core/events/stream/wait_events.h"
#include "core/jobs/common/machine_warnings.h"
#include "core/jobs/named/job_kinds.h"
#include "core/jobs/named/job_stream.h"
#include "core/jobs/named/tune_options.h"
#include "core/jobs/tune/tune_events.h"
#include "core/jobs/tune/tune_job.h"
#include "core/monitor/core_limit.h"

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
class TuneStream final : public JobStream<TuneJobObserver, TuneEvents>, public TrialObserver {
 public:
  using JobStream::JobStream;

  void ended(const TuneOutcome& outcome) { events().tuneEnded(outcome); }

  void onBegin(const TuneOutcome& outcome) override { events().tune(outcome); }
  std::unique_ptr<DiagnosisObserver> observeDiagnosis() override {
    return std::make_unique<TuneDiagnosisStream>(events());
  }
  void onSpace(const TuneOutcome& outcome) override { events().space(outcome); }
  void onTrialBegin(const TuneOutcome& outcome, const TuneTrialBegin& begin) override {
    events().trialBegun(outcome, begin);
  }
  void onTrialEnd(const TuneOutcome& outcome, const TuneTrialEnd& end) override {
    events().trialEnded(outcome, end);
  }
  void onWaiting(double mostSeconds) override { events().waiting(mostSeconds); }
};

class NamedTuning final : public StoppableJob<TuneJob> {
 public:
  NamedTuning(TuneOptions options, std::string program)
      : m_options(std::move(options)), m_program(std::move(program)) {}

  NamedJobEnd run(int events) override {
    Problems problems;
    StoppableSampleData samples(stopped());
    PipelineRequest pipeline = m_options.pipeline;
    Result<TuneJobSettings> settings = settingsOf(pipeline, samples, problems);
    if (!settings) {
      if (!problems.anyError()) problems.error("", "", settings.error().message, "");
      return refusedFor(problems, events);
    }
    auto prepared = preparePipeline(pipeline, samples, problems);
    if (!prepared) return refusedFor(problems, events);
    if (!settings->replay) warnOfMachine(problems);
    TuneStream stream(events);
    stream.problems(problems);
    const auto trial = ProcessTrial::make(settings->meaning.rules, stream);
    if (!trial) return {NamedJobEnd::Kind::Input, {}, validUtf8(trial.error().message)};
    TuneJob job(settings.take(), std::move(*prepared), **trial, stream);
    return finish(job, stream, [&](const TuneOutcome& outcome) {
      stream.ended(outcome);
      return tuneJson(outcome, {}, false);
    });
  }

 private:
  /// Fills in the kept tuning and its pipeline. Restricts this thread to the requested cores.
  Result<TuneJobSettings> settingsOf(PipelineRequest& pipeline, SampleDataObserver& samples,
                                     Problems& problems) const {
    TuneJobSettings settings;
    settings.keep = m_options.keep;
    if (m_options.again) {
      MILLRACE_ASSIGN_OR_RETURN(settings.kept, keptFor(pipeline, samples, problems));
      settings.replay = m_options.again->replay;
    }
    settings.request = m_options.requestOver(settings.kept);
    settings.pipeline = pipeline.pipeline.empty() ? "-" : pipeline.pipeline;
    MILLRACE_ASSIGN_OR_RETURN(settings.meaning, meaningOf(settings.request));
    settings.meaning.rules.program = m_program;
    pipeline.noRandom = settings.request.noRandom;
    pipeline.noFuse = settings.request.noFuse;
    if (settings.replay) {
      MILLRACE_TRY(withinReach(*settings.kept, settings.meaning, settings.request.cores));
      settings.taskset = keptCoresOf(*settings.kept);
    } else if (settings.request.cores) {
      MILLRACE_ASSIGN_OR_RETURN(settings.taskset,
                                limitCores(static_cast<int>(*settings.request.cores)));
    }
    return settings;
  }

  /// The kept tuning, whose pipeline is used if none is named. `problems`: why the named one could
  /// not be read.
  Result<KeptTuning> keptFor(PipelineRequest& pipeline, SampleDataObserver& samples,
                             Problems& problems) const {
    std::string document;
    const bool named = !pipeline.pipeline.empty() || pipeline.document.has_value();
    if (named) {
      Problems read;
      const auto loaded = loadPipeline(pipeline, samples, read);
      if (!loaded) {
        problems = std::move(read);
        return Error{"the pipeline could not be read"};
      }
      document = tunedDocumentOf(*loaded);
    }
    MILLRACE_ASSIGN_OR_RETURN(auto kept,
                              tuningAgain(m_options.keep.file, *m_options.again, document));
    if (std::string lack = lackOf(kept); !lack.empty()) return Error{std::move(lack)};
    if (!named) {
      pipeline.document = kept.settings.front().document;
      pipeline.pipeline = kept.pipeline;
    }
    return kept;
  }

  const TuneOptions m_options;
  const std::string m_program;
};

}  // namespace

Result<std::unique_ptr<NamedJob>> makeTuneJob(JobOptions& options, const std::string& program) {
  TuneOptions tune = readTuneOptions(options);
  MILLRACE_TRY(options.finish());
  MILLRACE_TRY(namedProgram(program, "tuning"));
  // What is wrong with a request is known without the store, unless a kept one completes it.
  if (!tune.again) MILLRACE_TRY(meaningOf(tune.requestOver(std::nullopt)));
  return std::unique_ptr<NamedJob>(std::make_unique<NamedTuning>(std::move(tune), program));
}

}  // namespace millrace
