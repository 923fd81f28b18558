// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/plugins/millrace_node.h"
#include "core/spec/param_spec.h"

namespace millrace {

/// Values of parameters as a plug-in gets them, in the order of its description. Borrows the
/// parameters and the values.
class PluginParams {
 public:
  PluginParams(const std::vector<ParamSpec>& params, const Values& values);
  PluginParams(const PluginParams&) = delete;
  PluginParams& operator=(const PluginParams&) = delete;

  const millrace_node_value* data() const { return m_values.data(); }

 private:
  std::vector<millrace_node_value> m_values;
  std::vector<std::vector<const char*>> m_texts;  ///< of each parameter; filled for lists
};

}  // namespace millrace
