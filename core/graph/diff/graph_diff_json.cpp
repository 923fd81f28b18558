// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The difference of two documents as JSON.
#include <nlohmann/json.hpp>

#include "core/graph/diff/graph_diff.h"
#include "core/graph/json/param_json.h"

namespace millrace {

namespace {

using nlohmann::json;

json orNull(const std::string& text) { return text.empty() ? json() : json(text); }

json valueJson(const std::optional<ParamValue>& value) {
  if (!value) return {};
  return std::visit([](const auto& content) { return jsonOf(content); }, *value);
}

std::string_view nameOf(NodeFate fate) {
  switch (fate) {
    case NodeFate::Added: return "added";
    case NodeFate::Removed: return "removed";
    case NodeFate::Changed: return "changed";
    case NodeFate::Same: break;
  }
  return "same";
}

json nodeJson(const NodeDiff& node) {
  json params = json::array();
  for (const ParamDiff& param : node.params)
    params.push_back({{"param", param.param},
                      {"before", valueJson(param.before)},
                      {"after", valueJson(param.after)}});
  json state;
  if (node.stateBefore != node.stateAfter)
    state = {{"before", millrace::nameOf(node.stateBefore)},
             {"after", millrace::nameOf(node.stateAfter)}};
  return {{"change", nameOf(node.fate)},
          {"before", orNull(node.before)},
          {"after", orNull(node.after)},
          {"kind", node.kind},
          {"params", params},
          {"state", state},
          {"moved", node.moved},
          {"renamed", node.renamed()}};
}

json wiresJson(const std::vector<GraphWire>& wires) {
  json list = json::array();
  for (const GraphWire& wire : wires) list.push_back({{"from", wire.from}, {"to", wire.to}});
  return list;
}

}  // namespace

std::string diffJson(const GraphDiff& diff) {
  json nodes = json::array();
  for (const NodeDiff& node : diff.nodes)
    if (node.fate != NodeFate::Same) nodes.push_back(nodeJson(node));
  json seed;
  if (diff.seedBefore != diff.seedAfter)
    seed = {{"before", diff.seedBefore}, {"after", diff.seedAfter}};
  const json all = {{"same", diff.same()},
                    {"nodes", nodes},
                    {"wires_added", wiresJson(diff.wiresAdded)},
                    {"wires_removed", wiresJson(diff.wiresRemoved)},
                    {"seed", seed}};
  return all.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace millrace
