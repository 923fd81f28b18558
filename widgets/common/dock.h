// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>

namespace millrace {

/// A dock with LOOK's title bar: its name, the actions of `content`, float, close. `content`
/// becomes its child.
QDockWidget* makeDock(const QString& name, const QString& title, QWidget* content);

/// Behind the name in such a title bar: what it is about, such as a document. Tabs have the name
/// alone.
void setDockSubject(QDockWidget& dock, const QString& subject);

}  // namespace millrace
