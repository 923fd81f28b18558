// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "app/workbench/controllers/desktop_controller.h"

class QSettings;

namespace millrace {

class MainWindow;

/// The window's long work: runs, sweeps, tunings, diagnoses, kept runs that are measured again, and
/// reports on data, in this order. The window's controllers must exist and outlive the jobs.
std::vector<LongJob> longJobsOf(MainWindow& window);

/// The desktop's view of that work. Its owner is the window.
DesktopController* showOnDesktop(MainWindow& window, QSettings& settings);

}  // namespace millrace
