// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/spec/node_spec.h"

namespace millrace {

/// A kind as a plug-in describes it.
struct KindDescription {
  NodeSpec spec;  ///< without hooks, and without the parameter `fields`
  std::vector<Role> roles;
  bool batch = false;
  bool random = false;
  bool shared = false;
};

/// Reads the JSON of millrace_node_kind::description. The error says what is wrong where.
Result<KindDescription> readKindDescription(std::string_view json);

}  // namespace millrace
