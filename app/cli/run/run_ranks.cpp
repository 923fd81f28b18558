// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/run_ranks.h"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/cli/common/command.h"
#include "app/cli/common/progress_line.h"
#include "app/cli/run/event_observer.h"
#include "app/cli/run/report.h"
#include "app/cli/run/run_control.h"
#include "app/cli/run/run_parts.h"
#include "core/base/text.h"
#include "core/graph/graph_edit.h"
#include "core/jobs/run/measure_flags.h"
#include "core/loader/loader_shard.h"
#include "core/measure/observers.h"
#include "core/monitor/cpu_speed.h"
#include "core/monitor/inter_core_latency.h"
#include "core/nodes/builtin.h"
#include "core/ranks/rank_gpus.h"
#include "core/ranks/rank_processes.h"
#include "core/ranks/rendezvous_folder.h"

namespace millrace::cli {

namespace {

/// Rank 0's pipeline, and the node that splits the data.
struct RankPipeline {
  PreparedPipeline prepared;
  NodeId shard;
};

std::optional<RankPipeline> prepareForRanks(const RunArguments& arguments, Problems& problems) {
  std::optional<LoadedPipeline> loaded = loadPipeline(arguments.pipeline, problems);
  if (!loaded) return std::nullopt;
  const Catalog& catalog = builtinCatalog();
  const std::string flag = fmt::format("--ranks {}", *arguments.ranks);
  const Result<NodeId> shard = shardNodeOf(loaded->graph, catalog);
  if (!shard) {
    problems.error("", flag, shard.error().message, "");
    return std::nullopt;
  }
  Result<Graph> first = setParameter(std::move(loaded->graph), catalog, *shard, "rank",
                                     Value{static_cast<std::int64_t>(0)});
  if (first)
    first = setParameter(first.take(), catalog, *shard, "world",
                         Value{static_cast<std::int64_t>(*arguments.ranks)});
  if (!first) {
    problems.error("", flag, first.error().message, "");
    return std::nullopt;
  }
  loaded->graph = first.take();
  PlanOptions options;
  options.fuse = !arguments.pipeline.noFuse;
  auto prepared =
      prepareLoaded(std::move(*loaded), arguments.pipeline, options, DeviceUse::Look, problems);
  if (!prepared) return std::nullopt;
  return RankPipeline{std::move(*prepared), *shard};
}

/// One run of `millrace run --ranks`, from a prepared pipeline to its exit code.
class RankJob {
 public:
  RankJob(const RunArguments& arguments, RankPipeline pipeline)
      : m_arguments(arguments),
        m_prepared(std::move(pipeline.prepared)),
        m_shard(std::move(pipeline.shard)),
        m_gpus(gpusOfRanks(*arguments.ranks)) {
    m_identity.pipeline = arguments.pipeline.pipeline;
  }

  int go(const std::vector<Problem>& warnings) {
    const auto rendezvous = RendezvousFolder::make();
    if (!rendezvous) return refuse(rendezvous.error());
    const auto document = InheritedText::make(keptText(m_prepared));
    if (!document) return refuse(document.error());
    begin();
    ProgressLine progress(!m_arguments.events && isatty(STDERR_FILENO) != 0);
    m_observers.add(progress);
    std::optional<EventObserver> events;
    if (m_arguments.events) {
      m_observers.add(events.emplace(m_prepared.plan, m_identity));
      for (const Problem& warning : warnings) events->problem(warning);
    }
    RankProcesses processes(commands(document->path()), rendezvous->path(), m_observers);
    const RunResult result = measure(processes, events ? &*events : nullptr);
    progress.clear();
    return finish(result, events ? &*events : nullptr);
  }

 private:
  static int refuse(const Error& error) {
    fmt::print(stderr, "error: {}\n", validUtf8(error.message));
    return kFailed;
  }

