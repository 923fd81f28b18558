// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/sittings.h"

#include <algorithm>

#include "core/analyse/statistics.h"
#include "core/compare/conditions.h"

namespace millrace {

namespace {

/// What decides whether runs were measured alike is not in the document, which is dear to read.
KeptRun withoutDocument(const KeptRun& run) {
  KeptRun bare = run;
  bare.pipelineJson.clear();
  return bare;
}

/// `run` is without its document.
bool measuredAlike(const KeptRun& run, const KeptRun& other, const Catalog& catalog) {
  if (other.details.summary.state != RunState::Finished) return false;
  if (other.details.summary.pipelineDigest != run.details.summary.pipelineDigest) return false;
  const std::vector<KeptRun> both = {run, withoutDocument(other)};
  const auto conditions = conditionsOf(both, catalog);
  return notAlikeIn(conditions[0], conditions[1]).empty() && !quietRatesOf(other.details).empty();
}

WallTime endOf(const RunSummary& summary) {
  return summary.finished ? std::max(*summary.finished, summary.started) : summary.started;
}

}  // namespace

std::vector<double> sittingRates(const KeptRun& run, std::span<const KeptRun> candidates,
                                 const Catalog& catalog) {
  const KeptRun bare = withoutDocument(run);
  std::vector<const KeptRun*> runs;
  if (!quietRatesOf(run.details).empty()) runs.push_back(&run);
  for (const KeptRun& candidate : candidates)
    if (candidate.details.summary.uid != run.details.summary.uid &&
        measuredAlike(bare, candidate, catalog))
      runs.push_back(&candidate);
  std::ranges::sort(runs, {}, [](const KeptRun* one) { return one->details.summary.started; });
  std::vector<double> sittings;
  std::vector<double> rates;
  WallTime end{};
  for (const KeptRun* one : runs) {
    const RunSummary& summary = one->details.summary;
    if (!rates.empty() && summary.started - end > kSittingPause) {
      sittings.push_back(*mean(rates));
      rates.clear();
    }
    const std::vector<double> own = quietRatesOf(one->details);
    rates.insert(rates.end(), own.begin(), own.end());
    end = std::max(end, endOf(summary));
  }
  if (!rates.empty()) sittings.push_back(*mean(rates));
  return sittings;
}

}  // namespace millrace
