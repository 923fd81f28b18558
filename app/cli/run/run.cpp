// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// `millrace run`: runs a pipeline, measures it, keeps it.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/common/command.h"
#include "app/cli/common/pipeline_input.h"
#include "app/cli/common/progress_line.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/run/event_observer.h"
#include "app/cli/run/report.h"
#include "app/cli/run/run_arguments.h"
#include "app/cli/run/run_control.h"
#include "app/cli/run/run_parts.h"
#include "app/cli/run/run_ranks.h"
#include "core/base/text.h"
#include "core/events/run_request.h"
#include "core/events/trace_writer.h"
#include "core/jobs/run/dump_observer.h"
#include "core/jobs/run/page_cache_plan.h"
#include "core/jobs/run/start_gate.h"
#include "core/jobs/run/trace_observer.h"
#include "core/measure/measured_run.h"
#include "core/measure/observers.h"
#include "core/measure/store_recorder.h"
#include "core/monitor/cpu_speed.h"
#include "core/monitor/gpu/gpu_monitor.h"
#include "core/monitor/page_cache.h"

namespace millrace::cli {

namespace {

/// One run of `millrace run`, from a prepared pipeline to its exit code.
class RunJob {
 public:
  RunJob(RunArguments& arguments, PreparedPipeline prepared)
      : m_arguments(arguments), m_prepared(std::move(prepared)) {
    m_identity.pipeline = arguments.pipeline.pipeline;
    for (std::string& warning : m_prepared.plan.pipeline.source->warnings())
      m_sourceWarnings.insert(std::move(warning));
  }

  int go(const std::vector<Problem>& warnings) {
    Result<CacheSet> caches = CacheSet::make(m_prepared.plan);
    if (!caches) return refuse(caches.error());
    if (Status ready = prepareFiles(); !ready) return refuse(ready.error());
    watchGpu();
    if (Status cold = beginCold(); !cold) return refuse(cold.error());
    m_facts = machineFacts(*m_prepared.plan.pipeline.source);
    for (auto& fact : measureFacts(m_arguments.measure, !m_arguments.pipeline.noFuse))
      m_facts.push_back(std::move(fact));
    if (m_trace) m_facts.emplace_back(kTracedFact, "yes");
    if (m_cold) m_facts.emplace_back("page_cache_dropped", "before each repeat");
    if (!m_gpuTrouble.empty() && hasFact(m_facts, "gpu"))
      m_facts.emplace_back("accelerator_not_watched", m_gpuTrouble);
    beginStore();
    ProgressLine progress(!m_arguments.events && isatty(STDERR_FILENO) != 0);
    m_observers.add(progress);
    std::optional<EventObserver> events;
    if (m_arguments.events) {
      m_observers.add(events.emplace(m_prepared.plan, m_identity));
      for (const Problem& warning : warnings) events->problem(warning);
    }
    if (m_arguments.awaitStart)
      m_arguments.measure.awaitStart = [this, &events](std::size_t repeat) {
        m_gate.await([&] { events->ready(repeat); });
      };
    MeasuredRun run(m_prepared.plan, *caches, m_arguments.measure, m_observers);
    Result<RunResult> result = measure(run, events ? &*events : nullptr);
    progress.clear();
    if (!result) return refuse(result.error());
    tellWhatListingFound(events ? &*events : nullptr);
    return finish(*result, events ? &*events : nullptr);
  }

 private:
  static int refuse(const Error& error) {
    fmt::print(stderr, "error: {}\n", validUtf8(error.message));
    return kBadUsage;
  }

  /// Call before the machine's facts are read, so that they show whether the pages were dropped.
  Status beginCold() {
    if (!m_arguments.cold) return {};
    m_cold.emplace(m_prepared.plan.pipeline.source, PageCacheRequest::Cold);
    if (m_cold->state() == nameOf(PageCacheState::Unknown))
      return Error{
          "--cold: the source reads no files, so nothing can be dropped from the page cache"};
    m_cold->prepare();
    m_arguments.measure.beforeRepeat = [this] { m_cold->prepare(); };
    return {};
  }