  std::vector<RankCommand> commands(const std::string& document) const {
    std::vector<RankCommand> all;
    for (std::size_t i = 0; i < *m_arguments.ranks; ++i) {
      // /proc/self/exe is the running program even if its file was replaced meanwhile.
      std::vector<std::string> words = {"/proc/self/exe",  "run",           document,
                                        "--events",        "--await-start", "--no-store",
                                        "--no-fingerprint"};
      for (std::string& word : measureFlags(m_arguments.measure, m_arguments.maxFailures.text,
                                            m_arguments.pipeline.noFuse))
        words.push_back(std::move(word));
      const auto add = [&](const char* flag, std::string value) {
        words.emplace_back(flag);
        words.push_back(std::move(value));
      };
      add("--set", fmt::format("{}.rank={}", m_shard, i));
      add("--set", fmt::format("{}.world={}", m_shard, *m_arguments.ranks));
      if (!m_arguments.dump.empty()) {
        const std::filesystem::path folder(m_arguments.dump);
        add("--dump", folder / fmt::format("rank_{}", i));
        add("--dump-batches", std::to_string(m_arguments.dumpBatches));
      }
      all.push_back({std::move(words), m_gpus.empty() ? std::string() : m_gpus[i]});
    }
    return all;
  }

  void begin() {
    m_facts = machineFacts(*m_prepared.plan.pipeline.source);
    for (auto& fact : measureFacts(m_arguments.measure, !m_arguments.pipeline.noFuse))
      m_facts.push_back(std::move(fact));
    m_facts.emplace_back(kRanksFact, std::to_string(*m_arguments.ranks));
    if (!m_gpus.empty()) m_facts.emplace_back("rank_gpus", join(m_gpus, ", "));
    m_recorder = beginKeeping(m_arguments.keep, m_prepared, m_identity.pipeline, m_facts);
    if (!m_recorder) return;
    m_identity.runId = std::to_string(static_cast<std::int64_t>(m_recorder->run()));
    m_observers.add(*m_recorder);
  }

  RunResult measure(RankProcesses& processes, EventObserver* events) {
    std::atomic<bool> stopped = false;
    const auto stop = [&] {
      stopped = true;
      processes.stop();
    };
    const InterruptWatch interrupts(stop);
    std::optional<RequestReader> requests;
    if (events != nullptr) requests.emplace(handlersOf(stop, *events));
    RunSurroundings surroundings(m_prepared.plan.pipeline.source, !m_arguments.noFingerprint);
    // Done here, because the ranks would all do it at the same time and disturb each other.
    awaitUsualInterCoreLatency([&] { return stopped.load(); },
                               [&] {
                                 m_observers.onWaiting({.repeats = m_arguments.measure.repeats,
                                                        .secondsLeft = kMostCoreWaitSeconds});
                               });
    RunResult result = processes.run();
    Facts known = surroundings.factsOf(result, m_facts);
    std::vector<std::string> rates;
    for (const RankFigures& rank : result.ranks)
      rates.push_back(rounded(rank.figures.samplesPerSecond.mean.value_or(0)));
    if (!rates.empty()) known.emplace_back("rank_samples_per_second", join(rates, ", "));
    if (m_recorder && !known.empty()) m_recorder->addEnvironment(known);
    m_facts.insert(m_facts.end(), known.begin(), known.end());
    result.environment = m_facts;
    return result;
  }

  static RequestReader::Handlers handlersOf(const std::function<void()>& stop,
                                            EventObserver& events) {
    RequestReader::Handlers handlers;
    handlers.request = [stop, &events](const RunRequest& request) {
      if (request.kind == RunRequest::Kind::Stop) stop();
      events.answer(request.id, request.kind == RunRequest::Kind::Stop
                                    ? ""
                                    : "a run of several ranks only accepts the request `stop`");
    };
    handlers.malformed = [&events](const std::string& error) { events.answer(0, error); };
    handlers.ended = stop;
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
    warnOfHeat(m_facts);
    return exitCodeOf(result, events != nullptr || m_arguments.json);
  }

  const RunArguments& m_arguments;
  const PreparedPipeline m_prepared;
  const NodeId m_shard;
  const std::vector<std::string> m_gpus;
  RunIdentity m_identity;
  Facts m_facts;
  Observers m_observers;
  std::unique_ptr<StoreRecorder> m_recorder;
};

}  // namespace

int runRanks(const RunArguments& arguments) {
  Problems problems;
  std::optional<RankPipeline> pipeline = prepareForRanks(arguments, problems);
  if (pipeline && !arguments.noFingerprint) warnOfSlowCores(problems);
  printProblems(problems.all());
  if (pipeline) return RankJob(arguments, std::move(*pipeline)).go(problems.all());
  tellProblems(problems.all(), arguments.events);
  return kBadUsage;
}

}  // namespace millrace::cli
