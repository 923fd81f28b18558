// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/painted_view.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QPainter>

#include "widgets/common/icons.h"

namespace millrace {

PaintedView::PaintedView(const QString& title, QWidget* parent)
    : RunView(parent),
      m_title(title),
      m_freeze(new QAction(icon("freeze"), "Freeze", this)),
      m_export(new QAction(icon("export"), "Export…", this)) {
  setAccessibleName(title);
  m_freeze->setCheckable(true);
  m_freeze->setToolTip("Freeze this view; recording goes on");
  m_export->setToolTip("Save as PNG, SVG, CSV or JSON");
  connect(m_freeze, &QAction::toggled, this, [this](bool frozen) {
    if (!frozen) emit shownAgain();
  });
  connect(m_export, &QAction::triggered, this, [this] { askViewExport(this, description()); });
  addActions({m_freeze, m_export});
}

void PaintedView::forget() { m_freeze->setChecked(false); }

bool PaintedView::isFrozen() const { return m_freeze->isChecked(); }

ViewExport PaintedView::description() const {
  ViewExport view;
  view.title = m_title;
  view.size = size();
  view.paint = [this](QPainter& painter) { paint(painter); };
  view.table = [this] { return table(); };
  return view;
}

Status PaintedView::exportTo(const QString& file) const { return exportView(description(), file); }

void PaintedView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint(painter);
}

void PaintedView::contextMenuEvent(QContextMenuEvent* event) {
  popUpViewMenu(this, event->globalPos(), description());
}

}  // namespace millrace
