// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The preparation of a tuning's search.
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/cli/diagnose/diagnosis_progress.h"
#include "app/cli/tune/tune_job.h"
#include "core/analysis/bottleneck.h"
#include "core/base/text.h"
#include "core/jobs/run/cache_room.h"
#include "core/nodes/builtin.h"
#include "core/tune/probe_plans.h"

namespace millrace::cli {

namespace {

constexpr double kDiagnosisShare = 0.15;  ///< share of the budget
constexpr double kUsualProbes = 8;
constexpr double kProbeStart =
    0.5;  ///< time of a probe for warm-up, opening, joining, filling caches
constexpr double kLeastSpan = 0.4;
constexpr double kMostSpan = 1;
/// Filling a cache may take this share of the budget, each time that the cache is tried.
constexpr double kFillShare = 0.1;

/// Duration of each run of a diagnosis that is part of a tuning, in seconds.
double probeSpan(double budget) { return kDiagnosisShare * budget / kUsualProbes - kProbeStart; }

double memoryForCaches(double room, std::uint64_t limit, const SpanFigures& start) {
  if (limit == 0) return room;
  const auto taken = static_cast<double>(start.peakRssBytes.value_or(0));
  return std::clamp(static_cast<double>(limit) - taken, 0.0, room);
}

}  // namespace

std::optional<CachePoint> TuneJob::cachePoint() {
  // Filling a cache never shortens the first epoch.
  if (m_meaning.goal == TuneGoal::EpochTime || m_outcome.settings.front().repeats.empty())
    return std::nullopt;
  const SpanFigures& start = m_outcome.settings.front().repeats.front();
  const double rate = start.samplesPerSecond.mean.value_or(0);
  std::optional<double> encoded;
  if (start.inputBytesPerSecond.value_or(0) > 0 && rate > 0)
    encoded = *start.inputBytesPerSecond / rate;
  const Plan& plan = m_prepared.plan;
  const double room =
      memoryForCaches(m_survey.cacheRoomBytes, m_meaning.rules.limits.memoryBytes, start);
  auto place = cachePointOf(plan, room, encoded);
  if (!place) return place;
  const double fill = rate > 0 ? static_cast<double>(plan.pipeline.source->size()) / rate : 0;
  if (fill <= kFillShare * m_meaning.budgetSeconds) return place;
  m_outcome.leftOut.push_back(
      fmt::format("a memory cache after {}: filling it takes about {}, more than a tenth of the "
                  "budget",
                  place->node, humanSeconds(std::ceil(fill))));
  return std::nullopt;
}

bool TuneJob::makeSpace() {
  TunePreferences requests;
  requests.allowed = m_meaning.allowed;
  requests.cores = usableCores();
  requests.cache = cachePoint();
  if (m_outcome.diagnosis) requests.waits = waitsForStorage(m_outcome.diagnosis->counters);
  for (const std::string& text : m_arguments.vary) {
    Result<SweepAxis> varied = parseVary(m_prepared.graph, builtinCatalog(), text);
    if (!varied) {
      m_refusal = "--vary " + text + ": " + varied.error().message;
      return false;
    }
    requests.varied.push_back(varied.take());
  }
  if (const Status used = checkUsed(m_prepared.graph, builtinCatalog(), requests.varied); !used) {
    m_refusal = "--vary: " + used.error().message;
    return false;
  }
  Result<std::vector<TuneAxis>> axes = tuneSpace(m_prepared.plan, requests);
  if (!axes) {
    m_refusal = "--vary: " + axes.error().message;
    return false;
  }
  m_outcome.axes = axes.take();
  return true;
}

double TuneJob::usableCores() const {
  if (m_coreLimit) return *m_coreLimit;
  return surroundingsOf(m_facts).cores.value_or(1);
}

bool TuneJob::survey(const TunerObservation& start) {
  const bool wanted = start.kind == TunerObservation::Kind::Measured &&
                      m_meaning.goal != TuneGoal::EpochTime &&
                      probeSpan(m_meaning.budgetSeconds) >= kLeastSpan;
  if (m_kept && m_kept->log.survey) return takeSurvey(*m_kept->log.survey, wanted);
  if (replays()) {
    m_outcome.missing =
        "the kept tuning was stopped before its diagnosis was finished; only its first trial, the "
        "unmodified pipeline, can be replayed";
    return false;
  }
  m_clock.start();
  const double before = m_clock.seconds();
  m_survey.cacheRoomBytes = cacheRoom();
  m_survey.diagnosed = wanted;
  if (wanted) diagnose();
  if (stopped()) return false;
  m_survey.diagnosisSeconds = m_clock.seconds() - before;
  m_survey.spentSeconds = std::max(0.0, m_clock.seconds() - start.seconds);
  m_survey.diagnosisRuns = m_outcome.diagnosisRuns;
  m_survey.diagnosis = m_outcome.diagnosis;
  if (m_keeper) m_keeper->addLine(lineOf(m_survey));
  return true;
}

bool TuneJob::takeSurvey(const TuneSurvey& kept, bool wanted) {
  if (wanted && !kept.diagnosed) {
    m_outcome.missing =
        fmt::format("the kept tuning has no diagnosis, but a tuning for {} in {} begins with one",
                    nameOf(m_meaning.goal), humanSeconds(m_meaning.budgetSeconds));
    return false;
  }
  m_survey = kept;
  if (!wanted) {
    m_survey.spentSeconds = std::max(0.0, kept.spentSeconds - kept.diagnosisSeconds);
    m_survey.diagnosis.reset();
    m_survey.diagnosisRuns = 0;
  }
  if (m_survey.diagnosis && m_coreLimit) m_survey.diagnosis->counters.cores = *m_coreLimit;
  m_outcome.diagnosis = m_survey.diagnosis;
  m_outcome.diagnosisRuns = m_survey.diagnosisRuns;
  m_clock.replay(m_survey.spentSeconds);
  return true;
}

void TuneJob::diagnose() {
  Result<CacheSet> caches = CacheSet::make(m_prepared.plan);
  if (!caches) return;
  DiagnosisSettings settings;
  settings.warmupSeconds = 0.3;
  settings.seconds = std::min(probeSpan(m_meaning.budgetSeconds), kMostSpan);
  settings.blocks = 1;
  settings.seed = m_prepared.graph.seed;
  settings.fuse = !m_arguments.pipeline.noFuse;
  settings.noRandom = m_arguments.pipeline.noRandom;
  settings.failureLimit = m_meaning.failureLimit;
  settings.memoryBytes =
      memoryForCaches(m_survey.cacheRoomBytes, m_meaning.rules.limits.memoryBytes,
                      m_outcome.settings.front().repeats.front());
  settings.surroundings = surroundingsOf(m_facts);
  settings.awaitCores = true;
  const bool terminal = !m_arguments.events && isatty(STDERR_FILENO) != 0;
  m_progress.clear();
  DiagnosisProgress progress(terminal, m_events ? &*m_events : nullptr);
  Diagnosis diagnosis(m_prepared.plan, *caches, settings, progress);
  {
    const MutexLock lock(m_mutex);
    if (m_stopped) return;
    m_diagnosis = &diagnosis;
  }
  DiagnosisResult result = diagnosis.run();
  const MutexLock lock(m_mutex);
  m_diagnosis = nullptr;
  // The initial measurement is not among them.
  m_outcome.diagnosisRuns = result.runs.size() + 1;
  if (result.end == BlockEnd::Finished) m_outcome.diagnosis = std::move(result);
}

/// The score that the consumer's own time allows, if it is known.
std::optional<double> TuneJob::ceilingOf() const {
  if (m_meaning.goal != TuneGoal::Throughput || !m_outcome.diagnosis) return std::nullopt;
  // A larger batch, or other values of the step's parameters, may shorten the step itself.
  if (m_meaning.allowed.allows(SampleChange::Batching) ||
      m_meaning.allowed.allows(SampleChange::Content))
    return std::nullopt;
  const DiagnosisResult& found = *m_outcome.diagnosis;
  if (found.finding.limit.kind != LimitKind::Step || found.finding.sure != Confidence::Yes)
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
      if (level.edit) predicted = predictedRate(counters, *level.edit, m_outcome.diagnosis->gains);
      m_predicted[a].push_back(predicted);
      known = known || predicted.has_value();
      expected.emplace_back(predicted ? std::optional(std::log(predicted->middle / now))
                                      : std::nullopt);
    }
    // With another goal, more of everything also costs more, and the rate's model does not cover
    // that.
    if (known && m_meaning.goal == TuneGoal::Throughput) m_tuner->expect(a, std::move(expected));
  }
}

}  // namespace millrace::cli
