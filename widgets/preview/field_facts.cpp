// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/preview/field_facts.h"

#include <algorithm>
#include <cmath>

#include <QSet>

#include "widgets/common/format.h"

namespace millrace {

namespace {

/// Four significant digits are enough to compare by eye.
QString shortNumber(double number) {
  if (number == std::floor(number)) return shownNumber(number);
  return shownNumber(QString::number(number, 'g', 4).toDouble());
}

/// Mentions it if the samples differ in type or shape.
QString typeOver(const std::vector<const ShownField*>& fields) {
  const QString first = fields.front()->typeText();
  const bool same = std::ranges::all_of(fields, [&](const auto* f) {
    return f->isEncoded() ? fields.size() == 1 : f->typeText() == first;
  });
  if (same) return first;
  if (fields.front()->isEncoded()) return "encoded";
  return fields.front()->dtype + " · several shapes, first " + fields.front()->shapeText();
}

QString spreadLine(const FieldSpread& spread) {
  return QString("min %1 · max %2<br>mean %3")
      .arg(shortNumber(spread.minimum), shortNumber(spread.maximum), shortNumber(spread.mean));
}

QString labelLine(const std::vector<const ShownField*>& fields) {
  QSet<double> values;
  for (const ShownField* field : fields)
    if (field->label) values.insert(*field->label);
  if (fields.size() == 1) {
    const ShownField& only = *fields.front();
    return only.labelClass.isEmpty()
               ? QString()
               : QString("%1: %2").arg(shownNumber(*only.label), only.labelClass.toHtmlEscaped());
  }
  return values.isEmpty() ? QString() : shownCount(values.size(), "class", "classes") + " here";
}

}  // namespace

QString fieldFacts(const std::vector<ShownSample>& samples) {
  const auto sound = std::ranges::find_if(samples, [](const auto& s) { return s.error.isEmpty(); });
  if (sound == samples.end()) return {};
  QStringList parts;
  for (std::size_t f = 0; f < sound->fields.size(); ++f) {
    std::vector<const ShownField*> fields;
    for (const ShownSample& sample : samples)
      if (f < sample.fields.size()) fields.push_back(&sample.fields[f]);
    QStringList lines{"<b>" + sound->fields[f].name.toHtmlEscaped() + "</b>", typeOver(fields)};
    const bool isLabel = sound->fields[f].label.has_value();
    const auto spread = spreadOver(samples, f);
    if (isLabel && !labelLine(fields).isEmpty())
      lines << labelLine(fields);
    else if (spread)
      lines << spreadLine(*spread);
    parts << lines.join("<br>");
  }
  return parts.join("<p style='margin-top:8px'>");
}

}  // namespace millrace
