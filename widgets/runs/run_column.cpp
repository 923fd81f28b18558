// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/run_column.h"

#include <cmath>

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocale>

#include "core/base/text/text.h"
#include "core/metrics/metric_spec.h"
#include "core/metrics/metric_text.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr QChar kMinus(0x2212);
constexpr const char* kRate = "samples_per_second";

struct OwnColumn {
  const char* id;
  const char* title;
  const char* help;
  RunColumn::Kind kind;
  const char* field;
};

constexpr OwnColumn kOwn[] = {
    {"number", "Run", "The run's number in this store.", RunColumn::Kind::Number, "number"},
    {"name", "Name", "The name that you gave the run. F2 changes it.", RunColumn::Kind::Name,
     "name"},
    {"tag", "Tags",
     "Words for finding runs, as in tag:start. F2 changes them; separate them by commas.",
     RunColumn::Kind::Tags, "tag"},
    {"notes", "Notes", "Your notes about the run. F2 changes them.", RunColumn::Kind::Notes,
     "notes"},
    {"state", "State",
     "How the run ended, and why if it failed or was interrupted. Queries find those that you "
     "stopped by reason = stopped.",
     RunColumn::Kind::State, "state"},
    {kRate, "Samples/s, 95 % interval",
     "Mean of the repeats, and its 95 % confidence interval, which needs three repeats.",
     RunColumn::Kind::Rate, kRate},
    {"change", "Δ to baseline", "Change of samples per second relative to the baseline.",
     RunColumn::Kind::Change, kRate},
    {"verdict", "Verdict",
     "Whether the run is faster or slower than the baseline, based on its repeats and the spread "
     "between sessions.",
     RunColumn::Kind::Verdict, kRate},
};

struct Titled {
  const char* id;
  const char* title;
};
constexpr Titled kTitles[] = {{"started", "Started"},
                              {"finished", "Finished"},
                              {"took", "Duration"},
                              {"pipeline", "Pipeline"},
                              {"experiment", "Experiment"},
                              {"repeats", "Repeats"},
                              {"failed_samples", "Failed samples"},
                              {"engine_version", "Engine"},
                              {"reason", "Reason"},
                              {"baseline", "Baseline"},
                              {"uid", "Id"},
                              {"digest", "Digest"}};

/// "environment.page_cache" becomes "Page cache".
QString plainTitle(QString id) {
  id = id.section('.', -1).replace('_', ' ');
  if (!id.isEmpty()) id[0] = id[0].toUpper();
  return id;
}

QString titleOf(const std::string& id, const QueryField& field, const Catalog& catalog) {
  for (const Titled& titled : kTitles)
    if (id == titled.id) return titled.title;
  if (const MetricSpec* spec = findMetric(id))
    return toQt(spec->name).replace("1 000", QString("1") + kNoBreak + "000");
  const std::size_t dot = id.find('.');
  if (field.type == FieldType::Setting && dot != id.npos)
    return shownSetting(id.substr(0, dot), id.substr(dot + 1), catalog);
  if (id.starts_with("environment.")) return plainTitle(toQt(id));
  return toQt(id);
}

bool isTrueOrFalse(const QueryField& field) {
  return field.type == FieldType::Flag ||
         (field.setting.flag && !field.setting.number && !field.setting.text);
}

QString withUnit(const QString& number, const QString& unit) {
  return unit.isEmpty() ? number : number + kNoBreak + unit;
}

}  // namespace

QString shownSetting(const std::string& node, const std::string& param, const Catalog& catalog) {
  // `workers_2` is a second node of the kind `workers`.
  std::string kind = node;
  QString count;
  const std::size_t bar = node.rfind('_');
  const NodeSpec* spec = catalog.find(kind);
  if (spec == nullptr && bar != node.npos) {
    kind = node.substr(0, bar);
    spec = catalog.find(kind);
    count = " " + toQt(node.substr(bar + 1));
  }
  QString name = spec == nullptr ? toQt(validUtf8(node)) : toQt(spec->label) + count;
  if (param.empty()) return name;
  const ParamSpec* known = spec == nullptr ? nullptr : spec->param(param);
  return name + " › " + toQt(known == nullptr ? validUtf8(param) : known->label);
}

