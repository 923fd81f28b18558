// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A script that runs the engine itself through the Python package of app/python, with the same
// batches and speed as measured. It contains the pipeline's document, so node kinds need no code
// for this target.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/export/python_file.h"
#include "core/graph/graph_edit.h"
#include "core/graph/graph_json.h"
#include "core/graph/json_text.h"
#include "core/spec/python_literal.h"

namespace millrace {

namespace {

using Json = nlohmann::json;

std::string plainLiteral(const Json& value) {
  if (value.is_string()) return pythonText(value.get<std::string>());
  if (value.is_boolean()) return pythonBool(value.get<bool>());
  if (value.is_number_float()) return pythonReal(value.get<double>());
  return value.is_null() ? "None" : value.dump();
}

std::string literal(const Json& value, std::size_t indent, bool whole);

/// `"key": value` for each member, or `value` for each element.
std::vector<std::string> items(const Json& value, std::size_t indent, bool whole) {
  std::vector<std::string> all;
  for (const auto& [key, item] : value.items())
    all.push_back((value.is_object() ? pythonText(key) + ": " : "") + literal(item, indent, whole));
  return all;
}

/// On one line if that fits or is requested, otherwise one item per line.
std::string literal(const Json& value, std::size_t indent, bool oneLine) {
  if (!value.is_structured()) return plainLiteral(value);
  const char* brackets = value.is_object() ? "{}" : "[]";
  std::string line(1, brackets[0]);
  for (const std::string& item : items(value, indent, true))
    line += (line.size() > 1 ? ", " : "") + item;
  line += brackets[1];
  constexpr std::size_t kKeyAndComma = 20;
  if (oneLine || indent + line.size() + kKeyAndComma <= kPythonWidth) return line;
  std::string lines(1, brackets[0]);
  for (const std::string& item : items(value, indent + 4, false))
    lines += "\n" + std::string(indent + 4, ' ') + item + ",";
  return lines + "\n" + std::string(indent, ' ') + brackets[1];
}

/// The document with absolute paths and without the parts that only the workbench uses.
Json documentOf(const ExportSubject& subject) {
  Graph graph = withAbsolutePaths(*subject.graph, *subject.catalog, subject.pipeline->base);
  for (GraphNode& node : graph.nodes) node.ui = {};
  const Result<Json> read = readJson(graphText(graph, *subject.catalog), kMaxGraphDepth);
  MILLRACE_CHECK(read.ok(), "a document that was just written is readable");
  Json json = *read;
  json.erase("groups");
  json.erase("comments");
  return json;
}

}  // namespace

namespace targets {

Exporter python() {
  Exporter exporter;
  exporter.name = "python";
  exporter.label = "Millrace in Python";
  exporter.about = "the package millrace: the same batches, at the measured speed";
  exporter.extension = ".py";
  exporter.translates = false;
  exporter.write = [](const ExportSubject& subject) -> Result<Exported> {
    PythonFile file("python", "Measured with `millrace run`:");
    file.import("from __future__ import annotations");
    file.option({"RANK", "0", "number of this process among those that share the data"});
    file.option({"WORLD_SIZE", "1", "1: as in the pipeline"});
    file.option({"NO_RANDOM", pythonBool(subject.pipeline->noRandom),
                 "True: the centre of every random range, to compare pixels"});
    const std::string document = literal(documentOf(subject), 0, false);
    if (document.find("os.fsdecode(") != std::string::npos) file.import("import os");
    file.define("PIPELINE = " + document);
    file.defineSnippet("engine_loader");
    file.defineSnippet("engine_main");
    return file.finish(subject, "Millrace's engine",
                       "Needs the Python package millrace of this version.");
  };
  return exporter;
}

}  // namespace targets

}  // namespace millrace