  /// A warning about `--cold`; empty if there is none.
  std::string coldWarning(const RunResult& result) const {
    if (!m_cold) return {};
    if (m_cold->state() != nameOf(PageCacheState::Cold))
      return fmt::format(
          "--cold: after it was dropped, the data was {} in the page cache: another program uses "
          "it, or its file system keeps it there",
          m_cold->state());
    const std::size_t samples = m_prepared.plan.pipeline.source->size();
    const auto again = [samples](const SpanFigures& repeat) { return repeat.samples > samples; };
    if (m_arguments.measure.warmupSeconds <= 0 && std::ranges::none_of(result.repeats, again))
      return {};
    return fmt::format(
        "--cold: data that a repeat reads again, or has read in its warm-up, comes from memory; "
        "--warmup 0 --epochs 1 measures only storage");
  }

  /// Call before the machine's facts are read, so that the driver is already awake.
  void watchGpu() {
    auto monitor = GpuMonitor::start();
    if (!monitor) {
      m_gpuTrouble = monitor.error().message;
      return;
    }
    m_gpu = monitor.take();
    m_arguments.measure.gpu = m_gpu.get();
  }

  Status prepareFiles() {
    if (!m_arguments.trace.empty()) {
      auto trace = TraceWriter::open(m_arguments.trace);
      if (!trace) return Error{"--trace: " + trace.error().message};
      m_observers.add(m_trace.emplace(m_prepared.plan, trace.take()));
    }
    if (m_arguments.dump.empty()) return {};
    MILLRACE_ASSIGN_OR_RETURN(auto dump, BatchDump::open(m_arguments.dump, m_arguments.dumpBatches,
                                                         *m_prepared.plan.pipeline.source));
    m_observers.add(m_dump.emplace(std::move(dump)));
    return {};
  }

  void beginStore() {
    m_recorder = beginKeeping(m_arguments.keep, m_prepared, m_identity.pipeline, m_facts);
    if (!m_recorder) return;
    m_identity.runId = std::to_string(static_cast<std::int64_t>(m_recorder->run()));
    m_observers.add(*m_recorder);
  }

  Result<RunResult> measure(MeasuredRun& run, EventObserver* events) {
    const InterruptWatch interrupts([this, &run] {
      if (m_cold) m_cold->stop();
      stop(run);
    });
    std::optional<RequestReader> requests;
    if (events != nullptr) requests.emplace(handlersOf(run, *events));
    RunSurroundings surroundings(m_prepared.plan.pipeline.source, !m_arguments.noFingerprint);
    Result<RunResult> result = run.run();
    if (!result) return result;
    const Facts known = surroundings.factsOf(*result, m_facts);
    if (m_recorder && !known.empty()) m_recorder->addEnvironment(known);
    m_facts.insert(m_facts.end(), known.begin(), known.end());
    noteLiveChanges(result->liveChanges);
    result->environment = m_facts;
    return result;
  }

  /// Reports damage that was found when the rest of a large container was scanned.
  void tellWhatListingFound(EventObserver* events) const {
    Problems found;
    for (const std::string& warning : m_prepared.plan.pipeline.source->warnings())
      if (!m_sourceWarnings.contains(warning))
        found.warning(m_prepared.plan.node(m_prepared.plan.source).id, "", warning, "");
    printProblems(found.all());
    if (events == nullptr) return;
    for (const Problem& problem : found.all()) events->problem(problem);
  }

  /// Kept with the run, because such a run takes no part in verdicts (docs/reference/verdict.md).
  void noteLiveChanges(const std::vector<LiveChange>& changes) {
    if (changes.empty()) return;
    std::string text;
    for (const LiveChange& change : changes)
      text += fmt::format("{}{}.{}={}", text.empty() ? "" : ", ", change.node, change.param,
                          change.value);
    m_facts.emplace_back(kLiveChangesFact, text);
    if (m_recorder) m_recorder->addEnvironment({m_facts.back()});
  }

  void stop(MeasuredRun& run) {
    run.stop();
    m_gate.stop();
  }

  Status answer(MeasuredRun& run, const RunRequest& request) {
    switch (request.kind) {
      case RunRequest::Kind::Stop: stop(run); break;
      case RunRequest::Kind::Set: return run.set(request.node, request.param, request.value);
      case RunRequest::Kind::Start:
        if (!m_gate.open()) return Error{"no repeat is waiting to be started"};
    }
    return {};
  }

