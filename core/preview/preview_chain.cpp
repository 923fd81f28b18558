// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/preview/preview_chain.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/base/check.h"
#include "core/base/text/text.h"
#include "core/graph/plan_groups.h"
#include "core/graph/rules/choice_rules.h"
#include "core/graph/rules/node_check.h"
#include "core/graph/rules/unknown_kind.h"
#include "core/nodes/builtin.h"
#include "core/spec/did_you_mean.h"

namespace millrace {

namespace {

bool actsOnRows(const NodeSpec& spec) {
  return spec.role == NodeRole::Image || spec.role == NodeRole::Sample;
}

bool changesSamples(const NodeSpec& spec) {
  return actsOnRows(spec) || spec.role == NodeRole::BatchOp;
}

/// Builds the plan of a chain that ends at one node.
class Cut {
 public:
  Cut(const PreviewOptions& request, KeptSource& kept) : m_request(request), m_kept(kept) {}

  Result<Plan> make() {
    MILLRACE_ASSIGN_OR_RETURN(auto chain, chainTo());
    m_needsBatches = std::any_of(chain.begin(), chain.end(), actsOnBatches);
    Problems problems;
    m_choices = choicesOf(m_request.graph, builtinCatalog(), problems);
    MILLRACE_TRY(noErrorIn(problems));
    for (const GraphNode* node : chain)
      if (Status added = addNode(*node); !added) return added.error();
    m_plan.pipeline.seed = m_request.graph.seed;
    m_plan.pipeline.base = m_request.base;
    m_plan.pipeline.source = m_kept.source;
    m_plan.pipeline.noRandom = m_request.noRandom;
    return m_needsBatches ? wholeBatches() : lowered();
  }

 private:
  const GraphNode* before(const NodeId& id) const {
    for (const GraphWire& wire : m_request.graph.wires)
      if (wire.to == id) return m_request.graph.node(wire.from);
    return nullptr;
  }

  const GraphNode* behind(const NodeId& id) const {
    for (const GraphWire& wire : m_request.graph.wires)
      if (wire.from == id) return m_request.graph.node(wire.to);
    return nullptr;
  }

  static bool actsOnBatches(const GraphNode* node) {
    const NodeSpec* spec = builtinCatalog().find(node->kind);
    return spec != nullptr && spec->role == NodeRole::BatchOp && node->state == NodeState::On;
  }

  /// Whether a node of this kind leaves samples unchanged.
  bool passesOn(const NodeSpec& spec) const {
    return spec.role == NodeRole::Workers || spec.role == NodeRole::Prefetch ||
           spec.role == NodeRole::Transfer || spec.role == NodeRole::Cache ||
           spec.role == NodeRole::Consumer || (spec.role == NodeRole::Batch && !m_needsBatches);
  }

  /// The last node that changes samples, starting at the first source.
  const GraphNode* lastUseful() const {
    const GraphNode* best = nullptr;
    for (const GraphNode& node : m_request.graph.nodes) {
      const NodeSpec* spec = builtinCatalog().find(node.kind);
      if (spec == nullptr || spec->role != NodeRole::Source) continue;
      std::size_t steps = 0;
      for (const GraphNode* at = &node; at != nullptr && steps++ < m_request.graph.nodes.size();
           at = behind(at->id)) {
        const NodeSpec* kind = builtinCatalog().find(at->kind);
        if (kind == nullptr) break;
        if (best == nullptr || changesSamples(*kind)) best = at;
      }
      return best;
    }
    return nullptr;
  }

  /// Of a choice, the last of its nodes along the chain; any other node itself.
  const GraphNode* lastChosen(const GraphNode& node) const {
    const NodeSpec* spec = builtinCatalog().find(node.kind);
    if (spec == nullptr || spec->role != NodeRole::Choice) return &node;
    const std::vector<NodeId> nodes = namedNodes(m_request.graph, node, *spec);
    const auto leadsOn = [&](const NodeId& id) {
      const GraphNode* next = behind(id);
      return next != nullptr && std::ranges::count(nodes, next->id) > 0;
    };
    const auto last = std::ranges::find_if_not(nodes, leadsOn);
    return last == nodes.end() ? &node : m_request.graph.node(*last);
  }

