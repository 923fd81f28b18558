// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/run_table_text.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/base/text/csv_cell.h"
#include "core/base/text/text.h"
#include "widgets/common/strings.h"
#include "widgets/runs/verdict_words.h"

namespace millrace {

namespace {

QJsonValue orNull(const std::optional<double>& value) {
  return value ? QJsonValue(*value) : QJsonValue();
}

QJsonValue cellValue(const QueryField& field, const SqlValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    if (field.type == FieldType::Time)
      return QDateTime::fromMSecsSinceEpoch(*integer, Qt::UTC).toString(Qt::ISODate);
    const bool flag = field.type == FieldType::Flag ||
                      (field.setting.flag && !field.setting.number && !field.setting.text);
    return flag ? QJsonValue(*integer != 0) : QJsonValue(static_cast<qint64>(*integer));
  }
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* text = std::get_if<std::string>(&value)) return toQt(validUtf8(*text));
  return {};
}

using Named = std::pair<QString, QJsonValue>;

/// The values of one column; the rate has three.
std::vector<Named> valuesOf(const RunTableText& table, const RunSummary& run, std::size_t c) {
  const RunColumn& column = table.columns[c];
  const auto verdict = table.verdicts.find(static_cast<std::int64_t>(run.number));
  switch (column.kind) {
    case RunColumn::Kind::Rate:
      return {{"samples_per_second", orNull(run.samplesPerSecond)},
              {"samples_per_second.ci95_low", orNull(run.ci95Low)},
              {"samples_per_second.ci95_high", orNull(run.ci95High)}};
    case RunColumn::Kind::Change: {
      std::optional<double> change;
      const auto before = table.baseline ? table.baseline->samplesPerSecond : std::nullopt;
      if (before && *before > 0 && run.samplesPerSecond)
        change = *run.samplesPerSecond / *before - 1;
      return {{"change", orNull(change)}};
    }
    case RunColumn::Kind::Verdict:
      return {{"verdict", verdict == table.verdicts.end()
                              ? QJsonValue()
                              : QJsonValue(shownVerdict(verdict->second))}};
    case RunColumn::Kind::Tags: {
      QJsonArray tags;
      for (const std::string& tag : run.tags) tags.append(toQt(validUtf8(tag)));
      return {{"tags", tags}};
    }
    default:
      return {
          {column.id, c < run.cells.size() ? cellValue(column.field, run.cells[c]) : QJsonValue()}};
  }
}

std::string csvOf(const QJsonValue& value) {
  if (value.isNull()) return {};
  if (value.isBool()) return value.toBool() ? "true" : "false";
  if (value.isDouble()) {
    const double number = value.toDouble();
    const auto whole = static_cast<qint64>(number);
    if (static_cast<double>(whole) == number) return std::to_string(whole);
    return QByteArray::number(number, 'g', 12).toStdString();
  }
  if (value.isArray()) {
    const QJsonArray values = value.toArray();
    QStringList words;
    for (const auto& word : values) words << word.toString();
    return csvCell(fromQt(words.join(' ')));
  }
  return csvCell(fromQt(value.toString()));
}

}  // namespace

std::string RunTableText::csv(const std::vector<RunSummary>& runs) const {
  std::string text;
  const auto line = [&](const RunSummary& run, bool heads) {
    QStringList cells;
    for (std::size_t c = 0; c < columns.size(); ++c)
      for (const Named& named : valuesOf(*this, run, c))
        cells << toQt(heads ? csvCell(fromQt(named.first)) : csvOf(named.second));
    return fromQt(cells.join(','));
  };
  text = line({}, true) + "\n";
  for (const RunSummary& run : runs) text += line(run, false) + "\n";
  return text;
}

std::string RunTableText::json(const std::vector<RunSummary>& runs) const {
  QJsonArray list;
  for (const RunSummary& run : runs) {
    QJsonObject object;
    for (std::size_t c = 0; c < columns.size(); ++c)
      for (const auto& [name, value] : valuesOf(*this, run, c)) object[name] = value;
    list.append(object);
  }
  return QJsonDocument(list).toJson().toStdString();
}

}  // namespace millrace
