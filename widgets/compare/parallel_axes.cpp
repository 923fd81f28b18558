// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/parallel_axes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/text/text.h"
#include "widgets/common/strings.h"
#include "widgets/runs/run_column.h"

namespace millrace {

namespace {

std::optional<double> numberOf(const SqlValue& value) {
  if (const auto* real = std::get_if<double>(&value)) return *real;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  return std::nullopt;
}

bool isFlag(const QueryField& field) {
  return field.setting.flag && !field.setting.number && !field.setting.text;
}

QString wordOf(const QueryField& field, const SqlValue& value) { return shownCell(field, value); }

void toggle(std::set<QString>& set, const QString& id) {
  if (set.erase(id) == 0) set.insert(id);
}

}  // namespace

void ParallelAxes::setCloud(const RunCloud& cloud) {
  m_cloud = cloud;
  rebuild();
}

void ParallelAxes::setHideConstants(bool hide) {
  m_hideConstants = hide;
  rebuild();
}

void ParallelAxes::rebuild() {
  std::vector<std::size_t> places;
  if (m_hideConstants) {
    places = axesThatVary(m_cloud);
  } else {
    for (std::size_t i = 0; i < m_cloud.axes.size(); ++i) places.push_back(i);
  }
  m_axes.clear();
  for (const std::size_t place : places) m_axes.push_back(axisFor(place));
  // Axes that the user has arranged come in that order, the others in their original order.
  std::ranges::sort(m_axes, {}, [this](const Axis& axis) {
    const qsizetype at = m_order.indexOf(axis.id);
    return std::pair(at < 0 ? std::numeric_limits<qsizetype>::max() : at, axis.value);
  });
}

ParallelAxes::Axis ParallelAxes::axisFor(std::size_t value) const {
  const CloudAxis& known = m_cloud.axes[value];
  Axis axis;
  axis.value = value;
  axis.id = known.id;
  axis.title = known.title;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  const std::string unit = fromQt(known.unit);
  for (const CloudRun& run : m_cloud.runs) {
    const SqlValue& cell = run.values[value];
    if (std::holds_alternative<std::monostate>(cell)) continue;
    const auto number = numberOf(cell);
    axis.isNumber = axis.isNumber && number.has_value() && !isFlag(known.field);
    if (number) low = std::min(low, *number);
    if (number) high = std::max(high, *number);
    const QString word = wordOf(known.field, cell);
    if (!axis.words.contains(word)) axis.words << word;
  }
  axis.words.sort();
  axis.flipped = m_flipped.contains(axis.id);
  if (const auto brush = m_brushes.find(axis.id); brush != m_brushes.end())
    axis.brush = brush->second;
  if (!axis.isNumber || !(low <= high)) {
    axis.isNumber = false;
    return axis;
  }
  axis.lowWord = shownFigure(low, unit);
  axis.highWord = shownFigure(high, unit);
  axis.canBeLog = low > 0;
  axis.log = axis.canBeLog && m_log.contains(axis.id);
  axis.low = axis.log ? std::log10(low) : low;
  axis.high = axis.log ? std::log10(high) : high;
  return axis;
}

void ParallelAxes::flip(std::size_t axis) {
  toggle(m_flipped, m_axes[axis].id);
  // Marked values stay marked: the brush is flipped with the axis.
  if (const auto brush = m_brushes.find(m_axes[axis].id); brush != m_brushes.end())
    brush->second = {1 - brush->second.to, 1 - brush->second.from};
  rebuild();
}

void ParallelAxes::toggleLog(std::size_t axis) {
  if (!m_axes[axis].canBeLog) return;
  toggle(m_log, m_axes[axis].id);
  m_brushes.erase(m_axes[axis].id);
  rebuild();
}

void ParallelAxes::move(std::size_t from, std::size_t to) {
  m_order.clear();
  for (const Axis& axis : m_axes) m_order << axis.id;
  m_order.move(static_cast<qsizetype>(from), static_cast<qsizetype>(to));
  rebuild();
}

void ParallelAxes::setBrush(std::size_t axis, std::optional<AxisBrush> brush) {
  if (brush)
    m_brushes[m_axes[axis].id] = *brush;
  else
    m_brushes.erase(m_axes[axis].id);
  m_axes[axis].brush = brush;
}

void ParallelAxes::clearBrushes() {
  m_brushes.clear();
  for (Axis& axis : m_axes) axis.brush.reset();
}

std::optional<double> ParallelAxes::placeOf(const CloudRun& run, std::size_t axis) const {
  const Axis& on = m_axes[axis];
  const SqlValue& value = run.values[on.value];
  if (std::holds_alternative<std::monostate>(value)) return std::nullopt;
  double place = 0.5;
  if (on.isNumber) {
    const double number = *numberOf(value);
    const double at = on.log ? std::log10(number) : number;
    if (on.high > on.low) place = (at - on.low) / (on.high - on.low);
  } else if (on.words.size() > 1) {
    place = static_cast<double>(on.words.indexOf(wordOf(m_cloud.axes[on.value].field, value))) /
            static_cast<double>(on.words.size() - 1);
  }
  return on.flipped ? 1 - place : place;
}

bool ParallelAxes::isWanted(const CloudRun& run) const {
  constexpr double kSlack = 1e-9;
  for (std::size_t axis = 0; axis < m_axes.size(); ++axis) {
    const auto& brush = m_axes[axis].brush;
    if (!brush) continue;
    const auto place = placeOf(run, axis);
    if (!place || *place < brush->from - kSlack || *place > brush->to + kSlack) return false;
  }
  return true;
}

std::vector<RunNumber> ParallelAxes::wanted(const RunCloud& cloud) const {
  std::vector<RunNumber> runs;
  for (const CloudRun& run : cloud.runs)
    if (isWanted(run)) runs.push_back(run.number);
  return runs;
}

}  // namespace millrace
