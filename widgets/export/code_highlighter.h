// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include <QSyntaxHighlighter>

namespace millrace {

enum class CodeLanguage : std::uint8_t { Plain, Python, Json };
/// Chosen by the suffix of a file name, such as an exporter's extension.
CodeLanguage languageOf(const QString& fileName);

/// Syntax highlighting (docs/look.md): keywords, strings, numbers, comments, and called or defined
/// names. It uses the current theme's colours; rehighlight after a change of theme. GUI thread.
class CodeHighlighter : public QSyntaxHighlighter {
  Q_OBJECT
 public:
  explicit CodeHighlighter(QTextDocument* document) : QSyntaxHighlighter(document) {}
  void setLanguage(CodeLanguage language);

 protected:
  void highlightBlock(const QString& text) override;

 private:
  void highlightPython(const QString& text);
  void highlightJson(const QString& text);
  /// Colours the rest of a string that began in an earlier line; returns where the line continues.
  int endOfOpenString(const QString& text);

  CodeLanguage m_language = CodeLanguage::Plain;
};

}  // namespace millrace
