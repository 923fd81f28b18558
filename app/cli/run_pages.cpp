// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_pages.h"

#include <algorithm>
#include <ctime>
#include <filesystem>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/recorded_run.h"
#include "app/cli/report.h"
#include "app/cli/text_layout.h"
#include "core/base/text.h"
#include "core/events/event_json.h"
#include "core/graph/graph_json.h"
#include "core/metrics/metric_spec.h"
#include "core/nodes/builtin.h"

namespace millrace::cli {

namespace {

using Json = nlohmann::json;

std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Local time to the second; the list cuts the seconds off.
std::string localTime(WallTime time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm local{};
  localtime_r(&seconds, &local);
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", local);
}

std::string isoTime(WallTime time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}Z", utc);
}

std::string numberOf(const RunSummary& run) {
  return std::to_string(static_cast<std::int64_t>(run.number));
}

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

Json summaryJson(const RunSummary& run) {
  const auto orNull = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json();
  };
  return {{"run_id", numberOf(run)},
          {"uid", run.uid},
          {"started", isoTime(run.started)},
          {"finished", run.finished ? Json(isoTime(*run.finished)) : Json()},
          {"state", nameOf(run.state)},
          {"reason", run.reason.empty() ? Json() : Json(run.reason)},
          {"experiment", run.experiment},
          {"name", run.name.empty() ? Json() : Json(run.name)},
          {"pipeline", run.pipelineName},
          {"tags", run.tags},
          {"baseline", run.baseline},
          {"failed_samples", run.failedSamples},
          {"samples_per_second",
           {{"mean", orNull(run.samplesPerSecond)},
            {"ci95_low", orNull(run.ci95Low)},
            {"ci95_high", orNull(run.ci95High)}}}};
}

std::string row(const std::string& name, const std::string& value) {
  const std::size_t width = std::max<std::size_t>(28, columnsOf(name));
  return fmt::format("  {}  {}", fitted(name, width), wrapped(validUtf8(value), 32, width + 4));
}

std::string headLines(const RunDetails& details) {
  const RunSummary& run = details.summary;
  std::string text = fmt::format("run {}: {}, {}\n", numberOf(run), validUtf8(run.pipelineName),
                                 nameOf(run.state));
  if (!run.reason.empty()) text += row("because", run.reason);
  if (!run.name.empty()) text += row("name", run.name);
  text += row("started", localTime(run.started));
  if (run.finished)
    text += row("took",
                humanSeconds(std::chrono::duration<double>(*run.finished - run.started).count()));
  text += row("experiment", run.experiment);
  if (!run.tags.empty()) text += row("tags", joinWords(run.tags));
  if (!details.notes.empty()) text += row("notes", details.notes);
  return text;
}

std::string withUnit(const MetricSpec& spec, double value) {
  if (spec.unit == "B") return humanBytes(value);
  if (spec.unit == "B/s") return humanBytes(value) + "/s";
  if (spec.unit == "s") return humanSeconds(value);
  if (spec.unit == "ms") return humanSeconds(value / 1e3);
  if (spec.unit == "share") return fmt::format("{:.1f} %", 100 * value);
  return rounded(value) + (spec.unit.empty() ? "" : " ") + std::string(spec.unit);
}

/// The figures that have a description, in its words and order.
std::string figureLines(const std::vector<FigureRecord>& figures) {
  std::string text;
  for (const MetricSpec& spec : metricSpecs())
    for (const FigureRecord& figure : figures)
      if (figure.metric == spec.id && figure.value)
        text += row(std::string(spec.name), withUnit(spec, *figure.value));
  return text.empty() ? text : "\n" + text;
}

std::string settingLines(const std::string& pipeline) {
  const ReadGraph read = parseGraph(pipeline, builtinCatalog());
  if (!read.graph) return {};
  std::string text;
  for (const ShownSetting& setting : tellingSettings(*read.graph))
    text += row(setting.name, setting.value);
  return text.empty() ? text
                      : "\n  settings that are often varied, or not at their default\n" + text;
}

std::string environmentLines(const RunDetails& details) {
  std::string text;
  for (const auto& [key, value] : details.environment) text += row(key, value);
  return text.empty() ? text : "\n  environment\n" + text;
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
  Json all = Json::array();
  for (const RunSummary& run : runs) all.push_back(summaryJson(run));
  return dump(all);
}

std::string runText(const RunDetails& details, const std::string& pipeline) {
  const RunResult result = recordedResult(details);
  return headLines(details) + "\n" + rateLine(result.figures) + figureLines(details.figures) +
         nodeLines(result.figures) + queueLines(result.figures) + failureLines(result) +
         settingLines(pipeline) + environmentLines(details);
}

std::string runJson(const RunDetails& details, const std::string& pipeline) {
  const RunIdentity identity{numberOf(details.summary), details.summary.pipelineName};
  Json json = Json::parse(resultJson(recordedResult(details), identity, false));
  const Json summary = summaryJson(details.summary);
  for (const auto& [key, value] : summary.items())
    if (!json.contains(key)) json[key] = value;
  json["notes"] = details.notes.empty() ? Json() : Json(details.notes);
  json["engine_version"] = details.engineVersion;
  Json settings = Json::object();
  for (const SettingRecord& setting : details.settings)
    settings[setting.node + "." + setting.param] =
        std::visit([](const auto& value) { return Json(value); }, setting.value);
  json["settings"] = settings;
  json["document"] = Json::parse(pipeline, nullptr, false);
  return dump(json);
}

}  // namespace millrace::cli
