// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

class QWidget;

namespace millrace {

// Dialogs for files and folders, in place of QFileDialog's own functions. Those look into files for
// their icons, and closing a file drops every lock that the process has on it (fcntl(2)): SQLite's
// on the store of runs, when that lies in the folder shown. These open nothing that they list.
// Qt's dialog asks for sizes and dates of what it lists on a thread of its own. What does not
// answer there keeps the rest of its folder from being listed, and nothing else; but the folder
// shown and what the person names are asked for on the GUI thread.
// `start` is a folder; of a file to be saved a folder and a name, or a name alone. Empty: where the
// last dialog was left. Nothing is returned when the person gave up. GUI thread.

/// Where the last dialog was left; empty: there was none.
QString lastDialogFolder();

QString askOpenFile(QWidget* parent, const QString& title, const QString& start,
                    const QString& filter = {});
QStringList askOpenFiles(QWidget* parent, const QString& title, const QString& start,
                         const QString& filter = {});
QString askFolder(QWidget* parent, const QString& title, const QString& start = {});

enum class Overwriting { Asks, DoesNotAsk };
/// `chosen` takes the filter that the person chose.
QString askSaveFile(QWidget* parent, const QString& title, const QString& start,
                    const QString& filter = {}, QString* chosen = nullptr,
                    Overwriting overwriting = Overwriting::Asks);

}  // namespace millrace
