// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The difference of two documents as text.
#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/graph/diff/graph_diff.h"

namespace millrace {

namespace {

std::string counts(const GraphDiff& diff) {
  std::vector<std::string> parts;
  const auto add = [&](std::size_t count, const char* what) {
    if (count == 0) return;
    parts.push_back(parts.empty() ? fmt::format("{} node{} {}", count, count == 1 ? "" : "s", what)
                                  : fmt::format("{} {}", count, what));
  };
  add(diff.count(NodeFate::Added), "added");
  add(diff.count(NodeFate::Removed), "removed");
  add(diff.count(NodeFate::Changed), "changed");
  if (diff.seedBefore != diff.seedAfter) parts.emplace_back("different seed");
  if (parts.empty()) parts.emplace_back("different wires");
  return join(parts, ", ");
}

/// " after decode"; empty for the first node and for a loose one.
std::string afterText(const char* word, const NodeId& node) {
  return node.empty() ? "" : fmt::format("{} after {}", word, node);
}

std::string givenText(const std::vector<ParamDiff>& params, bool added) {
  std::vector<std::string> given;
  for (const ParamDiff& param : params)
    given.push_back(param.param + " " + shownParam(added ? param.after : param.before));
  return given.empty() ? "" : ": " + join(given, ", ");
}

std::string stateText(NodeState state) { return state == NodeState::On ? "on" : "bypassed"; }

std::string changedText(const NodeDiff& node) {
  std::vector<std::string> parts;
  for (const ParamDiff& param : node.params)
    parts.push_back(
        fmt::format("{} {} -> {}", param.param, shownParam(param.before), shownParam(param.after)));
  if (node.stateBefore != node.stateAfter)
    parts.push_back(stateText(node.stateAfter) + ", was " + stateText(node.stateBefore));
  if (node.renamed()) parts.push_back(fmt::format("renamed, was {}", node.before));
  if (node.moved)
    parts.push_back((node.predecessorAfter.empty() ? "moved to the beginning"
                                                   : afterText("moved", node.predecessorAfter)) +
                    afterText(", was", node.predecessorBefore));
  return join(parts, "; ");
}

std::string nodeLine(const NodeDiff& node) {
  const std::string bypassed = node.stateAfter == NodeState::Bypass ? ", bypassed" : "";
  const std::string kind = node.id() == node.kind ? "" : " (" + node.kind + ")";
  if (node.fate == NodeFate::Added)
    return fmt::format("+ {}{}  added{}{}{}", node.after, kind,
                       afterText("", node.predecessorAfter), bypassed,
                       givenText(node.params, true));
  if (node.fate == NodeFate::Removed)
    return fmt::format("- {}{}  removed{}{}{}", node.before, kind,
                       afterText(", was", node.predecessorBefore), bypassed,
                       givenText(node.params, false));
  return fmt::format("* {}  {}", node.after, changedText(node));
}

}  // namespace

std::string shownParam(const std::optional<ParamValue>& value) {
  if (!value) return "absent";
  const std::string text = std::holds_alternative<RawJson>(*value)
                               ? std::get<RawJson>(*value).text
                               : textOf(std::get<Value>(*value));
  return text.empty() ? "\"\"" : singleLine(text);
}

std::vector<std::string> diffLines(const GraphDiff& diff) {
  if (diff.same()) return {"the pipelines are the same"};
  std::vector<std::string> lines = {counts(diff)};
  for (const NodeDiff& node : diff.nodes)
    if (node.fate != NodeFate::Same) lines.push_back(nodeLine(node));
  for (const GraphWire& wire : diff.loneWiresAdded)
    lines.push_back(fmt::format("+ wire  {} -> {}", wire.from, wire.to));
  for (const GraphWire& wire : diff.loneWiresRemoved)
    lines.push_back(fmt::format("- wire  {} -> {}", wire.from, wire.to));
  if (diff.seedBefore != diff.seedAfter)
    lines.push_back(fmt::format("* seed  {} -> {}", diff.seedBefore, diff.seedAfter));
  for (std::string& line : lines) line = singleLine(line);
  return lines;
}

}  // namespace millrace
