// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <QList>
#include <QStringList>
#include <QVariantList>

class QAbstractItemModel;

namespace millrace {

/// A table for export: figures as numbers, not in their display form. An invalid value is empty.
struct TextTable {
  QStringList columns;
  QList<QVariantList> rows;
};

/// A model's content, from its headers and display role; children of rows are left out.
TextTable tableOf(const QAbstractItemModel& model);

/// RFC 4180 except for the line ends, with a header line; decimal points in every locale.
std::string csvText(const TextTable& table);
/// A list of objects with the columns as keys; empty values are null.
std::string jsonText(const TextTable& table);

}  // namespace millrace
