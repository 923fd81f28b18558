// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/graph_check.h"

#include <algorithm>
#include <map>
#include <thread>

#include <fmt/format.h>

#include "core/base/parts.h"
#include "core/base/text/text.h"
#include "core/formats/folder/picture_scale.h"
#include "core/formats/io/data_path.h"
#include "core/graph/chain.h"
#include "core/graph/rules/chain_rules.h"
#include "core/graph/rules/choice_rules.h"
#include "core/graph/rules/decode_share.h"
#include "core/graph/rules/mask_rules.h"
#include "core/graph/rules/node_check.h"
#include "core/graph/rules/number_rules.h"
#include "core/graph/rules/object_rules.h"
#include "core/graph/rules/place_rules.h"
#include "core/graph/rules/size_rules.h"
#include "core/graph/rules/unknown_kind.h"
#include "core/spec/order_warnings.h"
#include "core/storage/remote_path.h"

namespace millrace {

namespace {

class Checker {
 public:
  Checker(const Graph& graph, const Catalog& catalog, const CheckOptions& options)
      : m_graph(graph), m_catalog(catalog), m_options(options) {}

  CheckResult run() {
    checkDocument(m_graph, m_problems);
    Problems wires;
    m_chain = findChain(m_graph, m_catalog, wires);
    append(wires);
    m_choices = choicesOf(m_graph, m_catalog, m_problems);
    for (const std::size_t i : m_chain) checkNode(i);
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
      if (!inChain(i) && !isChoice(i)) checkIdle(i);
    if (m_options.openData)
      for (const CheckedNode& node : m_nodes) checkPaths(node);
    // Without a source every node would report the same missing fields.
    if (!m_nodes.empty() && m_nodes.front().spec->role == NodeRole::Source)
      for (CheckedNode& node : m_nodes) inferNode(node);
    checkPlaces(m_nodes, m_catalog, cores(), m_problems);
    checkDevicePlaces(m_nodes, m_catalog, m_options.device, m_problems);
    if (!m_fieldsAssumed && !m_unsure) checkChoices(m_choices, m_nodes, m_problems);
    if (!m_fieldsAssumed && !m_unsure) checkSizes(m_nodes, m_problems);
    checkObjects(m_nodes, m_problems);
    checkNumbers(m_nodes, m_problems);
    if (m_source) checkMasks(m_nodes, *m_source, m_problems);
    checkGpuShares(m_nodes, m_options.device, m_problems);
    markPinned(m_nodes);
    if (m_options.openData && !m_problems.anyError()) buildNodes();
    return result();
  }

 private:
  /// Whether it chooses among nodes of the chain.
  bool isChoice(std::size_t i) const {
    const NodeSpec* spec = m_catalog.find(m_graph.nodes[i].kind);
    return spec != nullptr && spec->role == NodeRole::Choice &&
           m_graph.nodes[i].state == NodeState::On;
  }

  bool inChain(std::size_t i) const {
    return std::find(m_chain.begin(), m_chain.end(), i) != m_chain.end();
  }

  void append(const Problems& problems) {
    for (const Problem& problem : problems.all()) m_problems.add(problem);
  }

  void checkNode(std::size_t i) {
    const GraphNode& node = m_graph.nodes[i];
    const NodeSpec* spec = m_catalog.find(node.kind);
    if (node.state == NodeState::Bypass) {
      checkIdle(i);
      if (spec != nullptr && !spec->canBypass)
        m_problems.error(node.id, "state",
                         fmt::format("a `{}` node cannot be bypassed", spec->kind),
                         "write \"state\": \"on\"");
      if (spec == nullptr || spec->canBypass) return;
    }
    if (spec == nullptr) return reportUnknownKind(node, Severity::Error);
    m_nodes.push_back({node.id, spec, completeValues(node, i, *spec, m_problems), {}, {}});
    if (const auto choice = m_choices.find(node.id); choice != m_choices.end())
      m_nodes.back().choice = choice->second;
  }

