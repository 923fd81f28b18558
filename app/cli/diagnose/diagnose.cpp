// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace diagnose`: what limits a pipeline, found by running it with parts removed.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/machine_warnings.h"
#include "app/cli/common/pipeline_input.h"
#include "app/cli/common/refusal.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/compare/comparison_events.h"
#include "app/cli/diagnose/diagnosis_observer.h"
#include "app/cli/diagnose/diagnosis_page.h"
#include "app/cli/run/run_control.h"
#include "app/cli/run/run_flags.h"
#include "core/base/text.h"
#include "core/graph/graph_edit.h"
#include "core/graph/graph_json.h"
#include "core/jobs/compare/block_recorder.h"
#include "core/jobs/run/cache_room.h"
#include "core/jobs/run/page_cache_plan.h"
#include "core/measure/data_facts.h"
#include "core/nodes/builtin.h"
#include "core/store/search_notes.h"
#include "core/tune/advice_edit.h"

namespace millrace::cli {

namespace {

struct DiagnoseArguments {
  PipelineArguments pipeline;
  DiagnosisSettings settings;
  FailureFlag maxFailures;
  std::string pageCache = "as-found";
  std::string apply;
  KeepFlags keep;
  bool json = false;
  bool events = false;
};

PageCacheRequest requestOf(const std::string& name) {
  if (name == "warm") return PageCacheRequest::Warm;
  return name == "cold" ? PageCacheRequest::Cold : PageCacheRequest::AsFound;
}

/// One diagnosis, from a prepared pipeline to its exit code.
class DiagnoseJob {
 public:
  DiagnoseJob(const DiagnoseArguments& arguments, PreparedPipeline prepared)
      : m_arguments(arguments),
        m_settings(arguments.settings),
        m_prepared(std::move(prepared)),
        m_pageCache(m_prepared.plan.pipeline.source, requestOf(arguments.pageCache)) {
    m_identity.pipeline = arguments.pipeline.pipeline;
    if (m_pageCache.dropsEach()) m_settings.readOnce();
  }

  int go(const std::vector<Problem>& warnings) {
    Result<CacheSet> caches = CacheSet::make(m_prepared.plan);
    if (!caches) return refuse(caches.error().message);
    m_facts = machineFacts(*m_prepared.plan.pipeline.source);
    MeasureSettings measured;
    measured.warmupSeconds = m_settings.warmupSeconds;
    measured.seconds = m_settings.seconds;
    measured.noRandom = m_arguments.pipeline.noRandom;
    if (m_pageCache.dropsEach()) m_facts.emplace_back("page_cache_dropped", "before each repeat");
    for (auto& fact : measureFacts(measured, !m_arguments.pipeline.noFuse))
      m_facts.push_back(std::move(fact));
    beginStore();
    if (m_arguments.events) m_events.emplace();
    for (const Problem& warning : warnings)
      if (m_events) m_events->problem(warning);
    return finish(diagnose(*caches));
  }

 private:
  void beginStore() {
    const KeepFlags& keep = m_arguments.keep;
    if (keep.noStore) return;
    auto recorder = StoreRecorder::begin(keep.file(), keep.labels, m_prepared.plan,
                                         m_identity.pipeline, keptText(m_prepared), m_facts);
    if (!recorder) {
      fmt::print(stderr, "warning: this diagnosis is not kept: {}\n",
                 validUtf8(recorder.error().message));
      return;
    }
    m_recorder = recorder.take();
    m_identity.runId = std::to_string(static_cast<std::int64_t>(m_recorder->run()));
    m_identity.storeFlag = keep.suggested();
  }

  Result<Plan> planWith(const Advice& advice) const {
    Result<Graph> edited = applyAdvice(m_prepared.graph, builtinCatalog(), advice);
    if (!edited) return edited.error();
    CheckOptions options;
    options.base = m_prepared.base;
    options.openData = true;
    options.noRandom = m_arguments.pipeline.noRandom;
    CheckResult checked = checkGraph(*edited, builtinCatalog(), options);
    for (const Problem& problem : checked.problems.all())
      if (problem.severity == Severity::Error) return Error{problem.message};
    if (!checked.pipeline) return Error{"the edited pipeline does not run"};
    PlanOptions planOptions;
    planOptions.fuse = !m_arguments.pipeline.noFuse;
    return makePlan(std::move(*checked.pipeline), planOptions);
  }

