// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/columns_popup.h"

#include <algorithm>

#include <QLineEdit>
#include <QListWidget>
#include <QScreen>
#include <QVBoxLayout>

#include "widgets/common/search_rank.h"

namespace millrace {

namespace {

/// The name used in queries follows the title, unless the title already contains it.
QString entryText(const ColumnsPopup::Entry& entry) {
  const QString plain = QString(entry.id).replace('_', ' ');
  const bool said = entry.title.startsWith(plain, Qt::CaseInsensitive);
  return said ? entry.title : entry.title + "   " + entry.id;
}

}  // namespace

ColumnsPopup::ColumnsPopup(QWidget* parent)
    : QFrame(parent, Qt::Popup), m_line(new QLineEdit), m_list(new QListWidget) {
  setObjectName("searchPopup");
  resize(360, 420);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 8, 8, 8);
  column->setSpacing(8);
  column->addWidget(m_line);
  column->addWidget(m_list);
  m_line->setPlaceholderText("Find a setting or figure");
  m_line->setClearButtonEnabled(true);
  m_list->setAccessibleName("Columns");
  m_list->setUniformItemSizes(true);
  setFocusProxy(m_line);
  connect(m_line, &QLineEdit::textChanged, this, &ColumnsPopup::filter);
  connect(m_list, &QListWidget::itemChanged, this, &ColumnsPopup::note);
}

void ColumnsPopup::open(const std::vector<Entry>& all, const QStringList& chosen, QPoint at) {
  const QSignalBlocker quiet(m_list);
  m_chosen = chosen;
  m_list->clear();
  for (const Entry& entry : all) {
    auto* item = new RankedItem({}, entryText(entry), {entry.title, entry.id}, {}, m_list);
    item->setData(Qt::UserRole, entry.id);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(chosen.contains(entry.id) ? Qt::Checked : Qt::Unchecked);
  }
  m_line->clear();
  filter({});
  const QRect screen = parentWidget()->screen()->availableGeometry();
  move(std::clamp(at.x(), screen.left(), std::max(screen.left(), screen.right() - width())),
       std::clamp(at.y(), screen.top(), std::max(screen.top(), screen.bottom() - height())));
  show();
  m_line->setFocus();
}

void ColumnsPopup::filter(const QString& text) { RankedItem::search(*m_list, text); }

void ColumnsPopup::note(QListWidgetItem* item) {
  const QString id = item->data(Qt::UserRole).toString();
  m_chosen.removeAll(id);
  if (item->checkState() == Qt::Checked) m_chosen << id;
  emit changed(m_chosen);
}

}  // namespace millrace
