// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_pages.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/recorded_run.h"
#include "app/cli/report.h"
#include "app/cli/run_words.h"
#include "app/cli/text_layout.h"
#include "core/base/text.h"
#include "core/events/event_json.h"
#include "core/graph/graph_json.h"
#include "core/metrics/metric_spec.h"
#include "core/nodes/builtin.h"

namespace millrace::cli {

namespace {

using Json = nlohmann::json;

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
  return prettyJson(json);
}

}  // namespace millrace::cli
