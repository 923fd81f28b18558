// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/python_file.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/export/choice_text.h"
#include "core/export/exported_code.h"
#include "core/graph/server_data.h"
#include "core/spec/field_keys.h"
#include "core/spec/python_literal.h"
#include "core/spec/source.h"

namespace millrace {

namespace {

/// Modules of Python's standard library that exported code uses.
constexpr std::array<std::string_view, 29> kStandard = {
    "argparse",    "array",     "bisect",      "collections", "contextlib", "csv",
    "dataclasses", "functools", "gc",          "glob",        "io",         "itertools",
    "json",        "math",      "mmap",        "operator",    "os",         "pathlib",
    "random",      "re",        "struct",      "sys",         "tarfile",    "threading",
    "time",        "typing",    "unicodedata", "warnings",    "zlib"};

/// 0: __future__, 1: standard library, 2: others. A blank line separates the groups (PEP 8).
int groupOf(std::string_view module) {
  if (module == "__future__") return 0;
  const std::string_view top = module.substr(0, module.find('.'));
  return std::find(kStandard.begin(), kStandard.end(), top) != kStandard.end() ? 1 : 2;
}

/// The imports of a group, merged by module: `import x` first, then `from x import a, b`, sorted.
struct ImportGroup {
  std::set<std::string> plain;
  std::map<std::string, std::set<std::string>> from;

