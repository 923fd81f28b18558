// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QByteArray>
#include <QString>

class QProcess;

namespace millrace {

/// The path of the `millrace` program: next to this program, in this program's build folder, or on
/// the PATH. Empty if it is not found.
QString engineProgram();
/// The sentence for a missing engine.
QString noEngineText();

/// What a child's end by a signal means: "a memory access fault (signal 11)".
QString signalText(int signal);

/// Appends to `words` what `process` has written for the user since the last call; keeps the last
/// 4 kB.
void keepLastOutput(QByteArray& words, QProcess& process);
/// The last three lines of what a program wrote for the user, as one text.
QString lastLinesOf(const QByteArray& words);

/// How often the kernel has killed a process because memory was full; nullopt if it does not report
/// that.
std::optional<quint64> outOfMemoryKills();

}  // namespace millrace
