// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace millrace {

/// Sets a property that the style sheet uses, such as `note` or `problem`. If it changes, the
/// widget and its children are styled again, which Qt does not do automatically. GUI thread.
void setStyleProperty(QWidget& widget, const char* name, const QString& value);

}  // namespace millrace
