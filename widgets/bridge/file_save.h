// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

#include <QString>

#include "core/base/result.h"

class QWidget;

namespace millrace {

/// Asks for a file to save, in the folder where the last dialog was left if that answers. `name` is
/// offered; a name without an ending gets that of the chosen filter, such as "Table (*.csv)".
/// `take` is called from here or later, unless the person gave up or `parent` has gone. GUI thread.
void askWhereToSave(QWidget& parent, const QString& title, const QString& name,
                    const QString& filters, std::function<void(const QString& file)> take);

/// Writes a file, whole or not at all, beside the GUI thread: its file system may never answer.
/// What takes longer than a moment is said in a box that is in nobody's way. `take` is told how it
/// ended, an error with its remedy, unless `parent` has gone meanwhile; the file may be written all
/// the same then. GUI thread.
void saveFile(QWidget& parent, const QString& file, std::string bytes,
              std::function<void(const Status&)> take);

}  // namespace millrace
