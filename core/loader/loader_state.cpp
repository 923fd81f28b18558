// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/loader/loader_state.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/graph/diff/graph_diff.h"
#include "core/graph/json/graph_json.h"
#include "core/graph/json/json_text.h"
#include "core/loader/loader_shard.h"

namespace millrace {

namespace {

using Json = nlohmann::json;

constexpr int kStateVersion = 2;
constexpr int kOldestVersion = 1;

/// Whether nodes of this kind have no effect on the batches.
bool leavesBatchesAlone(const NodeSpec& spec) {
  return spec.role == NodeRole::Workers || spec.role == NodeRole::Prefetch ||
         spec.role == NodeRole::Transfer || spec.role == NodeRole::Cache ||
         spec.role == NodeRole::Consumer;
}

/// Whether the parameter has no effect on the batches: paths of the data may differ between
/// machines, and speed-only parameters change no values.
bool leavesBatchesAlone(const NodeSpec& spec, const std::string& param) {
  const ParamSpec* found = spec.param(param);
  return found != nullptr && (found->isData || found->speedOnly);
}

/// Whether the parameter only decides how the samples of an epoch are divided among processes and
/// batches.
bool dividesSamples(const NodeSpec& spec, const std::string& param) {
  if (spec.role == NodeRole::Batch) return param == "size";
  return isShard(spec) && (param == "rank" || param == "world");
}

/// Whether the node is active in one of the documents at most.
bool dividesOnlyOnce(const NodeDiff& node) {
  return node.before.empty() || node.after.empty() || node.stateBefore != NodeState::On ||
         node.stateAfter != NodeState::On;
}

/// The differences that batches depend on; with `elastic`, those that samples and their order
/// depend on.
GraphDiff relevantDiff(const Graph& then, const Graph& now, const Catalog& catalog, bool elastic) {
  GraphDiff diff = diffGraphs(then, now, catalog);
  for (NodeDiff& node : diff.nodes) {
    const NodeSpec* spec = catalog.find(node.kind);
    if (spec == nullptr || node.fate == NodeFate::Same) continue;
    if (leavesBatchesAlone(*spec)) node.fate = NodeFate::Same;
    if (elastic && isShard(*spec) && dividesOnlyOnce(node)) node.fate = NodeFate::Same;
    if (node.fate != NodeFate::Changed) continue;
    std::erase_if(node.params, [&](const ParamDiff& p) {
      return leavesBatchesAlone(*spec, p.param) || (elastic && dividesSamples(*spec, p.param));
    });
    if (node.params.empty() && !node.moved && !node.renamed() &&
        node.stateBefore == node.stateAfter)
      node.fate = NodeFate::Same;
  }
  std::erase_if(diff.nodes, [](const NodeDiff& node) { return node.fate == NodeFate::Same; });
  return diff;
}

std::optional<std::uint64_t> wholeNumber(const Json& json, const char* key, std::uint64_t most) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number_unsigned()) return std::nullopt;
  const auto number = found->get<std::uint64_t>();
  if (number > most) return std::nullopt;
  return number;
}

Error damaged(const std::string& why) { return Error{"not a loader state: " + why}; }

}  // namespace

std::string stateText(const LoaderState& state, const Catalog& catalog) {
  Graph graph = state.graph;
  graph.groups.clear();
  graph.comments.clear();
  for (GraphNode& node : graph.nodes) node.ui = {};
  const Result<Json> pipeline = readJson(graphText(graph, catalog), kMaxGraphDepth);
  MILLRACE_CHECK(pipeline.ok(), "a document that was just written is readable");
  const Json json = {{"millrace_state", kStateVersion}, {"epoch", state.epoch},
                     {"samples", state.samples},        {"data", state.data},
                     {"no_random", state.noRandom},     {"pipeline", *pipeline}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<LoaderState> parseState(const std::string& text, const Catalog& catalog) {
  const Result<Json> read = readJson(text, kMaxGraphDepth + 2);
  if (!read) return damaged(read.error().message);
  const Json& json = *read;
  if (!json.is_object() || !json.contains("millrace_state"))
    return damaged("it has no `millrace_state`");
  const bool old = json["millrace_state"] == kOldestVersion;
  if (!old && json["millrace_state"] != kStateVersion)
    return damaged(fmt::format("its version is {}, this engine reads {} and {}",
                               json["millrace_state"].dump(), kOldestVersion, kStateVersion));
  const char* position = old ? "batch" : "samples";
  const auto epoch = wholeNumber(json, "epoch", UINT32_MAX);
  const auto number = wholeNumber(json, position, UINT64_MAX);
  if (!epoch || !number)
    return damaged(fmt::format("`epoch` and `{}` must be whole numbers from 0", position));
  const auto data = json.find("data");
  const auto noRandom = json.find("no_random");
  const auto pipeline = json.find("pipeline");
  if (data == json.end() || !data->is_string() || noRandom == json.end() ||
      !noRandom->is_boolean() || pipeline == json.end())
    return damaged("`data`, `no_random` or `pipeline` is missing");
  ReadGraph graph = parseGraph(pipeline->dump(), catalog);
  if (!graph.graph) return damaged("its `pipeline` is not a pipeline document");
  LoaderState state;
  state.epoch = static_cast<std::uint32_t>(*epoch);
  if (old)
    state.batch = number;
  else
    state.samples = *number;
  state.data = data->get<std::string>();
  state.noRandom = noRandom->get<bool>();
  state.graph = std::move(*graph.graph);
  return state;
}

std::vector<std::string> stateDifferences(const LoaderState& then, const LoaderState& now,
                                          const Catalog& catalog) {
  std::vector<std::string> lines;
  NodeId after = divisionOf(now.graph, catalog).after;
  if (after.empty()) after = divisionOf(then.graph, catalog).after;
  const bool elastic = !then.batch && after.empty();
  const GraphDiff diff = relevantDiff(then.graph, now.graph, catalog, elastic);
  const bool wires = !diff.loneWiresAdded.empty() || !diff.loneWiresRemoved.empty();
  if (!diff.nodes.empty() || wires || diff.seedBefore != diff.seedAfter) {
    lines = diffLines(diff);
    lines.erase(lines.begin());  // The first line is only the number of differences.
    if (!then.batch && !after.empty() &&
        relevantDiff(then.graph, now.graph, catalog, true).nodes.size() < diff.nodes.size())
      lines.push_back(
          fmt::format("`{}` comes after the node that divides the data among processes; put it "
                      "before that node to continue with another number of them or batch size",
                      after));
  }
  if (then.data != now.data)
    lines.push_back(fmt::format("different data: {} in the state, {} now", then.data, now.data));
  if (then.noRandom != now.noRandom)
    lines.push_back(now.noRandom ? "draws are centred now, in the state they are random"
                                 : "draws are random now, in the state they are centred");
  return lines;
}

}  // namespace millrace
