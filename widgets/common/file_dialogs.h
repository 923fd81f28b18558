// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

class QWidget;

namespace millrace {

// Dialogs for files and folders, used instead of QFileDialog's own functions. Those open files to
// choose their icons, and closing a file drops every lock that the process has on it (fcntl(2)):
// SQLite's lock on the store of runs too, if it is in the folder shown. These dialogs open none of
// the files that they list. Qt's dialog reads sizes and dates of the entries on a separate thread.
// An entry that does not respond there only keeps the rest of its folder from being listed; but the
// folder shown and the path that the user types are queried on the GUI thread. `start` is a folder;
// when saving, a folder and a name, or only a name. Empty: the last dialog's folder. Returns an
// empty result if the user cancelled. GUI thread.

/// The last dialog's folder; empty if there was none.
QString lastDialogFolder();

QString askOpenFile(QWidget* parent, const QString& title, const QString& start,
                    const QString& filter = {});
/// A file that exists, or the name of one that does not. `accept`: the words on the button.
QString askOpenOrNewFile(QWidget* parent, const QString& title, const QString& start,
                         const QString& filter, const QString& accept);
QStringList askOpenFiles(QWidget* parent, const QString& title, const QString& start,
                         const QString& filter = {});
QString askFolder(QWidget* parent, const QString& title, const QString& start = {});

enum class Overwriting { Asks, DoesNotAsk };
/// `chosen` receives the filter that the user selected.
QString askSaveFile(QWidget* parent, const QString& title, const QString& start,
                    const QString& filter = {}, QString* chosen = nullptr,
                    Overwriting overwriting = Overwriting::Asks);

}  // namespace millrace
