// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/selection.h"

#include <algorithm>

#include <QUndoStack>

#include "widgets/models/document.h"

namespace millrace {

Selection::Selection(Document& document) : QObject(&document), m_document(document) {
  connect(&document, &Document::changed, this, &Selection::forgetTheGone);
  connect(&document, &Document::replaced, this, [this] { m_at.clear(); });
  connect(&document.undoStack(), &QUndoStack::indexChanged, this, &Selection::follow);
  connect(this, &Selection::changed, this, [this] { m_at[m_index] = m_nodes; });
}

void Selection::follow(int index) {
  const bool isUndo = index < m_index;
  m_index = index;
  const auto before = m_at.find(index);
  if (!isUndo || before == m_at.end()) {
    m_at[index] = m_nodes;
    return;
  }
  std::vector<NodeId> nodes = before->second;
  std::erase_if(nodes, [&](const NodeId& id) { return m_document.graph().node(id) == nullptr; });
  if (!nodes.empty()) set(std::move(nodes));
}

bool Selection::contains(const NodeId& id) const {
  return std::ranges::find(m_nodes, id) != m_nodes.end();
}

void Selection::set(std::vector<NodeId> nodes) {
  if (nodes == m_nodes && !m_wire && !m_comment) return;
  m_nodes = std::move(nodes);
  m_wire.reset();
  m_comment.reset();
  emit changed();
}

void Selection::setWire(const WireKey& wire) {
  if (m_wire == wire) return;
  m_nodes.clear();
  m_comment.reset();
  m_wire = wire;
  emit changed();
}

void Selection::setComment(std::size_t i) {
  if (m_comment == i) return;
  m_nodes.clear();
  m_wire.reset();
  m_comment = i;
  emit changed();
}

void Selection::toggle(const NodeId& id) {
  std::vector<NodeId> nodes = m_nodes;
  if (std::erase(nodes, id) == 0) nodes.push_back(id);
  set(std::move(nodes));
}

void Selection::forgetTheGone() {
  const Graph& graph = m_document.graph();
  const auto gone =
      std::erase_if(m_nodes, [&](const NodeId& id) { return graph.node(id) == nullptr; });
  const bool wireGone = m_wire && std::ranges::none_of(graph.wires, [&](const GraphWire& wire) {
                          return wire.from == m_wire->from && wire.to == m_wire->to;
                        });
  if (wireGone) m_wire.reset();
  const bool commentGone = m_comment && *m_comment >= graph.comments.size();
  if (commentGone) m_comment.reset();
  if (gone > 0 || wireGone || commentGone) emit changed();
}

}  // namespace millrace
