// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QLineEdit>
#include <QTimer>

#include "core/store/query.h"

namespace millrace {

/// The line in which runs are asked for; a mistake's place is underlined. GUI thread.
class QueryLine : public QLineEdit {
  Q_OBJECT
 public:
  explicit QueryLine(QWidget* parent = nullptr);

  /// Of the text as it stands; nothing: it can be read.
  void setMistake(const std::optional<QueryMistake>& mistake);
  /// Letters of the text that are marked: first and how many; absent where nothing is wrong.
  std::optional<std::pair<int, int>> marked() const { return m_marked; }

 signals:
  /// Once the keys that came together are all taken.
  void queryChanged(const QString& query);

 private:
  std::optional<std::pair<int, int>> m_marked;
  QTimer m_pause;
};

}  // namespace millrace
