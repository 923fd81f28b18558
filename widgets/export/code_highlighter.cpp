// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/code_highlighter.h"

#include <algorithm>

#include <QRegularExpression>
#include <QSet>

#include "widgets/common/theme.h"

namespace millrace {

namespace {

// State at a line's end: outside, or inside a string with one of the two triple quotes.
constexpr int kOutside = 0;
constexpr int kInSingle = 1;
constexpr int kInDouble = 2;

QString quotesOf(int state) { return state == kInSingle ? "'''" : "\"\"\""; }

bool isPythonKeyword(const QString& word) {
  static const QSet<QString> keywords = {
      "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
      "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
      "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
      "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
  return keywords.contains(word);
}

}  // namespace

CodeLanguage languageOf(const QString& fileName) {
  if (fileName.endsWith(".py")) return CodeLanguage::Python;
  return fileName.endsWith(".json") ? CodeLanguage::Json : CodeLanguage::Plain;
}

void CodeHighlighter::setLanguage(CodeLanguage language) {
  if (language == m_language) return;
  m_language = language;
  rehighlight();
}

void CodeHighlighter::highlightBlock(const QString& text) {
  setCurrentBlockState(kOutside);
  if (m_language == CodeLanguage::Python) highlightPython(text);
  if (m_language == CodeLanguage::Json) highlightJson(text);
}

int CodeHighlighter::endOfOpenString(const QString& text) {
  if (previousBlockState() <= kOutside) return 0;
  const qsizetype end = text.indexOf(quotesOf(previousBlockState()));
  if (end < 0) setCurrentBlockState(previousBlockState());
  const int length = static_cast<int>(end < 0 ? text.size() : end + 3);
  setFormat(0, length, theme()[Tone::SynString]);
  return length;
}

void CodeHighlighter::highlightPython(const QString& text) {
  static const QRegularExpression token(
      R"((?<comment>#.*))"
      R"(|(?<triple>[rbfRBF]{0,2}(?:'''|""")))"
      R"(|(?<string>[rbfRBF]{0,2}(?:"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)))"
      R"(|(?<word>[A-Za-z_]\w*(?:\.\w+)*))"
      R"(|(?<number>(?:0[xX][0-9a-fA-F_]+|\d[\d_]*(?:\.\d*)?(?:[eE][+-]?\d+)?)))");
  bool named = false;  // A name follows `def` or `class`.
  for (int at = endOfOpenString(text); at < text.size();) {
    const QRegularExpressionMatch match = token.match(text, at);
    if (!match.hasMatch()) return;
    const auto begin = static_cast<int>(match.capturedStart());
    auto length = static_cast<int>(match.capturedLength());
    const QString word = match.captured("word");
    if (match.hasCaptured("comment")) setFormat(begin, length, theme()[Tone::SynComment]);
    if (match.hasCaptured("string")) setFormat(begin, length, theme()[Tone::SynString]);
    if (match.hasCaptured("number")) setFormat(begin, length, theme()[Tone::SynNumber]);
    if (match.hasCaptured("triple")) {
      const QString quotes = match.captured("triple").right(3);
      const qsizetype end = text.indexOf(quotes, begin + length);
      length = static_cast<int>(end < 0 ? text.size() : end + 3) - begin;
      if (end < 0) setCurrentBlockState(quotes.startsWith('\'') ? kInSingle : kInDouble);
      setFormat(begin, length, theme()[Tone::SynString]);
    }
    if (isPythonKeyword(word))
      setFormat(begin, length, theme()[Tone::SynKeyword]);
    else if (!word.isEmpty() && (named || text.mid(begin + length).startsWith('(')))
      setFormat(begin, length, theme()[Tone::SynType]);
    named = word == "def" || word == "class";
    at = begin + std::max(length, 1);
  }
}

void CodeHighlighter::highlightJson(const QString& text) {
  static const QRegularExpression token(
      R"re((?<key>"(?:\\.|[^"\\])*"(?=\s*:))|(?<string>"(?:\\.|[^"\\])*"?))re"
      R"re(|(?<word>\b(?:true|false|null)\b)|(?<number>-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?))re");
  for (auto match = token.globalMatch(text); match.hasNext();) {
    const QRegularExpressionMatch found = match.next();
    Tone tone = Tone::SynNumber;
    if (found.hasCaptured("key")) tone = Tone::SynType;
    if (found.hasCaptured("string")) tone = Tone::SynString;
    if (found.hasCaptured("word")) tone = Tone::SynKeyword;
    setFormat(static_cast<int>(found.capturedStart()), static_cast<int>(found.capturedLength()),
              theme()[tone]);
  }
}

}  // namespace millrace
