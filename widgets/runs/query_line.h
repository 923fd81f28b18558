// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QLineEdit>
#include <QTimer>

#include "core/store/query.h"

namespace millrace {

/// The input line for queries of runs; it underlines the position of a mistake. GUI thread.
class QueryLine : public QLineEdit {
  Q_OBJECT
 public:
  explicit QueryLine(QWidget* parent = nullptr);

  /// The mistake in the present text; nullopt if it is a valid query.
  void setMistake(const std::optional<QueryMistake>& mistake);
  /// The marked characters of the text: the first one and their number; nullopt if nothing is
  /// wrong.
  std::optional<std::pair<int, int>> marked() const { return m_marked; }

 signals:
  /// Emitted after all pending key events have been processed.
  void queryChanged(const QString& query);

 private:
  std::optional<std::pair<int, int>> m_marked;
  QTimer m_pause;
};

}  // namespace millrace