  /// A node that does not run prevents nothing, so its problems are only warnings.
  void checkIdle(std::size_t i) {
    const GraphNode& node = m_graph.nodes[i];
    const NodeSpec* spec = m_catalog.find(node.kind);
    if (spec == nullptr) return reportUnknownKind(node, Severity::Warning);
    if (node.state == NodeState::Bypass && !spec->canBypass && inChain(i)) return;
    Problems problems;
    completeValues(node, i, *spec, problems);
    for (Problem problem : problems.all()) {
      problem.severity = Severity::Warning;
      m_problems.add(std::move(problem));
    }
  }

  void reportUnknownKind(const GraphNode& node, Severity severity) {
    m_problems.add(unknownKind(node, m_catalog, severity));
  }

  /// Whether this build lacks the part that the node needs.
  bool lacksPart(const CheckedNode& node) {
    if (node.spec->part.empty()) return false;
    const OptionalPart& part = partNamed(node.spec->part);
    if (!part.built) m_problems.error(node.id, "", whyMissing(part), remedyFor(part));
    return !part.built;
  }

  void inferNode(CheckedNode& node) {
    if (&node != m_nodes.data()) node.in = (&node - 1)->out;
    Problems own;
    InferContext context(node.id, own, m_options.base);
    context.setDeviceUse(m_options.device);
    node.out = node.spec->infer(node.values, node.in, context);
    noteChoice(node);
    // What else is wrong may come from that alone.
    if (lacksPart(node)) return;
    // A wrong parameter was replaced by its default; it is not reported twice.
    for (const Problem& problem : own.all())
      if ((problem.field.empty() || !hasError(node.id, problem.field)) && !isAssumption(problem) &&
          !isConsequence(problem))
        m_problems.add(problem);
    if (node.spec->role == NodeRole::Source) takeSource(node);
    m_unsure =
        m_unsure || own.anyError() || (node.spec->role == NodeRole::Source && hasError(node.id));
  }

  /// Whether a problem may come from a node upstream that could not say what it gives.
  bool isConsequence(const Problem& problem) const {
    return m_unsure && problem.severity == Severity::Error;
  }

  void takeSource(CheckedNode& node) {
    if (m_options.openData) return openSource(node);
    // Arrays have their shapes, types and names in the file: until it is opened, the fields of the
    // source are an assumption.
    m_fieldsAssumed = std::ranges::any_of(node.out.fields, [](const FieldSpec& field) {
      return field.dtype != DType::Encoded && !field.shape.known();
    });
  }

  /// Whether a problem only says that a node does not fit assumed fields.
  bool isAssumption(const Problem& problem) const {
    return m_fieldsAssumed && problem.severity == Severity::Error &&
           (problem.field.empty() || problem.field == "fields");
  }

  BuildContext contextOf(const CheckedNode& node) const {
    return {node.id, m_options.base, node.in, node.out,
            m_source ? m_source->classes() : std::vector<std::string>{}};
  }

  void openSource(CheckedNode& node) {
    if (hasError(node.id)) return;
    Result<std::shared_ptr<const Source>> source = node.spec->source(node.values, contextOf(node));
    if (!source)
      return m_problems.error(node.id, "", source.error().message, howToPointAtData(node));
    m_source = source.take();
    node.out.fields = m_source->fields();
    measurePictureScales(*m_source, node.out.fields);
    if (m_source->listed()) node.out.samples = m_source->size();
    for (const std::string& warning : m_source->warnings())
      m_problems.warning(node.id, "", warning, "");
    if (m_source->atLeast(1) == 0)
      m_problems.error(node.id, "", "the source has no samples", howToPointAtData(node));
  }

  static std::string howToPointAtData(const CheckedNode& node) {
    const bool takesData = std::any_of(node.spec->params.begin(), node.spec->params.end(),
                                       [](const ParamSpec& param) { return param.isData; });
    return takesData ? "choose other data" : "change the parameters of this node";
  }

  /// For the node, or for one of its fields.
  bool hasError(const NodeId& id, std::string_view field = {}) const {
    return std::any_of(m_problems.all().begin(), m_problems.all().end(),
                       [&](const Problem& problem) {
                         return problem.severity == Severity::Error && problem.node == id &&
                                (field.empty() || problem.field == field);
                       });
  }

  void checkPaths(const CheckedNode& node) {
    for (const ParamSpec& param : node.spec->params)
      for (const std::string& path : pathsOf(param, node.values.find(param.name)->second))
        checkPath(node, param, path);
  }

