// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/rules/wire_rules.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/graph/rules/chain_rules.h"
#include "core/graph/rules/node_check.h"

namespace millrace {

namespace {

/// Whether a node named `name` has an input and an output.
Status hasOutput(std::string_view name, const NodeSpec* spec) {
  if (spec != nullptr && spec->role == NodeRole::Consumer)
    return Error{fmt::format("`{}` is a consumer and has no output", name)};
  if (spec != nullptr && spec->role == NodeRole::Choice)
    return Error{fmt::format("`{}` has no wires; it names its nodes", name)};
  return {};
}
Status hasInput(std::string_view name, const NodeSpec* spec) {
  if (spec != nullptr && spec->role == NodeRole::Source)
    return Error{fmt::format("`{}` is a source and has no input", name)};
  if (spec != nullptr && spec->role == NodeRole::Choice)
    return Error{fmt::format("`{}` has no wires; it names its nodes", name)};
  return {};
}

std::string sentence(const Problem& problem) {
  return problem.remedy.empty() ? problem.message : problem.message + "; " + problem.remedy;
}

}  // namespace

WireRules::WireRules(const Graph& graph, const Catalog& catalog,
                     const std::vector<NodeStream>& streams, std::filesystem::path base)
    : m_graph(graph), m_catalog(catalog), m_base(std::move(base)) {
  for (const NodeStream& stream : streams) {
    const GraphNode* node = graph.node(stream.id);
    const NodeSpec* spec = node == nullptr ? nullptr : catalog.find(node->kind);
    if (spec == nullptr) continue;
    Problems ignored;
    m_chain.push_back(
        {stream.id, spec, completeValues(*node, 0, *spec, ignored), stream.in, stream.out});
  }
  for (const GraphWire& wire : graph.wires) {
    m_after.emplace(wire.from, wire.to);
    m_before.emplace(wire.to, wire.from);
  }
}

const NodeSpec* WireRules::specOf(const NodeId& id) const {
  const GraphNode* node = m_graph.node(id);
  return node == nullptr ? nullptr : m_catalog.find(node->kind);
}

bool WireRules::leadsTo(const NodeId& from, const NodeId& to) const {
  NodeId at = from;
  for (std::size_t steps = 0; steps <= m_after.size(); ++steps) {
    if (at == to) return true;
    const auto next = m_after.find(at);
    if (next == m_after.end()) return false;
    at = next->second;
  }
  return false;
}

const CheckedNode* WireRules::producer(const NodeId& from) const {
  NodeId at = from;
  for (std::size_t steps = 0; steps <= m_before.size(); ++steps) {
    for (const CheckedNode& node : m_chain)
      if (node.id == at) return &node;
    const GraphNode* node = m_graph.node(at);
    const auto before = m_before.find(at);
    if (node == nullptr || node->state != NodeState::Bypass || before == m_before.end()) break;
    at = before->second;
  }
  return nullptr;
}

Status WireRules::mayLead(const NodeId& from, const NodeId& to) const {
  const GraphNode* target = m_graph.node(to);
  if (m_graph.node(from) == nullptr || target == nullptr)
    return Error{fmt::format("there is no node `{}`", target == nullptr ? to : from)};
  if (from == to) return Error{fmt::format("`{}` cannot be connected to itself", from)};
  const NodeSpec* end = specOf(to);
  MILLRACE_TRY(hasOutput(from, specOf(from)));
  MILLRACE_TRY(hasInput(to, end));
  if (leadsTo(to, from))
    return Error{
        fmt::format("this wire would close a loop, because `{}` leads to `{}`; connect a "
                    "later node",
                    to, from)};
  if (end == nullptr || target->state == NodeState::Bypass) return {};
  Problems ignored;
  return takes(from, to, *end, completeValues(*target, 0, *end, ignored));
}

Status WireRules::mayFollow(const NodeId& from, const NodeSpec& kind) const {
  MILLRACE_TRY(hasOutput(from, specOf(from)));
  MILLRACE_TRY(hasInput(kind.label, &kind));
  return takes(from, kind.kind, kind, kind.defaults());
}

Status WireRules::accepts(const CheckedNode& begin, const NodeSpec& kind, const Values& values,
                          const std::string& param) const {
  Problems problems;
  InferContext context(kind.kind, problems, m_base);
  context.setDeviceUse(DeviceUse::DontDetect);
  kind.infer(values, begin.out, context);
  for (const Problem& problem : problems.all())
    if (problem.severity == Severity::Error && problem.field == param)
      return Error{sentence(problem)};
  return {};
}

Result<std::string> WireRules::fieldFor(const NodeId& from, const NodeSpec& kind) const {
  constexpr const char* kField = "field";
  const CheckedNode* begin = producer(from);
  if (begin == nullptr) return std::string();
  std::vector<std::string> records;
  for (const FieldSpec& field : begin->out.fields)
    if (field.role == Role::Features) records.push_back(field.name);
  for (const ParamSpec& param : kind.params) {
    const auto* listed = std::get_if<TextList>(&param.defaultValue);
    if (records.empty() && listed != nullptr && !listed->empty())
      MILLRACE_TRY(accepts(*begin, kind, kind.defaults(), param.name));
  }
  const ParamSpec* param = kind.param(kField);
  const auto* usual = param == nullptr ? nullptr : std::get_if<std::string>(&param->defaultValue);
  if (usual == nullptr) return std::string();
  std::vector<std::string> names{*usual};
  names.insert(names.end(), records.begin(), records.end());
  for (const std::string& name : names) {
    Values values = kind.defaults();
    values[kField] = name;
    if (accepts(*begin, kind, values, kField)) return name;
  }
  return accepts(*begin, kind, kind.defaults(), kField).error();
}

Status WireRules::mayPrecede(const NodeSpec& kind, const NodeId& to) const {
  MILLRACE_TRY(hasOutput(kind.label, &kind));
  return hasInput(to, specOf(to));
}

Status WireRules::takes(const NodeId& from, const NodeId& to, const NodeSpec& spec,
                        const Values& values) const {
  const CheckedNode* begin = producer(from);
  if (begin == nullptr) return {};
  Problems problems;
  InferContext context(to, problems, m_base);
  context.setDeviceUse(DeviceUse::DontDetect);
  CheckedNode end{to, &spec, values, begin->out, {}};
  end.out = spec.infer(values, end.in, context);
  if (spec.role != NodeRole::Batch)
    for (const Problem& problem : problems.all())
      if (problem.severity == Severity::Error && problem.field.empty())
        return Error{sentence(problem)};

  std::vector<CheckedNode> chain;
  for (const CheckedNode& node : m_chain) {
    chain.push_back(node);
    if (&node == begin) break;
  }
  chain.push_back(std::move(end));
  Problems places;
  checkPlaces(chain, m_catalog, 1024, places);
  for (const Problem& problem : places.all())
    if (problem.severity == Severity::Error && problem.node == to) return Error{sentence(problem)};
  return {};
}

}  // namespace millrace
