// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidgetItem>
#include <QStringList>

namespace millrace {

/// How well an entry matches what was typed into a search field, best first.
enum class SearchRank {
  Exact,       ///< a name is what was typed
  Prefix,      ///< a name begins with it
  WordPrefix,  ///< in a name, a word begins with each typed word
  InName,      ///< a name contains each typed word
  InText,      ///< names and text together contain each typed word
  None,
};

/// The rank of an entry in every search of the window. `names`: what the user may call it, such as
/// title and id; `text`: whatever else it is found by. Upper and lower case are equal. Everything
/// matches exactly if nothing was typed.
SearchRank searchRank(const QString& typed, const QStringList& names, const QString& text = {});

/// An item of a list that can be searched.
class RankedItem : public QListWidgetItem {
 public:
  RankedItem(const QIcon& icon, const QString& title, QStringList names, QString text,
             QListWidget* list);

  /// Hides the items that do not match and puts the others in the order of their ranks; equal ones
  /// stay in the order in which they were added. All items of the list are RankedItems.
  static void search(QListWidget& list, const QString& typed);

 protected:
  bool operator<(const QListWidgetItem& other) const override;

 private:
  QStringList m_names;
  QString m_text;
  int m_added;
  SearchRank m_rank = SearchRank::Exact;
};

}  // namespace millrace