  static TextList pathsOf(const ParamSpec& param, const Value& value) {
    TextList paths;
    if (param.type == ParamType::Path) paths = {std::get<std::string>(value)};
    if (param.type == ParamType::PathList) paths = std::get<TextList>(value);
    std::erase_if(paths, [](const std::string& path) { return path.empty(); });
    return paths;
  }

  void checkPath(const CheckedNode& node, const ParamSpec& param, const std::string& path) {
    // A pattern for many files: the source that knows it reports what is missing.
    if (path.find('{') != std::string::npos) return;
    const Result<std::filesystem::path> full = resolveDataPath(path, m_options.base);
    if (!full)
      return m_problems.error(node.id, param.name, full.error().message, howToPointAtData(node));
    // Opening the source asks the server.
    if (isRemotePath(path)) return;
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(*full, error);
    if (std::filesystem::exists(status)) return;
    const std::string place = validUtf8(full->lexically_normal().string());
    if (status.type() == std::filesystem::file_type::not_found)
      m_problems.error(
          node.id, param.name, fmt::format("{} does not exist", place),
          std::filesystem::path(path).is_absolute()
              ? howToPointAtData(node)
              : "relative paths start at the pipeline's folder; " + howToPointAtData(node));
    else
      m_problems.error(node.id, param.name, fmt::format("{}: {}", place, error.message()),
                       "make it readable for this user");
  }

  /// Makes nodes to find what shows only then: files that they read, streams that they cannot work
  /// on. Caches and consumers take memory or devices, so only a run makes them.
  void buildNodes() {
    for (const CheckedNode& node : m_nodes) {
      const NodeSpec& spec = *node.spec;
      const BuildContext context = contextOf(node);
      if (spec.order) reportOrder(node, spec.order(node.values, context));
      if (spec.image) report(node, spec.image(node.values, context));
      if (spec.sample) report(node, spec.sample(node.values, context));
      if (spec.batchOp) report(node, spec.batchOp(node.values, context));
      if (spec.batchMap) report(node, spec.batchMap(node.values, context));
      if (spec.deviceOp && node.in.place == Place::Device)
        report(node, spec.deviceOp(node.values, context));
    }
  }

  template <class T>
  void report(const CheckedNode& node, const Result<T>& made) {
    if (!made)
      m_problems.error(node.id, "", made.error().message, "change the parameters of this node");
  }

  void reportOrder(const CheckedNode& node,
                   const Result<std::shared_ptr<const IndexTransform>>& made) {
    report(node, made);
    if (!made || !m_source || !m_source->listed()) return;
    const auto* order = dynamic_cast<const OrderWarnings*>(made->get());
    if (order == nullptr) return;
    for (OrderWarning& warning : order->warnings(*m_source))
      m_problems.warning(node.id, "", std::move(warning.message), std::move(warning.remedy));
  }

  std::size_t cores() const {
    if (m_options.cores != 0) return m_options.cores;
    return std::max<std::size_t>(1, std::thread::hardware_concurrency());
  }

  CheckResult result() {
    CheckResult result;
    for (const CheckedNode& node : m_nodes) result.streams.push_back({node.id, node.in, node.out});
    if (!m_problems.anyError())
      result.pipeline = CheckedPipeline{m_graph.seed, m_options.base, std::move(m_nodes), m_source,
                                        m_options.noRandom};
    result.problems = std::move(m_problems);
    return result;
  }

  const Graph& m_graph;
  const Catalog& m_catalog;
  const CheckOptions& m_options;
  Problems m_problems;
  std::vector<std::size_t> m_chain;
  std::map<NodeId, NodeChoice> m_choices;
  std::vector<CheckedNode> m_nodes;
  std::shared_ptr<const Source> m_source;
  bool m_unsure = false;         ///< a node so far could not say what it gives
  bool m_fieldsAssumed = false;  ///< only the data shows which fields there are
};

}  // namespace

CheckResult checkGraph(const Graph& graph, const Catalog& catalog, const CheckOptions& options) {
  return Checker(graph, catalog, options).run();
}

}  // namespace millrace
