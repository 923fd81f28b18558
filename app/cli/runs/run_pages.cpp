// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/runs/run_pages.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/common/prediction_text.h"
#include "app/cli/common/run_text.h"
#include "app/cli/common/side_by_side.h"
#include "app/cli/common/text_layout.h"
#include "app/cli/run/report.h"
#include "app/cli/run/slowest_page.h"
#include "core/base/text/parsed_json.h"
#include "core/base/text/text.h"
#include "core/events/json/json_text.h"
#include "core/events/stream/event_json.h"
#include "core/graph/json/graph_json.h"
#include "core/jobs/run/recorded_run.h"
#include "core/measure/store_figures.h"
#include "core/metrics/metric_text.h"
#include "core/nodes/builtin.h"
#include "core/store/run_origin.h"

namespace millrace::cli {

namespace {

std::string row(const std::string& name, const std::string& value) {
  const std::size_t width = std::max<std::size_t>(28, columnsOf(name));
  return fmt::format("  {}  {}", fitted(name, width), wrapped(singleLine(value), 32, width + 4));
}

std::string headLines(const RunDetails& details) {
  const RunSummary& run = details.summary;
  // The workbench gives the engine a document without a file as one in the current folder.
  std::string_view name = run.pipelineName;
  if (name.starts_with("./")) name.remove_prefix(2);
  std::string text =
      fmt::format("run {}: {}, {}\n", numberOf(run), singleLine(name), nameOf(run.state));
  if (!run.reason.empty()) text += row("because", run.reason);
  if (!run.name.empty()) text += row("name", run.name);
  text += row("started", localTime(run.started));
  if (run.finished)
    text += row(
        "took",
        humanSeconds(std::chrono::duration<double>(*run.finished - run.started).count()) +
            (details.inBlocks && run.repeats > 1 ? ", with other runs between its repeats" : ""));
  if (run.trial) text += row("settings tried", trialText(run));
  text += row("experiment", run.experiment + (run.baseline ? " (this run is its baseline)" : ""));
  if (!run.tags.empty()) text += row("tags", joinWords(run.tags));
  const char* label = "notes";
  for (const std::string& line : split(details.notes, '\n')) {
    if (line.empty()) continue;
    text += row(label, line);
    label = "";
  }
  if (factOf(details, kOriginFact) == kTrainingOrigin)
    text += row("batches went to", "a training program; its step is the time between two batches");
  if (factOf(details, kOriginFact) == kLoaderOrigin)
    text += row("batches came from", "the user's own loader, not from a pipeline");
  if (factOf(details, kOriginFact) == kExportOrigin)
    text += row("batches came from", "a file that millrace export wrote, not from the engine");
  text += row("engine", details.engineVersion);
  text += row("id", run.uid);
  return text;
}

/// The other runs measured together with it, in the comparison's order.
std::vector<std::string> partnersOf(const KeptRun& run) {
  std::vector<std::string> partners;
  for (const RunNumber number : run.together->runs)
    if (number != run.details.summary.number)
      partners.push_back(std::to_string(static_cast<std::int64_t>(number)));
  return partners;
}

std::string togetherLine(const KeptRun& run) {
  if (!run.together) return {};
  const std::vector<std::string> partners = partnersOf(run);
  if (partners.empty()) return row("measured together with", "a run that no longer exists");
  std::string command = "millrace runs compare";
  for (const RunNumber number : run.together->runs)
    command += fmt::format(" {}", static_cast<std::int64_t>(number));
  return row("measured together with", runsText(partners) + ": " + command);
}

/// The figures that have a description, with its names and in its order.
std::string figureLines(const std::vector<FigureRecord>& figures) {
  std::string text;
  for (const MetricSpec& spec : metricSpecs())
    for (const FigureRecord& figure : figures)
      if (figure.metric == spec.id && figure.value)
        text += row(std::string(spec.name), metricText(spec, *figure.value));
  return text.empty() ? text : "\n" + text;
}

std::string cell(const RepeatRecord& repeat, const char* metric) {
  const MetricSpec* spec = findMetric(metric);
  const std::optional<double> value = figureOf(repeat.figures, metric);
  if (!value) return "-";
  return spec == nullptr ? roundedText(*value) : metricNumber(*spec, *value);
}

std::string othersCell(const RepeatRecord& repeat) {
  const std::optional<double> share = figureOf(repeat.figures, "other_busy_share");
  return share ? fmt::format("{:.1f} %", 100 * *share) : "-";
}

std::string repeatLines(const RunDetails& details) {
  if (details.repeats.empty()) return {};
  std::string text =
      fmt::format("\n  {:<8}{:>11}{:>11}{:>11}{:>11}{:>14}{:>10}\n", "repeat", "samples/s",
                  "batches/s", "CPU/1000", "memory", "others' cores", "windows");
  for (const RepeatRecord& repeat : details.repeats)
    text +=
        fmt::format("  {:<8}{:>11}{:>11}{:>11}{:>11}{:>14}{:>10}{}\n", repeat.index + 1,
                    cell(repeat, "samples_per_second"), cell(repeat, "batches_per_second"),
                    cell(repeat, "cpu_seconds_per_1000_samples"), cell(repeat, "peak_rss_bytes"),
                    othersCell(repeat), repeat.windows.size(), repeat.finished ? "" : "  *");
  const bool all = std::ranges::all_of(details.repeats, &RepeatRecord::finished);
  return all ? text : text + "  * unfinished\n";
}

std::string settingText(const SettingRecord& setting) {
  const Value value = std::visit([](const auto& kept) { return Value{kept}; }, setting.value);
  const std::string text = textOf(value);
  return text.empty() ? "\"\"" : text;
}

std::string allSettingLines(const RunDetails& details) {
  std::string text = "\n  settings\n";
  for (const SettingRecord& setting : details.settings)
    text += row(setting.node + "." + setting.param, settingText(setting));
  return text;
}

std::string settingLines(const KeptRun& run, bool all) {
  if (isFileOrigin(factOf(run.details, kOriginFact).value_or(""))) return {};
  if (all) return allSettingLines(run.details);
  const ReadGraph read = parseGraph(run.pipelineJson, builtinCatalog());
  if (!read.graph) return "\n  the pipeline cannot be parsed; --pipeline prints it as kept\n";
  std::string text;
  for (const ShownSetting& setting : tellingSettings(*read.graph))
    text += row(setting.name, setting.value);
  return text.empty() ? text
                      : "\n  settings that are often varied or not at their default "
                        "(--settings: all)\n" +
                            text;
}

std::string predictionLines(const std::vector<PredictionRecord>& predictions) {
  std::string text;
  for (const PredictionRecord& each : predictions) text += row(each.edit, predictionText(each));
  return text.empty() ? text
                      : "\n  predicted and measured effects of changes, in samples/s\n" + text;
}

Json predictionsJson(const std::vector<PredictionRecord>& predictions) {
  Json json = Json::array();
  for (const PredictionRecord& each : predictions)
    json.push_back({{"edit", each.edit},
                    {"metric", each.metric},
                    {"low", orNull(each.low)},
                    {"middle", each.middle},
                    {"high", orNull(each.high)},
                    {"measured", orNull(each.followedValue)}});
  return json;
}

std::string environmentLines(const RunDetails& details) {
  std::string text;
  for (const auto& [key, value] : details.environment) text += row(key, value);
  return text.empty() ? text : "\n  environment\n" + text;
}

}  // namespace

std::string runText(const KeptRun& run, bool allSettings,
                    const std::vector<PredictionRecord>& predictions) {
  const RunDetails& details = run.details;
  const RunResult result = recordedResult(details);
  return headLines(details) + togetherLine(run) + "\n" + rateLine(result) +
         figureLines(details.figures.empty() ? figureRecords(result.figures) : details.figures) +
         repeatLines(details) + notCountedLine(result) + nodeLines(result.figures) +
         queueLines(result.figures) + slowestLines(result.figures) + failureLines(result) +
         settingLines(run, allSettings) + predictionLines(predictions) + environmentLines(details);
}

std::string runJson(const KeptRun& run, const std::vector<PredictionRecord>& predictions) {
  const RunDetails& details = run.details;
  const RunIdentity identity{numberOf(details.summary), details.summary.pipelineName};
  Json json = parsedJson(resultJson(recordedResult(details), identity, false));
  const Json summary = summaryJson(details.summary);
  for (const auto& [key, value] : summary.items())
    if (!json.contains(key)) json[key] = value;
  json["notes"] = orNull(details.notes);
  json["engine_version"] = details.engineVersion;
  Json settings = Json::object();
  for (const SettingRecord& setting : details.settings)
    settings[setting.node + "." + setting.param] =
        std::visit([](const auto& value) { return Json(value); }, setting.value);
  json["settings"] = settings;
  json["document"] = parsedJson(run.pipelineJson);
  json["measured_together_with"] = run.together ? Json(partnersOf(run)) : Json();
  json["predictions"] = predictionsJson(predictions);
  return prettyJson(json);
}

}  // namespace millrace::cli
