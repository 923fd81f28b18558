// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include <QFrame>
#include <QIcon>

class QLabel;
class QLineEdit;
class QListWidget;

namespace millrace {

struct SearchEntry {
  QString key;  ///< what `chosen` gets
  QString text;
  QString detail;  ///< in grey behind it
  QString search;  ///< what the words typed are looked for in, lower case
  QIcon icon;
};

/// A popup with a line to type in and the entries that match all words: arrows choose, Enter
/// takes, Esc leaves. GUI thread.
class SearchPopup : public QFrame {
  Q_OBJECT
 public:
  explicit SearchPopup(QWidget* parent);

  /// Opens at a global position, kept on the screen. `chosen` runs after the popup has closed.
  void open(const QString& placeholder, std::vector<SearchEntry> entries, QPoint at,
            std::function<void(const QString& key)> chosen);
  QLineEdit& line() { return *m_line; }
  QListWidget& list() { return *m_list; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void refill(const QString& text);
  void choose();
  void step(int by);
  void fit();

  QLineEdit* m_line;
  QListWidget* m_list;
  QLabel* m_none;
  std::vector<SearchEntry> m_entries;
  std::function<void(const QString&)> m_chosen;
};

}  // namespace millrace
