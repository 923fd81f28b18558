// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A script that runs the engine itself through the Python package of app/python, with the same
// batches and speed as measured. It contains the pipeline's document, so node kinds need no code
// for this target.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/export/python_file.h"
#include "core/graph/edit/graph_edit.h"
#include "core/graph/json/graph_json.h"
#include "core/graph/json/json_text.h"
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

/// The text of the document with absolute paths.
std::string documentText(const ExportSubject& subject) {
  Graph graph = withAbsolutePaths(*subject.graph, *subject.catalog, subject.pipeline->base);
  for (GraphNode& node : graph.nodes) node.ui = {};
  return graphText(graph, *subject.catalog);
}

/// The document without the parts that only the workbench uses.
Json documentOf(const ExportSubject& subject) {
  const Result<Json> read = readJson(documentText(subject), kMaxGraphDepth);
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
    if (subject.beside.empty()) {
      const std::string document = literal(documentOf(subject), 0, false);
      if (document.find("os.fsdecode(") != std::string::npos) file.import("import os");
      file.define("PIPELINE = " + document);
    } else {
      file.import("from pathlib import Path");
      if (pythonTextNeedsOs(subject.beside)) file.import("import os");
      file.option({"PIPELINE",
                   fmt::format("Path(__file__).with_name({})", pythonText(subject.beside)), ""});
    }
    file.defineSnippet(subject.pipeline->noRandom ? "engine_loader_centred" : "engine_loader");
    file.defineSnippet("engine_main");
    Exported exported = file.finish(
        subject, "Millrace's engine",
        subject.beside.empty()
            ? std::string("Needs the Python package millrace of this version.")
            : fmt::format("Needs the Python package millrace of this version, and {} next to it.",
                          subject.beside));
    if (!subject.beside.empty()) exported.document = documentText(subject);
    return exported;
  };
  return exporter;
}

}  // namespace targets

}  // namespace millrace
