// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/narrow_docks.h"

#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>
#include <QTimer>

namespace millrace {

NarrowDocks::NarrowDocks(QMainWindow& window) : QObject(&window), m_window(window) {
  window.installEventFilter(this);
}

QByteArray NarrowDocks::layout() const { return m_narrow ? m_wide : m_window.saveState(); }

bool NarrowDocks::eventFilter(QObject* watched, QEvent* event) {
  // Later: docks may not move while the window lays itself out.
  if (event->type() == QEvent::Resize || event->type() == QEvent::Show)
    QTimer::singleShot(0, this, &NarrowDocks::follow);
  return QObject::eventFilter(watched, event);
}

void NarrowDocks::follow() {
  const bool narrow = m_window.width() < kLeastWidth || m_window.height() < kLeastHeight;
  if (narrow == m_narrow || !m_window.isVisible()) return;
  m_narrow = narrow;
  narrow ? fold() : unfold();
}

void NarrowDocks::refold() {
  if (!m_narrow) return;
  // Folded, none is on the left. To fold a second time would be to forget the wide layout.
  for (QDockWidget* dock : m_window.findChildren<QDockWidget*>())
    if (!dock->isFloating() && m_window.dockWidgetArea(dock) == Qt::LeftDockWidgetArea)
      return fold();
}

void NarrowDocks::fold() {
  m_wide = m_window.saveState();
  QDockWidget* beside = nullptr;
  QDockWidget* below = nullptr;
  for (QDockWidget* dock : m_window.findChildren<QDockWidget*>()) {
    if (dock->isFloating()) continue;
    const bool isBelow = m_window.dockWidgetArea(dock) == Qt::BottomDockWidgetArea;
    QDockWidget*& first = isBelow ? below : beside;
    const bool hidden = dock->isHidden();
    m_window.addDockWidget(isBelow ? Qt::BottomDockWidgetArea : Qt::RightDockWidgetArea, dock);
    if (first != nullptr) m_window.tabifyDockWidget(first, dock);
    dock->setHidden(hidden);
    if (first == nullptr) first = dock;
  }
  m_window.resizeDocks({beside, below}, {300, 300}, Qt::Horizontal);
  m_window.resizeDocks({below}, {160}, Qt::Vertical);
}

void NarrowDocks::unfold() {
  QList<std::pair<QDockWidget*, bool>> hidden;
  for (QDockWidget* dock : m_window.findChildren<QDockWidget*>())
    hidden << std::pair(dock, dock->isHidden());
  m_window.restoreState(m_wide);
  for (const auto& [dock, isHidden] : hidden) dock->setHidden(isHidden);
}

}  // namespace millrace
