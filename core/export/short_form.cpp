// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/short_form.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/spec/python_literal.h"

namespace millrace {

namespace {

/// Why settings that every target reads need the long form; empty if they do not.
std::string whyOfSettings(const CheckedNode& node) {
  if (std::ranges::any_of(node.out.fields, [](const FieldSpec& field) { return field.view > 0; }))
    return "its samples have several views of a picture";
  if (node.spec->role != NodeRole::Batch) return {};
  const BatchSettings batch = node.spec->batch(node.values);
  if (batch.padTo.width > 0) return "it pads pictures to one size";
  if (batch.onFailure == OnFailure::Fill) return "it fills the rows of samples that fail";
  return {};
}

bool endsWith(std::string name, const std::vector<std::string_view>& endings) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

bool isOperation(const CheckedNode& node) {
  return node.spec->role == NodeRole::Image || node.spec->role == NodeRole::Sample;
}

/// Whether the text of the long form also fits the functions of the short one. That of a decoder of
/// pictures does not: short sources deliver paths or pictures, long ones the bytes of files.
bool fitsShort(const CheckedNode& node) {
  const bool decodes =
      node.spec->role == NodeRole::Image && node.spec->category == Category::Decode;
  return isOperation(node) && !decodes;
}

/// Replaces the text of the long form by that of the short one where there is one.
void takeShort(const ExportSubject& subject, const std::string& target, const std::string& own,
               NodeText& node) {
  const auto& exporters = node.node->spec->exporters;
  const auto rows = exporters.find(target + ".rows");
  node.onRows = node.node->in.level == Level::Batch && rows != exporters.end();
  const auto first = exporters.find(own + ".short");
  const auto second = first != exporters.end() ? first : exporters.find(target + ".short");
  const auto found = node.onRows ? rows : second;
  if (found == exporters.end() || node.node->choice) return;
  ExportText text = textOf(subject, *node.node, found->second);
  if (!text.missing.empty() && !node.onRows && fitsShort(*node.node)) return;
  node.isShort = true;
  node.text = std::move(text);
}

}  // namespace

ShortForm shortForm(const ExportSubject& subject, const std::string& target,
                    const std::string& own) {
  ShortForm form;
  std::vector<NodeText> texts = nodeTexts(subject, target);
  bool rowsBefore = false;
  for (NodeText& node : texts) {
    std::string why = whyOfSettings(*node.node);
    takeShort(subject, target, own, node);
    if (why.empty() && !node.isShort && !fitsShort(*node.node) && !node.text.steps.empty())
      why = fmt::format("kind {} has no short form", node.node->spec->kind);
    if (why.empty() && rowsBefore && !node.onRows && !node.text.steps.empty())
      why = "it comes after nodes that change whole batches";
    if (why.empty()) why = node.text.missing;
    if (!why.empty() && form.why.empty())
      form.why = node.node->id + ": " + why + (why.ends_with('.') ? "" : ".");
    rowsBefore = rowsBefore || node.onRows;
  }
  form.nodes = std::move(texts);
  return form;
}

std::vector<std::string> pictureFields(const StreamType& stream, Layout layout) {
  std::vector<std::string> names;
  for (const FieldSpec& field : stream.fields)
    if (field.layout == layout && !field.oneHot) names.push_back(field.name);
  return names;
}

bool allFilesEnd(const ExportSubject& subject, const std::vector<std::string_view>& endings) {
  const Source* source = subject.pipeline->source.get();
  if (!subject.dataKnown || source == nullptr || !source->listed()) return false;
  for (std::uint32_t i = 0; i < source->size(); ++i)
    if (!endsWith(source->file(i), endings)) return false;
  return true;
}

void fuseDecode(ShortForm& form, const ExportSubject& subject, const std::string& name) {
  for (std::size_t i = 0; i + 1 < form.nodes.size(); ++i) {
    NodeText& decode = form.nodes[i];
    NodeText& crop = form.nodes[i + 1];
    if (decode.node->spec->category != Category::Decode || !decode.isShort) continue;
    const auto fused = crop.node->spec->exporters.find(name);
    if (fused == crop.node->spec->exporters.end()) return;
    ExportContext context = exportContext(subject, *crop.node);
    const StreamType& files = decode.node->in;
    std::vector<std::string> encoded;
    for (const FieldSpec& field : files.fields)
      if (field.dtype == DType::Encoded) encoded.push_back(field.name);
    ExportText text = fused->second(crop.node->values, context);
    // The text's first step names in `fields` what it decodes: it must be every file.
    if (!text.missing.empty() || text.steps.front().fields != encoded) return;
    crop.text = std::move(text);
    crop.isShort = true;
    decode.text.steps.clear();
    return;
  }
}

namespace {

/// Loops over the same fields that follow each other, as one.
std::vector<std::string> withLoopsJoined(const std::vector<std::string>& statements) {
  std::vector<std::string> joined;
  std::string header;  ///< of the last statement, if it is a loop
  for (const std::string& statement : statements) {
    const std::size_t end = statement.find('\n');
    const bool isLoop = statement.starts_with("for ") && end != std::string::npos;
    if (isLoop && statement.compare(0, end, header) == 0) {
      joined.back() += statement.substr(end);
      continue;
    }
    header = isLoop ? statement.substr(0, end) : std::string();
    joined.push_back(statement);
  }
  return joined;
}

}  // namespace

std::string bodyText(const std::vector<std::string>& statements, std::size_t indent) {
  std::string text;
  for (const std::string& statement : withLoopsJoined(statements))
    for (const std::string& line : split(statement, '\n')) {
      const std::size_t first = line.find_first_not_of(' ');
      const std::size_t deeper = first == std::string::npos ? 0 : first;
      text += "\n" + std::string(indent + deeper, ' ');
      text += wrappedPython(std::string_view(line).substr(deeper), indent + deeper, kPythonWidth);
    }
  return text;
}

}  // namespace millrace
