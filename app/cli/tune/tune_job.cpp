// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/tune/tune_job.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "app/cli/common/refusal.h"
#include "app/cli/run/stop_requests.h"
#include "core/base/text.h"
#include "core/graph/graph_edit.h"
#include "core/graph/graph_json.h"
#include "core/jobs/search/stopped_search.h"
#include "core/nodes/builtin.h"

namespace millrace::cli {

TuneJob::TuneJob(const TuneArguments& arguments, const TuneMeaning& meaning,
                 PreparedPipeline prepared, std::string taskset, std::optional<KeptTuning> kept)
    : m_arguments(arguments),
      m_meaning(meaning),
      m_prepared(std::move(prepared)),
      m_graph(withAbsolutePaths(m_prepared.graph, builtinCatalog(), m_prepared.base)),
      m_kept(std::move(kept)),
      m_replay(m_kept ? TuneReplay(m_kept->trials) : TuneReplay()),
      m_progress(!arguments.events && isatty(STDERR_FILENO) != 0,
                 [this](std::size_t setting) {
                   const std::string& words = m_outcome.settings[setting].settings;
                   return words.empty() ? "unmodified" : words;
                 }),
      m_trial(meaning.rules, {[this](const SnapshotEvent& event) { m_progress.snapshot(event); },
                              [this](double most) {
                                m_progress.waiting(most);
                                if (m_events) m_events->waiting(most);
                              }}) {
  m_outcome.pipeline = arguments.pipeline.pipeline;
  m_outcome.goal = meaning.goal;
  m_outcome.budgetSeconds = meaning.budgetSeconds;
  m_outcome.memoryBytes = meaning.rules.limits.memoryBytes;
  m_outcome.cores = arguments.cores;
  m_outcome.taskset = std::move(taskset);
  m_outcome.replay = arguments.replays();
  m_outcome.settings.emplace_back();
}

int TuneJob::go(const std::vector<Problem>& warnings) {
  findFacts();
  // Parameters that must not be varied are refused before anything is measured.
  if (!makeSpace()) return refuse(m_refusal);
  m_outcome.axes.clear();
  if (const auto refused = beginKeeping()) return *refused;
  if (!m_kept) m_clock.start();
  if (m_arguments.events) m_events.emplace();
  for (const Problem& warning : warnings)
    if (m_events) m_events->problem(warning);
  if (m_events) m_events->tune(m_outcome);
  {
    const InterruptWatch interrupts([this] { stop(); });
    std::optional<RequestReader> requests;
    if (m_events) requests.emplace(stopRequests(*m_events, [this] { stop(); }));
    search();
  }
  m_progress.clear();
  return finish();
}

/// A replay uses the facts of that time, because its space depends on them.
void TuneJob::findFacts() {
  if (replays()) {
    m_facts = m_kept->facts;
    if (m_arguments.cores && *m_arguments.cores < surroundingsOf(m_facts).cores.value_or(0))
      m_coreLimit = m_arguments.cores;
    return;
  }
  m_facts = machineFacts(*m_prepared.plan.pipeline.source);
  for (auto& fact : measureFacts(m_meaning.rules.measure, !m_arguments.pipeline.noFuse))
    m_facts.push_back(std::move(fact));
  if (!m_outcome.taskset.empty()) m_facts.emplace_back("kept_on_cores", m_outcome.taskset);
}

std::optional<int> TuneJob::beginKeeping() {
  if (m_kept) m_outcome.experiment = m_kept->experiment();
  if (replays() || m_arguments.keep.noStore) return std::nullopt;
  for (auto& fact : FingerprintJob(m_prepared.plan.pipeline.source).take())
    m_facts.push_back(std::move(fact));
  SearchSubject subject{m_arguments.pipeline.pipeline, m_arguments.keep.labels, m_facts};
  if (!m_kept) return beginAnew(std::move(subject));
  if (const Status same = sameConditions(m_kept->facts, m_facts, "tuning", searchConditions());
      !same)
    return refuse(same.error().message);
  subject.pipeline = m_kept->pipeline;
  subject.labels = m_kept->labels;
  auto keeper =
      TuneKeeper::goOn(m_arguments.keep.file(), std::move(subject), *m_kept, documentOf(m_graph));
  if (!keeper) return refuse(keeper.error().message);
  m_keeper = keeper.take();
  return std::nullopt;
}

std::optional<int> TuneJob::beginAnew(SearchSubject subject) {
  bool taken = false;
  auto keeper =
      TuneKeeper::begin(m_arguments.keep.file(), std::move(subject), documentOf(m_graph), taken);
  if (keeper)
    m_keeper = keeper.take();
  else if (taken)
    return refuse(
        keeper.error().message +
        "; use another --experiment for a new one, --resume to continue a stopped one, or "
        "--replay to repeat the search with its measurements");
  else
    fmt::print(stderr, "warning: this tuning is not kept: {}\n", validUtf8(keeper.error().message));
  if (!m_keeper) return std::nullopt;
  m_outcome.experiment = m_keeper->experiment();
  m_keeper->addLine(lineOf(requestOf(m_arguments)));
  return std::nullopt;
}

TrialDocument TuneJob::documentOf(const Graph& graph) const {
  TrialDocument document{graphText(graph, builtinCatalog()), {}};
  CheckOptions options;
  options.base = m_prepared.base;
  const CheckResult checked = checkGraph(graph, builtinCatalog(), options);
  if (!checked.pipeline) return document;
  for (const CheckedNode& node : checked.pipeline->nodes)
    for (const auto& [param, value] : node.values)
      document.settings.push_back({node.id, param, settingValueOf(value)});
  return document;
}

void TuneJob::stop() {
  const MutexLock lock(m_mutex);
  m_stopped = true;
  m_trial.stop();
  if (m_diagnosis != nullptr) m_diagnosis->stop();
}

bool TuneJob::stopped() const {
  const MutexLock lock(m_mutex);
  return m_stopped;
}

double TuneJob::secondsLeft() const {
  return std::max(0.0, m_meaning.budgetSeconds - m_clock.seconds());
}

void TuneJob::search() {
  const std::optional<TunerObservation> start = measure(0);
  if (!start || !survey(*start)) return;
  makeSpace();
  if (m_outcome.axes.empty())
    m_outcome.leftOut.emplace_back(
        "the pipeline has no workers and no prefetch node, and what training gets must not change; "
        "put "
        "Workers before decoding and Prefetch after Batch, or use --allow batching");
  if (m_events) m_events->space(m_outcome);
  TunerSettings settings;
  settings.budgetSeconds = m_meaning.budgetSeconds;
  settings.seed = m_prepared.graph.seed;
  settings.ceiling = ceilingOf();
  m_tuner = std::make_unique<Tuner>(tunerAxes(m_outcome.axes), settings);
  m_outcome.settings.front().point = m_tuner->point(0);
  m_tuner->propose();
  m_tuner->tell(*start);
  m_tuner->spend(m_survey.spentSeconds);
  giveExpectations();
  updateGains();
  loop();
}

void TuneJob::loop() {
  while (const auto trial = m_tuner->propose()) {
    const std::optional<std::size_t> setting = settingOf(*trial);
    const std::optional<TunerObservation> told = setting ? measure(*setting) : std::nullopt;
    if (!told) return m_tuner->stop();
    const bool replaced = m_tuner->isReplaced(*told);
    m_tuner->tell(*told);
    updateGains();
    if (told->kind == TunerObservation::Kind::Measured)
      tellEnded(*setting, replaced ? "replaced" : "measured", "", m_lastRate);
  }
}

}  // namespace millrace::cli
