// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace millrace {

/// A line in a soft colour with words and, behind them, what can be done. Hidden until it says
/// something. GUI thread.
class NoteStrip : public QFrame {
  Q_OBJECT
 public:
  /// `kind`: "error", "warning" or "info".
  explicit NoteStrip(const char* kind, QWidget* parent = nullptr);

  /// Plain text; empty: it is hidden.
  void say(const QString& words);
  /// Empty while it is hidden.
  QString words() const;
  QPushButton* addButton(const QString& text);
  void addWidget(QWidget* widget);

 private:
  QHBoxLayout* m_row;
  QLabel* m_words;
};

}  // namespace millrace
