// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/live/time_series.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/analysis/statistics.h"

namespace millrace {

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

using Points = std::deque<TimeSeries::Point>;

/// Reduces the points of one stretch to at most three: gap, minimum and maximum, in order of time.
void addExtremes(QList<QPointF>& to, Points::const_iterator begin, Points::const_iterator end,
                 double now) {
  std::optional<TimeSeries::Point> gap;
  std::optional<TimeSeries::Point> least;
  std::optional<TimeSeries::Point> most;
  for (auto point = begin; point != end; ++point) {
    if (std::isnan(point->value)) {
      gap = *point;
      continue;
    }
    if (!least || point->value < least->value) least = *point;
    if (!most || point->value > most->value) most = *point;
  }
  std::vector<TimeSeries::Point> kept;
  if (gap) kept.push_back(*gap);
  if (least) kept.push_back(*least);
  if (most && most->time != least->time) kept.push_back(*most);
  std::ranges::sort(kept, {}, &TimeSeries::Point::time);
  for (const TimeSeries::Point& point : kept) to.append({point.time - now, point.value});
}

}  // namespace

void TimeSeries::add(double time, double value) {
  if (!m_points.empty() && time < m_points.back().time) return;
  m_points.push_back({time, value});
  while (m_points.front().time < time - kKeptSeconds || m_points.size() > kMostKept)
    m_points.pop_front();
}

void TimeSeries::addGap(double time) {
  if (!m_points.empty() && !std::isnan(m_points.back().value)) add(time, kNothing);
}

QList<QPointF> TimeSeries::drawn(double now, qsizetype most) const {
  QList<QPointF> drawn;
  const auto first = std::ranges::lower_bound(m_points, now - kKeptSeconds, {}, &Point::time);
  if (m_points.end() - first <= most) {
    for (auto point = first; point != m_points.end(); ++point)
      drawn.append({point->time - now, point->value});
    return drawn;
  }
  const double width = kKeptSeconds / static_cast<double>(most / 3 - 1);
  const auto stretchOf = [&](const Point& point) { return std::floor(point.time / width); };
  for (auto begin = first; begin != m_points.end();) {
    const auto end = std::find_if(begin, m_points.end(), [&](const Point& point) {
      return stretchOf(point) != stretchOf(*begin);
    });
    addExtremes(drawn, begin, end, now);
    begin = end;
  }
  return drawn;
}

std::optional<double> TimeSeries::at(double time) const {
  const auto after = std::ranges::upper_bound(m_points, time, {}, &Point::time);
  if (after == m_points.begin()) return std::nullopt;
  const double value = std::prev(after)->value;
  if (std::isnan(value)) return std::nullopt;
  return value;
}

SeriesSummary TimeSeries::summary(double from, double to) const {
  std::vector<double> values;
  for (const Point& point : m_points)
    if (point.time >= from && point.time <= to && !std::isnan(point.value))
      values.push_back(point.value);
  return {values.size(), mean(values), median(values), percentile(values, 0.95),
          standardDeviation(values)};
}

}  // namespace millrace
