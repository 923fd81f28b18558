// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QString>

class QObject;

namespace millrace {

/// What a file is as a store of runs.
struct StoreLook {
  bool isNew = false;  ///< there is no such file; a store can be made there
  QString error;       ///< why it is not a store or cannot be read, as a sentence; otherwise empty
};

// Both access the file on another thread, and call `done` on the GUI thread unless `receiver` is
// destroyed meanwhile. GUI thread.

void lookAtStore(QObject& receiver, const QString& file,
                 std::function<void(const StoreLook&)> done);
/// Makes an empty store, and its folder. `error` is empty on success, otherwise a sentence.
void makeStore(QObject& receiver, const QString& file,
               std::function<void(const QString& error)> done);

}  // namespace millrace
