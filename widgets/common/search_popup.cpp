// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/search_popup.h"

#include <algorithm>
#include <iterator>

#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QScreen>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "widgets/common/icons.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

constexpr int kWidth = 300;
constexpr int kRowHeight = 28;
constexpr int kPad = 8;
constexpr int kIcon = 16;
constexpr int kDetailRole = Qt::UserRole + 1;

/// Texts in one column, whether they have an icon or not, and details at the right edge.
class EntryDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
    return {kWidth, kRowHeight};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    const Theme& t = theme();
    painter->save();
    if (option.state & QStyle::State_Selected)
      painter->fillRect(option.rect, t[Tone::AccentSoft]);
    else if (option.state & QStyle::State_MouseOver)
      painter->fillRect(option.rect, t[Tone::Hover]);
    const QRect row = option.rect.adjusted(kPad, 0, -kPad, 0);
    const QRect mark(row.left(), row.center().y() - kIcon / 2, kIcon, kIcon);
    index.data(Qt::DecorationRole).value<QIcon>().paint(painter, mark);
    const QFontMetrics metrics(uiFont(13));
    painter->setFont(uiFont(13));
    const QRect words = row.adjusted(kIcon + kPad, 0, 0, 0);
    const QString text = metrics.elidedText(index.data().toString(), Qt::ElideRight, words.width());
    painter->setPen(t[Tone::Text]);
    painter->drawText(words, Qt::AlignVCenter | Qt::AlignLeft, text);
    const int left = words.width() - metrics.horizontalAdvance(text) - 2 * kPad;
    const QString detail =
        metrics.elidedText(index.data(kDetailRole).toString(), Qt::ElideRight, left);
    painter->setPen(t[Tone::Text2]);
    painter->drawText(words, Qt::AlignVCenter | Qt::AlignRight, detail);
    painter->restore();
  }
};

}  // namespace

SearchPopup::SearchPopup(QWidget* parent)
    : QFrame(parent, Qt::Popup),
      m_line(new QLineEdit),
      m_list(new QListWidget),
      m_none(new QLabel) {
  setObjectName("searchPopup");
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 8);
  layout->setSpacing(6);
  m_line->addAction(icon("search", Tone::Hint), QLineEdit::LeadingPosition);
  m_none->setProperty("role", "hint");
  m_none->setObjectName("searchNote");
  m_none->setWordWrap(true);
  m_none->setTextFormat(Qt::PlainText);
  layout->addWidget(m_line);
  layout->addWidget(m_list);
  layout->addWidget(m_none);
  m_list->setFocusPolicy(Qt::NoFocus);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setAccessibleName("Matches");
  m_list->setItemDelegate(new EntryDelegate(m_list));
  m_list->setUniformItemSizes(true);
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
  m_list->clear();
  std::vector<Match> found;
  std::vector<Match> unfit;
  for (const SearchEntry& entry : m_entries) {
    const SearchRank rank = searchRank(text, QStringList{entry.text} + entry.names, entry.search);
    if (rank != SearchRank::None) (entry.why.isEmpty() ? found : unfit).push_back({rank, &entry});
  }
  for (auto* matches : {&found, &unfit})
    std::stable_sort(matches->begin(), matches->end(),
                     [](const Match& a, const Match& b) { return a.rank < b.rank; });
  for (const Match& match : found) {
    const SearchEntry* entry = match.entry;
    auto* item = new QListWidgetItem(entry->icon, entry->text);
    item->setData(Qt::UserRole, entry->key);
    item->setData(kDetailRole, entry->detail);
    const QString whole =
        entry->detail.isEmpty() ? entry->text : entry->text + ", " + entry->detail;
    item->setData(Qt::AccessibleTextRole, whole);
    item->setToolTip(whole);
    m_list->addItem(item);
  }
  m_list->setCurrentRow(m_kept.isEmpty() ? 0 : std::max(0, rowOf(m_kept)));
  explain(found, unfit, !text.trimmed().isEmpty());
  fit();
}

/// Someone who types the name of something that does not fit wants to know why it is missing.
void SearchPopup::explain(const std::vector<Match>& found, const std::vector<Match>& unfit,
                          bool typed) {
  const bool isListed = !found.empty() && found.front().rank <= SearchRank::InName;
  const bool isUnfit =
      !unfit.empty() && (found.empty() || unfit.front().rank <= SearchRank::InName);
  QString note;
  if (isUnfit && !isListed && typed)
    note = unfit.front().entry->why;
  else if (found.empty())
    note = typed ? QString("No matches. Esc closes.")
                 : QString("Nothing fits here. Type a name to see why.");
  m_none->setText(note);
  m_none->setVisible(!note.isEmpty());
  m_line->setAccessibleDescription(note);
}

int SearchPopup::rowOf(const QString& key) const {
  for (int row = 0; row < m_list->count(); ++row)
    if (m_list->item(row)->data(Qt::UserRole).toString() == key) return row;
  return -1;
}

void SearchPopup::add(std::vector<SearchEntry> entries) {
  if (!isVisible()) return;
  std::ranges::move(entries, std::back_inserter(m_entries));
  const QListWidgetItem* current = m_list->currentItem();
  m_kept = current == nullptr ? QString() : current->data(Qt::UserRole).toString();
  refill(m_line->text());
  m_kept.clear();
}

/// Shrinks the popup to its matches, so that there is no empty room.
void SearchPopup::fit() {
  constexpr int kMostRows = 12;
  const int rows = std::min(m_list->count(), kMostRows);
  m_list->setVisible(rows > 0);
  m_list->setFixedHeight(rows * std::max(1, m_list->sizeHintForRow(0)) + 2 * m_list->frameWidth());
  layout()->invalidate();
  layout()->activate();  // Otherwise the least height is still that of the matches before.
  const int width = std::max(kWidth, m_least);
  resize(width, layout()->totalHeightForWidth(width));
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

void SearchPopup::hideEvent(QHideEvent* event) {
  QFrame::hideEvent(event);
  emit closed();
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
    // The key that opened the popup may still be down and repeat.
    case Qt::Key_Space: return m_line->text().isEmpty();
    default: return false;
  }
}

}  // namespace millrace