QString shownFigure(double value, std::string_view unit) {
  const auto spaced = [](const std::string& text) { return toQt(text).replace(' ', kNoBreak); };
  const QString sign = value < 0 ? QString(kMinus) : QString();
  const double size = std::abs(value);
  if (unit == "B" || unit == "bytes") return sign + spaced(humanBytes(size));
  if (unit == "B/s") return sign + spaced(humanBytes(size)) + "/s";
  // Rounded as core/metrics/metric_text.h rounds, so that changes agree with the shown figures.
  if (unit == "share") return sign + withUnit(shownNumber(std::round(1000 * size) / 10), "%");
  if (unit == "ms") return sign + spaced(humanSeconds(size / 1e3));
  if (unit == "s" || unit == "seconds") return sign + spaced(humanSeconds(size));
  return sign + shownNumber(roundedValue(size));
}

QString shownCell(const QueryField& field, const SqlValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    if (field.type == FieldType::Time)
      return shownTime(WallTime(std::chrono::milliseconds(*integer)),
                       std::chrono::time_point_cast<std::chrono::milliseconds>(
                           std::chrono::system_clock::now()));
    if (isTrueOrFalse(field)) return *integer != 0 ? "yes" : "no";
    if (field.type == FieldType::Setting && field.unit == "bytes" && *integer >= 1000000)
      return shownFigure(static_cast<double>(*integer), "bytes");
    if (field.type == FieldType::Setting || field.unit.empty()) return shownNumber(*integer);
    return shownFigure(static_cast<double>(*integer), field.unit);
  }
  if (const auto* real = std::get_if<double>(&value))
    return field.type == FieldType::Setting ? shownNumber(*real) : shownFigure(*real, field.unit);
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return {};
  const QString list = field.type == FieldType::Setting ? shownList(*text) : QString();
  return list.isEmpty() ? toQt(singleLine(*text)) : list;
}

QString shownList(const std::string& json) {
  if (!json.starts_with('[')) return {};
  const QJsonDocument list = QJsonDocument::fromJson(QByteArray::fromStdString(json));
  if (!list.isArray()) return {};
  const QJsonArray values = list.array();
  QStringList items;
  for (const auto& item : values)
    items << (item.isDouble() ? shownNumber(item.toDouble())
                              : toQt(singleLine(fromQt(item.toString().section('/', -1)))));
  return items.join(", ");
}

QString shownTime(WallTime time, WallTime now) {
  const auto local = [](WallTime at) {
    return QDateTime::fromMSecsSinceEpoch(at.time_since_epoch().count());
  };
  const bool sameYear = local(time).date().year() == local(now).date().year();
  return QLocale::c()
      .toString(local(time), sameYear ? "d MMM hh:mm" : "d MMM yyyy hh:mm")
      .replace(' ', kNoBreak);
}

std::optional<RunColumn> runColumn(const QString& id, const QueryVocabulary& vocabulary,
                                   const Catalog& catalog) {
  RunColumn column;
  column.id = id;
  std::string name = fromQt(id);
  for (const OwnColumn& own : kOwn) {
    if (id != own.id) continue;
    column.title = own.title;
    column.help = own.help;
    column.kind = own.kind;
    name = own.field;
  }
  const auto field = findField(name, vocabulary);
  if (!field) return std::nullopt;
  column.field = *field;
  column.isNumber =
      field->type == FieldType::Number || field->type == FieldType::Time || field->setting.number;
  if (column.kind == RunColumn::Kind::Verdict) column.isNumber = false;
  if (column.kind == RunColumn::Kind::Field) {
    column.title = titleOf(name, *field, catalog);
    column.help = id;
    if (const MetricSpec* spec = findMetric(name))
      column.help = toQt(spec->meaning) + ' ' + toQt(spec->reading);
  }
  return column;
}

QStringList runColumnIds(const QueryVocabulary& vocabulary) {
  QStringList ids;
  for (const OwnColumn& own : kOwn) ids << own.id;
  for (const std::string& name : fieldNames(vocabulary)) {
    const QString id = toQt(name);
    if (!ids.contains(id)) ids << id;
  }
  for (const char* fact : {"page_cache", "cpu_model", "gpu", "kernel"})
    ids << QString("environment.") + fact;
  return ids;
}

}  // namespace millrace
