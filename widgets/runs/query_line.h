// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QLineEdit>
#include <QTimer>

#include "core/store/query.h"

class QCompleter;
class QStringListModel;

namespace millrace {

/// The input line for queries of runs. It completes names and marks the position of a mistake, but
/// not while the user types: what is typed so far is rarely a whole query. GUI thread.
class QueryLine : public QLineEdit {
  Q_OBJECT
 public:
  /// Time without a key after which a typed mistake is shown; Enter and leaving the line show it at
  /// once.
  static constexpr int kTypingMs = 1200;

  explicit QueryLine(QWidget* parent = nullptr);

  /// The names that a query may use.
  void setNames(const QStringList& names);
  QCompleter& nameCompleter() const { return *m_completer; }
  /// The mistake in the present text; nullopt if it is a valid query.
  void setMistake(const std::optional<QueryMistake>& mistake);
  /// The mistake that is shown; nullopt if there is none, or the user is typing.
  const std::optional<QueryMistake>& shownMistake() const { return m_shown; }
  /// The marked characters of the text: the first one and their number; nullopt if nothing is
  /// wrong.
  std::optional<std::pair<int, int>> marked() const { return m_marked; }

 signals:
  /// Emitted after all pending key events have been processed.
  void queryChanged(const QString& query);
  void shownMistakeChanged();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  void mark();
  void endTyping();
  QString wordAtCursor() const;
  void offer(bool isAsked);
  void complete(const QString& name);

  std::optional<std::pair<int, int>> m_marked;
  std::optional<QueryMistake> m_mistake;
  std::optional<QueryMistake> m_shown;
  QStringList m_allNames;
  QStringListModel* m_names;  ///< the same, the best matches first
  QCompleter* m_completer;
  QTimer m_pause;
  QTimer m_typing;
};

}  // namespace millrace
