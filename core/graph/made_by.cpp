// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/made_by.h"

#include <filesystem>

#include <nlohmann/json.hpp>

#include "core/base/version.h"
#include "core/formats/file_stamp.h"
#include "core/graph/json_text.h"
#include "core/graph/param_json.h"

namespace millrace {

namespace {

using MadeJson = nlohmann::json;

/// Nodes in front of one place of a plan, by what they do to samples.
class Makers {
 public:
  Makers(const Plan& plan, std::size_t at) : m_plan(plan), m_at(at) {}

  MadeJson source() const { return nodeJson(m_plan.source); }

  /// Operations in the order in which they run, one a list.
  MadeJson operations() const {
    MadeJson all = MadeJson::array();
    for (const PlanStage& stage : m_plan.stages)
      for (const PlanPhase& phase : stage.phases) {
        for (const PlanGroup& group : phase.rowGroups)
          if (isMaker(group.nodes.front())) all.push_back(groupJson(group.nodes));
        for (const std::size_t node : phase.batchOps)
          if (isMaker(node)) all.push_back(groupJson({node}));
      }
    // Rows are padded there.
    if (m_plan.batchNode < m_at) all.push_back(groupJson({m_plan.batchNode}));
    return all;
  }

  MadeJson fields() const {
    MadeJson all = MadeJson::array();
    for (const FieldSpec& field : m_plan.node(m_at).in.fields) all.push_back(field.text());
    return all;
  }

 private:
  bool isMaker(std::size_t i) const {
    return i < m_at && m_plan.node(i).spec->role != NodeRole::Cache;
  }

  MadeJson groupJson(const std::vector<std::size_t>& nodes) const {
    MadeJson group = MadeJson::array();
    for (const std::size_t i : nodes) group.push_back(nodeJson(i));
    return group;
  }

  MadeJson nodeJson(std::size_t i) const {
    const CheckedNode& node = m_plan.node(i);
    MadeJson params = MadeJson::object();
    MadeJson files = MadeJson::object();
    for (const ParamSpec& param : node.spec->params) {
      const auto value = node.values.find(param.name);
      if (value == node.values.end()) continue;
      if (!param.isData && !param.speedOnly) params[param.name] = jsonOf(value->second);
      addFiles(param.type, value->second, files);
    }
    return {{"kind", node.spec->kind}, {"params", params}, {"files", files}};
  }

  void addFiles(ParamType type, const Value& value, MadeJson& files) const {
    if (type == ParamType::Path) addFile(std::get<std::string>(value), files);
    if (type == ParamType::PathList)
      for (const std::string& path : std::get<TextList>(value)) addFile(path, files);
  }

  void addFile(const std::string& text, MadeJson& files) const {
    const std::string path = (m_plan.pipeline.base / text).lexically_normal().native();
    if (const auto stamp = fileStamp(path)) files[path] = *stamp;
  }

  const Plan& m_plan;
  const std::size_t m_at;
};

}  // namespace

std::string madeBy(const Plan& plan, std::size_t at) {
  const Makers makers(plan, at);
  const MadeJson json = {{"engine", engineVersion()},
                         {"source", makers.source()},
                         {"operations", makers.operations()},
                         {"fields", makers.fields()}};
  return jsonText(json);
}

}  // namespace millrace
