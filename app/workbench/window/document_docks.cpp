// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window/document_docks.h"

#include <algorithm>
#include <utility>

#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>
#include <QTimer>
#include <QToolBar>

namespace millrace {

DocumentDocks::DocumentDocks(QMainWindow& window) : QObject(&window), m_window(window) {
  window.installEventFilter(this);
}

/// The window's own docks; pages have docks, too.
QList<QDockWidget*> DocumentDocks::docks() const {
  return m_window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly);
}

QStringList DocumentDocks::shown() const {
  QStringList names;
  for (const QDockWidget* dock : docks())
    if (!dock->isHidden()) names << dock->objectName();
  return names;
}

bool DocumentDocks::isSmall() const {
  return m_window.width() < kLeastWidth || m_window.height() < kLeastHeight;
}

QByteArray DocumentDocks::currentLayout() const {
  if (m_isFolded) return m_wide;
  return m_isAway ? m_kept : m_window.saveState();
}

QByteArray DocumentDocks::layout(Work work) const {
  if (work == m_work) return currentLayout();
  const auto kept = m_layouts.find(work);
  return kept == m_layouts.end() ? QByteArray() : kept->second;
}

void DocumentDocks::setLayouts(const QByteArray& editing, const QByteArray& running) {
  m_isAway = m_isFolded = false;
  m_work = Work::Editing;
  m_layouts.clear();
  if (!running.isEmpty()) m_layouts[Work::Running] = running;
  m_window.restoreState(editing);
  m_unsized = m_window.isVisible() ? QByteArray() : editing;
  if (m_window.isVisible() && isSmall()) fold(editing, shown());
}

void DocumentDocks::setWork(Work work, const std::function<void()>& first) {
  if (work == m_work) return;
  const bool hasLayouts = !m_isFolded && !m_isAway;
  if (hasLayouts) m_layouts[m_work] = m_window.saveState();
  m_work = work;
  const auto kept = m_layouts.find(work);
  if (hasLayouts && kept != m_layouts.end())
    restore(kept->second);
  else
    first();
}

bool DocumentDocks::eventFilter(QObject* watched, QEvent* event) {
  // Deferred: docks must not be moved while the window is being laid out.
  if (event->type() == QEvent::Resize || event->type() == QEvent::Show)
    QTimer::singleShot(0, this, &DocumentDocks::follow);
  return QObject::eventFilter(watched, event);
}

void DocumentDocks::follow() {
  if (m_window.isVisible()) sizeRestored();
  keepCanvas();
  if (m_isAway || isSmall() == m_isFolded || !m_window.isVisible()) return;
  m_isFolded ? unfold(shown()) : fold(m_window.saveState(), shown());
}

void DocumentDocks::sizeRestored() {
  const QByteArray layout = std::exchange(m_unsized, {});
  if (layout.isEmpty() || m_work != Work::Editing) return;
  if (m_isFolded)
    m_wide = layout;
  else if (m_isAway)
    m_kept = layout;
  else
    restore(layout);
}

/// In a window that becomes lower, Qt takes the height from the canvas alone.
void DocumentDocks::keepCanvas() {
  constexpr int kLeastCanvas = 300;  ///< with the tabs
  constexpr int kLeastDocks = 150;
  const int lack = kLeastCanvas - m_window.centralWidget()->height();
  if (lack <= 0 || m_isAway || m_isFolded) return;
  for (QDockWidget* dock : docks())
    if (dock->isVisible() && !dock->isFloating() &&
        m_window.dockWidgetArea(dock) == Qt::BottomDockWidgetArea)
      return m_window.resizeDocks({dock}, {std::max(kLeastDocks, dock->height() - lack)},
                                  Qt::Vertical);
}

void DocumentDocks::putAway() {
  if (std::exchange(m_isAway, true)) return;
  m_kept = m_window.saveState();
  m_keptShown = shown();
  for (QDockWidget* dock : docks()) dock->hide();
}

void DocumentDocks::bringBack() {
  if (!std::exchange(m_isAway, false)) return;
  const bool folds = m_window.isVisible() ? isSmall() : m_isFolded;
  if (folds == m_isFolded)
    restore(m_kept);
  else
    folds ? fold(m_kept, m_keptShown) : unfold(m_keptShown);
}

void DocumentDocks::fold(const QByteArray& wide, const QStringList& shown) {
  m_isFolded = true;
  m_wide = wide;
  QDockWidget* beside = nullptr;
  QDockWidget* below = nullptr;
  for (QDockWidget* dock : docks()) {
    const bool isShown = shown.contains(dock->objectName());
    if (!dock->isFloating()) {
      const bool isBelow = m_window.dockWidgetArea(dock) == Qt::BottomDockWidgetArea;
      QDockWidget*& first = isBelow ? below : beside;
      m_window.addDockWidget(isBelow ? Qt::BottomDockWidgetArea : Qt::RightDockWidgetArea, dock);
      if (first != nullptr) m_window.tabifyDockWidget(first, dock);
      if (first == nullptr) first = dock;
    }
    dock->setVisible(isShown);
  }
  if (beside != nullptr) m_window.resizeDocks({beside}, {300}, Qt::Horizontal);
  if (below != nullptr) m_window.resizeDocks({below}, {160}, Qt::Vertical);
}

/// The currently shown docks stay shown; they may differ from those before.
void DocumentDocks::unfold(const QStringList& shown) {
  m_isFolded = false;
  restore(m_wide);
  for (QDockWidget* dock : docks()) dock->setVisible(shown.contains(dock->objectName()));
}

/// Restores only the docks: tool bars are shown and hidden independently.
void DocumentDocks::restore(const QByteArray& layout) {
  QList<std::pair<QToolBar*, bool>> bars;
  for (QToolBar* bar : m_window.findChildren<QToolBar*>(QString(), Qt::FindDirectChildrenOnly))
    bars << std::pair(bar, !bar->isHidden());
  m_window.restoreState(layout);
  for (const auto& [bar, isShown] : bars) bar->setVisible(isShown);
  QTimer::singleShot(0, this, &DocumentDocks::keepCanvas);  // Once they are laid out.
}

}  // namespace millrace
