// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QTreeView>

namespace millrace {

struct EditSession;

/// The pipeline as a tree: an alternative to the canvas for screen readers and for use without a
/// mouse. Selection is synchronised both ways.
class OutlinePanel : public QTreeView {
  Q_OBJECT
 public:
  explicit OutlinePanel(QWidget* parent = nullptr);
  void setSession(EditSession* session);

 signals:
  /// Enter on a node.
  void inspectRequested();
  void menuRequested(QPoint globalPosition);

 protected:
  void selectionChanged(const QItemSelection& selected, const QItemSelection& gone) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void follow();

  EditSession* m_session = nullptr;
  std::vector<QMetaObject::Connection> m_connections;
  bool m_following = false;
};

/// A row of the outline: the title, and the settings that fit whole after it. The rest is in the
/// tooltip.
QString outlineRow(const QString& title, const QString& settings, const QFontMetrics& metrics,
                   int room);

}  // namespace millrace
