// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include <QFrame>
#include <QIcon>

#include "widgets/common/search_rank.h"

class QLabel;
class QLineEdit;
class QListWidget;

namespace millrace {

struct SearchEntry {
  QString key;  ///< passed to `chosen`
  QString text;
  QString detail;  ///< in grey at the right edge, such as keys
  QString search;  ///< further text that it is found by
  QIcon icon;
  QString why =
      {};  ///< why it cannot be chosen here; then it is not listed, but explained if searched
  QStringList names = {};  ///< what it is called besides `text`, such as an id
};

/// A popup with an input line and the entries that match all typed words, in the order of
/// searchRank: arrows select, Enter accepts, Esc closes. GUI thread.
class SearchPopup : public QFrame {
  Q_OBJECT
 public:
  explicit SearchPopup(QWidget* parent);

  /// Opens at a global position, inside the screen. `chosen` runs after the popup has closed.
  void open(const QString& placeholder, std::vector<SearchEntry> entries, QPoint at,
            std::function<void(const QString& key)> chosen);
  /// Adds entries that arrived later, after the others, if the popup is still open.
  void add(std::vector<SearchEntry> entries);
  void setLeastWidth(int width) { m_least = width; }
  QLineEdit& line() { return *m_line; }
  QListWidget& list() { return *m_list; }

 signals:
  /// The popup has closed, with or without a choice.
  void closed();

 protected:
  void hideEvent(QHideEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void refill(const QString& text);
  struct Match {
    SearchRank rank;
    const SearchEntry* entry;
  };
  void explain(const std::vector<Match>& found, const std::vector<Match>& unfit, bool typed);
  void choose();
  void step(int by);
  void fit();
  int rowOf(const QString& key) const;

  QLineEdit* m_line;
  QListWidget* m_list;
  QLabel* m_none;  ///< why the list is empty or lacks what was typed
  std::vector<SearchEntry> m_entries;
  int m_least = 0;
  QString m_kept;  ///< the key that stays selected while the list is filled again
  std::function<void(const QString&)> m_chosen;
};

}  // namespace millrace
