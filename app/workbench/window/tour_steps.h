// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QSettings;

namespace millrace {

class MainWindow;
class Tour;

/// The tour of the window, which owns it.
Tour* makeTour(MainWindow& window);

/// Starts the tour if it has never been started.
void tourOnFirstStart(MainWindow& window, QSettings& settings);

}  // namespace millrace
