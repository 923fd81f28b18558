// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/export/line_diff.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <vector>

#include <fmt/format.h>

namespace millrace::tests {

namespace {

constexpr std::size_t kContext = 1;

using Lines = std::vector<std::string_view>;

Lines linesOf(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// One line of a diff: kept (' '), removed ('-') or added ('+').
struct Step {
  char mark;
  std::string_view line;
};

/// The steps from one text to the other with the fewest changes (longest common subsequence).
std::vector<Step> stepsBetween(const Lines& from, const Lines& to) {
  // common[i][j]: length of the longest common subsequence of from[i..] and to[j..].
  std::vector<std::vector<std::size_t>> common(from.size() + 1,
                                               std::vector<std::size_t>(to.size() + 1, 0));
  for (std::size_t i = from.size(); i-- > 0;)
    for (std::size_t j = to.size(); j-- > 0;)
      common[i][j] = from[i] == to[j] ? common[i + 1][j + 1] + 1
                                      : std::max(common[i + 1][j], common[i][j + 1]);
  std::vector<Step> steps;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < from.size() || j < to.size()) {
    if (i < from.size() && j < to.size() && from[i] == to[j]) {
      steps.push_back({' ', from[i++]});
      ++j;
    } else if (i < from.size() && (j == to.size() || common[i + 1][j] >= common[i][j + 1])) {
      steps.push_back({'-', from[i++]});
    } else {
      steps.push_back({'+', to[j++]});
    }
  }
  return steps;
}

std::size_t countOf(const std::vector<Step>& steps, std::size_t begin, std::size_t end,
                    char except) {
  return static_cast<std::size_t>(
      std::count_if(steps.begin() + static_cast<std::ptrdiff_t>(begin),
                    steps.begin() + static_cast<std::ptrdiff_t>(end),
                    [&](const Step& step) { return step.mark != except; }));
}

/// "12,3": where a side of a hunk begins, and its length. A side without lines names the line
/// before it.
std::string rangeText(std::size_t before, std::size_t count) {
  return fmt::format("{},{}", count == 0 ? before : before + 1, count);
}

}  // namespace

std::string lineDiff(std::string_view from, std::string_view to, const DiffNames& names) {
  const std::vector<Step> steps = stepsBetween(linesOf(from), linesOf(to));
  const auto nextChange = [&](std::size_t at) {
    while (at < steps.size() && steps[at].mark == ' ') ++at;
    return at;
  };
  std::string text;
  for (std::size_t change = nextChange(0); change < steps.size();) {
    const std::size_t begin = change - std::min(change, kContext);
    std::size_t end = change;
    do {  // Changes whose context meets share a hunk.
      end = change + 1;
      change = nextChange(end);
    } while (change < steps.size() && change - end <= 2 * kContext);
    end = std::min(end + kContext, steps.size());
    text += fmt::format("@@ -{} +{} @@\n",
                        rangeText(countOf(steps, 0, begin, '+'), countOf(steps, begin, end, '+')),
                        rangeText(countOf(steps, 0, begin, '-'), countOf(steps, begin, end, '-')));
    for (std::size_t i = begin; i < end; ++i) {
      const bool blank = steps[i].mark == ' ' && steps[i].line.empty();
      text += blank ? "\n" : fmt::format("{}{}\n", steps[i].mark, steps[i].line);
    }
  }
  if (text.empty()) return text;
  return fmt::format("--- {}\n+++ {}\n{}", names.from, names.to, text);
}

std::optional<std::string> patched(std::string_view from, std::string_view diff) {
  const Lines old = linesOf(from);
  const Lines change = linesOf(diff);
  std::string text;
  std::size_t at = 0;
  const auto keepUntil = [&](std::size_t line) {
    for (; at < std::min(line, old.size()); ++at) text += std::string(old[at]) + "\n";
  };
  for (std::size_t i = std::min<std::size_t>(2, change.size()); i < change.size(); ++i) {
    std::size_t begin = 0;
    std::size_t count = 0;
    if (std::sscanf(std::string(change[i]).c_str(), "@@ -%zu,%zu ", &begin, &count) == 2) {
      keepUntil(count == 0 ? begin : begin - 1);
      continue;
    }
    const char mark = change[i].empty() ? ' ' : change[i].front();
    const std::string_view line = change[i].substr(change[i].empty() ? 0 : 1);
    if (mark != '+' && (at == old.size() || old[at++] != line)) return std::nullopt;
    if (mark != '-') text += std::string(line) + "\n";
  }
  keepUntil(old.size());
  return text;
}

}  // namespace millrace::tests
