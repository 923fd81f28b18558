// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace millrace {

/// Sets a property that the style sheet asks about, as `note` or `problem`, and styles the widget
/// and what is in it anew where it was another: Qt does not by itself. GUI thread.
void setStyleProperty(QWidget& widget, const char* name, const QString& value);

}  // namespace millrace
