// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QString>

class QObject;

namespace millrace {

/// Runs `work` on a new thread, then the function that it returned on the GUI thread, unless
/// `receiver` is destroyed or the program ends meanwhile. Meant for file systems that may never
/// respond: nothing waits for the thread, neither a pool that could run out of threads nor the
/// program's end. So `work` must hold only its own values and touch only them and files. GUI
/// thread.
void doFileWork(QObject& receiver, std::function<std::function<void()>()> work);

/// Passes on the folder in which a file dialog should begin. A dialog would block on a folder that
/// does not respond, so the home folder is used if the folder is gone or slow. Empty: the last
/// dialog's folder; if there was none, an empty path at once. GUI thread.
void withStartFolder(QObject& receiver, const QString& folder,
                     std::function<void(const QString&)> take);

}  // namespace millrace
