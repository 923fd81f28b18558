// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QString>
#include <QStringList>

namespace millrace {

/// Rich text that wraps and can be selected, its links within reach of the keyboard.
QLabel* richLabel(const char* role = nullptr);

/// Lines of HTML as the items of a list; empty: no list.
QString htmlList(const QStringList& lines);

}  // namespace millrace