  RequestReader::Handlers handlersOf(MeasuredRun& run, EventObserver& events) {
    RequestReader::Handlers handlers;
    handlers.request = [this, &run, &events](const RunRequest& request) {
      const Status done = answer(run, request);
      events.answer(request.id, done ? "" : done.error().message);
    };
    handlers.malformed = [&events](const std::string& error) { events.answer(0, error); };
    handlers.ended = [this, &run] { stop(run); };
    return handlers;
  }

  int finish(const RunResult& result, EventObserver* events) {
    if (m_recorder) m_recorder->finish(result);
    m_recorder.reset();
    if (events != nullptr)
      events->result(result);
    else if (m_arguments.json)
      fmt::print("{}\n", resultJson(result, m_identity, true));
    else
      fmt::print("{}", reportText(result, m_prepared.plan, m_identity.pipeline,
                                  keptLine(m_arguments.keep, m_identity)));
    if (const std::string warning = coldWarning(result); !warning.empty())
      fmt::print(stderr, "warning: {}", wrapped(warning, 4, 9));
    warnOfHeat(m_facts);
    if (!filesAreWhole()) return kFailed;
    if (m_trace && events == nullptr && !m_arguments.json) fmt::print("  {}", traceLine());
    return exitCodeOf(result, events != nullptr || m_arguments.json);
  }

  std::string traceLine() const {
    const TraceSummary& trace = m_trace->summary();
    std::string line =
        fmt::format("traced in {}: {} spans", m_arguments.trace, grouped(trace.spans));
    if (trace.leftOut > 0) line += fmt::format(", {} later ones left out", grouped(trace.leftOut));
    if (trace.overlap)
      line += fmt::format(
          "; copies to the device and work on it overlapped for {:.1f} % of "
          "the shorter of the two",
          100 * trace.overlap->share());
    return wrapped(validUtf8(line + "; open it in ui.perfetto.dev"), 4, 2);
  }

  /// Reports which of the requested files was not written.
  bool filesAreWhole() {
    const Status traced = m_trace ? m_trace->finish() : Status();
    if (!traced) fmt::print(stderr, "error: --trace: {}\n", validUtf8(traced.error().message));
    const bool dumped = !m_dump || !m_dump->error();
    if (!dumped) fmt::print(stderr, "error: --dump: {}\n", validUtf8(m_dump->error()->message));
    return traced.ok() && dumped;
  }

  RunArguments& m_arguments;
  PreparedPipeline m_prepared;
  RunIdentity m_identity;
  std::set<std::string> m_sourceWarnings;  ///< reported before the run began
  Facts m_facts;
  Observers m_observers;
  std::unique_ptr<GpuMonitor> m_gpu;  ///< nullptr without a GPU
  std::string m_gpuTrouble;           ///< why there is none
  std::optional<PageCachePlan> m_cold;
  std::optional<DumpObserver> m_dump;
  std::optional<TraceObserver> m_trace;
  std::unique_ptr<StoreRecorder> m_recorder;
  StartGate m_gate;
};

int runCommand(RunArguments& arguments) {
  if (const auto wrong = arguments.settle()) {
    fmt::print(stderr, "error: {}\n", *wrong);
    return kBadUsage;
  }
  if (arguments.ranks) return runRanks(arguments);
  Problems problems;
  std::optional<PreparedPipeline> prepared = preparePipeline(arguments.pipeline, problems);
  // For a trial, the search that started it has already warned.
  if (prepared && !arguments.noFingerprint) warnOfSlowCores(problems);
  printProblems(problems.all());
  if (!prepared) {
    tellProblems(problems.all(), arguments.events);
    return kBadUsage;
  }
  return RunJob(arguments, std::move(*prepared)).go(problems.all());
}

}  // namespace

void addRun(CLI::App& app, Action& action) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* run = app.add_subcommand("run", "Run a pipeline, measure it and keep the result");
  run->footer(
      "Example: your own photos, one folder per class, on four threads for ten seconds\n"
      "  millrace run classification --data ~/photos --set workers.count=4 --seconds 10\n"
      "With --cold and no limits, a repeat is one epoch without warm-up. --ranks needs a shard\n"
      "node, and limits apply to each process. --trace keeps up to 200 000 spans per thread and\n"
      "repeat.\n"
      "Ctrl+C stops and keeps the results so far (exit code 3); a second one exits at once.");
  arguments->addTo(*run);
  run->callback([arguments, &action] { action = [arguments] { return runCommand(*arguments); }; });
}

}  // namespace millrace::cli
