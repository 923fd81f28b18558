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
constexpr std::array<std::string_view, 9> kNoVersions = {
    "loader_kind",  "loader_workers",     "loader_batch",
    "loader_limit", "loader_limit_step",  "loader_advice",
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

}  // namespace

ExportRates::ExportRates(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return;
  Database::Options options;
  options.mode = Database::Mode::Read;
  if (auto store = RunStore::open(file, options)) m_store.emplace(store.take());
}

/// The newest finished run of this machine that has a rate and counts.
std::optional<RunDetails> ExportRates::newest(
    const std::string& condition, const std::function<bool(const RunDetails&)>& counts) {
  if (!m_store) return std::nullopt;
  RunQuery query;
  query.where = parseQuery(condition + " and state=finished", {}, {}).condition;
  const auto runs = m_store->list(query);
  if (!runs) return std::nullopt;
  for (const RunSummary& run : *runs) {
    if (!run.samplesPerSecond) continue;
    auto details = m_store->show(run.number);
    if (details && !factOf(*details, kMachineFact) && counts(*details)) return details.take();
  }
  return std::nullopt;
}

std::optional<ExportRate> ExportRates::of(const std::string& digest) {
  const auto run = newest(fmt::format("environment.{}=\"{}\"", kExportCodeFact, digest),
                          [](const RunDetails&) { return true; });
  if (!run) return std::nullopt;
  return ExportRate{run->summary.number, *run->summary.samplesPerSecond, sentenceOf(*run)};
}

std::optional<double> ExportRates::ofEngine(const std::string& json) {
  const auto run = newest(fmt::format("digest=\"{}\"", pipelineDigest(json)),
                          [](const RunDetails& details) { return !factOf(details, kOriginFact); });
  return run ? run->summary.samplesPerSecond : std::nullopt;
}

std::function<std::string(const std::string&)> rateSentences(const std::filesystem::path& file) {
  return [rates = std::make_shared<ExportRates>(file)](const std::string& digest) {
    const auto rate = rates->of(digest);
    return rate ? rate->text : std::string();
  };
}

}  // namespace millrace
