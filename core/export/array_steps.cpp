// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/array_steps.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/export/short_form.h"
#include "core/export/typed_steps.h"
#include "core/spec/python_literal.h"

namespace millrace {

namespace {

bool isPicture(const FieldSpec& field) { return field.layout != Layout::Plain; }

bool draws(const ExportStep& step) { return step.code.find("draw(") != std::string::npos; }

}  // namespace

ArraySteps::ArraySteps(const ExportSubject& subject, const std::string& target,
                       std::string orderName)
    : ArraySteps(subject, nodeTexts(subject, target), std::move(orderName)) {}

ArraySteps::ArraySteps(const ExportSubject& subject, std::vector<NodeText> nodes,
                       std::string orderName, std::string planes)
    : m_nodes(std::move(nodes)),
      m_runtime(runtimeOf(m_nodes)),
      m_orderName(std::move(orderName)),
      m_planes(std::move(planes)) {
  for (const NodeText& node : m_nodes) add(node);
  closeSamples(m_nodes.back().node->in);
  m_random = dependsOnSeed(subject, !m_order.empty());
}

bool ArraySteps::draws() const {
  return std::any_of(m_samples.begin(), m_samples.end(), millrace::draws);
}

bool ArraySteps::needsOfSource(std::string_view snippet) const {
  return std::find(m_sourceSnippets.begin(), m_sourceSnippets.end(), snippet) !=
         m_sourceSnippets.end();
}

void ArraySteps::addTo(PythonFile& file) const {
  addTexts(m_nodes, file);
  for (const std::string& name : m_snippets) file.snippet(name);
  for (const auto& [node, why] : m_missing) file.missing(node, why);
  if (m_missing.empty()) return;
  file.option({"ACCEPT_MISSING", "False", "True: run without the nodes that are not translated"});
  file.snippet("missing");
}

void ArraySteps::add(const NodeText& node) {
  if (node.node->spec->role == NodeRole::BatchOp) closeSamples(node.node->in);
  if (!node.text.missing.empty()) return addMissing(node);
  const bool rowsOfBatch = m_closed && (node.node->spec->role == NodeRole::Image ||
                                        node.node->spec->role == NodeRole::Sample);
  if (rowsOfBatch && !node.text.steps.empty()) {
    NodeText late = node;
    late.text.missing =
        "it comes after a node that mixes the samples of a batch; place it before that node";
    return addMissing(late);
  }
  addSteps(node);
}

void ArraySteps::addSample(std::string call) {
  m_samples.push_back({std::move(call), {}, ExportStep::Form::SampleCall});
}

void ArraySteps::addSteps(const NodeText& node) {
  switch (node.node->spec->role) {
    case NodeRole::Source:
      m_source = node.text.steps.front().code;
      for (std::size_t i = 1; i < node.text.steps.size(); ++i) addSample(node.text.steps[i].code);
      m_sourceSnippets = node.text.snippets;
      break;
    case NodeRole::Order:
      for (const ExportStep& step : node.text.steps) {
        m_order.push_back(step.code);
        m_sharded = m_sharded || step.code.find("WORLD_SIZE") != std::string::npos;
      }
      break;
    case NodeRole::Workers:
    case NodeRole::Batch:
    case NodeRole::Prefetch:
    case NodeRole::Consumer: break;
    case NodeRole::BatchOp:
      for (const ExportStep& step : node.text.steps) m_batchOps.push_back(step.code);
      break;
    default:
      for (const ExportStep& step : node.text.steps) {
        m_samples.push_back(step);
        if (!node.isShort) m_samples.back().form = ExportStep::Form::SampleCall;
      }
  }
}

void ArraySteps::addMissing(const NodeText& node) {
  const std::string& why = node.text.missing;
  m_missing.emplace_back(node.node->id, why);
  const std::string call =
      fmt::format("missing({}, {})", pythonText(node.node->id), pythonText(why));
  switch (node.node->spec->role) {
    case NodeRole::Source: m_source = call + "(None)"; break;
    case NodeRole::Order: m_order.push_back(fmt::format("{}({})", call, m_orderName)); break;
    case NodeRole::BatchOp: m_batchOps.push_back(call + "(batch)"); break;
    default:
      if (m_closed)
        m_batchOps.push_back(call + "(batch)");
      else
        addSample(call + "(sample)");
  }
}

/// Adds the steps that samples need before they are batched: channels first where the pipeline
/// delivers planes, and padding to a common size. One-hot masks already have their layout.
void ArraySteps::closeSamples(const StreamType& stream) {
  if (m_closed) return;
  m_closed = true;
  padPictures(stream);
  std::vector<std::string> planes = pictureFields(stream, Layout::Chw);
  if (planes.empty()) return;
  if (!m_planes.empty()) return addPlanes(m_samples, std::move(planes), m_planes);
  m_snippets.emplace_back("layout");
  for (std::string& name : planes) name = pythonText(name);
  addSample(fmt::format("to_channels_first(sample, [{}])", fmt::join(planes, ", ")));
}

void ArraySteps::padPictures(const StreamType& stream) {
  const Size size = m_runtime.batch.padTo;
  if (size.width <= 0) return;
  std::vector<std::string> fields;
  for (const FieldSpec& field : stream.fields)
    if (isPicture(field)) fields.push_back(pythonText(field.name));
  m_snippets.emplace_back("pad_to");
  addSample(fmt::format("pad_to(sample, [{}], {}, {})", fmt::join(fields, ", "), size.height,
                        size.width));
}

std::string pythonFunction(const std::string& signature, const std::string& docstring,
                           const std::vector<std::string>& body) {
  std::string text =
      "def " + wrappedPython(signature, 0, kPythonWidth) + ":\n    \"\"\"" + docstring + "\"\"\"";
  for (const std::string& line : body) text += "\n    " + wrappedPython(line, 4, kPythonWidth);
  return text;
}

}  // namespace millrace
