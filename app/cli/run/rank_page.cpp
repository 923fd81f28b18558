// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run/rank_page.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "app/cli/common/text_layout.h"
#include "app/cli/run/report.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_text.h"
#include "core/metrics/metric_text.h"
#include "core/ranks/gathered_figures.h"

namespace millrace::cli {

namespace {

std::string rankText(const RankFigures& rank) {
  const SpanFigures& figures = rank.figures;
  std::vector<std::string> parts = {"nothing measured"};
  if (const auto rate = figures.samplesPerSecond.mean)
    parts.front() = fmt::format("{} samples/s", rounded(*rate));
  if (figures.stepShare)
    parts.push_back(fmt::format("step busy {:.1f} %", 100 * *figures.stepShare));
  if (!rank.gpu.empty()) parts.push_back("GPU " + visibleText(rank.gpu));
  if (figures.failedSamples > 0)
    parts.push_back(fmt::format("{} failed", grouped(figures.failedSamples)));
  return join(parts, ", ");
}

double rateOf(const RunResult& result, std::int64_t rank) {
  return std::ranges::find(result.ranks, rank, &RankFigures::rank)
      ->figures.samplesPerSecond.mean.value_or(0);
}

std::string spreadText(const RankSpread& spread, const RunResult& result) {
  const SpanFigures& figures = result.figures;
  constexpr double kAlike = 0.01;
  std::string text = "all within 1 % of each other";
  // Of the rates that are printed above.
  const auto ratio = shownRatio(rateOf(result, spread.fastest), rateOf(result, spread.slowest));
  const double slower = ratio ? 1 - *ratio : spread.slowerBy;
  if (slower > kAlike)
    text = fmt::format("rank {} is {:.1f} % slower than rank {}", spread.slowest, 100 * slower,
                       spread.fastest);
  if (figures.lockstepSamplesPerSecond)
    text += fmt::format("; training in which every step waits for all ranks can use {} samples/s",
                        rounded(*figures.lockstepSamplesPerSecond));
  return text;
}

}  // namespace

std::string rankLines(const RunResult& result) {
  std::string text;
  for (const RankFigures& rank : result.ranks)
    text += fmt::format("  {:<16}{}", fmt::format("rank {}", rank.rank),
                        wrapped(rankText(rank), 18, 18));
  if (const auto spread = spreadOf(result.ranks))
    text += fmt::format("  {:<16}{}", "together", wrapped(spreadText(*spread, result), 18, 18));
  return text.empty() ? text : "\n" + text;
}

}  // namespace millrace::cli
