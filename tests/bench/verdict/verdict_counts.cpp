// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/verdict/verdict_counts.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace millrace::bench {

void Counts::add(const Verdict& verdict) {
  if (verdict.kind == VerdictKind::Faster) ++faster;
  if (verdict.kind == VerdictKind::Slower) ++slower;
  if (verdict.kind == VerdictKind::Same) ++same;
  if (verdict.kind == VerdictKind::TooFew) ++tooFew;
  if (verdict.smallestDifference) smallest.push_back(*verdict.smallestDifference);
  repeats.push_back(static_cast<double>(verdict.repeatsA));
}

Counts& VerdictCounts::of(const std::string& form, const std::string& pair) {
  const auto key = std::make_pair(form, pair);
  const auto found = std::ranges::find(m_counts, key, &decltype(m_counts)::value_type::first);
  if (found != m_counts.end()) return found->second;
  return m_counts.emplace_back(key, Counts()).second;
}

Interval shareInterval(int count, int of) {
  constexpr double z = 1.959964;
  const double n = of;
  const double share = count / n;
  const double middle = (share + z * z / (2 * n)) / (1 + z * z / n);
  const double half =
      z / (1 + z * z / n) * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

std::string VerdictCounts::markdown(const std::string& condition) const {
  std::string text;
  for (const auto& [key, counts] : m_counts) {
    const int different = counts.faster + counts.slower;
    const Interval interval = shareInterval(different, counts.all());
    text +=
        fmt::format("| {} | {} | {} | {} | {} [{:.0f}, {:.0f}] % | {} | {} | {:.1f} % | {:.1f} |\n",
                    condition, key.first, key.second, counts.all(), 100 * different / counts.all(),
                    100 * interval.low, 100 * interval.high, counts.same, counts.tooFew,
                    100 * median(counts.smallest).value_or(0), mean(counts.repeats).value_or(0));
  }
  return text;
}

std::string VerdictCounts::csv(const std::string& condition) const {
  std::string text;
  for (const auto& [key, counts] : m_counts) {
    const Interval interval = shareInterval(counts.faster + counts.slower, counts.all());
    text += fmt::format("{},{},{},{},{},{},{},{},{:.4f},{:.4f},{:.4f},{:.2f}\n", condition,
                        key.first, key.second, counts.all(), counts.faster, counts.slower,
                        counts.same, counts.tooFew, interval.low, interval.high,
                        median(counts.smallest).value_or(0), mean(counts.repeats).value_or(0));
  }
  return text;
}

}  // namespace millrace::bench
