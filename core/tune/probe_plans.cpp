// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/probe_plans.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/check.h"
#include "core/nodes/builtin.h"
#include "core/tune/run_counters_of.h"

namespace millrace {

namespace {

using Nodes = std::vector<CheckedNode>;

NodeRole roleOf(const CheckedNode& node) { return node.spec->role; }

bool worksOnRows(const CheckedNode& node) {
  return roleOf(node) == NodeRole::Image || roleOf(node) == NodeRole::Sample;
}

const NodeSpec& firstOf(NodeRole role) {
  const std::vector<NodeSpec>& all = builtinCatalog().all();
  const auto found = std::ranges::find(all, role, &NodeSpec::role);
  MILLRACE_CHECK(found != all.end(), "the catalog has a kind for every role");
  return *found;
}

const NodeSpec& kind(const char* name) {
  const NodeSpec* spec = builtinCatalog().find(name);
  MILLRACE_CHECK(spec != nullptr, "the catalog has this built-in kind");
  return *spec;
}

/// Makes the probes of one pipeline.
class Probes {
 public:
  Probes(const Plan& plan, const ProbeOptions& options)
      : m_nodes(plan.pipeline.nodes), m_plan(plan), m_options(options) {
    m_batch = plan.batchNode;
    m_cached = std::ranges::any_of(
        m_nodes, [](const CheckedNode& node) { return roleOf(node) == NodeRole::Cache; });
  }

  ProbePlans take() {
    withoutStep();
    if (m_cached) {
      m_made.leftOut.emplace_back("cuts and the run from memory: the pipeline has its own cache");
      return std::move(m_made);
    }
    sourceAlone();
    toDecode();
    toBatch();
    fromMemory();
    fromCache();
    nodesApart();
    return std::move(m_made);
  }

 private:
  /// The plan of a chain of nodes, with streams inferred again; an error if a node does not fit.
  Result<Plan> planOf(Nodes nodes, bool fuse) const {
    Problems problems;
    for (std::size_t i = 1; i < nodes.size(); ++i) {
      CheckedNode& node = nodes[i];
      node.in = nodes[i - 1].out;
      InferContext context(node.id, problems, m_plan.pipeline.base);
      node.out = node.spec->infer(node.values, node.in, context);
    }
    for (const Problem& problem : problems.all())
      if (problem.severity == Severity::Error) return Error{problem.message};
    CheckedPipeline pipeline = m_plan.pipeline;
    pipeline.nodes = std::move(nodes);
    PlanOptions options;
    options.fuse = fuse;
    return makePlan(std::move(pipeline), options);
  }

  void add(Probe probe, Nodes nodes, std::string what, std::string cacheAfter = {}) {
    Result<Plan> plan = planOf(std::move(nodes), m_options.fuse && probe != Probe::NodesApart);
    if (plan)
      m_made.plans.push_back({probe, plan.take(), std::move(what), std::move(cacheAfter)});
    else
      m_made.leftOut.push_back(fmt::format("{}: {}", nameOf(probe), plan.error().message));
  }

  CheckedNode drain() const {
    const NodeSpec& spec = kind("drain");
    return {m_nodes.back().id, &spec, spec.defaults(), {}, {}};
  }

  bool drains() const { return m_nodes.back().spec->kind == kind("drain").kind; }

  /// Appends the batch node, the queue after it if there is one, and a drain.
  void addTail(Nodes& nodes) const {
    nodes.push_back(m_nodes[m_batch]);
    const auto queue =
        std::find_if(m_nodes.begin() + static_cast<std::ptrdiff_t>(m_batch), m_nodes.end(),
                     [](const CheckedNode& node) { return roleOf(node) == NodeRole::Prefetch; });
    if (queue != m_nodes.end()) nodes.push_back(*queue);
    nodes.push_back(drain());
  }

  void withoutStep() {
    if (drains()) return;
    Nodes nodes = m_nodes;
    nodes.back() = drain();
    add(Probe::WithoutStep, std::move(nodes), "the whole loader without the step");
  }

  void sourceAlone() {
    Nodes nodes;
    for (std::size_t i = 0; i < m_batch; ++i)
      if (!worksOnRows(m_nodes[i])) nodes.push_back(m_nodes[i]);
    const bool leavesOut = nodes.size() < m_batch;
    addTail(nodes);
    if (leavesOut) add(Probe::SourceAlone, nodes, "reading and batching only");
    if (m_options.moreReaders) moreReaders(std::move(nodes));
  }

  void moreReaders(Nodes nodes) {
    const auto workers = std::ranges::find_if(
        nodes, [](const CheckedNode& node) { return roleOf(node) == NodeRole::Workers; });
    if (workers == nodes.end()) return;
    const std::size_t threads = 2 * m_plan.stages.front().threads;
    workers->values["count"] = static_cast<std::int64_t>(threads);
    add(Probe::MoreReaders, std::move(nodes),
        fmt::format("reading and batching with {} threads", threads));
  }

  /// The last node of decoding: from a decoder on, the first after which all sizes are known.
  std::optional<std::size_t> endOfDecoding() const {
    bool decoded = false;
    for (std::size_t i = 0; i < m_batch; ++i) {
      decoded = decoded || m_nodes[i].spec->category == Category::Decode;
      if (decoded && sampleBytesOf(m_nodes[i].out)) return i;
    }
    return std::nullopt;
  }

