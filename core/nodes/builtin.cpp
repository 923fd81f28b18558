// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/nodes/builtin.h"

#include "core/plugins/plugins.h"

namespace millrace {

namespace nodes {
#define MILLRACE_NODE(kind) \
  namespace kind {          \
  NodeSpec describe();      \
  }
#include "core/nodes/nodes.def"
#undef MILLRACE_NODE
}  // namespace nodes

const Catalog& builtinCatalog() {
  static const Catalog catalog = [] {
    Catalog all;
#define MILLRACE_NODE(kind) all.add(nodes::kind::describe());
#include "core/nodes/nodes.def"
#undef MILLRACE_NODE
    addPlugins(pluginPlaces(), all);
    return all;
  }();
  return catalog;
}

}  // namespace millrace
