// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QByteArray>
#include <QString>

class QProcess;

namespace millrace {

/// The `millrace` program: beside this one, in the build folder beside this one's, else on the
/// PATH. Empty where there is none.
QString engineProgram();

/// What a child's end by a signal means, in words: "a memory access fault (signal 11)".
QString signalWords(int signal);

/// Adds what `process` wrote for a person since to its `words` so far; keeps the last 4 kB.
void keepLastWords(QByteArray& words, QProcess& process);
/// The last three lines of what a program wrote for a person, as one text.
QString lastLinesOf(const QByteArray& words);

/// How often the kernel has ended a process because memory was full; absent where it does not say.
std::optional<quint64> outOfMemoryKills();

}  // namespace millrace
