// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QPen>
#include <QRectF>
#include <QString>

class QPainter;

namespace millrace {

/// A value axis with round ticks. Value.
struct PlotAxis {
  double low = 0;
  double high = 1;
  std::vector<double> ticks;

  double shareOf(double value) const { return (value - low) / (high - low); }
};

/// The least axis with steps of 1, 2, 2.5 or 5 times a power of ten that holds both; never empty.
PlotAxis roundAxis(double low, double high, int mostTicks = 6);

/// A plot's area with its axes. Value.
struct PlotFrame {
  QRectF area;
  PlotAxis x;
  PlotAxis y;

  QPointF at(double xValue, double yValue) const {
    return {area.left() + x.shareOf(xValue) * area.width(),
            area.bottom() - y.shareOf(yValue) * area.height()};
  }
  /// Grid, base line and words. `xUnit` stands behind the last word of the axis.
  void paint(QPainter& painter, const QString& xUnit = {}) const;
  /// How to read it: at the top, cut where the value axis is named.
  void paintCaption(QPainter& painter, const QString& words) const;
  /// What the axes are: above the plot at the right, and below it in the middle.
  void paintTitles(QPainter& painter, const QString& yTitle, const QString& xTitle) const;
};

/// The pen of a run's line; the baseline's is dashed, and those behind the sixth.
QPen seriesPen(int series, double width);

}  // namespace millrace
