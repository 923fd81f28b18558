// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "core/base/mutex.h"
#include "core/jobs/compare/comparison_job.h"
#include "core/jobs/loader/loader_job.h"

namespace millrace {

/// What a diagnosis of a loader found. Value.
struct LoaderDiagnosisOutcome {
  LoaderJobOutcome measured;
  /// The unchanged loader and the one with the first advice, measured together, if that advice is
  /// an argument.
  std::optional<ComparisonOutcome> tried;
};

/// Measures a user's loader, finds what limits it, and tries the first advice. `run` once, on one
/// thread; `stop` from any, at any time.
class LoaderDiagnosis {
 public:
  /// The observers must outlive the job. What is kept is the run of the unchanged loader.
  LoaderDiagnosis(LoaderJobSettings settings, LoaderJobObserver& measuring,
                  ComparisonObserver& trying);

  /// An error if no batch came.
  Result<LoaderDiagnosisOutcome> run();
  void stop();

 private:
  std::optional<ComparisonOutcome> tried(const LoaderAdvice& advice);

  const LoaderJobSettings m_settings;
  LoaderJobObserver& m_measuring;
  ComparisonObserver& m_trying;
  Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
  LoaderJob* m_job MILLRACE_GUARDED_BY(m_mutex) = nullptr;
  ComparisonJob* m_comparison MILLRACE_GUARDED_BY(m_mutex) = nullptr;
};

}  // namespace millrace
