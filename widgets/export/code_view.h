// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

#include "widgets/export/code_highlighter.h"

namespace millrace {

/// Read-only code with line numbers and highlighting. A text widget does not return its text byte
/// for byte, so take the text from its source instead. GUI thread.
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
