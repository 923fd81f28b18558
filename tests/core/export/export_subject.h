// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/export/exporter.h"
#include "core/graph/edit/graph_edit.h"
#include "core/graph/graph_check.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"

namespace millrace::tests {

/// A pipeline with everything that an exporter reads.
struct Subject {
  Graph graph;
  std::optional<CheckedPipeline> pipeline;
  std::string problems;
  ExportSubject subject;
};

struct Setup {
  std::string name = "pipeline";
  TextList data = {};
  TextList settings = {};
  bool noRandom = false;
  bool withTraining = false;
};

inline std::unique_ptr<Subject> subjectOf(const std::string& json, const Setup& setup,
                                          const Catalog& catalog = builtinCatalog()) {
  auto made = std::make_unique<Subject>();
  const ReadGraph read = parseGraph(json, catalog);
  for (const Problem& problem : read.problems.all()) made->problems += problem.text() + "\n";
  if (!read.graph) return made;
  made->graph = *applyData(*read.graph, catalog, setup.data);
  for (const std::string& setting : setup.settings) {
    const Result<Graph> changed = applySetting(made->graph, catalog, setting);
    if (!changed) made->problems += changed.error().message + "\n";
    if (changed) made->graph = *changed;
  }
  CheckOptions options;
  options.base = "/pipelines";
  options.noRandom = setup.noRandom;
  CheckResult checked = checkGraph(made->graph, catalog, options);
  for (const Problem& problem : checked.problems.all()) made->problems += problem.text() + "\n";
  made->pipeline = std::move(checked.pipeline);
  made->subject.graph = &made->graph;
  made->subject.catalog = &catalog;
  made->subject.pipeline = made->pipeline ? &*made->pipeline : nullptr;
  made->subject.name = setup.name;
  made->subject.version = "0.0";
  made->subject.withTraining = setup.withTraining;
  return made;
}

/// A chain of nodes given as JSON, between a source and a consumer that fit.
inline std::string chainJson(const std::vector<std::string>& nodes) {
  std::string json = R"({"format_version": 1, "seed": 7, "nodes": [)";
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::string node = nodes[i];
    node.replace(0, 1, "{\"id\": \"n" + std::to_string(i) + "\", ");
    json += (i > 0 ? ", " : "") + node;
  }
  json += "], \"wires\": [";
  for (std::size_t i = 1; i < nodes.size(); ++i)
    json += (i > 1 ? ", " : "") + std::string("{\"from\": \"n") + std::to_string(i - 1) +
            "\", \"to\": \"n" + std::to_string(i) + "\"}";
  return json + "]}";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Whether the target has code for all of an example, or all that it can do. Boxes have code in
/// PyTorch's target and those built on it.
inline bool isTranslated(std::string_view example, std::string_view target) {
  return example != "detection" || target == "pytorch";
}

/// Whether the target can do the nodes that unpack records; others refuse such pipelines.
inline bool unpacksRecords(std::string_view target) {
  return !target.starts_with("dali") && target != "grain";
}

/// What `--data` names for an example.
inline TextList exampleData(std::string_view name) {
  if (name == "classification" || name == "cats-vs-dogs") return {"/data/photos"};
  if (name == "chess") return {"/data/records"};
  if (name == "detection") return {"/data/annotations.json"};
  return {"/data/inputs", "/data/targets"};
}

}  // namespace millrace::tests
