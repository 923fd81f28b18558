// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/preview/preview_job.h"

#include "core/preview/preview_run.h"

namespace millrace {

Result<PreviewEnd> PreviewJob::run(const PreviewOptions& options, PreviewObserver& observer) {
  MILLRACE_ASSIGN_OR_RETURN(const Plan plan, previewPlan(options, m_kept));
  MILLRACE_ASSIGN_OR_RETURN(const auto samples, PreviewRun::make(plan, options.noRandom));
  for (std::size_t i = 0; i < options.count; ++i) {
    if (!observer.mayContinue()) return PreviewEnd::Stopped;
    const std::uint64_t place = options.first + i;
    observer.onSample(previewed(samples->at(place), place, plan, options.side, options.values));
  }
  return PreviewEnd::Done;
}

}  // namespace millrace
