// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace millrace {

/// A line in a soft colour with a message and, after it, the possible actions. Hidden until it has
/// a message. GUI thread.
class NoteStrip : public QFrame {
  Q_OBJECT
 public:
  /// `kind`: "error", "warning" or "info".
  explicit NoteStrip(const char* kind, QWidget* parent = nullptr);

  /// Plain text, in which `code` is shown in its font; empty hides the strip.
  void say(const QString& words);
  /// What the user reads, without backticks; empty while hidden.
  QString words() const;
  QPushButton* addButton(const QString& text);
  void addWidget(QWidget* widget);

 private:
  QHBoxLayout* m_row;
  QLabel* m_words;
  QString m_said;
};

}  // namespace millrace
