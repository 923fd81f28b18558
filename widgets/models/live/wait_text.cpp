// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/live/wait_text.h"

#include <cmath>

namespace millrace {

QString waitText(double mostSeconds) {
  if (mostSeconds <= 0) return {};
  return QString("waiting up to %1 s: the cores exchange data more slowly than usual")
      .arg(std::lround(mostSeconds));
}

}  // namespace millrace
