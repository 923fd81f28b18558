// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_list_page.h"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/report.h"
#include "app/cli/run_words.h"
#include "app/cli/text_layout.h"
#include "core/base/text.h"

namespace millrace::cli {

namespace {

/// "1 234 +-20".
std::string rateOf(const RunSummary& run) {
  if (!run.samplesPerSecond) return "-";
  std::string text = rounded(*run.samplesPerSecond);
  if (run.ci95Low && run.ci95High) text += " +-" + rounded((*run.ci95High - *run.ci95Low) / 2);
  return text;
}

std::string labelOf(const RunSummary& run) {
  std::string text = run.name;
  if (text.empty()) text = std::filesystem::path(run.pipelineName).filename().string();
  for (const std::string& tag : run.tags) text += " #" + tag;
  if (run.baseline) text += " (baseline)";
  return text;
}

}  // namespace

std::string runListText(const std::vector<RunSummary>& runs) {
  std::string text = "  run  started           state        samples/s             what\n";
  constexpr std::size_t kLabel = 20;
  for (const RunSummary& run : runs)
    text += fmt::format(
        "{:>5}  {:.16}  {:<11}  {:<20}  {}\n", numberOf(run), localTime(run.started),
        nameOf(run.state), rateOf(run),
        validUtf8(columnsOf(labelOf(run)) > kLabel ? fitted(labelOf(run), kLabel) : labelOf(run)));
  return text;
}

std::string runListJson(const std::vector<RunSummary>& runs) {
  nlohmann::json all = nlohmann::json::array();
  for (const RunSummary& run : runs) all.push_back(summaryJson(run));
  return prettyJson(all);
}

}  // namespace millrace::cli
