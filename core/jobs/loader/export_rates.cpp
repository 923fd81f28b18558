// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/loader/export_rates.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/compare/kept_run.h"
#include "core/metrics/metric_text.h"
#include "core/store/query.h"
#include "core/store/run_origin.h"

namespace millrace {

namespace {

/// Facts about a loader that are not versions of packages.
constexpr std::array<std::string_view, 7> kNoVersions = {
    "loader_kind",  "loader_workers",     "loader_batch",       "loader_limit",
    "loader_epoch", "loader_epoch_start", "loader_queue_empty",
};

std::string versionsIn(const RunDetails& details) {
  constexpr std::string_view kLoader = "loader_";
  std::vector<std::string> versions;
  for (const KeyValue& fact : details.environment)
    if (fact.first.starts_with(kLoader) && std::ranges::count(kNoVersions, fact.first) == 0)
      versions.push_back(fact.first.substr(kLoader.size()) + " " + fact.second);
  return join(versions, ", ");
}

std::string sentenceOf(const RunDetails& details) {
  const RunSummary& run = details.summary;
  std::string rate = roundedText(*run.samplesPerSecond) + " samples/s";
  if (run.ci95Low && run.ci95High)
    rate += fmt::format(", 95 % interval {} to {}", roundedText(std::max(0.0, *run.ci95Low)),
                        roundedText(*run.ci95High));
  return fmt::format("{}. Run {}, by {}, on {}, {} cores.", rate,
                     static_cast<std::int64_t>(run.number), versionsIn(details),
                     factOf(details, "cpu_model").value_or("an unknown processor"),
                     factOf(details, "cores_usable").value_or("?"));
}

RunQuery queryFor(const std::string& digest) {
  RunQuery query;
  query.where =
      parseQuery(fmt::format("environment.{}=\"{}\" and state=finished", kExportCodeFact, digest),
                 {}, {})
          .condition;
  return query;
}

}  // namespace

ExportRates::ExportRates(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return;
  Database::Options options;
  options.mode = Database::Mode::Read;
  if (auto store = RunStore::open(file, options)) m_store.emplace(store.take());
}

std::optional<ExportRate> ExportRates::of(const std::string& digest) {
  if (!m_store) return std::nullopt;
  const auto runs = m_store->list(queryFor(digest));
  if (!runs) return std::nullopt;
  for (const RunSummary& run : *runs) {
    if (!run.samplesPerSecond) continue;
    const auto details = m_store->show(run.number);
    if (!details || factOf(*details, kMachineFact)) continue;
    return ExportRate{run.number, *run.samplesPerSecond, sentenceOf(*details)};
  }
  return std::nullopt;
}

std::function<std::string(const std::string&)> rateSentences(const std::filesystem::path& file) {
  return [rates = std::make_shared<ExportRates>(file)](const std::string& digest) {
    const auto rate = rates->of(digest);
    return rate ? rate->text : std::string();
  };
}

}  // namespace millrace
