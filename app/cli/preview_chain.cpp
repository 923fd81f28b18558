// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/preview_chain.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/graph/node_check.h"
#include "core/graph/plan_groups.h"
#include "core/nodes/builtin.h"
#include "core/run/order_cursor.h"
#include "core/run/row_pipeline.h"

namespace millrace::cli {

namespace {

bool changesSamples(const NodeSpec& spec) {
  return spec.role == NodeRole::Image || spec.role == NodeRole::Sample;
}

bool passesOn(const NodeSpec& spec) {
  return spec.role == NodeRole::Workers || spec.role == NodeRole::Batch ||
         spec.role == NodeRole::Prefetch || spec.role == NodeRole::Cache ||
         spec.role == NodeRole::Consumer;
}

/// Builds the plan of a chain that ends at one node.
class Cut {
 public:
  Cut(const PreviewRequest& request, KeptSource& kept) : m_request(request), m_kept(kept) {}

  Result<Plan> make() {
    auto chain = chainTo();
    if (!chain) return chain.error();
    for (const GraphNode* node : *chain)
      if (Status added = addNode(*node); !added) return added.error();
    m_plan.pipeline.seed = m_request.graph.seed;
    m_plan.pipeline.base = m_request.base;
    m_plan.pipeline.source = m_kept.source;
    m_plan.pipeline.noRandom = m_request.noRandom;
    return lowered();
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

  /// The last node that changes samples one by one, from the first source on.
  const GraphNode* lastUseful() const {
    const GraphNode* best = nullptr;
    for (const GraphNode& node : m_request.graph.nodes) {
      const NodeSpec* spec = builtinCatalog().find(node.kind);
      if (spec == nullptr || spec->role != NodeRole::Source) continue;
      std::size_t steps = 0;
      for (const GraphNode* at = &node; at != nullptr && steps++ < m_request.graph.nodes.size();
           at = behind(at->id)) {
        const NodeSpec* kind = builtinCatalog().find(at->kind);
        if (kind == nullptr || kind->role == NodeRole::BatchOp) break;
        if (best == nullptr || changesSamples(*kind)) best = at;
      }
      return best;
    }
    return nullptr;
  }

  Result<std::vector<const GraphNode*>> chainTo() const {
    const Graph& graph = m_request.graph;
    const GraphNode* at = m_request.node.empty() ? lastUseful() : graph.node(m_request.node);
    if (at == nullptr && m_request.node.empty())
      return Error{"the pipeline has no source; begin with one of `millrace nodes`"};
    if (at == nullptr)
      return Error{fmt::format("there is no node `{}`; {}", m_request.node,
                               didYouMean(m_request.node, graph.ids()))};
    std::vector<const GraphNode*> chain;
    for (; at != nullptr; at = before(at->id)) {
      if (chain.size() > graph.nodes.size()) return Error{"the wires go in a circle"};
      chain.push_back(at);
    }
    std::reverse(chain.begin(), chain.end());
    return chain;
  }

  Status addNode(const GraphNode& node) {
    const NodeSpec* spec = builtinCatalog().find(node.kind);
    if (spec == nullptr)
      return Error{fmt::format("{}: there is no kind `{}`; {}", node.id, node.kind,
                               didYouMean(node.kind, builtinCatalog().kinds()))};
    std::vector<CheckedNode>& nodes = m_plan.pipeline.nodes;
    if (nodes.empty() && spec->role != NodeRole::Source)
      return Error{fmt::format("{}: no source in front of it; connect it to one", node.id)};
    if (passesOn(*spec) || (node.state == NodeState::Bypass && spec->canBypass)) return {};
    if (spec->role == NodeRole::BatchOp)
      return Error{
          fmt::format("{}: works on whole batches; preview a node in front of it", node.id)};
    Problems problems;
    CheckedNode checked{node.id, spec, completeValues(node, 0, *spec, problems), {}, {}};
    if (!nodes.empty()) checked.in = nodes.back().out;
    if (!problems.anyError()) {
      InferContext context(node.id, problems, m_request.base);
      checked.out = spec->infer(checked.values, checked.in, context);
    }
    for (const Problem& problem : problems.all())
      if (problem.severity == Severity::Error) return Error{textOfProblem(problem)};
    if (spec->role == NodeRole::Source)
      if (Status opened = open(checked); !opened) return opened;
    nodes.push_back(std::move(checked));
    return {};
  }

  static std::string textOfProblem(const Problem& problem) {
    constexpr std::string_view kHead = "error: ";
    return problem.text().substr(kHead.size());
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
    node.out.samples = m_kept.source->size();
    if (m_kept.source->size() == 0) return Error{node.id + ": the source has no samples"};
    return {};
  }

  Result<Plan> lowered() {
    PlanStage stage;
    stage.id = "preview";
    PlanPhase phase;
    for (std::size_t i = 0; i < m_plan.pipeline.nodes.size(); ++i) {
      const NodeSpec& spec = *m_plan.node(i).spec;
      if (spec.role == NodeRole::Order) m_plan.orderNodes.push_back(i);
      if (changesSamples(spec)) phase.rowGroups.push_back({{i}});
    }
    phase.out = m_plan.pipeline.nodes.back().out;
    if (Status fused = fuseImageGroups(m_plan.pipeline, phase.rowGroups); !fused)
      return fused.error();
    stage.phases.push_back(std::move(phase));
    m_plan.stages.push_back(std::move(stage));
    return std::move(m_plan);
  }

  const PreviewRequest& m_request;
  KeptSource& m_kept;
  Plan m_plan;
};

FailureLimit noLimit() {
  FailureLimit limit;
  limit.count = UINT64_MAX;
  return limit;
}

}  // namespace

Result<Plan> previewPlan(const PreviewRequest& request, KeptSource& kept) {
  return Cut(request, kept).make();
}

struct PreviewRun::Engine {
  Engine(const Plan& of, bool noRandom)
      : plan(of),
        live(of),
        failures(noLimit(), of.pipeline.source->size()),
        stop(steadyClock()),
        parts{of, caches, live, failures, stop, noRandom},
        counters("preview", of.pipeline.nodes.size()) {}

