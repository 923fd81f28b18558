// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/compare/kept.h"

#include <algorithm>

#include "core/analysis/statistics.h"
#include "core/graph/edit/graph_edit.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"

namespace millrace::tests {

namespace {

constexpr const char* kPipeline = R"({"format_version": 1, "seed": 3, "nodes": [
  {"id": "synthetic", "kind": "synthetic"}, {"id": "workers", "kind": "workers"},
  {"id": "batch", "kind": "batch"}, {"id": "prefetch", "kind": "prefetch"},
  {"id": "drain", "kind": "drain"}],
 "wires": [{"from": "synthetic", "to": "workers"}, {"from": "workers", "to": "batch"},
  {"from": "batch", "to": "prefetch"}, {"from": "prefetch", "to": "drain"}]})";

struct ToSetting {
  SettingValue operator()(bool value) const { return value; }
  SettingValue operator()(std::int64_t value) const { return value; }
  SettingValue operator()(double value) const { return value; }
  SettingValue operator()(const std::string& value) const { return value; }
  SettingValue operator()(const RealList&) const { return "[]"; }
  SettingValue operator()(const TextList& list) const {
    std::string json;
    for (const std::string& text : list) json += (json.empty() ? "\"" : ",\"") + text + "\"";
    return "[" + json + "]";
  }
};

RepeatRecord repeatOf(std::int64_t index, double rate) {
  RepeatRecord repeat;
  repeat.id = RepeatId{index};
  repeat.index = index;
  repeat.finished = true;
  repeat.figures = {{"samples_per_second", rate},
                    {"cpu_seconds_per_1000_samples", 2.0},
                    {"other_busy_share", 0.01}};
  for (int second = 0; second < 5; ++second)
    repeat.windows.push_back({second + 0.5, 1, static_cast<std::int64_t>(rate), 10});
  repeat.nodes = {{"synthetic", "synthetic", 1000, {}, {}, 2.0, 1.9, 2.0, {}},
                  {"drain", "drain", 10, {}, {}, 0.001, {}, 0.1, {}}};
  repeat.queues = {{"prefetch", "batch", "drain", "batches", 4, 1.0, 0.5, 0.1}};
  return repeat;
}

}  // namespace

KeptRun keptRun(std::int64_t number, const std::vector<double>& rates) {
  KeptRun run;
  RunSummary& summary = run.details.summary;
  summary.number = RunNumber{number};
  summary.uid = "uid-" + std::to_string(number);
  summary.experiment = "default";
  summary.pipelineName = "small.millrace.json";
  summary.pipelineDigest = "digest";
  summary.state = RunState::Finished;
  summary.started = WallTime(std::chrono::hours(number));
  summary.finished = summary.started + std::chrono::minutes(1);
  summary.repeats = static_cast<std::int64_t>(rates.size());
  summary.samplesPerSecond = mean(rates);
  run.details.engineVersion = "0.1.0";
  for (const double rate : rates)
    run.details.repeats.push_back(
        repeatOf(static_cast<std::int64_t>(run.details.repeats.size()), rate));
  run.details.figures = {{"samples_per_second", summary.samplesPerSecond}, {"peak_rss_bytes", 2e8}};
  run.details.environment = {{"cpu_model", "A CPU"},   {"cores_usable", "8"},
                             {"memory_bytes", "16e9"}, {"kernel", "6.1"},
                             {"data_samples", "1000"}, {"data_fingerprint", "1f0c-1000-5000000"},
                             {"page_cache", "warm"},   {"draws", "random"},
                             {"fusing", "on"},         {"measured_span", "5 s"}};
  setPipeline(run, kPipeline);
  return run;
}

void setFact(KeptRun& run, std::string_view key, std::string_view value) {
  std::erase_if(run.details.environment, [&](const KeyValue& fact) { return fact.first == key; });
  if (!value.empty()) run.details.environment.emplace_back(key, value);
}

void setPipeline(KeptRun& run, const std::string& json) {
  run.pipelineJson = json;
  run.details.settings.clear();
  const ReadGraph read = parseGraph(json, builtinCatalog());
  if (!read.graph) return;
  for (const GraphNode& node : read.graph->nodes) {
    const NodeSpec* spec = builtinCatalog().find(node.kind);
    if (spec == nullptr || node.state == NodeState::Bypass) continue;
    Values values = spec->defaults();
    for (const auto& [name, value] : node.params)
      if (const auto* typed = std::get_if<Value>(&value)) values[name] = *typed;
    for (const auto& [name, value] : values)
      run.details.settings.push_back({node.id, name, std::visit(ToSetting{}, value)});
  }
}

void setSetting(KeptRun& run, const std::string& setting) {
  const ReadGraph read = parseGraph(run.pipelineJson, builtinCatalog());
  const Graph graph = applySetting(*read.graph, builtinCatalog(), setting).take();
  setPipeline(run, graphText(graph, builtinCatalog()));
}

const SettingRow* settingOf(const Comparison& comparison, std::string_view name) {
  const auto found = std::ranges::find_if(
      comparison.settings, [&](const SettingRow& row) { return row.name() == name; });
  return found == comparison.settings.end() ? nullptr : &*found;
}

const FigureRow* figureOf(const Comparison& comparison, std::string_view id, std::string_view of) {
  const auto found = std::ranges::find_if(
      comparison.figures, [&](const FigureRow& row) { return row.spec->id == id && row.of == of; });
  return found == comparison.figures.end() ? nullptr : &*found;
}

}  // namespace millrace::tests
