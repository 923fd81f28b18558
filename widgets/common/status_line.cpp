// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/status_line.h"

#include <QMainWindow>
#include <QStatusBar>

namespace millrace {

namespace {

constexpr int kMessageStaysMs = 8000;

}  // namespace

void showInStatusLine(QWidget& from, const QString& words) {
  for (QWidget* each = &from; each != nullptr; each = each->parentWidget()) {
    // A main window inside another one only holds docks.
    auto* window = qobject_cast<QMainWindow*>(each);
    if (window == nullptr || !window->isWindow()) continue;
    window->statusBar()->showMessage(words, kMessageStaysMs);
    return;
  }
}

}  // namespace millrace
