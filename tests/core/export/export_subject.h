// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/export/exporter.h"
#include "core/graph/graph_check.h"
#include "core/graph/graph_edit.h"
#include "core/graph/graph_json.h"
#include "core/nodes/builtin.h"
#include "tests/support/temporary_folder.h"

namespace millrace::tests {

inline const std::filesystem::path kGolden =
    std::filesystem::path(MILLRACE_SOURCE_DIR) / "tests/core/export/golden";

/// A pipeline with everything that an exporter wants of it.
struct Subject {
  Graph graph;
  std::optional<CheckedPipeline> pipeline;
  std::string problems;
  ExportSubject subject;
};

struct Setup {
  std::string name = "pipeline";
  TextList data;
  TextList settings;
  bool noRandom = false;
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

/// What is wrong where the pipeline is not written as its golden file; with MILLRACE_REGENERATE=1
/// writes that instead.
inline std::string goldenProblem(const Exporter& exporter, const std::string& json,
                                 const Setup& setup) {
  const auto subject = subjectOf(json, setup);
  if (!subject->pipeline) return subject->problems;
  const Result<Exported> exported = exporter.write(subject->subject);
  if (!exported) return exported.error().message;
  const std::filesystem::path file =
      kGolden / exporter.name /
      (setup.name + (setup.noRandom ? ".no-random" : "") + exporter.extension);
  if (std::getenv("MILLRACE_REGENERATE") != nullptr) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << exported->text;
  }
  if (contentOf(file) == exported->text) return {};
  return file.string() +
         " is stale; look at it, then set MILLRACE_REGENERATE=1 and run this test again";
}

}  // namespace millrace::tests
