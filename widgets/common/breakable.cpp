// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/breakable.h"

namespace millrace {

QString breakable(const QString& text) {
  constexpr qsizetype kLongWord = 14;
  constexpr QChar kBreak(0x200B);  // a space without width
  QString broken;
  for (qsizetype from = 0; from < text.size();) {
    qsizetype to = text.indexOf(' ', from);
    to = to < 0 ? text.size() : to + 1;
    for (qsizetype i = from; i < to; ++i) {
      broken += text[i];
      if (to - from > kLongWord && i + 1 < to && !text[i].isHighSurrogate()) broken += kBreak;
    }
    from = to;
  }
  return broken;
}

}  // namespace millrace
