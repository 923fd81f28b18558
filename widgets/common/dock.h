// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>

namespace millrace {

/// A dock with the title bar of docs/look.md: its name, the actions of `content`, float, close.
/// `content` becomes its child.
QDockWidget* makeDock(const QString& name, const QString& title, QWidget* content);

/// Adds the subject after the name in such a title bar, for example a document's name. Tabs show
/// the name only.
void setDockSubject(QDockWidget& dock, const QString& subject);

}  // namespace millrace
