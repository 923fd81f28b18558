// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QString>

class QObject;

namespace millrace {

/// Does `work` on a thread of its own, then what it returned on the GUI thread, unless `receiver`
/// or the program has gone meanwhile. For a file system that may never answer: nobody waits for the
/// thread, neither a pool that would run out of them nor the program's end. So `work` holds values
/// of its own alone and touches nothing but them and files. GUI thread.
void doFileWork(QObject& receiver, std::function<std::function<void()>()> work);

/// Gives the folder for a file dialog to begin in, which would wait for it: where it is gone or
/// does not answer soon, the person's home. Empty: the one in which the last dialog was left; where
/// there was none, empty again, at once. GUI thread.
void withStartFolder(QObject& receiver, const QString& folder,
                     std::function<void(const QString&)> take);

}  // namespace millrace
