// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/runs/run_list_page.h"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/common/run_text.h"
#include "app/cli/run/report.h"
#include "app/cli/runs/run_table.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_text.h"
#include "core/events/json/json_text.h"
#include "core/metrics/metric_spec.h"
#include "core/metrics/metric_text.h"

namespace millrace::cli {

namespace {

/// "1 234 +-20".
std::string rateOf(const RunSummary& run) {
  if (!run.samplesPerSecond) return "-";
  const MetricSpec& metric = *findMetric("samples_per_second");
  if (!run.ci95Low || !run.ci95High) return metricNumber(metric, *run.samplesPerSecond);
  return metricInterval(metric, *run.samplesPerSecond, *run.ci95Low, *run.ci95High);
}

std::string labelOf(const RunSummary& run) {
  std::string text = run.name;
  if (text.empty()) text = std::filesystem::path(run.pipelineName).filename().string();
  // The runs of a search differ in their settings only.
  if (run.trial)
    text = fmt::format("{} ({}{})", trialText(run), run.name.empty() ? "" : run.name + ", ",
                       run.experiment);
  for (const std::string& tag : run.tags) text += " #" + tag;
  if (run.baseline) text += " (baseline)";
  return singleLine(text);
}

bool isFlag(const QueryField& field) {
  return field.type == FieldType::Flag ||
         (field.setting.flag && !field.setting.number && !field.setting.text);
}

bool isNumber(const QueryField& field) {
  return field.type == FieldType::Number || field.setting.number;
}

std::string numberText(const QueryField& field, double value) {
  if (field.unit == "B" || field.unit == "bytes") return humanBytes(value);
  if (field.unit == "B/s") return humanBytes(value) + "/s";
  if (field.unit == "s" || field.unit == "seconds") return humanSeconds(value);
  if (field.unit == "ms") return humanSeconds(value / 1e3);
  if (field.unit == "share") return fmt::format("{:.1f} %", 100 * value);
  return field.type == FieldType::Setting ? fmt::format("{}", value) : rounded(value);
}

WallTime timeOf(std::int64_t milliseconds) {
  return WallTime(std::chrono::milliseconds(milliseconds));
}

/// The display text; "-" if there is no value.
std::string cellText(const QueryField& field, const SqlValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    constexpr std::size_t kToTheMinute = 16;
    if (field.type == FieldType::Time) return localTime(timeOf(*integer)).substr(0, kToTheMinute);
    if (isFlag(field)) return *integer != 0 ? "yes" : "no";
    if (field.unit.empty() || !isNumber(field)) return std::to_string(*integer);
    return numberText(field, static_cast<double>(*integer));
  }
  if (const auto* real = std::get_if<double>(&value)) return numberText(field, *real);
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr || text->empty() ? "-" : singleLine(*text);
}

/// The value for programs.
Json cellJson(const QueryField& field, const SqlValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    if (field.type == FieldType::Time) return isoTime(timeOf(*integer));
    return isFlag(field) ? Json(*integer != 0) : Json(*integer);
  }
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* text = std::get_if<std::string>(&value)) return validUtf8(*text);
  return {};
}

std::string csvCellOf(const QueryField& field, const SqlValue& value) {
  const Json json = cellJson(field, value);
  if (json.is_null()) return {};
  return json.is_string() ? json.get<std::string>() : json.dump();
}

template <class CellText>
TextTable tableOf(const std::vector<RunSummary>& runs, const std::vector<QueryField>& columns,
                  const CellText& cellText) {
  TextTable table;
  for (const QueryField& field : columns) {
    table.heads.push_back(visibleText(field.name));
    table.numbers.push_back(isNumber(field) || field.type == FieldType::Time);
  }
  for (const RunSummary& run : runs) {
    table.rows.emplace_back();
    for (std::size_t c = 0; c < columns.size(); ++c)
      table.rows.back().push_back(cellText(columns[c], run.cells[c]));
  }
  return table;
}

TextTable usualTable(const std::vector<RunSummary>& runs) {
  constexpr std::size_t kToTheMinute = 16;
  TextTable table;
  table.heads = {"run", "started", "state", "samples/s", "what"};
  table.numbers = {true, true, true, false, false};
  for (const RunSummary& run : runs)
    table.rows.push_back({numberOf(run), localTime(run.started).substr(0, kToTheMinute),
                          std::string(nameOf(run.state)), rateOf(run), labelOf(run)});
  return table;
}

}  // namespace

std::string runListText(const std::vector<RunSummary>& runs,
                        const std::vector<QueryField>& columns) {
  return tableText(columns.empty() ? usualTable(runs) : tableOf(runs, columns, cellText));
}

std::string runListJson(const std::vector<RunSummary>& runs,
                        const std::vector<QueryField>& columns) {
  Json all = Json::array();
  for (const RunSummary& run : runs) {
    Json json = summaryJson(run);
    for (std::size_t c = 0; c < columns.size(); ++c)
      json["columns"][validUtf8(columns[c].name)] = cellJson(columns[c], run.cells[c]);
    all.push_back(std::move(json));
  }
  return prettyJson(all);
}

std::string runListCsv(const std::vector<RunSummary>& runs,
                       const std::vector<QueryField>& columns) {
  return csvText(tableOf(runs, columns, csvCellOf));
}

std::string csvColumns() {
  return "number,uid,started,finished,state,experiment,name,pipeline,tag,baseline,repeats,"
         "failed_samples,samples_per_second,samples_per_second.ci95_low,"
         "samples_per_second.ci95_high";
}

}  // namespace millrace::cli
