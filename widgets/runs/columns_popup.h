// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QFrame>
#include <QStringList>

class QLineEdit;
class QListWidget;
class QListWidgetItem;

namespace millrace {

/// A popup for choosing columns: a search line, and a list with check boxes. GUI thread.
class ColumnsPopup : public QFrame {
  Q_OBJECT
 public:
  explicit ColumnsPopup(QWidget* parent);

  struct Entry {
    QString id;
    QString title;
  };
  void open(const std::vector<Entry>& all, const QStringList& chosen, QPoint at);
  QLineEdit& line() { return *m_line; }
  QListWidget& list() { return *m_list; }

 signals:
  /// Emitted at each change, with the ids in column order.
  void changed(const QStringList& ids);

 private:
  void filter(const QString& text);
  void note(QListWidgetItem* item);

  QLineEdit* m_line;
  QListWidget* m_list;
  QStringList m_chosen;
};

}  // namespace millrace