  std::string text() const {
    std::string lines;
    for (const std::string& module : plain) lines += "import " + module + "\n";
    for (const auto& [module, names] : from) {
      const std::vector<std::string> all(names.begin(), names.end());
      const std::string line = fmt::format("from {} import {}", module, join(all, ", "));
      if (line.size() <= kPythonWidth)
        lines += line + "\n";
      else
        lines += fmt::format("from {} import (\n    {},\n)\n", module, join(all, ",\n    "));
    }
    return lines;
  }
};

/// Roles whose settings every target reads directly.
bool saysItBySettings(NodeRole role) {
  return role == NodeRole::Batch || role == NodeRole::Workers || role == NodeRole::Prefetch ||
         role == NodeRole::Consumer;
}

}  // namespace

ExportContext exportContext(const ExportSubject& subject, const CheckedNode& node) {
  ExportContext context;
  context.node = node.id;
  context.base = subject.pipeline->base;
  context.in = node.in;
  context.out = node.out;
  context.dataKnown = subject.dataKnown;
  context.noRandom = subject.pipeline->noRandom;
  if (subject.dataKnown && node.spec->role == NodeRole::Source)
    if (const auto* has = dynamic_cast<const HasFieldKeys*>(subject.pipeline->source.get()))
      context.keys = has->fieldKeys();
  return context;
}

ExportText textOf(const ExportSubject& subject, const CheckedNode& node,
                  const NodeExporter& exporter) {
  ExportText text = exporter(node.values, exportContext(subject, node));
  if (node.spec->role == NodeRole::Source && readsFromServer(node))
    text.limit(
        "The data is at a server, and this code reads files on a disk: copy the data, and set the "
        "paths to the copy.");
  return text;
}

namespace {

void append(ExportText& all, ExportText text) {
  const auto move = [](auto& from, auto& to) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  move(text.steps, all.steps);
  move(text.options, all.options);
  move(text.imports, all.imports);
  move(text.snippets, all.snippets);
  move(text.limits, all.limits);
  if (all.missing.empty()) all.missing = std::move(text.missing);
}

/// The views that a node acts on, those with fields of the same form together. Empty: it acts on
/// none, or draws nothing, so that it may change them together.
std::vector<std::vector<std::string>> drawnViews(const CheckedNode& node) {
  std::vector<std::vector<std::string>> alike;
  if (!node.spec->acts || node.out.randomFrom != node.id) return alike;
  std::vector<FieldSpec> forms;
  for (const std::size_t i : node.spec->acts(node.values, node.in)) {
    FieldSpec form = node.in.fields[i];
    if (form.view == 0) return {};
    form.name.clear();
    form.view = 0;
    const auto found = std::ranges::find(forms, form);
    if (found == forms.end()) {
      forms.push_back(form);
      alike.push_back({node.in.fields[i].name});
    } else {
      alike[static_cast<std::size_t>(found - forms.begin())].push_back(node.in.fields[i].name);
    }
  }
  return alike;
}

ExportText textOfNode(const ExportSubject& subject, const CheckedNode& node,
                      const NodeExporter& exporter) {
  const auto views = drawnViews(node);
  if (views.empty()) return textOf(subject, node, exporter);
  ExportText all;
  for (const std::vector<std::string>& names : views) {
    CheckedNode first = node;
    first.values["fields"] = TextList{names.front()};
    ExportText text = textOf(subject, first, exporter);
    for (ExportStep& step : text.steps) {
      step.fields = names;
      step.each = true;
    }
    const auto sameCode = [](const ExportStep& a, const ExportStep& b) { return a.code == b.code; };
    if (std::ranges::equal(all.steps, text.steps, sameCode)) {
      for (ExportStep& step : all.steps)
        step.fields.insert(step.fields.end(), names.begin(), names.end());
      text.steps.clear();
    }
    append(all, std::move(text));
  }
  return all;
}

}  // namespace

std::vector<NodeText> nodeTexts(const ExportSubject& subject, std::string_view target) {
  std::vector<NodeText> texts;
  for (const CheckedNode& node : subject.pipeline->nodes) {
    NodeText text;
    text.node = &node;
    const auto found = node.spec->exporters.find(target);
    if (found != node.spec->exporters.end())
      text.text = textOfNode(subject, node, found->second);
    else if (!saysItBySettings(node.spec->role))
      text.text.missing = fmt::format("nodes of kind {} cannot be translated", node.spec->kind);
    texts.push_back(std::move(text));
  }
  joinChoices(texts, target);
  return texts;
}

Status demandUnpacking(const std::vector<NodeText>& nodes, const std::string& label) {
  for (const NodeText& node : nodes) {
    const CheckedNode& checked = *node.node;
    const bool unpacks =
        checked.spec->category == Category::Decode && checked.spec->role == NodeRole::Sample;
    if (node.text.missing.empty() || !unpacks) continue;
    return Error{fmt::format(
        "{}: {} has no operation that does what the kind {} does, and without it there are no "
        "samples: export to `python`, which uses the engine, or to `pytorch` or `tfdata`",
        checked.id, label, checked.spec->kind)};
  }
  return {};
}

RuntimeNodes runtimeOf(const std::vector<NodeText>& nodes) {
  RuntimeNodes runtime;
  for (const NodeText& node : nodes) {
    const NodeSpec& spec = *node.node->spec;
    const Values& values = node.node->values;
    if (spec.role == NodeRole::Workers) {
      const WorkersSettings workers = spec.workers(values);
      runtime.workers.count = std::max(runtime.workers.count, workers.count);
      if (workers.unit == WorkUnit::Batch) runtime.workers.unit = workers.unit;
      if (workers.order == DeliveryOrder::Ready) runtime.workers.order = workers.order;
    }
    if (spec.role == NodeRole::Batch) runtime.batch = spec.batch(values);
    if (spec.role == NodeRole::Prefetch)
      runtime.prefetch = std::max(runtime.prefetch, spec.prefetch(values).batches);
  }
  return runtime;
}

bool dependsOnSeed(const ExportSubject& subject, bool ordered) {
  const CheckedPipeline& pipeline = *subject.pipeline;
  return !pipeline.noRandom && (ordered || !pipeline.nodes.back().in.randomFrom.empty());
}

std::string seedLimit(const ExportSubject& subject, bool ordered, const std::string& label) {
  if (!dependsOnSeed(subject, ordered)) return {};
  if (subject.pipeline->nodes.back().in.randomFrom.empty())
    return fmt::format("The order comes from {} and differs from Millrace's.", label);
  return fmt::format("Order and random values come from {} and differ from Millrace's.", label);
}

void addTexts(const std::vector<NodeText>& nodes, PythonFile& file) {
  for (const NodeText& node : nodes)
    if (node.node->spec->category == Category::Decode)
      for (const std::string& sentence : node.text.limits) file.limit(sentence);
  for (const NodeText& node : nodes) file.add(node.text);
}

std::string commentLines(std::string_view text, std::string_view lead) {
  const std::string indent = "#" + std::string(lead.size(), ' ');
  std::string lines;
  std::string line = "#" + std::string(lead);
  bool empty = true;
  for (const std::string& word : split(commentText(text), ' ')) {
    if (word.empty()) continue;
    if (!empty && line.size() + 1 + word.size() > kPythonWidth) {
      lines += line + "\n";
      line = indent;
      empty = true;
    }
    line += empty ? word : " " + word;
    empty = false;
  }
  return lines + line + "\n";
}

void PythonFile::add(const ExportText& text) {
  for (const std::string& line : text.imports) import(line);
  for (const std::string& name : text.snippets) snippet(name);
  for (const ExportOption& option : text.options) this->option(option);
  for (const std::string& sentence : text.limits) limit(sentence);
}

void PythonFile::import(const std::string& line) {
  if (std::find(m_imports.begin(), m_imports.end(), line) == m_imports.end())
    m_imports.push_back(line);
}

/// Parses the snippet, and adds its imports and the snippets that it needs.
Snippet PythonFile::known(const std::string& name) {
  m_known.insert(name);
  Snippet found = snippetNamed(m_target, name);
  for (const std::string& line : found.imports) import(line);
  for (const std::string& other : found.needs) snippet(other);
  return found;
}

void PythonFile::snippet(const std::string& name) {
  if (m_known.count(name) == 0) m_snippets.push_back(known(name).body);
}

void PythonFile::defineSnippet(const std::string& name) { define(known(name).body); }

void PythonFile::option(const ExportOption& option) {
  const auto taken = [&](const ExportOption& other) { return other.name == option.name; };
  if (std::none_of(m_options.begin(), m_options.end(), taken)) m_options.push_back(option);
}

void PythonFile::limit(const std::string& sentence) {
  if (!sentence.empty() && std::find(m_limits.begin(), m_limits.end(), sentence) == m_limits.end())
    m_limits.push_back(sentence);
}

void PythonFile::missing(std::string node, std::string why) {
  m_missing.push_back(std::move(node) + ": " + std::move(why));
}

std::string PythonFile::importLines() const {
  std::array<ImportGroup, 3> groups;
  for (const std::string& line : m_imports) {
    const std::string_view text = line;
    if (text.starts_with("import ")) {
      const std::string module(text.substr(7));
      groups.at(static_cast<std::size_t>(groupOf(module))).plain.insert(module);
      continue;
    }
    const std::size_t at = text.find(" import ");
    const std::string module(text.substr(5, at - 5));
    for (const std::string& name : split(text.substr(at + 8), ','))
      groups.at(static_cast<std::size_t>(groupOf(module)))
          .from[module]
          .insert(std::string(trimmed(name)));
  }
  std::string lines;
  for (const ImportGroup& group : groups)
    if (const std::string text = group.text(); !text.empty())
      lines += (lines.empty() ? "" : "\n") + text;
  return lines;
}

std::string PythonFile::optionLines() const {
  std::string lines;
  for (const ExportOption& option : m_options) {
    const std::string line = fmt::format("{} = {}", option.name, option.value);
    const std::string comment = commentText(option.comment);
    if (comment.empty()) {
      lines += wrappedPython(line, 0, kPythonWidth) + "\n";
    } else if (line.size() + 4 + comment.size() <= kPythonWidth) {
      lines += fmt::format("{}  # {}\n", line, comment);
    } else {
      lines += commentLines(comment, " ") + wrappedPython(line, 0, kPythonWidth) + "\n";
    }
  }
  return lines;
}

/// The first two lines contain no user text, because Python looks there for an encoding (PEP 263).
std::string PythonFile::head(const ExportSubject& subject, const std::string& label,
                             const std::string& needs, const std::string& code) const {
  std::string text;
  if (!m_missing.empty()) {
    text += commentLines(
        "NOT TRANSLATED. The code does not start until you have replaced "
        "these nodes or set ACCEPT_MISSING below:",
        " ");
    for (const std::string& node : m_missing) text += commentLines(node, " - ");
    text += "#\n";
  }
  if (!m_limits.empty()) {
    text += commentLines(fmt::format("Differences between {} and Millrace:", label), " ");
    for (const std::string& sentence : m_limits) text += commentLines(sentence, " - ");
    text += "#\n";
  }
  text += commentLines(
      fmt::format("{}{} from {}{}. {}", kExportMark.substr(2), subject.version, subject.name,
                  subject.pipeline->noRandom ? " with --no-random" : "", needs),
      " ");
  if (!m_reason.empty()) text += commentLines("Longer than usual. " + m_reason, " ");
  text += "# This file is yours: Millrace's licence does not apply to it.\n";
  if (!subject.figures.empty()) {
    text += "#\n" + commentLines(m_measured, " ");
    for (const std::string& figure : subject.figures) text += commentLines(figure, " - ");
  }
  // The digest does not cover a document next to the code.
  if (!subject.rateOf || !subject.beside.empty()) return text;
  if (const std::string rate = subject.rateOf(codeDigest(code)); !rate.empty())
    text += "#\n" + commentLines("Measured with this code: " + rate, " ");
  return text;
}

Exported PythonFile::finish(const ExportSubject& subject, const std::string& label,
                            const std::string& needs) const {
  std::string code = importLines();
  if (const std::string options = optionLines(); !options.empty()) code += "\n" + options;
  for (const std::string& snippet : m_snippets) code += "\n\n" + snippet + "\n";
  for (const std::string& definition : m_definitions) code += "\n\n" + definition + "\n";
  std::string text = fmt::format("{}{}.\"\"\"\n\n", kExportTitle, label);
  text += head(subject, label, needs, code) + "\n" + code;
  return {std::move(text), m_limits, m_missing, {}};
}

}  // namespace millrace
