// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/run/ranked_run_job.h"

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/base/inherited_text.h"
#include "core/base/rank.h"
#include "core/base/text/text.h"
#include "core/graph/edit/graph_edit.h"
#include "core/jobs/run/measure_flags.h"
#include "core/jobs/run/reduction_warnings.h"
#include "core/jobs/run/run_fact_collector.h"
#include "core/jobs/run/run_keeping.h"
#include "core/loader/loader_shard.h"
#include "core/measure/batch_dump.h"
#include "core/measure/observers.h"
#include "core/metrics/metric_text.h"
#include "core/monitor/inter_core_latency.h"
#include "core/nodes/builtin.h"
#include "core/open/stored_document.h"
#include "core/ranks/rank_gpus.h"
#include "core/ranks/rank_processes.h"
#include "core/ranks/rendezvous_folder.h"
#include "core/store/run_record.h"
#include "core/tune/trial_process.h"

namespace millrace {

namespace {

/// The graph of rank 0, with the number of ranks in its shard node.
Result<Graph> graphOfFirst(Graph graph, const NodeId& shard, std::size_t ranks) {
  const Catalog& catalog = builtinCatalog();
  MILLRACE_ASSIGN_OR_RETURN(auto first, setParameter(std::move(graph), catalog, shard, "rank",
                                                     Value{static_cast<std::int64_t>(0)}));
  return setParameter(std::move(first), catalog, shard, "world",
                      Value{static_cast<std::int64_t>(ranks)});
}

std::vector<std::string> commandOf(const RankedPipeline& pipeline,
                                   const RankedRunSettings& settings, std::size_t rank,
                                   const std::string& document) {
  std::vector<std::string> words = {settings.program, "run",        document,          "--events",
                                    "--await-start",  "--no-store", "--no-fingerprint"};
  for (std::string& word :
       measureFlags(settings.run.measure, settings.maxFailures, !settings.run.fuse))
    words.push_back(std::move(word));
  const auto add = [&](const char* flag, std::string value) {
    words.emplace_back(flag);
    words.push_back(std::move(value));
  };
  add("--set", fmt::format("{}.rank={}", pipeline.shard, rank));
  add("--set", fmt::format("{}.world={}", pipeline.shard, settings.ranks));
  if (!settings.run.dump.empty()) {
    add("--dump", settings.run.dump / fmt::format("rank_{}", rank));
    add("--dump-batches", std::to_string(settings.run.dumpBatches));
  }
  return words;
}

}  // namespace

std::optional<RankedPipeline> prepareForRanks(const PipelineRequest& request, std::size_t ranks,
                                              NoShard noShard, SampleDataObserver& observer,
                                              Problems& problems) {
  std::optional<LoadedPipeline> loaded = loadPipeline(request, observer, problems);
  if (!loaded) return std::nullopt;
  const Catalog& catalog = builtinCatalog();
  const auto refused = [&](const Error& error) {
    problems.error("", fmt::format("{} ranks", ranks), error.message, "");
    return std::nullopt;
  };
  if (noShard == NoShard::Insert) {
    Result<Graph> sharded =
        withShard(std::move(loaded->graph), catalog, {0, static_cast<std::uint32_t>(ranks)});
    if (!sharded) return refused(sharded.error());
    loaded->graph = sharded.take();
  }
  const Result<NodeId> shard = shardNodeOf(loaded->graph, catalog);
  if (!shard) return refused(shard.error());
  Result<Graph> first = graphOfFirst(std::move(loaded->graph), *shard, ranks);
  if (!first) return refused(first.error());
  loaded->graph = first.take();
  PlanOptions options;
  options.fuse = !request.noFuse;
  auto prepared = prepareLoaded(std::move(*loaded), request, options, DeviceUse::Detect, problems);
  if (!prepared) return std::nullopt;
  return RankedPipeline{std::move(*prepared), *shard};
}

Error becomeRank(const RankedPipeline& pipeline, const RankedRunSettings& settings,
                 const LaunchedRank& rank, const JoinedRank& joined) {
  const auto document = InheritedText::make(storedDocument(pipeline.prepared));
  if (!document) return document.error();
  const std::vector<std::string> gpus = gpusOfRanks(static_cast<std::size_t>(rank.local) + 1);
  for (const auto& [name, value] : rankVariables({rank.number, rank.world, joined.sharedFolder},
                                                 gpus.empty() ? "" : gpus.back()))
    ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<std::string> words =
      commandOf(pipeline, settings, static_cast<std::size_t>(rank.number), document->path());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::dup2(joined.socket.get(), STDIN_FILENO);
  ::dup2(joined.socket.get(), STDOUT_FILENO);
  ::execv(settings.program.c_str(), arguments.data());
  return Error{fmt::format("cannot start {}: {}", settings.program, std::strerror(errno))};
}

RankedRunJob::RankedRunJob(RankedPipeline pipeline, RankedRunSettings settings,
                           RunJobObserver& observer)
    : m_pipeline(std::move(pipeline)),
      m_settings(std::move(settings)),
      m_observer(observer),
      m_gpus(gpusOfRanks(m_settings.ranks)) {}

RankedRunJob::~RankedRunJob() = default;

std::vector<RankStart> RankedRunJob::starts(const std::string& document,
                                            std::vector<RankSocket> launched) {
  std::vector<RankStart> starts(m_settings.ranks);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    starts[i].words = commandOf(m_pipeline, m_settings, i, document);
    if (!m_gpus.empty()) starts[i].gpu = m_gpus[i];
    if (i > 0 && !launched.empty()) starts[i].socket = std::move(launched[i - 1]);
  }
  return starts;
}

