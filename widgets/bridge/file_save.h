// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

#include <QString>

#include "core/base/result.h"

class QWidget;

namespace millrace {

/// Asks for a file to save, starting in the last dialog's folder if that responds. `name` is
/// suggested; a name without an extension gets that of the chosen filter, such as "Table (*.csv)".
/// `take` is called now or later, unless the user cancels or `parent` is destroyed. GUI thread.
void askWhereToSave(QWidget& parent, const QString& title, const QString& name,
                    const QString& filters, std::function<void(const QString& file)> take);

/// Writes a file, whole or not at all, outside the GUI thread, because its file system may never
/// respond. If it takes longer than a moment, a non-modal box reports the wait. `take` gets the
/// outcome, an error with its remedy, unless `parent` is destroyed meanwhile; the file may still be
/// written then. GUI thread.
void saveFile(QWidget& parent, const QString& file, std::string bytes,
              std::function<void(const Status&)> take);

}  // namespace millrace
