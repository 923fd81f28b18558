// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPen>
#include <QRectF>
#include <QString>

#include "widgets/common/round_axis.h"

class QPainter;

namespace millrace {

/// A plot's area with its axes. Value.
struct PlotFrame {
  QRectF area;
  PlotAxis x;
  PlotAxis y;

  QPointF at(double xValue, double yValue) const {
    return {area.left() + x.shareOf(xValue) * area.width(),
            area.bottom() - y.shareOf(yValue) * area.height()};
  }
  /// Paints grid, base line and labels. `xUnit` follows the last label of the axis.
  void paint(QPainter& painter, const QString& xUnit = {}) const;
  /// Paints a line at the top that explains the plot, cut where the value axis is named.
  void paintCaption(QPainter& painter, const QString& words) const;
  /// Paints the axes' titles: above the plot at the right, and centred below it.
  void paintTitles(QPainter& painter, const QString& yTitle, const QString& xTitle) const;
};

/// The pen of a run's line; dashed for the baseline and from the seventh line on.
QPen seriesPen(int series, double width);

}  // namespace millrace
