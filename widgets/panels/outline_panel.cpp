// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/outline_panel.h"

#include <QContextMenuEvent>
#include <QScopedValueRollback>

#include "widgets/canvas/editor/edit_session.h"

namespace millrace {

OutlinePanel::OutlinePanel(QWidget* parent) : QTreeView(parent) {
  setHeaderHidden(true);
  setIndentation(18);
  setIconSize(QSize(20, 20));
  setVerticalScrollMode(ScrollPerPixel);
  setSelectionMode(ExtendedSelection);
  setEditTriggers(NoEditTriggers);
  setAccessibleName("Pipeline outline");
  connect(this, &QTreeView::activated, this, &OutlinePanel::inspectRequested);
}

void OutlinePanel::setSession(EditSession* session) {
  for (const auto& connection : m_connections) disconnect(connection);
  m_connections.clear();
  m_session = session;
  setModel(session == nullptr ? nullptr : &session->outline);
  if (session == nullptr) return;
  m_connections = {
      connect(&session->selection, &Selection::changed, this, &OutlinePanel::follow),
      connect(&session->outline, &QAbstractItemModel::modelReset, this,
              [this] {
                expandAll();
                follow();
              }),
  };
  expandAll();
  scrollToTop();
  follow();
}

void OutlinePanel::follow() {
  if (m_following || m_session == nullptr || selectionModel() == nullptr) return;
  const QScopedValueRollback guard(m_following, true);
  QItemSelection rows;
  QModelIndex last;
  for (const NodeId& id : m_session->selection.nodes()) {
    last = m_session->outline.indexOf(id);
    if (last.isValid()) rows.select(last, last);
  }
  selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
  if (!last.isValid()) return;
  selectionModel()->setCurrentIndex(last, QItemSelectionModel::NoUpdate);
  scrollTo(last);
}

void OutlinePanel::selectionChanged(const QItemSelection& selected, const QItemSelection& gone) {
  QTreeView::selectionChanged(selected, gone);
  if (m_following || m_session == nullptr) return;
  const QScopedValueRollback guard(m_following, true);
  std::vector<NodeId> ids;
  for (const QModelIndex& index : selectionModel()->selectedIndexes())
    ids.push_back(m_session->outline.idAt(index));
  m_session->selection.set(std::move(ids));
}

void OutlinePanel::contextMenuEvent(QContextMenuEvent* event) {
  emit menuRequested(event->globalPos());
}

}  // namespace millrace