void RankedRunJob::collectFacts() {
  m_facts = machineFacts(*m_pipeline.prepared.plan.pipeline.source);
  for (auto& fact : measureFacts(m_settings.run.measure, m_settings.run.fuse))
    m_facts.push_back(std::move(fact));
  m_facts.emplace_back(kRanksFact, std::to_string(m_settings.ranks));
  if (!m_gpus.empty()) m_facts.emplace_back("rank_gpus", join(m_gpus, ", "));
}

RunResult RankedRunJob::measure(RankProcesses& processes, StoreRecorder* recorder) {
  RunFactCollector collector(m_pipeline.prepared.plan.pipeline.source, m_settings.run.fingerprint);
  // Done here, because the ranks would all do it at the same time and disturb each other.
  awaitUsualInterCoreLatency([this] { return stopped(); },
                             [this] {
                               m_observer.onWaiting({.repeats = m_settings.run.measure.repeats,
                                                     .secondsLeft = kMostCoreWaitSeconds});
                             });
  RunResult result = processes.run();
  Facts known = collector.factsOf(result, m_facts);
  std::vector<std::string> rates;
  for (const RankFigures& rank : result.ranks)
    rates.push_back(roundedText(rank.figures.samplesPerSecond.mean.value_or(0)));
  if (!rates.empty()) known.emplace_back("rank_samples_per_second", join(rates, ", "));
  if (recorder != nullptr && !known.empty()) recorder->addEnvironment(known);
  m_facts.insert(m_facts.end(), known.begin(), known.end());
  result.environment = m_facts;
  return result;
}

Result<RunJobOutcome> RankedRunJob::run() {
  MILLRACE_ASSIGN_OR_RETURN(const auto rendezvous, RendezvousFolder::make());
  MILLRACE_ASSIGN_OR_RETURN(const auto document,
                            InheritedText::make(storedDocument(m_pipeline.prepared)));
  std::vector<RankSocket> launched;
  if (m_settings.rendezvous) {
    MILLRACE_ASSIGN_OR_RETURN(launched,
                              m_settings.rendezvous->gather(rendezvous.path(), kRendezvousSeconds,
                                                            [this] { return stopped(); }));
  }
  // Each rank only sees its own folder.
  if (!m_settings.run.dump.empty()) MILLRACE_TRY(BatchDump::removeEarlier(m_settings.run.dump));
  collectFacts();
  RunJobOutcome outcome;
  outcome.identity.pipeline = m_settings.run.pipeline;
  std::unique_ptr<StoreRecorder> recorder =
      beginKeeping(m_settings.run.keep, m_pipeline.prepared, m_settings.run.pipeline, m_facts,
                   outcome.identity, m_observer);
  Observers observers;
  if (recorder) observers.add(*recorder);
  observers.add(m_observer);
  RankProcesses processes(starts(document.path(), std::move(launched)), rendezvous.path(),
                          observers);
  {
    const MutexLock lock(m_mutex);
    m_processes = &processes;
    if (m_stopped) processes.stop();
  }
  m_observer.onRecord(storedDocument(m_pipeline.prepared), m_facts);
  m_observer.onBegin(m_pipeline.prepared.plan, outcome.identity);
  outcome.result = measure(processes, recorder.get());
  {
    const MutexLock lock(m_mutex);
    m_processes = nullptr;
  }
  if (recorder) recorder->finish(outcome.result);
  endKeeping(std::move(recorder), m_observer);
  if (auto warning = heatWarning(m_facts)) outcome.warnings.push_back(std::move(*warning));
  const Plan& plan = m_pipeline.prepared.plan;
  for (Problem& warning : reductionWarnings(outcome.result, *plan.node(plan.source).spec))
    outcome.warnings.push_back(std::move(warning));
  return outcome;
}

bool RankedRunJob::stopped() {
  const MutexLock lock(m_mutex);
  return m_stopped;
}

void RankedRunJob::stop() {
  const MutexLock lock(m_mutex);
  m_stopped = true;
  if (m_processes != nullptr) m_processes->stop();
}

}  // namespace millrace
