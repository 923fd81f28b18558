// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/comparison.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/statistics.h"
#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/compare/comparison_parts.h"
#include "core/graph/json/graph_json.h"
#include "core/metrics/disturbance.h"

namespace millrace {

namespace {

std::size_t finishedRepeats(const RunDetails& details) {
  return static_cast<std::size_t>(
      std::ranges::count(details.repeats, true, &RepeatRecord::finished));
}

std::string stateRemark(const RunSummary& summary) {
  const std::string reason = summary.reason.empty() ? "" : ": " + summary.reason;
  if (summary.state == RunState::Running) return "still running: its figures are not final";
  if (summary.state == RunState::Failed) return "failed" + reason;
  return "interrupted" + reason;
}

/// Finished repeats that do not count.
std::size_t leftOutRepeats(const RunDetails& details) {
  const std::vector<bool> counted = countedOf(details);
  return finishedRepeats(details) - static_cast<std::size_t>(std::ranges::count(counted, true));
}

/// How many repeats were disturbed, and what disturbed the first of them; empty if none was.
std::string disturbedText(const RunDetails& details) {
  const auto first = std::ranges::find_if(details.repeats, isDisturbed);
  if (first == details.repeats.end()) return {};
  const auto count = static_cast<std::size_t>(std::ranges::count_if(details.repeats, isDisturbed));
  return fmt::format(
      "disturbed in {} of {} repeats ({})", count, details.repeats.size(),
      firstDisturbance(count, static_cast<std::size_t>(first->index) + 1, disturbancesIn(*first)));
}

std::string whetherTheyCount(const RunDetails& details) {
  if (details.inBlocks) return {};
  if (isOnlyDisturbed(details)) return ": the figures are those of a disturbed machine";
  return "; disturbed repeats do not count";
}

std::vector<std::string> remarksOn(const ReadRun& read) {
  const RunDetails& details = read.run->details;
  std::vector<std::string> remarks;
  if (details.summary.state != RunState::Finished) remarks.push_back(stateRemark(details.summary));
  const std::size_t finished = finishedRepeats(details);
  if (!rateOf(details))
    remarks.emplace_back("nothing was measured");
  else if (finished == 0)
    remarks.emplace_back("no repeat finished: the rate covers the measured part");
  else if (finished < kLeastRepeats)
    remarks.push_back(fmt::format("{} repeat{}: no confidence interval, which needs {} or more",
                                  finished, finished == 1 ? "" : "s", kLeastRepeats));
  if (const std::string disturbed = disturbedText(details); !disturbed.empty())
    remarks.push_back(disturbed + whetherTheyCount(details));
  if (!read.graph) remarks.emplace_back("its pipeline document cannot be read");
  if (!details.unreadable.empty())
    remarks.push_back("the store is damaged: " + joinWords(details.unreadable) + " cannot be read");
  return remarks;
}

std::vector<ComparedRepeat> repeatsOf(const RunDetails& details) {
  std::vector<ComparedRepeat> repeats;
  const std::vector<bool> counted = countedOf(details);
  for (std::size_t i = 0; i < details.repeats.size(); ++i) {
    const RepeatRecord& repeat = details.repeats[i];
    repeats.push_back({repeat.index, repeat.finished, counted[i],
                       figureOf(repeat.figures, "samples_per_second"), repeat.windows});
  }
  return repeats;
}

ComparedRun comparedRun(const ReadRun& read) {
  const RunDetails& details = read.run->details;
  ComparedRun run;
  run.summary = details.summary;
  run.notes = details.notes;
  run.engineVersion = details.engineVersion;
  run.repeats = repeatsOf(details);
  const std::vector<double> rates = ratesOf(details);
  run.summary.samplesPerSecond = geometricMean(rates);
  run.rate95 = geometricInterval95(rates);
  run.remarks = remarksOn(read);
  run.graph = read.diff;
  return run;
}

/// The baseline, if there is one, is the reference.
std::vector<KeptRun> referenceFirst(std::span<const KeptRun> runs) {
  std::vector<KeptRun> ordered(runs.begin(), runs.end());
  const auto baseline = std::ranges::find_if(
      ordered, [](const KeptRun& run) { return run.details.summary.baseline; });
  if (baseline != ordered.end()) std::rotate(ordered.begin(), baseline, baseline + 1);
  return ordered;
}

std::vector<ReadRun> readRuns(const std::vector<KeptRun>& runs, const Catalog& catalog) {
  std::vector<ReadRun> all;
  for (const KeptRun& run : runs) {
    ReadRun read{&run, parseGraph(run.pipelineJson, catalog).graph, std::nullopt};
    const std::optional<Graph>& reference = all.empty() ? read.graph : all.front().graph;
    if (reference && read.graph) read.diff = diffGraphs(*reference, *read.graph, catalog);
    all.push_back(std::move(read));
  }
  return all;
}

/// The rates of the repeats that both runs finished; each repeat is a block.
struct Blocks {
  std::vector<double> a;
  std::vector<double> b;
};

Blocks blocksOf(const RunDetails& a, const RunDetails& b) {
  Blocks blocks;
  for (const RepeatRecord& one : a.repeats)
    for (const RepeatRecord& other : b.repeats) {
      if (one.index != other.index || !one.finished || !other.finished) continue;
      blocks.a.push_back(figureOf(one.figures, "samples_per_second").value_or(0));
      blocks.b.push_back(figureOf(other.figures, "samples_per_second").value_or(0));
    }
  return blocks;
}

/// One spread for both runs: the mean of their variances. A run with too few sessions gets the
/// typical spread.
SessionSpread spreadOf(const KeptRun& a, const KeptRun& b) {
  const SessionSpread one = spreadOfSessions(a.sessionRates);
  const SessionSpread other = spreadOfSessions(b.sessionRates);
  return {std::sqrt((one.sigma * one.sigma + other.sigma * other.sigma) / 2),
          std::min(one.sessions, other.sessions)};
}

}  // namespace

Verdict verdictOf(const KeptRun& reference, const KeptRun& run, std::vector<std::string> notAlike) {
  Verdict verdict;
  if (areTogether(reference, run)) {
    const Blocks blocks = blocksOf(reference.details, run.details);
    verdict = judgeTogether(blocks.a, blocks.b, run.together->rule);
    const auto unpaired = [&](const RunDetails& details) {
      const std::size_t own = ratesOf(details).size();
      return own - std::min(own, verdict.repeatsA);
    };
    verdict.unpairedA = unpaired(reference.details);
    verdict.unpairedB = unpaired(run.details);
  } else {
    verdict =
        judgeApart(ratesOf(reference.details), ratesOf(run.details), spreadOf(reference, run));
    verdict.disturbedA = leftOutRepeats(reference.details);
    verdict.disturbedB = leftOutRepeats(run.details);
    verdict =
        onlyDisturbed(verdict, isOnlyDisturbed(reference.details), isOnlyDisturbed(run.details));
  }
  return notAlike.empty() ? verdict : millrace::notAlike(verdict, std::move(notAlike));
}

std::string ComparedRun::number() const {
  return std::to_string(static_cast<std::int64_t>(summary.number));
}

std::size_t Comparison::settingsThatDiffer() const {
  return static_cast<std::size_t>(std::ranges::count(settings, true, &SettingRow::differs));
}

std::vector<Remark> Comparison::remarks() const {
  std::vector<Remark> all;
  for (const ComparedRun& run : runs)
    for (const std::string& text : run.remarks) {
      auto found = std::ranges::find(all, text, &Remark::text);
      if (found == all.end()) found = all.insert(found, {text, {}});
      found->runs.push_back(run.number());
    }
  return all;
}

bool Comparison::isNegligible(const FigureRow& row) const {
  constexpr double kTrifle = 0.01;
  if (row.spec->scope != MetricScope::Node) return false;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    double all = 0;
    double own = 0;
    for (const FigureRow& other : figures) {
      if (other.spec->id != "node.busy_seconds") continue;
      const double busy = other.values[run].value.value_or(0);
      all += busy;
      if (other.of == row.of) own = busy;
    }
    if (own > kTrifle * all) return false;
  }
  return true;
}

