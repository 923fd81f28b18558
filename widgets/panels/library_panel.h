// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "widgets/models/library_model.h"

class QLineEdit;
class QTreeView;

namespace millrace {

/// All kinds by category, with a search: drag one onto the canvas or a wire, or press Enter.
class LibraryPanel : public QWidget {
  Q_OBJECT
 public:
  explicit LibraryPanel(const Catalog& catalog, QWidget* parent = nullptr);
  QLineEdit& search() { return *m_search; }
  QTreeView& tree() { return *m_tree; }
  /// The width at which every name is readable, unless one is very long.
  int widthOfNames() const;

 signals:
  /// Enter or a double click on a kind.
  void chosen(const QString& kind);
  void helpRequested(const QString& kind);

 private:
  void filter(const QString& text);
  void choose(const QModelIndex& index);
  bool eventFilter(QObject* watched, QEvent* event) override;

  LibraryModel m_model;
  LibraryFilter m_filter;
  QLineEdit* m_search;
  QTreeView* m_tree;
};

}  // namespace millrace
