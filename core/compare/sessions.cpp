// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/sessions.h"

#include <algorithm>

#include "core/analysis/statistics.h"
#include "core/compare/conditions.h"

namespace millrace {

namespace {

/// Comparing conditions does not need the document, which is slow to parse.
KeptRun withoutDocument(const KeptRun& run) {
  KeptRun bare = run;
  bare.pipelineJson.clear();
  return bare;
}

/// Whether it has a rate that was measured on the machine in its usual state.
bool isQuiet(const RunDetails& details) {
  return !isOnlyDisturbed(details) && !ratesOf(details).empty();
}

/// `run` must be without its document.
bool measuredAlike(const KeptRun& run, const KeptRun& other, const Catalog& catalog) {
  if (other.details.summary.state != RunState::Finished) return false;
  if (other.details.summary.pipelineDigest != run.details.summary.pipelineDigest) return false;
  const std::vector<KeptRun> both = {run, withoutDocument(other)};
  const auto conditions = conditionsOf(both, catalog);
  return notAlikeIn(conditions[0], conditions[1]).empty() && isQuiet(other.details);
}

WallTime endOf(const RunSummary& summary) {
  return summary.finished ? std::max(*summary.finished, summary.started) : summary.started;
}

}  // namespace

std::vector<double> sessionRates(const KeptRun& run, std::span<const KeptRun> candidates,
                                 const Catalog& catalog) {
  const KeptRun bare = withoutDocument(run);
  std::vector<const KeptRun*> runs;
  if (isQuiet(run.details)) runs.push_back(&run);
  for (const KeptRun& candidate : candidates)
    if (candidate.details.summary.uid != run.details.summary.uid &&
        measuredAlike(bare, candidate, catalog))
      runs.push_back(&candidate);
  std::ranges::sort(runs, {}, [](const KeptRun* one) { return one->details.summary.started; });
  std::vector<double> sessions;
  std::vector<double> rates;
  WallTime end{};
  for (const KeptRun* one : runs) {
    const RunSummary& summary = one->details.summary;
    if (!rates.empty() && summary.started - end > kSessionPause) {
      sessions.push_back(*mean(rates));
      rates.clear();
    }
    const std::vector<double> own = ratesOf(one->details);
    rates.insert(rates.end(), own.begin(), own.end());
    end = std::max(end, endOf(summary));
  }
  if (!rates.empty()) sessions.push_back(*mean(rates));
  return sessions;
}

}  // namespace millrace