std::vector<std::size_t> Comparison::conditionsThatDiffer() const {
  std::vector<std::size_t> found;
  const std::vector<RunCondition>& reference = runs.front().conditions;
  for (std::size_t i = 0; i < reference.size(); ++i)
    if (std::ranges::any_of(runs, [&](const ComparedRun& run) {
          return std::ranges::any_of(runs, [&](const ComparedRun& other) {
            return differs(run.conditions[i], other.conditions[i]);
          });
        }))
      found.push_back(i);
  return found;
}

Comparison compareRuns(std::span<const KeptRun> runs, const Catalog& catalog) {
  MILLRACE_CHECK(runs.size() >= 2, "a comparison needs two runs or more");
  const std::vector<KeptRun> ordered = referenceFirst(runs);
  const std::vector<ReadRun> read = readRuns(ordered, catalog);
  const auto conditions = conditionsOf(ordered, catalog);
  Comparison comparison;
  for (std::size_t i = 0; i < read.size(); ++i) {
    comparison.runs.push_back(comparedRun(read[i]));
    comparison.runs.back().conditions = conditions[i];
    if (i > 0)
      comparison.runs.back().verdict =
          verdictOf(ordered[0], ordered[i],
                    notAlikeIn(conditions[0], conditions[i], areTogether(ordered[0], ordered[i])));
  }
  comparison.settings = settingRows(read, catalog);
  comparison.figures = figureRows(read);
  return comparison;
}

}  // namespace millrace
