// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/proposal/sample_needs.h"

#include <set>

#include "core/samples/sample_data.h"

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

std::vector<std::string> missingSamples(const Graph& graph) {
  std::vector<std::string> missing = sampleNeeds(graph);
  std::erase_if(missing, [](const std::string& name) { return hasSampleData(name); });
  return missing;
}

}  // namespace millrace
