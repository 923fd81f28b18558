// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QString;
class QWidget;

namespace millrace {

/// Shows a message for a while in the status line of the window that contains `from`, also from
/// floating docks; does nothing if there is no such window. GUI thread.
void showInStatusLine(QWidget& from, const QString& words);

}  // namespace millrace
