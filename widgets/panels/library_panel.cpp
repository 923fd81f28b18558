// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/panels/library_panel.h"

#include <algorithm>

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QStyle>
#include <QTreeView>
#include <QVBoxLayout>

#include "widgets/common/icons.h"

namespace millrace {

LibraryPanel::LibraryPanel(const Catalog& catalog, QWidget* parent)
    : QWidget(parent), m_model(catalog), m_search(new QLineEdit), m_tree(new QTreeView) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 10, 0, 10);
  column->setSpacing(8);
  m_search->setPlaceholderText(QString("Search %1 nodes").arg(catalog.all().size()));
  m_search->setAccessibleName("Search nodes");
  m_search->addAction(icon("search", Tone::Hint), QLineEdit::LeadingPosition);
  m_search->setClearButtonEnabled(true);
  m_search->installEventFilter(this);
  auto* searchRow = new QVBoxLayout;
  searchRow->setContentsMargins(10, 0, 10, 0);
  searchRow->addWidget(m_search);
  column->addLayout(searchRow);

  m_filter.setSourceModel(&m_model);
  m_filter.setRecursiveFilteringEnabled(false);
  m_tree->setModel(&m_filter);
  m_tree->setHeaderHidden(true);
  m_tree->setIndentation(18);
  m_tree->setDragEnabled(true);
  m_tree->setDragDropMode(QAbstractItemView::DragOnly);
  m_tree->setAccessibleName("Nodes by category");
  m_tree->setIconSize(QSize(20, 20));
  m_tree->setEditTriggers(QAbstractItemView::NoEditTriggers);
  column->addWidget(m_tree, 1);
  auto* hint = new QLabel("Drag a node onto the canvas, or onto a wire to insert it there.");
  hint->setProperty("role", "hint");
  hint->setWordWrap(true);
  hint->setContentsMargins(12, 0, 12, 0);
  column->addWidget(hint);
  m_tree->expandAll();
  connect(m_search, &QLineEdit::textChanged, this, &LibraryPanel::filter);
  connect(m_tree, &QTreeView::activated, this, &LibraryPanel::choose);
}

int LibraryPanel::widthOfNames() const {
  constexpr int kLeast = 224;  // the longest titles in the outline below
  constexpr int kMost = 290;   // room for the canvas matters more than one long name
  const int bar = m_tree->style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, m_tree);
  const int names = static_cast<const QAbstractItemView*>(m_tree)->sizeHintForColumn(0);
  return std::clamp(names + bar + 2 * m_tree->frameWidth() + 4, kLeast, kMost);
}

void LibraryPanel::filter(const QString& text) {
  m_filter.setTyped(text);
  m_tree->expandAll();
  // Select the first kind, so that Enter accepts it.
  for (int row = 0; row < m_filter.rowCount(); ++row) {
    const QModelIndex group = m_filter.index(row, 0);
    if (m_filter.rowCount(group) == 0) continue;
    m_tree->setCurrentIndex(m_filter.index(0, 0, group));
    return;
  }
}

void LibraryPanel::choose(const QModelIndex& index) {
  const QString kind = index.data(LibraryModel::KindRole).toString();
  if (!kind.isEmpty()) emit chosen(kind);
}

bool LibraryPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_search && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Down) {
      m_tree->setFocus();
      return true;
    }
    if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
      choose(m_tree->currentIndex());
      return true;
    }
    if (key->key() == Qt::Key_Escape && !m_search->text().isEmpty()) {
      m_search->clear();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace millrace
