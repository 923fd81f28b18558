// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <vector>

#include <QObject>

#include "widgets/models/edits.h"

namespace millrace {

class Document;

/// The selection in a document: nodes in the order in which they were selected, one wire, or one
/// comment. Shared by all views of the document. Drops what the document no longer has; an undo
/// restores what was selected before the edit. GUI thread.
class Selection : public QObject {
  Q_OBJECT
 public:
  explicit Selection(Document& document);

  const std::vector<NodeId>& nodes() const { return m_nodes; }
  const std::optional<WireKey>& wire() const { return m_wire; }
  /// Index in the document's comments.
  const std::optional<std::size_t>& comment() const { return m_comment; }
  bool contains(const NodeId& id) const;
  /// The node selected last, where keyboard moves start; empty if none is selected.
  NodeId current() const { return m_nodes.empty() ? NodeId() : m_nodes.back(); }
  bool isEmpty() const { return m_nodes.empty() && !m_wire && !m_comment; }

  void set(std::vector<NodeId> nodes);
  void setWire(const WireKey& wire);
  void setComment(std::size_t i);
  void toggle(const NodeId& id);
  void clear() { set({}); }

 signals:
  void changed();

 private:
  void forgetTheGone();
  void follow(int index);

  Document& m_document;
  int m_index = 0;                          ///< of the undo stack
  std::map<int, std::vector<NodeId>> m_at;  ///< the nodes selected last at each index
  std::vector<NodeId> m_nodes;
  std::optional<WireKey> m_wire;
  std::optional<std::size_t> m_comment;
};

}  // namespace millrace
