// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace millrace {

/// A command line of these words, each quoted for a POSIX shell.
QString shellCommand(const QStringList& words);

}  // namespace millrace
