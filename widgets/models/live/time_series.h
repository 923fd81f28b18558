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
  static constexpr qsizetype kMostPoints = 300;  ///< in a chart
  /// Bounds the points kept, whatever a stream contains: more than ten times what an engine sends.
  static constexpr std::size_t kMostKept = 4096;

  struct Point {
    double time = 0;  ///< by the stream's clock, in seconds, ascending
    double value = 0;
  };

  /// Drops points older than kKeptSeconds before this one.
  void add(double time, double value);
  /// The next point is not joined to the last one.
  void addGap(double time);
  void clear() { m_points.clear(); }
  const std::deque<Point>& points() const { return m_points; }

  /// Points for a chart whose 0 is `now`; x is in seconds before it. If there are more than `most`
  /// points, they are reduced to the minimum and maximum of equal stretches of time, in order; gaps
  /// stay gaps.
  QList<QPointF> drawn(double now, qsizetype most = kMostPoints) const;
  /// The value at or just before `time`; nullopt in a gap.
  std::optional<double> at(double time) const;
  SeriesSummary summary(double from, double to) const;

 private:
  std::deque<Point> m_points;
};

}  // namespace millrace
