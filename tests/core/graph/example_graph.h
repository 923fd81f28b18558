// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/open/examples.h"

namespace millrace::tests {

/// A pipeline of built-in nodes that the workbench offers as an example.
inline Graph exampleGraph(std::string_view name = "classification") {
  return *parseGraph(*exampleJson(name), builtinCatalog()).graph;
}

}  // namespace millrace::tests
