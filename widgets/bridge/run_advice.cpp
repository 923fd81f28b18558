// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/bridge/run_advice.h"

#include <algorithm>

#include <QStringList>

#include "core/analysis/prediction_spread.h"
#include "core/graph/graph_check.h"
#include "core/graph/plan.h"
#include "core/tune/probe_plans.h"
#include "core/tune/run_counters_of.h"
#include "widgets/common/strings.h"
#include "widgets/models/live/diagnosis_report.h"
#include "widgets/models/live/window_words.h"

namespace millrace {

namespace {

std::optional<Plan> planOf(const Graph& graph, const Catalog& catalog,
                           const std::filesystem::path& base) {
  CheckOptions options;
  options.base = base;
  options.device = DeviceUse::DontDetect;
  CheckResult checked = checkGraph(graph, catalog, options);
  if (!checked.pipeline) return std::nullopt;
  Result<Plan> plan = makePlan(std::move(*checked.pipeline));
  return plan ? std::optional(plan.take()) : std::nullopt;
}

bool isEdit(const Advice& advice) { return advice.edit != Advice::Edit::Words; }

/// If a run does not decide between candidates, a change counts only if the model expects a gain.
void adviseOnCandidates(RunAdvice& found, const RunCounters& counters, const AdvicePlaces& places) {
  for (const LimitCause& candidate : found.finding.also) {
    LimitFinding supposed;
    supposed.confidence = Confidence::Likely;
    supposed.limit = candidate;
    for (Advice& advice : adviceFor(supposed, counters, places)) {
      const auto predicted = predictedRate(counters, advice);
      if (!predicted || predicted->low < (1 + kWorthShare) * counters.samplesPerSecond()) continue;
      found.advice = std::move(advice);
      found.predicted = predicted;
      return;
    }
  }
}

}  // namespace

RunAdvice runAdviceOf(const Graph& graph, const Catalog& catalog, const std::filesystem::path& base,
                      const RunResult& result) {
  RunAdvice found;
  const std::optional<Plan> plan = planOf(graph, catalog, base);
  // The rules apply to the threads of one process.
  if (!plan || result.repeats.empty() || !result.ranks.empty()) return found;
  const RunCounters counters =
      countersOf(*plan, result.repeats, surroundingsOf(result.environment));
  // Where a cache fits is only known from the data, which a diagnosis opens.
  const AdvicePlaces places{std::nullopt, movePointsOf(*plan)};
  found.finding = findLimit(counters);
  if (found.finding.confidence == Confidence::CannotTell) {
    adviseOnCandidates(found, counters, places);
    return found;
  }
  std::vector<Advice> all = adviceFor(found.finding, counters, places);
  auto best = std::ranges::find_if(all, isEdit);
  if (best == all.end()) best = all.begin();
  if (best == all.end()) return found;
  if (isEdit(*best)) found.predicted = predictedRate(counters, *best);
  if (found.predicted && !isWorthTelling(*found.predicted)) found.predicted.reset();
  found.advice = std::move(*best);
  return found;
}

namespace {

/// Other processes are no limit of the pipeline: next to its limit they would be read as a
/// contradiction.
bool isByOthers(const LimitFinding& finding) {
  return finding.limit.kind == LimitKind::OtherProcess;
}

bool isKnown(const LimitFinding& finding) {
  return finding.confidence != Confidence::CannotTell && finding.limit.kind != LimitKind::Step;
}

}  // namespace

QString limitText(const RunAdvice& advice, const std::function<QString(const QString&)>& titleOf) {
  const LimitFinding& finding = advice.finding;
  if (!isKnown(finding) || isByOthers(finding)) return {};
  return windowWords(limitHeadline(finding), titleOf);
}

QString adviceText(const RunAdvice& advice, const std::function<QString(const QString&)>& titleOf) {
  const LimitFinding& finding = advice.finding;
  const bool isStep = finding.confidence != Confidence::CannotTell && !isKnown(finding);
  if (isStep) return {};
  QStringList parts;
  if (isKnown(finding) && isByOthers(finding))
    parts << "Other processes slowed it, so the limit may be another one without them.";
  if (advice.advice) parts << windowWords(sentence(advice.advice->text), titleOf);
  return parts.join(' ');
}

}  // namespace millrace
