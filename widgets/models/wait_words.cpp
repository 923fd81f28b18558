// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/wait_words.h"

#include <cmath>

namespace millrace {

QString waitWords(double mostSeconds) {
  if (mostSeconds <= 0) return {};
  return QString("waiting %1 s at most: the cores take long to hand data to each other")
      .arg(std::lround(mostSeconds));
}

QString waitWords(const QJsonObject& event) { return waitWords(event["seconds_left"].toDouble()); }

}  // namespace millrace
