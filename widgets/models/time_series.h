// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include <QList>
#include <QPointF>

namespace millrace {

/// Figures of the values in a span of time.
struct SeriesSummary {
  std::size_t count = 0;
  std::optional<double> mean;
  std::optional<double> median;
  std::optional<double> p95;
  std::optional<double> deviation;
};

/// Values over the last minute, oldest first; NaN where nothing was measured. Value.
class TimeSeries {
 public:
  static constexpr double kKeptSeconds = 60;
  static constexpr qsizetype kMostPoints = 300;  ///< that a chart is given
  /// That are kept, whatever a stream says: more than ten times what an engine sends.
  static constexpr std::size_t kMostKept = 4096;

  struct Point {
    double time = 0;  ///< of the stream's clock, seconds, rising
    double value = 0;
  };

  /// Points older than kKeptSeconds before this one go.
  void add(double time, double value);
  /// What follows is not joined to what was.
  void addGap(double time);
  void clear() { m_points.clear(); }
  const std::deque<Point>& points() const { return m_points; }

  /// For a chart whose 0 is `now`: x are seconds before it. Where there are more than `most`
  /// points, the least and the greatest of each equal stretch of time, in their order; a gap stays
  /// one.
  QList<QPointF> drawn(double now, qsizetype most = kMostPoints) const;
  /// The value at or right before `time`; absent in a gap.
  std::optional<double> at(double time) const;
  SeriesSummary summary(double from, double to) const;

 private:
  std::deque<Point> m_points;
};

}  // namespace millrace
