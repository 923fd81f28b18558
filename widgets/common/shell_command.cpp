// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/shell_command.h"

#include "core/base/text/shell_word.h"
#include "widgets/common/strings.h"

namespace millrace {

QString shellCommand(const QStringList& words) {
  QStringList quoted;
  for (const QString& word : words) quoted << toQt(shownShellWord(word.toStdString()));
  return quoted.join(' ');
}

}  // namespace millrace
