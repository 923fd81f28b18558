// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/loader/loader_diagnosis.h"

#include <utility>

#include "core/analysis/verdict.h"

namespace millrace {

namespace {

/// Of the unchanged loader and the changed one: enough for a verdict, and no more, because each
/// repeat begins with imports.
constexpr std::size_t kBlocks = kLeastBlocks;

}  // namespace

LoaderDiagnosis::LoaderDiagnosis(LoaderJobSettings settings, LoaderJobObserver& measuring,
                                 ComparisonObserver& trying)
    : m_settings(std::move(settings)), m_measuring(measuring), m_trying(trying) {}

Result<LoaderDiagnosisOutcome> LoaderDiagnosis::run() {
  LoaderDiagnosisOutcome outcome;
  {
    LoaderJob job(m_settings, m_measuring);
    {
      const MutexLock lock(m_mutex);
      m_job = &job;
      if (m_stopped) job.stop();
    }
    Result<LoaderJobOutcome> measured = job.run();
    const MutexLock lock(m_mutex);
    m_job = nullptr;
    if (!measured) return measured.error();
    outcome.measured = measured.take();
  }
  const std::vector<LoaderAdvice>& advice = outcome.measured.advice;
  const bool finished = outcome.measured.result.outcome == RunOutcome::Finished;
  if (finished && !advice.empty() && !advice.front().set.empty())
    outcome.tried = tried(advice.front());
  return outcome;
}

std::optional<ComparisonOutcome> LoaderDiagnosis::tried(const LoaderAdvice& advice) {
  OwnLoader changed = m_settings.loader;
  changed.set.insert(changed.set.end(), advice.set.begin(), advice.set.end());
  ComparisonSides sides;
  sides.push_back(loaderSide(m_settings.loader));
  sides.push_back(loaderSide(std::move(changed)));
  ComparisonSettings settings;
  settings.seconds = m_settings.measure.seconds;
  settings.warmup = m_settings.measure.warmupSeconds;
  settings.blocks = kBlocks;
  settings.replaceDisturbed = false;
  settings.keep.keep = false;
  ComparisonJob job(std::move(sides), settings, m_trying);
  {
    const MutexLock lock(m_mutex);
    m_comparison = &job;
    if (m_stopped) job.stop();
  }
  Result<ComparisonOutcome> outcome = job.run();
  const MutexLock lock(m_mutex);
  m_comparison = nullptr;
  if (!outcome) return std::nullopt;  // only a comparison that is resumed has no outcome
  return outcome.take();
}

void LoaderDiagnosis::stop() {
  const MutexLock lock(m_mutex);
  m_stopped = true;
  if (m_job != nullptr) m_job->stop();
  if (m_comparison != nullptr) m_comparison->stop();
}

}  // namespace millrace
