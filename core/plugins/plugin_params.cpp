// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/plugins/plugin_params.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace millrace {

namespace {

struct Filler {
  const ParamSpec& spec;
  millrace_node_value& to;
  std::vector<const char*>& texts;

  void operator()(bool value) const { to.integer = value ? 1 : 0; }
  void operator()(std::int64_t value) const {
    to.integer = value;
    to.real = static_cast<double>(value);
  }
  void operator()(double value) const { to.real = value; }
  void operator()(const std::string& value) const {
    to.text = value.c_str();
    const auto choice = std::ranges::find(spec.choices, value);
    if (choice != spec.choices.end()) to.integer = choice - spec.choices.begin();
  }
  void operator()(const RealList& value) const {
    to.count = value.size();
    to.reals = value.data();
  }
  void operator()(const TextList& value) const {
    for (const std::string& text : value) texts.push_back(text.c_str());
    to.count = texts.size();
    to.texts = texts.data();
  }
};

}  // namespace

PluginParams::PluginParams(const std::vector<ParamSpec>& params, const Values& values)
    : m_values(params.size()), m_texts(params.size()) {
  for (std::size_t i = 0; i < params.size(); ++i) {
    millrace_node_value& to = m_values[i];
    to.name = params[i].name.c_str();
    to.text = "";
    const auto value = values.find(params[i].name);
    std::visit(Filler{params[i], to, m_texts[i]},
               value == values.end() ? params[i].defaultValue : value->second);
  }
}

}  // namespace millrace
