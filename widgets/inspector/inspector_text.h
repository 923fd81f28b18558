// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <utility>

#include <QList>
#include <QString>

class QLabel;

namespace millrace {

/// A label of several lines whose text can be selected; `role`: as house_style names them.
QLabel* textLabel(const QString& text, const char* role);
/// Names and values as a table in HTML; empty without rows.
QString tableHtml(const QList<std::pair<QString, QString>>& rows);

}  // namespace millrace