  DiagnosisResult diagnose(const CacheSet& caches) {
    DiagnosisSettings settings = m_settings;
    settings.seed = m_prepared.graph.seed;
    settings.awaitCores = true;
    settings.fuse = !m_arguments.pipeline.noFuse;
    settings.noRandom = m_arguments.pipeline.noRandom;
    settings.memoryBytes = cacheRoom();
    settings.beforeRepeat = [this] { return m_pageCache.prepare(); };
    settings.planWith = [this](const Advice& advice) { return planWith(advice); };
    settings.surroundings = surroundingsOf(m_facts);
    const bool terminal = !m_arguments.events && isatty(STDERR_FILENO) != 0;
    DiagnosisProgress progress(terminal, m_recorder.get(), m_events ? &*m_events : nullptr);
    Diagnosis diagnosis(m_prepared.plan, caches, settings, progress);
    const auto stop = [this, &diagnosis] {
      m_pageCache.stop();
      diagnosis.stop();
    };
    const InterruptWatch interrupts(stop);
    std::optional<RequestReader> requests;
    if (m_events) requests.emplace(m_events->handlers(stop));
    FingerprintJob fingerprint(m_prepared.plan.pipeline.source);
    DiagnosisResult result = diagnosis.run();
    const Facts known = fingerprint.take();
    if (m_recorder && !known.empty()) m_recorder->addEnvironment(known);
    progress.clear();
    return result;
  }

  /// Keeps the unmodified pipeline's run, with the findings as facts.
  void keep(const DiagnosisResult& result) {
    if (!m_recorder) return;
    if (!result.runs.empty()) {
      const bool open = result.finding.sure == Confidence::CannotTell;
      m_recorder->addEnvironment(
          {{"diagnosis_limit", open ? "" : std::string(nameOf(result.finding.limit.kind))},
           {"diagnosis_node", open ? "" : result.finding.limit.node},
           {"diagnosis_sure", std::string(nameOf(result.finding.sure))}});
    }
    RunResult kept;
    kept.repeats = result.baseline;
    kept.figures = combineRepeats(kept.repeats);
    kept.reason = result.reason;
    if (result.end == BlockEnd::Stopped) kept.outcome = RunOutcome::Interrupted;
    if (result.end == BlockEnd::Stopped) kept.reason = "stopped";
    if (result.end == BlockEnd::Failed) kept.outcome = RunOutcome::Failed;
    m_recorder->finish(kept);
    keepPrediction(result);
    m_recorder.reset();
  }

  /// Keeps the first advice's predicted and measured rates, next to the rate that the prediction
  /// started from.
  void keepPrediction(const DiagnosisResult& result) {
    if (!result.adviceGave || result.predicted.empty() || !result.predicted.front()) return;
    const RatePrediction& predicted = *result.predicted.front();
    PredictionRecord record;
    record.run = m_recorder->run();
    record.edit = result.advice.front().editText();
    record.low = predicted.low;
    record.middle = predicted.middle;
    record.high = predicted.high;
    record.followedValue = result.adviceGave->mean * result.counters.samplesPerSecond();
    auto notes = SearchNotes::open(m_arguments.keep.file());
    const Status kept = notes ? notes->addPrediction(record) : Status(notes.error());
    if (!kept)
      fmt::print(stderr, "warning: the prediction is not kept: {}\n",
                 validUtf8(kept.error().message));
  }

  /// Returns false if the edited pipeline was requested but not written.
  bool apply(const DiagnosisResult& result) {
    if (m_arguments.apply.empty() || result.end == BlockEnd::Stopped) return true;
    const auto advice = std::ranges::find_if(
        result.advice, [](const Advice& each) { return each.edit != Advice::Edit::Words; });
    Status written = Error{"there is no advice that an edit of the pipeline could apply"};
    if (result.adviceGave && result.adviceGave->mean < 1) {
      written = Error{"the advised edit was measured and is not faster"};
    } else if (advice != result.advice.end()) {
      Result<Graph> edited =
          applyAdvice(withAbsolutePaths(m_prepared.graph, builtinCatalog(), m_prepared.base),
                      builtinCatalog(), *advice);
      written =
          edited ? saveGraph(m_arguments.apply, *edited, builtinCatalog()) : Status(edited.error());
    }
    if (written) m_identity.applied = m_arguments.apply;
    if (!written)
      fmt::print(stderr, "{}",
                 wrapped(fmt::format("error: --apply {}: {}", validUtf8(m_arguments.apply),
                                     validUtf8(written.error().message)),
                         4));
    return written.ok();
  }