  Result<std::vector<const GraphNode*>> chainTo() const {
    const Graph& graph = m_request.graph;
    const GraphNode* at = m_request.node.empty() ? lastUseful() : graph.node(m_request.node);
    if (at == nullptr && m_request.node.empty())
      return Error{"the pipeline has no source; begin with one"};
    if (at == nullptr)
      return Error{fmt::format("there is no node `{}`; {}", m_request.node,
                               didYouMean(m_request.node, graph.ids()))};
    at = lastChosen(*at);
    std::vector<const GraphNode*> chain;
    for (; at != nullptr; at = before(at->id)) {
      if (chain.size() > graph.nodes.size()) return Error{"the wires form a cycle"};
      chain.push_back(at);
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
  }

  Status addNode(const GraphNode& node) {
    const NodeSpec* spec = builtinCatalog().find(node.kind);
    if (spec == nullptr) {
      const Problem unknown = unknownKind(node, builtinCatalog(), Severity::Error);
      return Error{fmt::format("{}: {}; {}", node.id, unknown.message, unknown.remedy)};
    }
    std::vector<CheckedNode>& nodes = m_plan.pipeline.nodes;
    if (nodes.empty() && spec->role != NodeRole::Source)
      return Error{fmt::format("{}: it has no source; connect it to one", node.id)};
    if (passesOn(*spec) || (node.state == NodeState::Bypass && spec->canBypass)) return {};
    Problems problems;
    CheckedNode checked{node.id, spec, completeValues(node, 0, *spec, problems), {}, {}};
    if (!nodes.empty()) checked.in = nodes.back().out;
    if (const auto choice = m_choices.find(node.id); choice != m_choices.end())
      checked.choice = choice->second;
    if (!problems.anyError()) {
      InferContext context(node.id, problems, m_request.base);
      context.setDeviceUse(DeviceUse::HostOnly);
      checked.out = spec->infer(checked.values, checked.in, context);
      noteChoice(checked);
    }
    MILLRACE_TRY(noErrorIn(problems));
    if (spec->role == NodeRole::Source)
      if (Status opened = open(checked); !opened) return opened;
    nodes.push_back(std::move(checked));
    return {};
  }

  static Status noErrorIn(const Problems& problems) {
    constexpr std::string_view kHead = "error: ";
    for (const Problem& problem : problems.all())
      if (problem.severity == Severity::Error) return Error{problem.text().substr(kHead.size())};
    return {};
  }

  Status open(CheckedNode& node) {
    const bool same = m_kept.source && m_kept.spec == node.spec && m_kept.values == node.values &&
                      m_kept.base == m_request.base;
    if (!same) {
      m_kept = {};
      auto source = node.spec->source(node.values, {node.id, m_request.base, {}, node.out, {}});
      if (!source) return Error{node.id + ": " + source.error().message};
      m_kept = {node.spec, node.values, m_request.base, source.take()};
    }
    node.out.fields = m_kept.source->fields();
    node.out.samples.reset();
    if (m_kept.source->listed()) node.out.samples = m_kept.source->size();
    if (m_kept.source->atLeast(1) == 0) return Error{node.id + ": the source has no samples"};
    return {};
  }

  Result<Plan> lowered() {
    PlanStage stage;
    stage.id = "preview";
    StageSegment segment;
    for (std::size_t i = 0; i < m_plan.pipeline.nodes.size(); ++i) {
      const NodeSpec& spec = *m_plan.node(i).spec;
      if (spec.role == NodeRole::Order) m_plan.orderNodes.push_back(i);
      if (actsOnRows(spec)) segment.sampleGroups.push_back({{i}});
    }
    segment.out = m_plan.pipeline.nodes.back().out;
    if (Status fused = fuseImageGroups(m_plan.pipeline, segment.sampleGroups); !fused)
      return fused.error();
    stage.segments.push_back(std::move(segment));
    m_plan.stages.push_back(std::move(stage));
    return std::move(m_plan);
  }

  /// The complete chain with the consumer that has no settings, as for a run.
  Result<Plan> wholeBatches() {
    const NodeSpec* drain = builtinCatalog().find("drain");
    MILLRACE_CHECK(drain != nullptr, "the catalog has the plain consumer");
    CheckedNode end{"", drain, drain->defaults(), m_plan.pipeline.nodes.back().out, {}};
    end.id = m_plan.pipeline.nodes.back().id;
    end.out = end.in;
    m_plan.pipeline.nodes.push_back(std::move(end));
    return makePlan(std::move(m_plan.pipeline));
  }

  const PreviewOptions& m_request;
  KeptSource& m_kept;
  bool m_needsBatches = false;
  std::map<NodeId, NodeChoice> m_choices;
  Plan m_plan;
};

}  // namespace

Result<Plan> previewPlan(const PreviewOptions& request, KeptSource& kept) {
  return Cut(request, kept).make();
}

}  // namespace millrace
