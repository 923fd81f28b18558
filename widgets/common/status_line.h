// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QString;
class QWidget;

namespace millrace {

/// Words for a while in the status line of the window that `from` is in, docks that float included;
/// nowhere where it is in none. GUI thread.
void tellInStatusLine(QWidget& from, const QString& words);

}  // namespace millrace
