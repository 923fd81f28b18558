// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/plugins/kind_description.h"
#include "core/plugins/millrace_node.h"

namespace millrace {

/// A kind of a plug-in: what it says about itself, and its functions. Constant; any thread.
struct PluginKind {
  std::string name;
  std::vector<ParamSpec> params;  ///< as the plug-in described them, in this order
  std::vector<Role> roles;
  bool batch = false;
  bool random = false;
  bool shared = false;
  millrace_node_kind calls{};
};

/// The node kind with its hooks.
NodeSpec nodeSpecOf(KindDescription description, const millrace_node_kind& calls);

}  // namespace millrace
