// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/whole_file.h"
#include "core/graph/json/graph_json.h"
#include "core/graph/json/json_text.h"
#include "core/graph/json/param_json.h"
#include "core/graph/rules/unknown_kind.h"

namespace millrace {

namespace {

using nlohmann::json;

json withExtras(const Extras& extras) {
  json object = json::object();
  for (const auto& [key, raw] : extras) object[key] = jsonOf(raw);
  return object;
}

json paramsOf(const GraphNode& node, const NodeSpec* spec) {
  json params = json::object();
  if (spec != nullptr)
    for (const ParamSpec& param : spec->params)
      params[param.name] = jsonOf(param, ParamValue{param.defaultValue});
  for (const auto& [name, value] : node.params) {
    const ParamSpec* param = spec == nullptr ? nullptr : spec->param(name);
    if (param != nullptr)
      params[name] = jsonOf(*param, value);
    else
      params[name] = std::visit([](const auto& content) { return jsonOf(content); }, value);
  }
  return params;
}

json nodeJson(const GraphNode& node, const Catalog& catalog) {
  json object = withExtras(node.extras);
  object["id"] = node.id;
  object["kind"] = node.kind;
  object["state"] = nameOf(node.state);
  const NodeSpec* const spec = catalog.find(node.kind);
  object["params"] = paramsOf(node, spec);
  if (spec != nullptr && !spec->plugin.empty()) object[kPluginKey] = spec->plugin;
  if (!node.ui.text.empty()) object["ui"] = jsonOf(node.ui);
  return object;
}

json wireJson(const GraphWire& wire) {
  json object = withExtras(wire.extras);
  object["from"] = wire.from;
  object["to"] = wire.to;
  return object;
}

json keptJson(const std::vector<RawJson>& kept) {
  json list = json::array();
  for (const RawJson& raw : kept) list.push_back(jsonOf(raw));
  return list;
}

}  // namespace

std::string graphText(const Graph& graph, const Catalog& catalog) {
  json root = withExtras(graph.extras);
  root["format_version"] = Graph::kFormatVersion;
  root["seed"] = graph.seed;
  json& nodes = root["nodes"] = json::array();
  for (const GraphNode& node : graph.nodes) nodes.push_back(nodeJson(node, catalog));
  json& wires = root["wires"] = json::array();
  for (const GraphWire& wire : graph.wires) wires.push_back(wireJson(wire));
  root["groups"] = keptJson(graph.groups);
  root["comments"] = keptJson(graph.comments);
  return jsonText(root) + "\n";
}

Status saveGraph(const std::filesystem::path& file, const Graph& graph, const Catalog& catalog) {
  return writeWholeFile(file, graphText(graph, catalog), IfThere::Replace);
}

}  // namespace millrace
