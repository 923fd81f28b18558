// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/graph/edit/graph_edit.h"
#include "core/storage/remote_path.h"

namespace millrace {

namespace {

bool isSource(const GraphNode& node, const Catalog& catalog) {
  const NodeSpec* spec = catalog.find(node.kind);
  return spec != nullptr && spec->role == NodeRole::Source;
}

/// The source that runs: if there are several, the one with a wire.
Result<GraphNode*> sourceOf(Graph& graph, const Catalog& catalog) {
  std::vector<GraphNode*> all;
  std::vector<GraphNode*> connected;
  for (GraphNode& node : graph.nodes) {
    if (!isSource(node, catalog)) continue;
    all.push_back(&node);
    const auto leaves = [&](const GraphWire& wire) { return wire.from == node.id; };
    if (std::any_of(graph.wires.begin(), graph.wires.end(), leaves)) connected.push_back(&node);
  }
  if (all.size() == 1) return all.front();
  if (connected.size() == 1) return connected.front();
  if (all.empty()) return Error{"the pipeline has no source for the data"};
  std::vector<std::string> ids;
  for (const GraphNode* node : all) ids.push_back(node->id);
  return Error{
      fmt::format("the pipeline has several sources, {}; name one of them with the setting `set`: "
                  "NODE.PARAM=PATH",
                  joinWords(ids))};
}

std::string absolutePath(const std::string& path, const std::filesystem::path& base) {
  constexpr std::string_view kGenerated = "sample:";
  if (path.compare(0, kGenerated.size(), kGenerated) == 0 || isRemotePath(path)) return path;
  return (base / path).lexically_normal().string();
}

/// Sets the parameters of a source to the paths of the command line.
class DataSetter {
 public:
  DataSetter(GraphNode& node, TextList paths) : m_node(node), m_paths(std::move(paths)) {}

  Status set(const std::vector<const ParamSpec*>& params) {
    for (const ParamSpec* param : params) setOne(*param, param == params.back());
    if (m_next < m_paths.size())
      return Error{fmt::format("`{}` takes only {} of the {} paths given by the setting `data`",
                               m_node.id, m_next, m_paths.size())};
    return {};
  }

 private:
  void setOne(const ParamSpec& param, bool isLast) {
    const bool isList = param.type == ParamType::PathList;
    if (m_next == m_paths.size()) {
      if (!param.optional) return;
      m_node.params[param.name] = isList ? Value{TextList{}} : Value{std::string()};
      return;
    }
    const std::size_t count = isList && isLast ? m_paths.size() - m_next : 1;
    const auto from = m_paths.begin() + static_cast<std::ptrdiff_t>(m_next);
    const TextList taken(from, from + static_cast<std::ptrdiff_t>(count));
    m_node.params[param.name] = isList ? Value{taken} : Value{taken.front()};
    m_next += count;
  }

  GraphNode& m_node;
  TextList m_paths;
  std::size_t m_next = 0;
};

}  // namespace

const GraphNode* firstSource(const Graph& graph, const Catalog& catalog) {
  const auto found = std::ranges::find_if(
      graph.nodes, [&](const GraphNode& node) { return isSource(node, catalog); });
  return found == graph.nodes.end() ? nullptr : &*found;
}

Result<Graph> applyData(Graph graph, const Catalog& catalog,
                        const std::vector<std::string>& paths) {
  if (paths.empty()) return graph;
  const Result<GraphNode*> source = sourceOf(graph, catalog);
  if (!source) return source.error();
  GraphNode& node = **source;
  std::vector<const ParamSpec*> params;
  for (const ParamSpec& param : catalog.find(node.kind)->params)
    if (param.isData) params.push_back(&param);
  if (params.empty())
    return Error{
        fmt::format("`{}` generates its samples and does not take the setting `data`", node.id)};
  TextList full;
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  for (const std::string& path : paths) full.push_back(absolutePath(path, here));
  MILLRACE_TRY(DataSetter(node, std::move(full)).set(params));
  return graph;
}

Graph withAbsolutePaths(Graph graph, const Catalog& catalog, const std::filesystem::path& base) {
  for (GraphNode& node : graph.nodes) {
    const NodeSpec* spec = catalog.find(node.kind);
    if (spec == nullptr) continue;
    for (const ParamSpec& param : spec->params) {
      if (param.names == DiskName::Nothing) continue;
      const auto found = node.params.find(param.name);
      Value* value = found == node.params.end() ? nullptr : std::get_if<Value>(&found->second);
      if (value == nullptr) continue;
      if (auto* path = std::get_if<std::string>(value); path != nullptr && !path->empty())
        *path = absolutePath(*path, base);
      if (auto* paths = std::get_if<TextList>(value))
        for (std::string& path : *paths) path = absolutePath(path, base);
    }
  }
  return graph;
}

}  // namespace millrace
