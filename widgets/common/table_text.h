// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <QList>
#include <QStringList>
#include <QVariantList>

class QAbstractItemModel;

namespace millrace {

/// A table to be taken away: figures as numbers, not as they are shown. An invalid value is empty.
struct TextTable {
  QStringList columns;
  QList<QVariantList> rows;
};

/// What a model shows, by its headers and display role; children of rows are left out.
TextTable tableOf(const QAbstractItemModel& model);

/// RFC 4180 but for the lines' ends, with a header line; decimal points in every locale.
std::string csvText(const TextTable& table);
/// A list of objects with the columns as keys; empty values are null.
std::string jsonText(const TextTable& table);

}  // namespace millrace
