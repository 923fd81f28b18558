// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/table_text.h"

#include <QAbstractItemModel>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/base/text/csv_cell.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

QString cellText(const QVariant& value) {
  if (!value.isValid()) return {};
  // Six digits are significant in a measurement.
  if (value.userType() == QMetaType::Double) return QString::number(value.toDouble(), 'g', 6);
  return toQt(csvCell(fromQt(value.toString())));
}

}  // namespace

TextTable tableOf(const QAbstractItemModel& model) {
  TextTable table;
  for (int column = 0; column < model.columnCount(); ++column)
    table.columns << model.headerData(column, Qt::Horizontal).toString();
  for (int row = 0; row < model.rowCount(); ++row) {
    QVariantList& values = table.rows.emplace_back();
    for (int column = 0; column < model.columnCount(); ++column)
      values << model.index(row, column).data();
  }
  return table;
}

std::string csvText(const TextTable& table) {
  const auto line = [](const QVariantList& values) {
    QStringList words;
    for (const QVariant& value : values) words << cellText(value);
    return words.join(',').toStdString() + '\n';
  };
  std::string text = line(QVariantList(table.columns.begin(), table.columns.end()));
  for (const QVariantList& row : table.rows) text += line(row);
  return text;
}

std::string jsonText(const TextTable& table) {
  QJsonArray rows;
  for (const QVariantList& values : table.rows) {
    QJsonObject row;
    for (qsizetype i = 0; i < values.size(); ++i)
      row[table.columns[i]] = QJsonValue::fromVariant(values[i]);
    rows << row;
  }
  return QJsonDocument(rows).toJson().toStdString();
}

}  // namespace millrace