  int finish(const DiagnosisResult& result) {
    keep(result);
    m_identity.pageCache = m_pageCache.text();
    const bool applied = apply(result);
    if (m_events)
      m_events->result(diagnosisJson(result, m_identity, false));
    else if (m_arguments.json)
      fmt::print("{}\n", diagnosisJson(result, m_identity, true));
    else
      fmt::print("{}", diagnosisText(result, m_identity));
    std::fflush(stdout);
    if (result.end == BlockEnd::Stopped) return kInterrupted;
    if (result.end == BlockEnd::Failed && (m_events || m_arguments.json))
      fmt::print(stderr, "error: {}\n", validUtf8(result.reason));
    return result.end == BlockEnd::Finished && applied ? kDone : kFailed;
  }

  const DiagnoseArguments& m_arguments;
  DiagnosisSettings m_settings;
  PreparedPipeline m_prepared;
  PageCachePlan m_pageCache;
  DiagnosisIdentity m_identity;
  Facts m_facts;
  std::unique_ptr<StoreRecorder> m_recorder;
  std::optional<ComparisonEvents> m_events;
};

int diagnoseCommand(DiagnoseArguments& arguments) {
  const Result<FailureLimit> limit = arguments.maxFailures.limit();
  if (!limit) return refuse(limit.error().message);
  arguments.settings.failureLimit = *limit;
  Problems problems;
  std::optional<PreparedPipeline> prepared = preparePipeline(arguments.pipeline, problems);
  if (prepared) warnOfMachine(problems);
  printProblems(problems.all());
  if (!prepared) {
    if (arguments.events) {
      ComparisonEvents events;
      for (const Problem& problem : problems.all()) events.problem(problem);
    }
    return kBadUsage;
  }
  return DiagnoseJob(arguments, std::move(*prepared)).go(problems.all());
}

void addMeasureOptions(CLI::App& diagnose, DiagnoseArguments& a) {
  diagnose.add_option("--seconds", a.settings.seconds, "Length of each measurement (2)")
      ->check(CLI::PositiveNumber);
  diagnose
      .add_option("--warmup", a.settings.warmupSeconds,
                  "Seconds before each measurement, not counted (0.5)")
      ->check(CLI::NonNegativeNumber);
  diagnose
      .add_option("--repeats", a.settings.blocks,
                  "Number of blocks; each variant runs once per block (2)")
      ->check(CLI::Range(1, 1000));
  a.maxFailures.addTo(diagnose);
  diagnose
      .add_option("--page-cache", a.pageCache,
                  "State of the data before each run: as-found, warm or cold (as-found)")
      ->type_name("STATE")
      ->check(CLI::IsMember({"as-found", "warm", "cold"}));
}

void addKeepOptions(CLI::App& diagnose, DiagnoseArguments& a) {
  diagnose
      .add_option("--apply", a.apply, "Write the pipeline with the first advised edit to this file")
      ->type_name("FILE");
  a.keep.addTo(diagnose, "the run");
  auto* json = diagnose.add_flag("--json", a.json, "Print the result as one JSON object");
  diagnose.add_flag("--events", a.events, "Print progress and result as JSON Lines")
      ->excludes(json);
}

}  // namespace

void addDiagnose(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<DiagnoseArguments>();
  CLI::App* diagnose =
      app.add_subcommand("diagnose", "Find out what limits a pipeline, and what to change");
  diagnose->footer(
      "Example: what limits this pipeline on my photos? Also write a faster pipeline\n"
      "  millrace diagnose classification --data ~/photos --apply faster.millrace.json\n"
      "It alternates between the unmodified pipeline and variants that lack one part (only the\n"
      "source, up to decoding, without the step, from memory), then runs the first advised edit.\n"
      "With --page-cache as-found, cold data below 256 MB is read once; warm reads all of it;\n"
      "cold drops it from the page cache, and each run is one epoch at most.\n"
      "This takes about a minute. Ctrl+C stops (exit code 3) and prints the results so far.");
  arguments->pipeline.addTo(*diagnose);
  addMeasureOptions(*diagnose, *arguments);
  addKeepOptions(*diagnose, *arguments);
  diagnose->callback(
      [arguments, &action] { action = [arguments] { return diagnoseCommand(*arguments); }; });
}

}  // namespace millrace::cli
