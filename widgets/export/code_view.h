// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

#include "widgets/export/code_highlighter.h"

namespace millrace {

/// Code to be read: numbered lines, highlighting, nothing to type. What is copied out of a text
/// widget is not what went in, byte for byte: take the text from where it came. GUI thread.
class CodeView : public QPlainTextEdit {
  Q_OBJECT
 public:
  explicit CodeView(QWidget* parent = nullptr);
  void setCode(const QString& text, CodeLanguage language);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  class Numbers;
  int numbersWidth() const;
  void paintNumbers(QPaintEvent* event);
  void placeNumbers();

  Numbers* m_numbers;
  CodeHighlighter* m_highlighter;
};

}  // namespace millrace
