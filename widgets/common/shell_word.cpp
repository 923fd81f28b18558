// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/shell_word.h"

#include <QRegularExpression>

namespace millrace {

QString shellWord(const QString& word) {
  static const QRegularExpression plain("^[A-Za-z0-9_@%+=:,./-]+$");
  return plain.match(word).hasMatch() ? word : "'" + QString(word).replace("'", "'\\''") + "'";
}

QString shellCommand(const QStringList& words) {
  QStringList quoted;
  for (const QString& word : words) quoted << shellWord(word);
  return quoted.join(' ');
}

}  // namespace millrace
