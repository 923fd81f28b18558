// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDataStream>

#include "core/store/run_record.h"

namespace millrace {

// Arguments of signals must be streamable. Qt's own operators for enumerations do not support
// std::int64_t.
inline QDataStream& operator<<(QDataStream& stream, RunNumber run) {
  return stream << static_cast<qint64>(run);
}
inline QDataStream& operator>>(QDataStream& stream, RunNumber& run) {
  qint64 number = 0;
  stream >> number;
  run = RunNumber{number};
  return stream;
}

}  // namespace millrace
