// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/search_popup.h"

#include <algorithm>

#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScreen>
#include <QVBoxLayout>

#include "widgets/common/icons.h"

namespace millrace {

namespace {

constexpr int kWidth = 300;

}  // namespace

SearchPopup::SearchPopup(QWidget* parent)
    : QFrame(parent, Qt::Popup),
      m_line(new QLineEdit),
      m_list(new QListWidget),
      m_none(new QLabel("No matches. Esc closes.")) {
  setObjectName("searchPopup");
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 8);
  layout->setSpacing(6);
  m_line->addAction(icon("search", Tone::Hint), QLineEdit::LeadingPosition);
  m_none->setProperty("role", "hint");
  layout->addWidget(m_line);
  layout->addWidget(m_list);
  layout->addWidget(m_none);
  m_list->setFocusPolicy(Qt::NoFocus);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setAccessibleName("Matches");
  m_line->installEventFilter(this);
  connect(m_line, &QLineEdit::textChanged, this, &SearchPopup::refill);
  connect(m_list, &QListWidget::itemClicked, this, &SearchPopup::choose);
}

void SearchPopup::open(const QString& placeholder, std::vector<SearchEntry> entries, QPoint at,
                       std::function<void(const QString&)> chosen) {
  m_entries = std::move(entries);
  m_chosen = std::move(chosen);
  m_line->setPlaceholderText(placeholder);
  m_line->setAccessibleName(placeholder);
  m_line->clear();
  ensurePolished();
  m_list->ensurePolished();
  refill({});
  const QScreen* screen = QGuiApplication::screenAt(at);
  if (screen == nullptr) screen = QGuiApplication::primaryScreen();
  const QRect room = screen->availableGeometry();
  at.setX(std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - width())));
  at.setY(std::clamp(at.y(), room.top(), std::max(room.top(), room.bottom() - height())));
  move(at);
  show();
  m_line->setFocus();
}

void SearchPopup::refill(const QString& text) {
  const QStringList words = text.toLower().split(' ', Qt::SkipEmptyParts);
  m_list->clear();
  for (const SearchEntry& entry : m_entries) {
    const bool matches = std::ranges::all_of(
        words, [&](const QString& word) { return entry.search.contains(word); });
    if (!matches) continue;
    auto* item = new QListWidgetItem(
        entry.icon, entry.detail.isEmpty() ? entry.text : entry.text + "  ·  " + entry.detail);
    item->setData(Qt::UserRole, entry.key);
    m_list->addItem(item);
  }
  // A name that begins with the typed text comes before one that only has it as a tag.
  for (int row = 1; row < m_list->count() && !words.isEmpty(); ++row)
    if (m_list->item(row)->text().startsWith(text.trimmed(), Qt::CaseInsensitive) &&
        !m_list->item(0)->text().startsWith(text.trimmed(), Qt::CaseInsensitive))
      m_list->insertItem(0, m_list->takeItem(row));
  m_list->setCurrentRow(0);
  m_none->setVisible(m_list->count() == 0);
  fit();
}

/// Shrinks the popup to its matches, so that there is no empty room.
void SearchPopup::fit() {
  constexpr int kMostRows = 12;
  const int rows = std::min(m_list->count(), kMostRows);
  m_list->setVisible(rows > 0);
  m_list->setFixedHeight(rows * std::max(1, m_list->sizeHintForRow(0)) + 2 * m_list->frameWidth());
  layout()->invalidate();
  resize(kWidth, sizeHint().height());
}

void SearchPopup::choose() {
  const QListWidgetItem* item = m_list->currentItem();
  if (item == nullptr) return;
  const QString key = item->data(Qt::UserRole).toString();
  const auto chosen = m_chosen;
  close();
  if (chosen) chosen(key);
}

void SearchPopup::step(int by) {
  if (m_list->count() == 0) return;
  m_list->setCurrentRow(std::clamp(m_list->currentRow() + by, 0, m_list->count() - 1));
}

bool SearchPopup::eventFilter(QObject* watched, QEvent* event) {
  if (watched != m_line || event->type() != QEvent::KeyPress)
    return QFrame::eventFilter(watched, event);
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down: step(1); return true;
    case Qt::Key_Up: step(-1); return true;
    case Qt::Key_PageDown: step(8); return true;
    case Qt::Key_PageUp: step(-8); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: choose(); return true;
    case Qt::Key_Escape: close(); return true;
    default: return false;
  }
}

}  // namespace millrace
