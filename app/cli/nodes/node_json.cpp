// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/nodes/node_json.h"

#include <nlohmann/json.hpp>

#include "core/base/text/parsed_json.h"
#include "core/events/json/json_text.h"

namespace millrace::cli {

namespace {

Json useObject(const ParamSpec& param) {
  if (!param.usedWith) return {};
  return {{"param", param.usedWith->param}, {"choices", param.usedWith->choices}};
}

Json paramObject(const ParamSpec& param) {
  Json choices = Json::array();
  for (std::size_t i = 0; i < param.choices.size(); ++i)
    choices.push_back({{"name", param.choices[i]},
                       {"help", i < param.choiceHelps.size() ? param.choiceHelps[i] : ""}});
  return {
      {"name", param.name},
      {"label", param.label},
      {"help", param.help},
      {"unit", param.unit},
      {"type", nameOf(param.type)},
      {"default", std::visit([](const auto& value) { return Json(value); }, param.defaultValue)},
      {"minimum", orNull(param.minimum)},
      {"maximum", orNull(param.maximum)},
      {"choices", choices},
      {"live", param.live},
      {"is_data", param.isData},
      {"optional", param.optional},
      {"used_with", useObject(param)}};
}

Json specObject(const NodeSpec& spec) {
  Json params = Json::array();
  for (const ParamSpec& param : spec.params) params.push_back(paramObject(param));
  return {{"kind", spec.kind},
          {"label", spec.label},
          {"category", nameOf(spec.category)},
          {"help", spec.help},
          {"example", spec.example.empty() ? Json() : parsedJson(spec.example)},
          {"tags", spec.tags},
          {"can_bypass", spec.canBypass},
          {"plugin", spec.plugin.empty() ? Json() : Json(spec.plugin)},
          {"params", params}};
}

}  // namespace

std::string catalogJson(const Catalog& catalog) {
  Json kinds = Json::array();
  for (const NodeSpec& spec : catalog.all()) kinds.push_back(specObject(spec));
  return kinds.dump(2) + "\n";
}

std::string nodeSpecJson(const NodeSpec& spec) { return specObject(spec).dump(2) + "\n"; }

}  // namespace millrace::cli
