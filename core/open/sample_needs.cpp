// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/open/sample_needs.h"

#include <algorithm>
#include <set>

#include "core/sample_data/sample_data.h"

namespace millrace {

namespace {

void collect(const ParamValue& param, std::set<std::string>& names) {
  const Value* value = std::get_if<Value>(&param);
  if (value == nullptr) return;
  const auto add = [&](const std::string& path) {
    if (const auto name = sampleNameOf(path)) names.insert(*name);
  };
  if (const auto* text = std::get_if<std::string>(value)) add(*text);
  if (const auto* list = std::get_if<TextList>(value))
    for (const std::string& path : *list) add(path);
}

}  // namespace

std::vector<std::string> sampleNeeds(const Graph& graph) {
  std::set<std::string> names;
  for (const GraphNode& node : graph.nodes)
    for (const auto& [param, value] : node.params) collect(value, names);
  return {names.begin(), names.end()};
}

Graph withSamplesIn(Graph graph, const std::string& name, const std::filesystem::path& folder) {
  const std::string head = "sample:" + name;
  const auto lead = [&](std::string& path) {
    if (sampleNameOf(path) == name) path.replace(0, head.size(), folder.native());
  };
  for (GraphNode& node : graph.nodes)
    for (auto& [param, value] : node.params) {
      Value* one = std::get_if<Value>(&value);
      if (one == nullptr) continue;
      if (auto* text = std::get_if<std::string>(one)) lead(*text);
      if (auto* list = std::get_if<TextList>(one)) std::ranges::for_each(*list, lead);
    }
  return graph;
}

std::vector<std::string> missingSamples(const Graph& graph) {
  std::vector<std::string> missing = sampleNeeds(graph);
  std::erase_if(missing, [](const std::string& name) { return hasSampleData(name); });
  return missing;
}

}  // namespace millrace
