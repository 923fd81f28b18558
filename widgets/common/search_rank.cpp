// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/search_rank.h"

#include <algorithm>
#include <utility>

#include <QListWidget>

namespace millrace {

namespace {

bool isInside(const QString& text, const QString& word) {
  return text.contains(word, Qt::CaseInsensitive);
}

bool beginsAWord(const QString& text, const QString& word) {
  for (qsizetype at = -1; (at = text.indexOf(word, at + 1, Qt::CaseInsensitive)) >= 0;)
    if (at == 0 || !text[at - 1].isLetterOrNumber()) return true;
  return false;
}

SearchRank rankIn(const QString& name, const QString& typed, const QStringList& words) {
  const auto all = [&](bool (*holds)(const QString&, const QString&)) {
    return std::ranges::all_of(words, [&](const QString& word) { return holds(name, word); });
  };
  if (name.compare(typed, Qt::CaseInsensitive) == 0) return SearchRank::Exact;
  if (name.startsWith(typed, Qt::CaseInsensitive)) return SearchRank::Prefix;
  if (all(beginsAWord)) return SearchRank::WordPrefix;
  return all(isInside) ? SearchRank::InName : SearchRank::None;
}

}  // namespace

SearchRank searchRank(const QString& typed, const QStringList& names, const QString& text) {
  const QString whole = typed.simplified();
  if (whole.isEmpty()) return SearchRank::Exact;
  const QStringList words = whole.split(' ');
  SearchRank best = SearchRank::None;
  for (const QString& name : names) best = std::min(best, rankIn(name, whole, words));
  if (best != SearchRank::None) return best;
  const QString everything = names.join('\n') + '\n' + text;
  const bool isFound =
      std::ranges::all_of(words, [&](const QString& word) { return isInside(everything, word); });
  return isFound ? SearchRank::InText : SearchRank::None;
}

RankedItem::RankedItem(const QIcon& icon, const QString& title, QStringList names, QString text,
                       QListWidget* list)
    : QListWidgetItem(icon, title, list),
      m_names(std::move(names)),
      m_text(std::move(text)),
      m_added(list->count()) {}

void RankedItem::search(QListWidget& list, const QString& typed) {
  for (int row = 0; row < list.count(); ++row) {
    auto* item = static_cast<RankedItem*>(list.item(row));
    item->m_rank = searchRank(typed, item->m_names, item->m_text);
    item->setHidden(item->m_rank == SearchRank::None);
  }
  list.sortItems();
}

bool RankedItem::operator<(const QListWidgetItem& other) const {
  const auto& that = static_cast<const RankedItem&>(other);
  return std::pair(m_rank, m_added) < std::pair(that.m_rank, that.m_added);
}

}  // namespace millrace
