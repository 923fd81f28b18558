// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/run_cloud.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "widgets/common/strings.h"
#include "widgets/runs/run_column.h"

namespace millrace {

namespace {

constexpr const char* kFigures[] = {"cpu_seconds_per_1000_samples", "peak_rss_bytes", "step_share",
                                    "samples_per_second"};

std::optional<double> realOf(const SqlValue& value) {
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  return std::nullopt;
}

void addAxis(RunCloud& cloud, const std::string& name, const QueryVocabulary& vocabulary,
             const Catalog& catalog) {
  const auto column = runColumn(toQt(name), vocabulary, catalog);
  if (!column) return;
  const QString title = name == "samples_per_second" ? "Samples/s" : column->title;
  cloud.axes.push_back({column->id, title, toQt(column->field.unit), column->field});
}

CloudRun cloudRun(const RunSummary& summary) {
  CloudRun run;
  run.number = summary.number;
  run.name = toQt(singleLine(summary.name));
  run.values = summary.cells;
  run.rate = summary.samplesPerSecond;
  const std::size_t figures = std::size(kFigures);
  if (summary.cells.size() >= figures)
    run.cost = realOf(summary.cells[summary.cells.size() - figures]);
  return run;
}

}  // namespace

Result<RunCloud> loadCloud(RunStore& store, const RunQuery& rest, const std::vector<RunNumber>& top,
                           const Catalog& catalog) {
  RunCloud cloud;
  MILLRACE_ASSIGN_OR_RETURN(const auto kept, store.vocabulary());
  for (const KnownSetting& setting : kept) addAxis(cloud, setting.name, kept, catalog);
  for (const char* figure : kFigures) addAxis(cloud, figure, kept, catalog);
  RunQuery query;
  query.where = rest.where;
  query.limit = kMostCloudRuns;
  for (const CloudAxis& axis : cloud.axes) query.columns.push_back(axis.field);
  const auto take = [&](const RunQuery& asked) -> Status {
    MILLRACE_ASSIGN_OR_RETURN(const auto found, store.search(asked));
    cloud.matching += found.matching;
    for (const RunSummary& run : found.runs) cloud.runs.push_back(cloudRun(run));
    return {};
  };
  MILLRACE_TRY(take(query));
  if (top.empty()) return cloud;
  std::vector<std::int64_t> numbers;
  for (const RunNumber run : top) numbers.push_back(static_cast<std::int64_t>(run));
  query.where =
      findField("number", {})->value + SqlPiece{"IN (SELECT value FROM json_each(?))",
                                                {fmt::format("[{}]", fmt::join(numbers, ","))}};
  MILLRACE_TRY(take(query));
  return cloud;
}

std::vector<std::size_t> paretoFront(const std::vector<CloudRun>& runs) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (runs[i].rate && runs[i].cost) order.push_back(i);
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    if (*runs[a].cost != *runs[b].cost) return *runs[a].cost < *runs[b].cost;
    return *runs[a].rate > *runs[b].rate;
  });
  std::vector<std::size_t> front;
  for (const std::size_t i : order)
    if (front.empty() || *runs[i].rate > *runs[front.back()].rate) front.push_back(i);
  return front;
}

std::vector<std::size_t> axesThatVary(const RunCloud& cloud) {
  std::vector<std::size_t> places;
  for (std::size_t axis = 0; axis < cloud.axes.size(); ++axis) {
    const SqlValue* first = nullptr;
    bool varies = false;
    for (const CloudRun& run : cloud.runs) {
      const SqlValue& value = run.values[axis];
      if (std::holds_alternative<std::monostate>(value)) continue;
      if (first == nullptr) first = &value;
      varies = varies || value != *first;
    }
    if (varies) places.push_back(axis);
  }
  return places;
}

}  // namespace millrace
