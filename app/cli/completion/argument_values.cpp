// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/completion/argument_values.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/cli/inspect/report_list.h"
#include "app/cli/runs/runs.h"
#include "core/base/text/text.h"
#include "core/export/exporter.h"
#include "core/formats/format.h"
#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "core/open/pipeline_request.h"
#include "core/sample_data/sample_data.h"
#include "core/store/run_store.h"
#include "core/tune/tuner/tune_goal.h"

namespace millrace::cli {

namespace {

using Words = std::vector<std::string>;

/// The nodes of the pipelines on the line, as far as these can be read.
std::vector<GraphNode> nodesOf(const CompletionLine& line) {
  std::vector<GraphNode> nodes;
  for (const std::string& name : line.positionals) {
    if (name == "-") continue;
    PipelineRequest request;
    request.pipeline = name;
    Problems ignored;
    if (const auto loaded = loadRequest(request, ignored))
      nodes.insert(nodes.end(), loaded->graph.nodes.begin(), loaded->graph.nodes.end());
  }
  return nodes;
}

Words idsOf(const CompletionLine& line, const char* end = "") {
  std::set<std::string> ids;
  for (const GraphNode& node : nodesOf(line)) ids.insert(node.id + end);
  return {ids.begin(), ids.end()};
}

Words valuesOfParam(const ParamSpec& param, bool all) {
  Words values = param.choices;
  if (param.type == ParamType::Boolean) values = {"true", "false"};
  if (all && !values.empty()) values.emplace_back("*");
  return values;
}

/// `NODE.`, then `NODE.PARAM=`, then values. `all`: `*` stands for all values.
Words settings(const CompletionLine& line, const std::string& begun, bool all) {
  const std::string side =
      begun.starts_with("A:") || begun.starts_with("B:") ? begun.substr(0, 2) : std::string();
  const std::size_t dot = begun.find('.', side.size());
  const std::string id = begun.substr(side.size(), dot - side.size());
  Words words;
  std::set<std::string> known;
  for (const GraphNode& node : nodesOf(line)) {
    const NodeSpec* spec = builtinCatalog().find(node.kind);
    if (spec == nullptr || spec->params.empty() || !known.insert(node.id).second) continue;
    if (dot == std::string::npos) words.push_back(fmt::format("{}{}.", side, node.id));
    if (dot == std::string::npos || node.id != id) continue;
    const std::size_t equals = begun.find('=', dot);
    for (const ParamSpec& param : spec->params) {
      const std::string head = fmt::format("{}{}.{}=", side, node.id, param.name);
      if (equals == std::string::npos) words.push_back(head);
      if (equals == std::string::npos || !begun.starts_with(head)) continue;
      for (const std::string& value : valuesOfParam(param, all)) words.push_back(head + value);
    }
  }
  return words;
}

Words kindsAfter(const std::string& begun, const char* end) {
  const std::size_t equals = begun.find('=');
  const std::string head = equals == std::string::npos ? "" : begun.substr(0, equals + 1);
  Words words;
  for (const std::string& kind : builtinCatalog().kinds()) words.push_back(head + kind + end);
  return words;
}

/// `KIND:`, then the node that it follows.
Words insertions(const CompletionLine& line, const std::string& begun) {
  const std::size_t colon = begun.find(':');
  if (colon == std::string::npos) return kindsAfter(begun, ":");
  Words words;
  for (const std::string& id : idsOf(line)) words.push_back(begun.substr(0, colon + 1) + id);
  return words;
}

Words replacements(const CompletionLine& line, const std::string& begun) {
  return begun.find('=') == std::string::npos ? idsOf(line, "=") : kindsAfter(begun, "");
}

/// The newest runs of the store on the line; their numbers, or their experiments.
Words keptRuns(const CompletionLine& line, bool experiments) {
  std::string flag;
  for (const auto& [option, value] : line.values)
    if (option == "--store") flag = value;
  std::error_code error;
  Words words;
  if (!experiments) words.emplace_back("last");
  if (!std::filesystem::exists(storeFile(flag), error)) return words;
  Database::Options reading;
  reading.mode = Database::Mode::Read;
  auto store = RunStore::open(storeFile(flag), reading);
  if (!store) return words;
  const auto runs = store->list({});
  if (!runs) return words;
  for (const RunSummary& run : *runs) {
    std::string word =
        experiments ? run.experiment : std::to_string(static_cast<std::int64_t>(run.number));
    if (!word.empty() && std::ranges::count(words, word) == 0) words.push_back(std::move(word));
  }
  return words;
}

Words formatsOrTargets(const CompletionLine& line) {
  Words words;
  if (line.command == "export")
    for (const Exporter& exporter : exporters()) words.push_back(exporter.name);
  if (line.command == "convert")
    for (const Format& format : allFormats())
      if (format.openWriter != nullptr) words.emplace_back(format.name);
  return words;
}

Words exampleNames() {
  Words words;
  for (const Example& example : examples()) words.emplace_back(example.name);
  return words;
}

Words goals() {
  Words words;
  for (const TuneGoal goal :
       {TuneGoal::Throughput, TuneGoal::Cost, TuneGoal::Latency, TuneGoal::EpochTime})
    words.emplace_back(nameOf(goal));
  return words;
}

Words sampleKindNames() {
  Words words;
  for (const SampleKind& kind : sampleKinds()) words.emplace_back(kind.name);
  return words;
}

/// The values of a check oneOf(), which CLI11 appends to the type: "STATE:{warm,cold}".
Words members(const CLI::Option& argument) {
  const std::string type = argument.get_type_name();
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}', open);
  if (open == std::string::npos || close == std::string::npos) return {};
  return split(type.substr(open + 1, close - open - 1), ',');
}

/// What `inspect --all --list` takes.
Words findings() {
  Words words = {"all", "clean"};
  for (std::size_t f = 0; f < kFindings; ++f) words.emplace_back(nameOf(static_cast<Finding>(f)));
  return words;
}

Words positionals(const std::string& name, const CompletionLine& line) {
  const bool runs = line.command.starts_with("runs ");
  if (name == "kind" && line.command == "nodes") return builtinCatalog().kinds();
  if (runs && (name == "run" || name == "runs" || name == "RUN")) return keptRuns(line, false);
  if (name == "pipeline") return exampleNames();
  if (name != "A" && name != "B") return {};
  Words words = exampleNames();
  for (std::string& run : keptRuns(line, false)) words.push_back(std::move(run));
  return words;
}

}  // namespace

std::vector<std::string> valuesOf(const CLI::Option& argument, const CompletionLine& line,
                                  const std::string& begun) {
  const std::string name = argument.get_name();
  if (Words known = members(argument); !known.empty()) return known;
  if (argument.get_positional()) return positionals(name, line);
  if (name == "--set" || name == "--vary") return settings(line, begun, name == "--vary");
  if (name == "--on" || name == "--off" || name == "--remove" || name == "--node")
    return idsOf(line);
  if (name == "--insert") return insertions(line, begun);
  if (name == "--replace") return replacements(line, begun);
  if (name == "--to") return formatsOrTargets(line);
  if (name == "--for") return goals();
  if (name == "--allow") return {"order", "batching", "values"};
  if (name == "--plan") return {"full", "random:", "latin:"};
  if (name == "--list") return findings();
  if (name == "--kind") return sampleKindNames();
  if (name == "--run") return keptRuns(line, false);
  if (name == "--experiment" || name == "--replay" || name == "--resume" || name == "--clear")
    return keptRuns(line, true);
  return {};
}

}  // namespace millrace::cli
