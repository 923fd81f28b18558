// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The settings of several runs: one row per parameter of each node.
#include <algorithm>
#include <charconv>
#include <map>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/compare/comparison_parts.h"
#include "core/graph/json/graph_json.h"

namespace millrace {

namespace {

constexpr const char* kNone = "-";

/// A node matched across all runs; `id` is the reference's if the reference has the node.
struct RowNode {
  NodeId id;
  std::string kind;
  std::vector<NodeId> ids;  ///< its id in each run; empty if absent
};

/// A stored setting as a value of its parameter.
std::string shownValue(const SettingValue& kept, const ParamSpec* param) {
  const Value value = std::visit([](const auto& content) { return Value{content}; }, kept);
  const auto* text = std::get_if<std::string>(&value);
  const bool isList = param != nullptr &&
                      (param->type == ParamType::RealList || param->type == ParamType::TextList ||
                       param->type == ParamType::PathList);
  if (text != nullptr && isList)
    if (const Result<Value> list = valueOf(param->type, RawJson{*text})) return textOf(*list);
  return textOf(value);
}

/// "4000000000 (4 GB)": the exact value and a readable one.
std::string withBytes(const std::string& text, const ParamSpec* param) {
  double bytes = 0;
  if (param == nullptr || param->unit != "bytes") return text;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), bytes);
  if (read.ec != std::errc() || bytes < 1e4) return text;
  return fmt::format("{} ({})", text, humanBytes(bytes));
}

/// The settings of one run by node and parameter.
using Kept = std::map<std::pair<std::string, std::string>, SettingValue>;

Kept keptSettings(const KeptRun& run) {
  Kept kept;
  for (const SettingRecord& setting : run.details.settings)
    kept[{setting.node, setting.param}] = setting.value;
  return kept;
}

class SettingRows {
 public:
  SettingRows(std::span<const ReadRun> runs, const Catalog& catalog)
      : m_runs(runs), m_catalog(catalog) {
    for (const ReadRun& run : runs) m_kept.push_back(keptSettings(*run.run));
  }

  std::vector<SettingRow> rows() {
    findNodes();
    for (const RowNode& node : m_nodes) addNode(node);
    addSeed();
    return std::move(m_rows);
  }

 private:
  /// The reference's nodes in order; a node that only other runs have follows its predecessor.
  void findNodes() {
    for (std::size_t run = 0; run < m_runs.size(); ++run) {
      std::size_t at = 0;
      for (const auto& [id, kind, known] : nodesOf(run)) {
        auto found = std::ranges::find_if(m_nodes, [&](const RowNode& node) {
          const bool sameKind = kind.empty() || node.kind.empty() || node.kind == kind;
          return sameKind &&
                 (known.empty() ? node.id == id && node.ids[run].empty() : node.ids[0] == known);
        });
        if (found == m_nodes.end()) {
          RowNode node{id, kind, std::vector<NodeId>(m_runs.size())};
          found = m_nodes.insert(m_nodes.begin() + static_cast<std::ptrdiff_t>(at), node);
        }
        found->ids[run] = id;
        at = static_cast<std::size_t>(found - m_nodes.begin()) + 1;
      }
    }
  }

  struct Known {
    NodeId id;
    std::string kind;
    NodeId reference;  ///< id in the reference, if it exists there
  };

  std::vector<Known> nodesOf(std::size_t run) const {
    std::vector<Known> nodes;
    if (const auto& diff = m_runs[run].diff) {
      for (const NodeDiff& node : diff->nodes)
        if (node.fate != NodeFate::Removed) nodes.push_back({node.after, node.kind, node.before});
      return nodes;
    }
    // Without a document, the nodes are taken from the settings, which are sorted by node.
    for (const SettingRecord& setting : m_runs[run].run->details.settings)
      if (nodes.empty() || nodes.back().id != setting.node) nodes.push_back({setting.node, "", ""});
    return nodes;
  }

  const GraphNode* graphNode(std::size_t run, const RowNode& node) const {
    return m_runs[run].graph ? m_runs[run].graph->node(node.ids[run]) : nullptr;
  }

  bool isOn(std::size_t run, const RowNode& node) const {
    const GraphNode* found = graphNode(run, node);
    return !node.ids[run].empty() && (found == nullptr || found->state == NodeState::On);
  }

  void addNode(const RowNode& node) {
    SettingRow presence{node.id, "", {}, {}, false};
    for (std::size_t run = 0; run < m_runs.size(); ++run)
      presence.values.emplace_back(isOn(run, node)         ? "on"
                                   : node.ids[run].empty() ? "absent"
                                                           : "bypassed");
    add(std::move(presence));
    const NodeSpec* spec = m_catalog.find(node.kind);
    for (const std::string& param : paramsOf(node, spec)) addParam(node, param, spec);
  }

  /// In the order of the node's description, then names that the description lacks.
  std::vector<std::string> paramsOf(const RowNode& node, const NodeSpec* spec) const {
    std::vector<std::string> names;
    if (spec != nullptr)
      for (const ParamSpec& param : spec->params) names.push_back(param.name);
    for (std::size_t run = 0; run < m_runs.size(); ++run)
      for (const auto& [name, value] : m_kept[run])
        if (name.first == node.ids[run] && std::ranges::find(names, name.second) == names.end())
          names.push_back(name.second);
    return names;
  }

  void addParam(const RowNode& node, const std::string& name, const NodeSpec* spec) {
    const ParamSpec* param = spec == nullptr ? nullptr : spec->param(name);
    const std::string defaultText = param == nullptr ? kNone : textOf(param->defaultValue);
    SettingRow row{node.id, name, {}, {}, false};
    std::vector<std::string> there;  // values of the runs in which the node is active
    for (std::size_t run = 0; run < m_runs.size(); ++run) {
      const auto found = m_kept[run].find({node.ids[run], name});
      const bool kept = !node.ids[run].empty() && found != m_kept[run].end();
      const std::string text = kept ? shownValue(found->second, param) : defaultText;
      if (isOn(run, node)) there.push_back(text);
      row.values.push_back(!isOn(run, node) ? kNone
                           : text.empty()   ? "\"\""
                                            : withBytes(text, param));
    }
    const bool everywhere = there.size() == m_runs.size();
    const bool varies = std::ranges::any_of(there, [&](const auto& text) {
      return text != (everywhere ? there.front() : defaultText);
    });
    add(std::move(row));
    // If some runs lack the node, its own row shows that; a setting is then a difference only where
    // it is not the default.
    m_rows.back().differs = varies;
  }

  void addSeed() {
    SettingRow row{"seed", "", {}, {}, false};
    for (const ReadRun& run : m_runs)
      row.values.push_back(run.graph ? std::to_string(run.graph->seed) : kNone);
    add(std::move(row));
  }

  void add(SettingRow row) {
    for (const std::string& value : row.values) row.changed.push_back(value != row.values.front());
    row.differs = std::ranges::find(row.changed, true) != row.changed.end();
    m_rows.push_back(std::move(row));
  }

  std::span<const ReadRun> m_runs;
  const Catalog& m_catalog;
  std::vector<Kept> m_kept;
  std::vector<RowNode> m_nodes;
  std::vector<SettingRow> m_rows;
};

}  // namespace

std::vector<SettingRow> settingRows(std::span<const ReadRun> runs, const Catalog& catalog) {
  return SettingRows(runs, catalog).rows();
}

}  // namespace millrace
