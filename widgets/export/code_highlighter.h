// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include <QSyntaxHighlighter>

namespace millrace {

enum class CodeLanguage : std::uint8_t { Plain, Python, Json };
/// By the ending of a file's name, such as an exporter's extension.
CodeLanguage languageOf(const QString& fileName);

/// Colours of code (LOOK): keywords, strings, numbers, comments, and what is called or defined.
/// Colours are the theme's at the time; after a change of theme, rehighlight. GUI thread.
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
  /// Colours the rest of a string that began in a line above; where the line goes on behind it.
  int endOfOpenString(const QString& text);

  CodeLanguage m_language = CodeLanguage::Plain;
};

}  // namespace millrace
