// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/loader/inserted_node.h"

namespace millrace {

Result<AddedNode> insertNode(Graph graph, const Catalog& catalog, std::string_view kind,
                             const NodeId& before, const NodeId& behind) {
  auto added = addNode(std::move(graph), catalog, kind);
  if (!added) return added.error();
  auto edited = disconnectNodes(std::move(added->graph), before, behind);
  if (edited) edited = connectNodes(edited.take(), catalog, before, added->id);
  if (edited) edited = connectNodes(edited.take(), catalog, added->id, behind);
  if (!edited) return edited.error();
  return AddedNode{edited.take(), added->id};
}

}  // namespace millrace
