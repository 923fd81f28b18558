// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include <QList>
#include <QPointF>

namespace millrace {

/// A span of the stream's time.
struct TimeSpan {
  double from = 0;
  double to = 0;
  bool operator==(const TimeSpan&) const = default;
};

/// Figures of the values in a span of time.
struct SeriesSummary {
  std::size_t count = 0;
  std::optional<double> mean;
  std::optional<double> median;
  std::optional<double> p95;
  std::optional<double> deviation;
};

/// Values of a run, oldest first; NaN where nothing was measured. Value.
class TimeSeries {
 public:
  static constexpr qsizetype kMostPoints = 300;  ///< in a chart
  /// Bounds the points kept, whatever a stream contains: an hour of what an engine sends. Of a
  /// longer run the end is kept.
  static constexpr std::size_t kMostKept = 20000;

  struct Point {
    double time = 0;  ///< by the stream's clock, in seconds, ascending
    double value = 0;
  };

  void add(double time, double value);
  /// The next point is not joined to the last one.
  void addGap(double time);
  void clear() { m_points.clear(); }
  const std::deque<Point>& points() const { return m_points; }

  /// Points for a chart from `from` to `to`, with the neighbours outside, so that lines go on to
  /// the edges; x is in seconds after `to`, so mostly negative. If there are more than `most`
  /// points, they are reduced to the minimum and maximum of equal stretches of time, in order; gaps
  /// stay gaps.
  QList<QPointF> drawn(double from, double to, qsizetype most = kMostPoints) const;
  /// Each value as the mean of those at most `seconds` / 2 before and after it, without any beyond
  /// a gap.
  TimeSeries smoothed(double seconds) const;
  /// The value at or just before `time`; nullopt in a gap.
  std::optional<double> at(double time) const;
  /// Without the values in `warmups`, unless there are no others.
  SeriesSummary summary(double from, double to, const std::vector<TimeSpan>& warmups = {}) const;

 private:
  std::deque<Point> m_points;
};

}  // namespace millrace
