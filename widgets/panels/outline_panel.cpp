// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/outline_panel.h"

#include <QContextMenuEvent>
#include <QScopedValueRollback>
#include <QStyle>
#include <QStyledItemDelegate>

#include "widgets/canvas/editor/edit_session.h"
#include "widgets/common/format.h"

namespace millrace {

namespace {

class OutlineDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (option->widget == nullptr) return;
    const QStyle& style = *option->widget->style();
    const int room =
        style.subElementRect(QStyle::SE_ItemViewItemText, option, option->widget).width() -
        2 * (style.pixelMetric(QStyle::PM_FocusFrameHMargin, option, option->widget) + 1);
    option->text =
        outlineRow(index.data(OutlineModel::TitleRole).toString(),
                   index.data(OutlineModel::SettingsRole).toString(), option->fontMetrics, room);
  }
};

}  // namespace

QString outlineRow(const QString& title, const QString& settings, const QFontMetrics& metrics,
                   int room) {
  QString row = title;
  for (const QString& setting : settings.split(kDot, Qt::SkipEmptyParts)) {
    const QString longer = row + kDot + setting;
    if (metrics.horizontalAdvance(longer) > room) break;
    row = longer;
  }
  return row;
}

OutlinePanel::OutlinePanel(QWidget* parent) : QTreeView(parent) {
  setHeaderHidden(true);
  setIndentation(14);
  setItemDelegate(new OutlineDelegate(this));
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