  void toDecode() {
    const std::optional<std::size_t> end = endOfDecoding();
    if (!end) return;
    const auto after = m_nodes.begin() + static_cast<std::ptrdiff_t>(*end) + 1;
    if (std::none_of(after, m_nodes.begin() + static_cast<std::ptrdiff_t>(m_batch), worksOnRows))
      return;
    Nodes nodes(m_nodes.begin(), after);
    addTail(nodes);
    add(Probe::ToDecode, std::move(nodes), fmt::format("up to {}, then batched", m_nodes[*end].id));
  }

  void toBatch() {
    const auto batch = m_nodes.begin() + static_cast<std::ptrdiff_t>(m_batch);
    const bool worksAfter = std::any_of(batch + 1, m_nodes.end(), [](const CheckedNode& node) {
      return worksOnRows(node) || roleOf(node) == NodeRole::BatchOp;
    });
    if (!worksAfter) return;
    Nodes nodes(m_nodes.begin(), batch);
    addTail(nodes);
    add(Probe::ToBatch, std::move(nodes), "up to the batch");
  }

  /// Adds a probe with a cache before node `place`, limited to the number of samples in the
  /// options.
  void addCached(Probe probe, std::size_t place, std::string what) {
    Nodes nodes = m_nodes;
    const NodeSpec& cache = firstOf(NodeRole::Cache);
    CheckedNode memory{"probe-memory", &cache, cache.defaults(), {}, {}};
    memory.values["limit"] = static_cast<std::int64_t>(std::max(1048576.0, m_options.memoryBytes));
    nodes.insert(nodes.begin() + static_cast<std::ptrdiff_t>(place), std::move(memory));
    if (m_plan.pipeline.source->size() > m_options.memorySamples) {
      const NodeSpec& take = kind("take");
      CheckedNode first{"probe-take", &take, take.defaults(), {}, {}};
      first.values["count"] = m_options.memorySamples;
      nodes.insert(nodes.begin() + static_cast<std::ptrdiff_t>(m_plan.source) + 1,
                   std::move(first));
      what += fmt::format(", the first {}", m_options.memorySamples);
    }
    add(probe, std::move(nodes), std::move(what), m_nodes[place - 1].id);
  }

  std::size_t firstWork() const {
    const auto found = std::ranges::find_if(m_nodes, [](const CheckedNode& node) {
      return worksOnRows(node) || roleOf(node) == NodeRole::Batch;
    });
    return static_cast<std::size_t>(found - m_nodes.begin());
  }

  void fromMemory() { addCached(Probe::FromMemory, firstWork(), "encoded samples from memory"); }

  /// Only if that is another place.
  void fromCache() {
    if (!m_options.cache) return;
    const auto after = std::ranges::find(m_nodes, m_options.cache->node, &CheckedNode::id);
    if (after == m_nodes.end()) return;
    const auto place = static_cast<std::size_t>(after - m_nodes.begin()) + 1;
    if (place != firstWork())
      addCached(Probe::FromCache, place, fmt::format("from memory after {}", after->id));
  }

  void nodesApart() {
    const bool fused = std::ranges::any_of(m_plan.stages, [](const PlanStage& stage) {
      return std::ranges::any_of(stage.segments, [](const StageSegment& segment) {
        return std::ranges::any_of(segment.sampleGroups,
                                   [](const PlanGroup& group) { return group.nodes.size() > 1; });
      });
    });
    if (fused) add(Probe::NodesApart, m_nodes, "every node separately");
  }

  const Nodes& m_nodes;
  const Plan& m_plan;
  const ProbeOptions m_options;
  std::size_t m_batch = 0;
  bool m_cached = false;
  ProbePlans m_made;
};

}  // namespace

ProbePlans probePlans(const Plan& baseline, const ProbeOptions& options) {
  return Probes(baseline, options).take();
}

std::optional<CachePoint> cachePointOf(const Plan& plan, double memoryBytes,
                                       std::optional<double> encodedBytes) {
  // Overhead of the cache's records and of rounding to cache lines.
  constexpr double kOverhead = 256;
  // The samples read so far may be smaller than the rest, and one sample that does not fit is read
  // in every epoch.
  constexpr double kEncodedMargin = 1.1;
  const Nodes& nodes = plan.pipeline.nodes;
  const auto samples = static_cast<double>(plan.pipeline.source->size());
  std::optional<CachePoint> best;
  bool decoded = false;
  for (std::size_t i = 0; i < plan.batchNode; ++i) {
    const CheckedNode& node = nodes[i];
    if (roleOf(node) == NodeRole::Cache) return std::nullopt;
    if (!node.out.randomFrom.empty()) break;
    decoded = decoded || node.spec->category == Category::Decode;
    std::optional<double> each = sampleBytesOf(node.out);
    const bool isEncoded = !decoded && !worksOnRows(node);
    if (isEncoded) each = encodedBytes;
    if (!each || roleOf(node) == NodeRole::Source) continue;
    const double all = samples * (*each + kOverhead) * (isEncoded ? kEncodedMargin : 1);
    if (all <= memoryBytes) best = CachePoint{node.id, all, decoded};
  }
  return best;
}

std::vector<MovePoint> movePointsOf(const Plan& plan) {
  std::vector<MovePoint> moves;
  std::vector<std::string> colours;  // consecutive colour nodes before node i
  for (std::size_t i = 0; i < plan.batchNode; ++i) {
    const CheckedNode& node = plan.pipeline.nodes[i];
    if (!worksOnRows(node)) continue;
    if (node.spec->category == Category::Colour) {
      colours.push_back(node.id);
      continue;
    }
    if (node.spec->category == Category::Geometry && !colours.empty() && sampleBytesOf(node.out))
      moves.push_back({node.id, colours});
    colours.clear();
  }
  return moves;
}

}  // namespace millrace
