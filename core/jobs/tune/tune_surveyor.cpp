// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/tune/tune_surveyor.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/jobs/run/cache_room.h"
#include "core/jobs/tune/tune_axes.h"

namespace millrace {

namespace {

constexpr double kDiagnosisShare = 0.15;  ///< share of the budget
constexpr double kUsualProbes = 8;
/// Time of a probe for warm-up, opening, joining, filling caches.
constexpr double kProbeStart = 0.5;
constexpr double kLeastSpan = 0.4;
constexpr double kMostSpan = 1;

/// Duration of each run of a diagnosis that is part of a tuning, in seconds.
double probeSpan(double budget) { return kDiagnosisShare * budget / kUsualProbes - kProbeStart; }

}  // namespace

void TuneSurveyor::stop() {
  const MutexLock lock(m_mutex);
  m_stopped = true;
  if (m_diagnosis != nullptr) m_diagnosis->stop();
}

bool TuneSurveyor::stopped() const {
  const MutexLock lock(m_mutex);
  return m_stopped;
}

bool TuneSurveyor::run(const TunerObservation& start, TuneKeeper* keeper) {
  const bool wanted = start.kind == TunerObservation::Kind::Measured &&
                      m_task.meaning().goal != TuneGoal::EpochTime &&
                      probeSpan(m_task.meaning().budgetSeconds) >= kLeastSpan;
  const auto& kept = m_task.settings.kept;
  if (kept && kept->log.survey) return takeKept(*kept->log.survey, wanted);
  if (m_task.replays()) {
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
  if (keeper != nullptr) keeper->addLine(lineOf(m_survey));
  return true;
}

bool TuneSurveyor::takeKept(const TuneSurvey& kept, bool wanted) {
  if (wanted && !kept.diagnosed) {
    m_outcome.missing =
        fmt::format("the kept tuning has no diagnosis, but a tuning for {} in {} begins with one",
                    nameOf(m_task.meaning().goal), humanSeconds(m_task.meaning().budgetSeconds));
    return false;
  }
  m_survey = kept;
  if (!wanted) {
    m_survey.spentSeconds = std::max(0.0, kept.spentSeconds - kept.diagnosisSeconds);
    m_survey.diagnosis.reset();
    m_survey.diagnosisRuns = 0;
  }
  if (m_survey.diagnosis && m_task.coreLimit)
    m_survey.diagnosis->counters.cores = *m_task.coreLimit;
  m_outcome.diagnosis = m_survey.diagnosis;
  m_outcome.diagnosisRuns = m_survey.diagnosisRuns;
  m_clock.replay(m_survey.spentSeconds);
  return true;
}

DiagnosisSettings TuneSurveyor::diagnosisSettings() const {
  const TuneMeaning& meaning = m_task.meaning();
  DiagnosisSettings settings;
  settings.warmupSeconds = 0.3;
  settings.seconds = std::min(probeSpan(meaning.budgetSeconds), kMostSpan);
  settings.blocks = 1;
  settings.seed = m_task.prepared.graph.seed;
  settings.fuse = !m_task.settings.request.noFuse;
  settings.noRandom = m_task.settings.request.noRandom;
  settings.failureLimit = meaning.rules.measure.failureLimit;
  settings.memoryBytes = memoryForCaches(m_survey.cacheRoomBytes, meaning.rules.limits.memoryBytes,
                                         m_outcome.settings.front().repeats.front());
  settings.surroundings = surroundingsOf(m_task.facts);
  settings.awaitCores = true;
  return settings;
}

void TuneSurveyor::diagnose() {
  Result<CacheSet> caches = CacheSet::make(m_task.prepared.plan);
  if (!caches) return;
  DiagnosisObserver silent;
  const std::unique_ptr<DiagnosisObserver> observer = m_observer.observeDiagnosis();
  Diagnosis diagnosis(m_task.prepared.plan, *caches, diagnosisSettings(),
                      observer ? *observer : silent);
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

std::optional<double> TuneSurveyor::ceiling() const {
  const TuneMeaning& meaning = m_task.meaning();
  if (meaning.goal != TuneGoal::Throughput || !m_outcome.diagnosis) return std::nullopt;
  // A larger batch, or other values of the step's parameters, may shorten the step itself.
  if (meaning.allowed.allows(SampleChange::Batching) ||
      meaning.allowed.allows(SampleChange::Content))
    return std::nullopt;
  const DiagnosisResult& found = *m_outcome.diagnosis;
  if (found.finding.limit.kind != LimitKind::Step || found.finding.confidence != Confidence::Yes)
    return std::nullopt;
  const RunCounters& counters = found.counters;
  if (counters.stepShare.value_or(0) <= 0 || counters.samplesPerSecond() <= 0) return std::nullopt;
  return std::log(counters.samplesPerSecond() / *counters.stepShare);
}

}  // namespace millrace
