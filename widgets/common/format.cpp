// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/format.h"

#include <algorithm>
#include <cmath>

#include <QFileInfo>
#include <QLocale>
#include <QStringList>

#include "core/base/text/text.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

constexpr QChar kMinus(0x2212);

QString groupedDigits(QString digits) {
  const qsizetype point = digits.indexOf('.');
  for (qsizetype at = (point < 0 ? digits.size() : point) - 3; at > 0; at -= 3)
    digits.insert(at, kNoBreak);
  return digits;
}

QString withUnit(const QString& number, std::string_view unit) {
  return unit.empty() ? number : number + kNoBreak + shownUnit(unit);
}

QString shownReals(const RealList& reals) {
  QStringList texts;
  for (const double real : reals) texts << shownNumber(real);
  return texts.join(", ");
}

QString shownTexts(const TextList& list) {
  QStringList texts;
  for (const std::string& text : list) texts << toQt(text);
  return texts.join(", ");
}

/// A short form of a list: files without their folders, from "name=expression" the name, and of a
/// long list only the first entries.
QString shortTexts(const ParamSpec& spec, const TextList& list) {
  constexpr std::size_t kNamed = 3;
  QStringList texts;
  for (std::size_t i = 0; i < std::min(list.size(), kNamed); ++i)
    texts << (spec.names == DiskName::Nothing ? toQt(list[i]).section('=', 0, 0)
                                              : QFileInfo(toQt(list[i])).fileName());
  if (list.size() > kNamed) texts << "…";
  return texts.join(", ");
}

QString shownCount(const ParamSpec& spec, std::int64_t number) {
  if (spec.unit == "bytes" && number >= 1000000)
    return toQt(humanBytes(static_cast<double>(number))).replace(' ', kNoBreak);
  // Units are given in the plural: "threads", "batches".
  std::string_view unit = spec.unit;
  if (number == 1 && unit.size() > 2 && unit.ends_with('s') && shownUnit(unit) == toQt(unit))
    unit.remove_suffix(unit.ends_with("ches") ? 2 : 1);
  return withUnit(shownNumber(number), unit);
}

}  // namespace

QString shownNumber(std::int64_t number) {
  const QString digits = groupedDigits(QString::number(
      number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number)));
  return number < 0 ? kMinus + digits : digits;
}

QString shownNumber(double number) {
  if (std::abs(number) < 1e15 && number == std::floor(number))
    return shownNumber(static_cast<std::int64_t>(number));
  constexpr int kDigits = 6;
  const double size = std::abs(number);
  QString digits = QString::number(size, 'g', kDigits);
  if (digits.contains('e') && size < 1 && size >= 1e-6) {
    digits = QString::number(size, 'f', 12);
    while (digits.endsWith('0')) digits.chop(1);
  }
  return (number < 0 ? QString(kMinus) : QString()) +
         (digits.contains('e') ? digits : groupedDigits(digits));
}

QString shownCount(std::int64_t number, const QString& one, const QString& many) {
  const QString word = number == 1 ? one : many.isEmpty() ? one + 's' : many;
  return shownNumber(number) + ' ' + word;
}

QString shownChange(double ratio) {
  const double percent = std::round((ratio - 1) * 1000) / 10;
  const QString sign = percent < 0 ? QString(kMinus) : QString(percent > 0 ? "+" : "");
  const double size = std::abs(percent);
  return sign + (size < 1000 ? QString::number(size, 'f', 1) : shownNumber(std::round(size))) +
         kNoBreak + '%';
}

QString shownUnit(std::string_view unit) {
  if (unit == "pixels") return "px";
  if (unit == "seconds") return "s";
  if (unit == "degrees") return "°";
  return toQt(unit);
}

QString shownValue(const ParamSpec& spec, const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "on" : "off";
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return shownCount(spec, *integer);
  if (const auto* real = std::get_if<double>(&value))
    return withUnit(shownNumber(*real), spec.unit);
  QString text;
  if (const auto* single = std::get_if<std::string>(&value)) text = toQt(*single);
  if (const auto* reals = std::get_if<RealList>(&value)) text = shownReals(*reals);
  if (const auto* texts = std::get_if<TextList>(&value)) text = shownTexts(*texts);
  return text.isEmpty() ? "not set" : text;
}

QString shortValue(const ParamSpec& spec, const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? toQt(spec.label).toLower() : "";
  if (const auto* single = std::get_if<std::string>(&value))
    return spec.names == DiskName::Nothing ? toQt(*single).replace('_', ' ')
                                           : QFileInfo(toQt(*single)).fileName();
  if (const auto* texts = std::get_if<TextList>(&value)) return shortTexts(spec, *texts);
  return shownValue(spec, value);
}

QString shownAllowed(const ParamSpec& spec) {
  if (spec.type == ParamType::Boolean || spec.type == ParamType::Choice) return {};
  const auto number = [](double limit) { return shownNumber(limit); };
  constexpr double kHugeBytes = 1e12;
  if (spec.minimum && spec.maximum && spec.unit == "bytes" && *spec.maximum >= kHugeBytes)
    return withUnit(number(*spec.minimum), spec.unit) + " to " + toQt(humanBytes(*spec.maximum));
  if (spec.minimum && spec.maximum)
    return withUnit(number(*spec.minimum) + " to " + number(*spec.maximum), spec.unit);
  if (spec.minimum) return withUnit(number(*spec.minimum), spec.unit) + " or more";
  if (spec.maximum) return "at most " + withUnit(number(*spec.maximum), spec.unit);
  return {};
}

QString shownShape(const Shape& shape) {
  QStringList sizes;
  for (const std::int64_t size : shape)
    sizes << (size == Shape::kUnknown ? QString("?") : shownNumber(size));
  return sizes.join(" × ");
}

QString shownField(const FieldSpec& field) {
  QString text = toQt(nameOf(field.dtype));
  if (field.dtype != DType::Encoded && field.shape.rank() > 0)
    text += " " + shownShape(field.shape);
  if (field.layout != Layout::Plain && field.dtype != DType::Encoded)
    text += kDot + toQt(nameOf(field.layout)).toUpper();
  if (field.oneHot) text += QString(kDot) + "one-hot";
  if (field.classes > 0 && !field.oneHot)
    text += QString("%1one of %2").arg(kDot, shownNumber(field.classes));
  return text;
}

QString shownStream(const StreamType& stream) {
  QStringList parts;
  parts << (stream.level == Level::Batch ? "batch of " + shownNumber(stream.batchSize)
                                         : QString("sample"));
  parts << toQt(nameOf(stream.place));
  for (const FieldSpec& field : stream.fields) {
    QString text = toQt(field.name) + " " + toQt(nameOf(field.dtype));
    if (field.dtype != DType::Encoded && field.shape.rank() > 0)
      text += " " + shownShape(field.shape);
    parts << text;
  }
  return parts.join(kDot);
}

std::optional<double> typedNumber(const QString& text) {
  QString plain;
  for (const QChar c : text) {
    if (c.isSpace()) continue;
    plain += c == kMinus ? QChar('-') : c;
  }
  if (plain.count(',') == 1 && !plain.contains('.')) plain.replace(',', '.');
  bool ok = false;
  const double number = QLocale::c().toDouble(plain, &ok);
  if (!ok || !std::isfinite(number)) return std::nullopt;
  return number;
}

}  // namespace millrace