  const Plan& plan;
  CacheSet caches;
  LiveValues live;
  FailureBudget failures;
  StopSignal stop;
  RunParts parts;
  ThreadCounters counters;
  std::unique_ptr<OrderCursor> cursor;
  std::shared_ptr<const EpochOrder> epoch;
  std::unique_ptr<RowPipeline> rows;
};

PreviewRun::PreviewRun(std::unique_ptr<Engine> engine) : m_engine(std::move(engine)) {}
PreviewRun::~PreviewRun() = default;

Result<std::unique_ptr<PreviewRun>> PreviewRun::make(const Plan& plan, bool noRandom) {
  auto engine = std::make_unique<Engine>(plan, noRandom);
  auto cursor = OrderCursor::make(plan, {}, noRandom);
  if (!cursor) return cursor.error();
  engine->cursor = cursor.take();
  auto rows = RowPipeline::make(engine->parts, plan.stages.front().phases.front(), 0, true,
                                engine->counters);
  if (!rows) return rows.error();
  engine->rows = rows.take();
  return std::unique_ptr<PreviewRun>(new PreviewRun(std::move(engine)));
}

PreviewSample PreviewRun::at(std::uint64_t place) {
  Engine& engine = *m_engine;
  PreviewSample result;
  const EpochOrder* epoch = engine.cursor->epochOfTicket(place, engine.epoch);
  const OrderEntry entry = epoch->order[static_cast<std::size_t>(place - epoch->firstTicket)];
  result.key = {epoch->epoch, entry.index, entry.round};
  result.name = engine.plan.pipeline.source->name(entry.index);
  const std::size_t failed = engine.failures.failures().size();
  const Result<bool> made = engine.rows->fromSource(result.key, nullptr, 0);
  if (!made) {
    result.error = made.error().message;
  } else if (!*made) {
    // A sample that failed before is counted once.
    const auto reasons = engine.failures.failures(failed);
    result.error = reasons.empty() ? "failed as it did before" : reasons.front().reason;
  } else {
    result.sample = &engine.rows->sample();
  }
  return result;
}

}  // namespace millrace::cli
