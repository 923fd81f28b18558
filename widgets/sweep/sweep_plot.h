// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QWidget>

#include "widgets/charts/view_export.h"
#include "widgets/compare/plot_frame.h"
#include "widgets/sweep/sweep_grid.h"

namespace millrace {

/// A sweep while it is measured: a line over one parameter, or a map with figures over two. A click
/// or the arrow keys select a setting; a double click or Enter uses it. GUI thread.
class SweepPlot : public QWidget {
  Q_OBJECT
 public:
  /// `sweep` must outlive the plot.
  explicit SweepPlot(const LiveSweep& sweep, QWidget* parent = nullptr);

  /// Selects the shown parameters by their numbers; a number that the sweep lacks is replaced.
  void setAxes(std::size_t x, std::size_t y);
  /// The sweep has changed.
  void refresh();
  void setChosen(std::optional<std::size_t> point);
  std::optional<std::size_t> chosen() const { return m_chosen; }
  const std::optional<SweepGrid>& grid() const { return m_grid; }
  /// The setting at a point of the widget, and the centre of a setting.
  std::optional<std::size_t> pointAt(QPointF at) const;
  QPointF placeOf(std::size_t point) const;
  /// What is written at a measured setting, and in the line plot where: above all of its marks.
  QString labelOf(std::size_t point) const;
  QRectF labelBox(std::size_t point) const;

  QAction* exportAction() const { return m_export; }
  /// The file's suffix selects png, svg, csv or json.
  Status exportTo(const QString& file) const;
  /// One line for each setting: values, state, samples/s with its interval.
  TextTable table() const;

  QSize sizeHint() const override { return {560, 360}; }
  QSize minimumSizeHint() const override { return {240, 160}; }

 signals:
  void pointChosen(std::size_t point);
  void pointTaken(std::size_t point);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  /// Of the highest rate: "fastest" only if it is shown to be.
  QString bestWord() const;
  ViewExport description() const;
  void paint(QPainter& painter) const;
  void paintEmpty(QPainter& painter) const;
  PlotFrame frame() const;
  void paintLine(QPainter& painter) const;
  void paintMark(QPainter& painter, const PlotFrame& frame, std::size_t point, double x) const;
  QRectF mapArea() const;
  QRectF cellBox(std::size_t row, std::size_t column) const;
  void paintMap(QPainter& painter) const;
  void paintCell(QPainter& painter, const QRectF& box, std::size_t point) const;
  void paintScale(QPainter& painter) const;
  void paintNames(QPainter& painter) const;
  QString tipOf(std::size_t point) const;
  std::optional<std::pair<std::size_t, std::size_t>> cellOf(std::size_t point) const;
  void choose(std::size_t point);
  void walk(int right, int down);

  const LiveSweep& m_sweep;
  QAction* m_export;
  std::size_t m_x = 0;
  std::size_t m_y = 1;
  std::optional<SweepGrid> m_grid;
  std::optional<std::size_t> m_chosen;
};

/// The background of a figure in the map, for `share` from 0 (lowest) to 1 (highest). The theme's
/// text colour is readable on all of them.
QColor sweepShade(double share);

}  // namespace millrace
