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
  if (m_points.size() > kMostKept) m_points.pop_front();
}

void TimeSeries::addGap(double time) {
  if (!m_points.empty() && !std::isnan(m_points.back().value)) add(time, kNothing);
}

QList<QPointF> TimeSeries::drawn(double from, double to, qsizetype most) const {
  QList<QPointF> drawn;
  auto first = std::ranges::lower_bound(m_points, from, {}, &Point::time);
  auto last = std::ranges::upper_bound(m_points, to, {}, &Point::time);
  if (first != m_points.begin()) --first;
  if (last != m_points.end()) ++last;
  if (last - first <= most) {
    for (auto point = first; point != last; ++point) drawn.append({point->time - to, point->value});
    return drawn;
  }
  const double width = (to - from) / static_cast<double>(most / 3 - 2);
  const auto stretchOf = [&](const Point& point) { return std::floor(point.time / width); };
  for (auto begin = first; begin != last;) {
    const auto end = std::find_if(
        begin, last, [&](const Point& point) { return stretchOf(point) != stretchOf(*begin); });
    addExtremes(drawn, begin, end, to);
    begin = end;
  }
  return drawn;
}

TimeSeries TimeSeries::smoothed(double seconds) const {
  TimeSeries means;
  // The sum is of the points in [first, last), all of them between the same gaps.
  auto first = m_points.begin();
  auto last = first;
  double sum = 0;
  for (auto point = m_points.begin(); point != m_points.end(); ++point) {
    if (std::isnan(point->value)) {
      means.addGap(point->time);
      first = last = std::next(point);
      sum = 0;
      continue;
    }
    for (; last != m_points.end() && !std::isnan(last->value) &&
           last->time <= point->time + seconds / 2;
         ++last)
      sum += last->value;
    for (; first->time < point->time - seconds / 2; ++first) sum -= first->value;
    means.add(point->time, sum / static_cast<double>(last - first));
  }
  return means;
}

std::optional<double> TimeSeries::at(double time) const {
  const auto after = std::ranges::upper_bound(m_points, time, {}, &Point::time);
  if (after == m_points.begin()) return std::nullopt;
  const double value = std::prev(after)->value;
  if (std::isnan(value)) return std::nullopt;
  return value;
}

SeriesSummary TimeSeries::summary(double from, double to,
                                  const std::vector<TimeSpan>& warmups) const {
  const auto isWarmup = [&](double time) {
    return std::ranges::any_of(
        warmups, [time](const TimeSpan& span) { return time > span.from && time <= span.to; });
  };
  std::vector<double> values;
  std::vector<double> measured;
  const auto last = std::ranges::upper_bound(m_points, to, {}, &Point::time);
  for (auto point = std::ranges::lower_bound(m_points, from, {}, &Point::time); point < last;
       ++point)
    if (!std::isnan(point->value)) {
      values.push_back(point->value);
      if (!isWarmup(point->time)) measured.push_back(point->value);
    }
  if (!measured.empty()) values = std::move(measured);
  return {values.size(), mean(values), median(values), percentile(values, 0.95),
          standardDeviation(values)};
}

}  // namespace millrace
