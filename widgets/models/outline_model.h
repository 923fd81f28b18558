// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>

#include "widgets/models/node_display.h"

namespace millrace {

class BackgroundCheck;
class Document;

/// The pipeline as a tree for keyboards and screen readers, which cannot access a graphics view:
/// nodes in the order of the wires; the nodes on a workers node's threads are its children. GUI
/// thread.
class OutlineModel : public QAbstractItemModel {
  Q_OBJECT
 public:
  enum Role { IdRole = Qt::UserRole, TitleRole, SettingsRole };

  OutlineModel(Document& document, BackgroundCheck& check);

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

  QModelIndex indexOf(const NodeId& id) const;
  NodeId idAt(const QModelIndex& index) const;

 private:
  struct Entry {
    NodeDisplay display;
    int parent = -1;            ///< index in m_entries
    int row = 0;                ///< below its parent
    std::vector<int> children;  ///< indices in m_entries
    bool operator==(const Entry&) const = default;
  };
  /// Keeps unchanged parts of the structure, so that views keep their position.
  void refresh();
  std::vector<Entry> build(std::vector<int>& top) const;

  Document& m_document;
  BackgroundCheck& m_check;
  std::vector<Entry> m_entries;
  std::vector<int> m_top;
};

/// All nodes along their wires: the chain with a source first, then unconnected ones.
std::vector<NodeId> nodesInOrder(const Graph& graph, const Catalog& catalog);

}  // namespace millrace
