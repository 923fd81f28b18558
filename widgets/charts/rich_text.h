// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QString>
#include <QStringList>

namespace millrace {

/// Rich text that wraps and can be selected, with links that the keyboard can reach.
QLabel* richLabel(const char* role = nullptr);

/// Lines of HTML as list items; empty if there are none.
QString htmlList(const QStringList& lines);

}  // namespace millrace
