// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/preview/field_facts.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include <QColor>

#include "widgets/common/format.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

/// Four significant digits are enough to compare by eye.
QString shortNumber(double number) {
  if (number == std::floor(number)) return shownNumber(number);
  return shownNumber(QString::number(number, 'g', 4).toDouble());
}

/// Mentions it if the samples differ in type or shape.
QString typeOver(const std::vector<const ShownField*>& fields) {
  QString first = fields.front()->typeText();
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

constexpr qsizetype kMostClasses = 8;  ///< of labels, in one sentence
/// Of masks, in a list that scrolls: all of the usual sets' pictures.
constexpr qsizetype kMostLegendLines = 40;

/// How often each class occurs, the most frequent first.
QString balanceOf(const std::vector<const ShownField*>& fields) {
  std::map<QString, int> counts;
  for (const ShownField* field : fields)
    if (field->label)
      ++counts[field->labelClass.isEmpty() ? shownNumber(*field->label) : field->classText()];
  if (counts.empty()) return {};
  std::vector<std::pair<QString, int>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater(), &std::pair<QString, int>::second);
  QStringList lines;
  for (const auto& [name, count] : sorted) {
    if (lines.size() == kMostClasses) break;
    // The count comes last: names are often numbers.
    lines << QString("%1 (%2)").arg(name.toHtmlEscaped()).arg(count);
  }
  const auto more = static_cast<qsizetype>(sorted.size()) - lines.size();
  QString text = shownCount(static_cast<std::int64_t>(sorted.size()), "class", "classes") +
                 " here: " + lines.join(", ");
  if (more > 0) text += QString(" and %1 more").arg(more);
  return text;
}

/// The classes of masks with their colours and their share of all the pixels.
QString legendOf(const std::vector<const ShownField*>& fields) {
  std::map<std::int64_t, MaskClass> classes;
  for (const ShownField* field : fields)
    for (const MaskClass& one : field->maskClasses) {
      MaskClass empty = one;
      empty.share = 0;
      classes.try_emplace(one.index, empty).first->second.share += one.share;
    }
  QStringList lines;
  for (const auto& [index, one] : classes) {
    if (lines.size() == kMostLegendLines) break;
    const QString name =
        one.name.empty() ? QString("class %1").arg(index) : toQt(one.name).toHtmlEscaped();
    const double share = one.share / static_cast<double>(fields.size());
    lines << QString("<span style='color:%1'>■</span> %2, %3%4%")
                 .arg(QColor(one.colour[0], one.colour[1], one.colour[2]).name(), name,
                      shortNumber(std::round(1000 * share) / 10))
                 .arg(kNoBreak);
  }
  if (static_cast<qsizetype>(classes.size()) > lines.size())
    lines << QString("and %1 more").arg(static_cast<qsizetype>(classes.size()) - lines.size());
  return lines.join("<br>");
}

QString labelLine(const std::vector<const ShownField*>& fields) {
  if (fields.size() == 1) {
    const ShownField& only = *fields.front();
    return only.labelClass.isEmpty()
               ? QString()
               : QString("%1: %2").arg(shownNumber(*only.label), only.classText().toHtmlEscaped());
  }
  return balanceOf(fields);
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
    const QString legend = legendOf(fields);
    if (isLabel && !labelLine(fields).isEmpty())
      lines << labelLine(fields);
    else if (!legend.isEmpty())
      lines << legend;
    else if (spread)
      lines << spreadLine(*spread);
    parts << lines.join("<br>");
  }
  return parts.join("<p style='margin-top:8px'>");
}

}  // namespace millrace
