// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace millrace {

/// A word as a POSIX shell takes it: quoted where it has to be.
QString shellWord(const QString& word);
/// A command line of these words.
QString shellCommand(const QStringList& words);

}  // namespace millrace
