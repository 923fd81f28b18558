// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// What a tuning knows before its search and says after it.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "app/cli/cache_room.h"
#include "app/cli/command.h"
#include "app/cli/diagnosis_observer.h"
#include "app/cli/steady_seconds.h"
#include "app/cli/text_layout.h"
#include "app/cli/tune_job.h"
#include "core/base/text.h"
#include "core/graph/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/tune/probe_plans.h"

namespace millrace::cli {

namespace {

constexpr double kDiagnosisShare = 0.15;  ///< of the budget
constexpr double kUsualProbes = 8;
constexpr double kProbeStart = 0.45;  ///< of a probe: warm-up, opening and joining
constexpr double kLeastSpan = 0.4;
constexpr double kMostSpan = 1;
/// Filling a cache may take this share of the budget, each time that it is tried.
constexpr double kFillShare = 0.1;

double memoryForCaches(std::uint64_t limit, const SpanFigures& start) {
  const double room = cacheRoom();
  if (limit == 0) return room;
  const auto taken = static_cast<double>(start.peakRssBytes.value_or(0));
  return std::clamp(static_cast<double>(limit) - taken, 0.0, room);
}

}  // namespace

std::optional<CachePoint> TuneJob::cachePoint() {
  // Filling a cache makes no first epoch shorter.
  if (m_meaning.goal == TuneGoal::EpochTime || m_outcome.settings.front().repeats.empty())
    return std::nullopt;
  const SpanFigures& start = m_outcome.settings.front().repeats.front();
  const double rate = start.samplesPerSecond.mean.value_or(0);
  std::optional<double> encoded;
  if (start.inputBytesPerSecond.value_or(0) > 0 && rate > 0)
    encoded = *start.inputBytesPerSecond / rate;
  const Plan& plan = m_prepared.plan;
  auto place =
      cachePointOf(plan, memoryForCaches(m_meaning.rules.limits.memoryBytes, start), encoded);
  if (!place) return place;
  const double fill = rate > 0 ? static_cast<double>(plan.pipeline.source->size()) / rate : 0;
  if (fill <= kFillShare * m_meaning.budgetSeconds) return place;
  m_outcome.leftOut.push_back(
      fmt::format("a memory cache behind {}: filling it takes about {}, more than a tenth of the "
                  "budget",
                  place->node, humanSeconds(std::ceil(fill))));
  return std::nullopt;
}

bool TuneJob::makeSpace() {
  TuneWishes wishes;
  wishes.allowed = m_meaning.allowed;
  wishes.cores = surroundingsOf(m_facts).cores.value_or(1);
  wishes.cache = cachePoint();
  for (const std::string& text : m_arguments.vary) {
    Result<SweepAxis> varied = parseVary(m_prepared.graph, builtinCatalog(), text);
    if (!varied) {
      m_refusal = "--vary " + text + ": " + varied.error().message;
      return false;
    }
    wishes.varied.push_back(varied.take());
  }
  Result<std::vector<TuneAxis>> axes = tuneSpace(m_prepared.plan, wishes);
  if (!axes) {
    m_refusal = "--vary: " + axes.error().message;
    return false;
  }
  m_outcome.axes = axes.take();
  return true;
}

void TuneJob::diagnose(const TunerTold&) {
  const double span = kDiagnosisShare * m_meaning.budgetSeconds / kUsualProbes - kProbeStart;
  if (span < kLeastSpan || m_meaning.goal == TuneGoal::EpochTime || stopped()) return;
  Result<CacheSet> caches = CacheSet::make(m_prepared.plan);
  if (!caches) return;
  DiagnosisSettings settings;
  settings.warmupSeconds = 0.3;
  settings.seconds = std::min(span, kMostSpan);
  settings.blocks = 1;
  settings.seed = m_prepared.graph.seed;
  settings.fuse = !m_arguments.pipeline.noFuse;
  settings.noRandom = m_arguments.pipeline.noRandom;
  settings.failureLimit = m_meaning.failureLimit;
  settings.memoryBytes = memoryForCaches(m_meaning.rules.limits.memoryBytes,
                                         m_outcome.settings.front().repeats.front());
  settings.surroundings = surroundingsOf(m_facts);
  const bool terminal = !m_arguments.events && isatty(STDERR_FILENO) != 0;
  m_progress.clear();
  DiagnosisProgress progress(terminal, nullptr, m_events ? &*m_events : nullptr);
  Diagnosis diagnosis(m_prepared.plan, *caches, settings, progress);
  {
    const MutexLock lock(m_mutex);
    if (m_stopped) return;
    m_diagnosis = &diagnosis;
  }
  DiagnosisResult result = diagnosis.run();
  const MutexLock lock(m_mutex);
  m_diagnosis = nullptr;
  // The first look is not among them.
  m_outcome.diagnosisRuns = result.runs.size() + 1;
  if (result.end == BlockEnd::Finished) m_outcome.diagnosis = std::move(result);
}

/// The score that the consumer's own time allows, where it is known.
std::optional<double> TuneJob::ceilingOf() const {
  if (m_meaning.goal != TuneGoal::Throughput || !m_outcome.diagnosis) return std::nullopt;
  // A larger batch, or a value of the step's own, may shorten the step itself.
  if (m_meaning.allowed.allows(SampleChange::Batching) ||
      m_meaning.allowed.allows(SampleChange::Values))
    return std::nullopt;
  const DiagnosisResult& found = *m_outcome.diagnosis;
  if (found.finding.limit.kind != LimitKind::Step || found.finding.sure != Sureness::Yes)
    return std::nullopt;
  const RunCounters& counters = found.counters;
  if (counters.stepShare.value_or(0) <= 0 || counters.samplesPerSecond() <= 0) return std::nullopt;
  return std::log(counters.samplesPerSecond() / *counters.stepShare);
}

void TuneJob::giveExpectations() {
  m_predicted.resize(m_outcome.axes.size());
  if (!m_outcome.diagnosis) return;
  const RunCounters& counters = m_outcome.diagnosis->counters;
  const double now = counters.samplesPerSecond();
  if (now <= 0) return;
  for (std::size_t a = 0; a < m_outcome.axes.size(); ++a) {
    std::vector<std::optional<double>> expected;
    bool known = false;
    for (const TuneLevel& level : m_outcome.axes[a].levels) {
      std::optional<RatePrediction> predicted;
      if (level.edit) predicted = predictedRate(counters, *level.edit);
      m_predicted[a].push_back(predicted);
      known = known || predicted.has_value();
      expected.emplace_back(predicted ? std::optional(std::log(predicted->middle / now))
                                      : std::nullopt);
    }
    // More of everything costs more: for less, the model of the rate says nothing.
    if (known && m_meaning.goal == TuneGoal::Throughput) m_tuner->expect(a, std::move(expected));
  }
}

/// What the model said of settings that differ in one thing, and what became of it, as a rate
/// beside that which the model started from.
void TuneJob::notePredictions() {
  if (!m_outcome.diagnosis || m_meaning.goal != TuneGoal::Throughput) return;
  const double from = m_outcome.diagnosis->counters.samplesPerSecond();
  for (std::size_t s = 1; s < m_outcome.settings.size(); ++s) {
    const TunedSetting& setting = m_outcome.settings[s];
    const auto axis = onlyMoved(m_outcome.axes, setting.point);
    if (!axis || !setting.gain || setting.repeats.empty() || m_predicted[*axis].empty()) continue;
    const auto& predicted = m_predicted[*axis][setting.point[*axis]];
    if (!predicted) continue;
    m_outcome.predictions.push_back(
        {setting.edits.front().editText(), s, *predicted, from * *setting.gain});
    if (!m_keeper || !m_keeper->run(0)) continue;
    PredictionRecord record;
    record.run = *m_keeper->run(0);
    record.edit = m_outcome.predictions.back().edit;
    record.low = predicted->low;
    record.middle = predicted->middle;
    record.high = predicted->high;
    record.followedBy = m_keeper->run(s);
    record.followedValue = m_outcome.predictions.back().measured;
    m_keeper->addPrediction(record);
  }
}

void TuneJob::takeOutcome() {
  m_outcome.spentSeconds = steadySeconds() - m_began;
  m_outcome.stopped = stopped();
  if (m_tuner) {
    updateGains();
    m_outcome.end = m_tuner->end();
    m_outcome.best = m_tuner->best();
  } else if (!m_outcome.settings.front().repeats.empty()) {
    m_outcome.best = 0;
  }
  std::vector<TuneBalance> balances;
  for (std::size_t s = 0; s < m_outcome.settings.size(); ++s) {
    const SpanFigures figures = m_outcome.figuresOf(s);
    const bool fine = m_outcome.settings[s].failure.empty();
    // Rates as they would be in one block: what the machine did between blocks is taken out.
    const double start = m_outcome.figuresOf(0).samplesPerSecond.mean.value_or(0);
    double rate = fine ? figures.samplesPerSecond.mean.value_or(0) : 0;
    if (rate > 0 && start > 0 && m_outcome.settings[s].gain &&
        m_meaning.goal == TuneGoal::Throughput)
      rate = start * *m_outcome.settings[s].gain;
    balances.push_back({rate, static_cast<double>(figures.peakRssBytes.value_or(0)),
                        coresOf(figures).value_or(0)});
  }
  m_outcome.front = paretoFront(balances);
  // What chance alone sets behind a like setting is still what was chosen.
  if (m_outcome.best &&
      std::ranges::find(m_outcome.front, *m_outcome.best) == m_outcome.front.end())
    m_outcome.front.insert(m_outcome.front.begin(), *m_outcome.best);
  if (!m_outcome.best || *m_outcome.best == 0) return;
  ScorePairs pairs = m_tuner->pairsOf(0, *m_outcome.best);
  for (auto* side : {&pairs.a, &pairs.b})
    for (double& score : *side) score = std::exp(score);
  m_outcome.verdict = judgeTogether(pairs.a, pairs.b, {pairs.a.size(), 0});
}

/// False: it was to be written and is not.
bool TuneJob::writeBest() {
  if (!m_outcome.best) return m_arguments.output.empty();
  const TunedSetting& best = m_outcome.settings[*m_outcome.best];
  const Result<Graph> graph = best.edits.empty()
                                  ? Result<Graph>(m_graph)
                                  : graphAt(m_graph, builtinCatalog(), m_outcome.axes, best.point);
  if (!graph) return m_arguments.output.empty();
  m_outcome.document = graphText(*graph, builtinCatalog());
  m_outcome.compare = compareCommandOf(m_arguments, best.edits);
  m_outcome.write = writeCommandOf(m_arguments, best.edits, best.runId);
  if (m_arguments.output.empty()) return true;
  const Status written = saveGraph(m_arguments.output, *graph, builtinCatalog());
  if (written)
    m_outcome.written = m_arguments.output;
  else
    fmt::print(stderr, "{}", wrapped("error: -o: " + validUtf8(written.error().message), 4));
  return written.ok();
}

int TuneJob::finish() {
  takeOutcome();
  notePredictions();
  if (m_keeper)
    for (std::size_t s = 0; s < m_keeper->count(); ++s)
      if (!m_outcome.settings[s].repeats.empty() && m_outcome.settings[s].failure.empty())
        m_keeper->endTrial(s, m_outcome.figuresOf(s));
  if (m_keeper) {
    std::vector<SpanFigures> figures;
    for (std::size_t s = 0; s < m_keeper->count(); ++s) figures.push_back(m_outcome.figuresOf(s));
    m_keeper->finish(figures);
  }
  const bool written = writeBest();
  if (m_events) {
    m_events->tuneEnded(m_outcome);
    m_events->result(tuneJson(m_outcome, false));
  } else if (m_arguments.json) {
    fmt::print("{}\n", tuneJson(m_outcome, true));
  } else {
    fmt::print("{}", tuneText(m_outcome));
  }
  std::fflush(stdout);
  if (m_outcome.stopped) return kInterrupted;
  return m_outcome.best && written ? kDone : kFailed;
}

}  // namespace millrace::cli
