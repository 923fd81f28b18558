// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/live/window_words.h"

#include <QRegularExpression>

namespace millrace {

QString windowWords(const QString& text, const std::function<QString(const QString&)>& titleOf) {
  static const QRegularExpression hint(R"( ?\([^()]*(?:--[a-z]|`millrace )[^()]*\))");
  static const QRegularExpression code("`([^`]*)`");
  const QString plain = QString(text).remove(hint);
  QString words;
  qsizetype at = 0;
  for (auto found = code.globalMatch(plain); found.hasNext();) {
    const QRegularExpressionMatch match = found.next();
    const QString title = titleOf ? titleOf(match.captured(1)) : QString();
    words +=
        plain.mid(at, match.capturedStart() - at) + (title.isEmpty() ? match.captured(1) : title);
    at = match.capturedEnd();
  }
  return words + plain.mid(at);
}

}  // namespace millrace
