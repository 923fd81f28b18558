// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/rules/node_check.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/graph/json/graph_json.h"
#include "core/graph/rules/unknown_kind.h"
#include "core/spec/did_you_mean.h"

namespace millrace {

namespace {

bool isEmpty(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return text->empty();
  if (const auto* reals = std::get_if<RealList>(&value)) return reals->empty();
  if (const auto* texts = std::get_if<TextList>(&value))
    return std::all_of(texts->begin(), texts->end(),
                       [](const std::string& text) { return text.empty(); });
  return false;
}

Result<Value> typed(const ParamSpec& param, const ParamValue& given) {
  if (const auto* raw = std::get_if<RawJson>(&given)) return valueOf(param.type, *raw);
  return convertValue(param.type, std::get<Value>(given));
}

/// The value of one described parameter; the default if the given one is not valid.
Value paramValue(const GraphNode& node, std::size_t index, const ParamSpec& param,
                 Problems& problems) {
  const auto given = node.params.find(param.name);
  if (given == node.params.end()) return param.defaultValue;
  const Result<Value> value = typed(param, given->second);
  if (!value) {
    const std::string allowed = param.allowed();
    problems.error(
        node.id, param.name,
        fmt::format("{} (at nodes[{}].params.{})", value.error().message, index, param.name),
        allowed.empty() ? fmt::format("write a {} there", nameOf(param.type))
                        : "allowed: " + allowed);
    return param.defaultValue;
  }
  const std::optional<std::string> wrong = param.problemWith(*value);
  if (!wrong) return *value;
  std::string remedy = fmt::format("the default is {}", textOf(param.defaultValue));
  if (const auto* text = std::get_if<std::string>(&*value)) {
    const std::string meant = nearest(*text, param.choices);
    if (!meant.empty()) remedy = fmt::format("did you mean `{}`?", meant);
  }
  problems.error(node.id, param.name, *wrong, remedy);
  return param.defaultValue;
}

void reportExtras(const Extras& extras, const std::string& at, const NodeId& id,
                  const std::vector<std::string>& known, Problems& problems) {
  for (const auto& [key, raw] : extras) {
    if (std::ranges::find(known, key) != known.end()) continue;
    const std::string meant = nearest(key, known);
    problems.warning(
        id, at.empty() ? key : fmt::format("{}.{}", at, key),
        "unknown key; it is kept in the file and has no effect",
        meant.empty() ? "remove it if it is a mistake" : fmt::format("did you mean `{}`?", meant));
  }
}

void checkIds(const Graph& graph, Problems& problems) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const GraphNode& node = graph.nodes[i];
    if (!isNodeId(node.id))
      problems.error(node.id, "id", fmt::format("nodes[{}].id is not a valid id", i),
                     "start with a to z, then use a to z, 0 to 9, _ and -");
    const bool isFirst = graph.node(node.id) == &node;
    if (!isFirst)
      problems.error(node.id, "id", fmt::format("nodes[{}] has the id of another node", i),
                     fmt::format("rename it to `{}`", freeId(graph, node.kind)));
  }
}

}  // namespace

Values completeValues(const GraphNode& node, std::size_t index, const NodeSpec& spec,
                      Problems& problems) {
  Values values;
  for (const ParamSpec& param : spec.params) {
    const Value& value = values[param.name] = paramValue(node, index, param, problems);
    if (!param.optional && isEmpty(value))
      problems.error(node.id, param.name, "not set",
                     param.isData ? "set it to your data" : "give it a value");
  }
  for (const auto& [name, value] : node.params)
    if (spec.param(name) == nullptr)
      problems.error(node.id, name, fmt::format("`{}` has no parameter of this name", spec.kind),
                     paramHint(spec, name));
  return values;
}

void checkDocument(const Graph& graph, Problems& problems) {
  reportExtras(graph.extras, "", "",
               {"format_version", "seed", "nodes", "wires", "groups", "comments"}, problems);
  for (const GraphNode& node : graph.nodes)
    reportExtras(node.extras, "", node.id, {"id", "kind", "params", kPluginKey, "state", "ui"},
                 problems);
  for (std::size_t i = 0; i < graph.wires.size(); ++i)
    reportExtras(graph.wires[i].extras, fmt::format("wires[{}]", i), "", {"from", "to"}, problems);
  checkIds(graph, problems);
}

}  // namespace millrace
