// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/provenance.h"

#include <filesystem>

#include <nlohmann/json.hpp>

#include "core/base/version.h"
#include "core/formats/io/file_stamp.h"
#include "core/graph/json/json_text.h"
#include "core/graph/json/param_json.h"

namespace millrace {

namespace {

using ProvenanceJson = nlohmann::json;

/// The nodes before a position of a plan that determine the samples there.
class ProvenanceBuilder {
 public:
  ProvenanceBuilder(const Plan& plan, std::size_t at) : m_plan(plan), m_at(at) {}

  ProvenanceJson source() const { return nodeJson(m_plan.source); }

  /// Operations in the order in which they run, one list for each.
  ProvenanceJson operations() const {
    ProvenanceJson all = ProvenanceJson::array();
    for (const PlanStage& stage : m_plan.stages)
      for (const StageSegment& segment : stage.segments) {
        for (const PlanGroup& group : segment.sampleGroups)
          if (isIncluded(group.nodes.front())) all.push_back(groupJson(group.nodes));
        for (const std::size_t node : segment.batchOps)
          if (isIncluded(node)) all.push_back(groupJson({node}));
      }
    // The batch node pads rows.
    if (m_plan.batchNode < m_at) all.push_back(groupJson({m_plan.batchNode}));
    return all;
  }

  ProvenanceJson fields() const {
    ProvenanceJson all = ProvenanceJson::array();
    for (const FieldSpec& field : m_plan.node(m_at).in.fields) all.push_back(field.text());
    return all;
  }

 private:
  bool isIncluded(std::size_t i) const {
    return i < m_at && m_plan.node(i).spec->role != NodeRole::Cache;
  }

  ProvenanceJson groupJson(const std::vector<std::size_t>& nodes) const {
    ProvenanceJson group = ProvenanceJson::array();
    for (const std::size_t i : nodes) group.push_back(nodeJson(i));
    return group;
  }

  ProvenanceJson nodeJson(std::size_t i) const {
    const CheckedNode& node = m_plan.node(i);
    ProvenanceJson params = ProvenanceJson::object();
    ProvenanceJson files = ProvenanceJson::object();
    for (const ParamSpec& param : node.spec->params) {
      const auto value = node.values.find(param.name);
      if (value == node.values.end()) continue;
      if (!param.isData && !param.speedOnly) params[param.name] = jsonOf(value->second);
      addFiles(param.type, value->second, files);
    }
    // With another plug-in of the same name, the kind may do something else.
    if (!node.spec->pluginFile.empty()) addFile(node.spec->pluginFile, files);
    ProvenanceJson facts = {{"kind", node.spec->kind}, {"params", params}, {"files", files}};
    if (node.choice) facts["choice"] = choiceJson(*node.choice);
    return facts;
  }

  static ProvenanceJson choiceJson(const NodeChoice& choice) {
    return {{"id", choice.id},
            {"probability", choice.probability},
            {"count", choice.count},
            {"weights", choice.weights},
            {"place", choice.place}};
  }

  void addFiles(ParamType type, const Value& value, ProvenanceJson& files) const {
    if (type == ParamType::Path) addFile(std::get<std::string>(value), files);
    if (type == ParamType::PathList)
      for (const std::string& path : std::get<TextList>(value)) addFile(path, files);
  }

  void addFile(const std::string& text, ProvenanceJson& files) const {
    const std::string path = (m_plan.pipeline.base / text).lexically_normal().native();
    if (const auto stamp = fileStamp(path)) files[path] = *stamp;
  }

  const Plan& m_plan;
  const std::size_t m_at;
};

}  // namespace

std::string provenanceOf(const Plan& plan, std::size_t at) {
  const ProvenanceBuilder builder(plan, at);
  const ProvenanceJson facts = {{"engine", engineVersion()},
                                {"source", builder.source()},
                                {"operations", builder.operations()},
                                {"fields", builder.fields()}};
  return jsonText(facts);
}

}  // namespace millrace
