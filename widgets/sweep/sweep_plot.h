// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QWidget>

#include "widgets/charts/view_export.h"
#include "widgets/compare/plot_frame.h"
#include "widgets/sweep/sweep_grid.h"

namespace millrace {

/// A sweep while it is measured: a line over one parameter, a map with the figures over two.
/// Settings are chosen by click and arrows, taken by a double click or Enter. GUI thread.
class SweepPlot : public QWidget {
  Q_OBJECT
 public:
  /// `sweep` outlives the plot.
  explicit SweepPlot(const LiveSweep& sweep, QWidget* parent = nullptr);

  /// Which parameters are shown, by their numbers; they stay where the sweep has them.
  void setAxes(std::size_t x, std::size_t y);
  /// The sweep has something new.
  void refresh();
  void setChosen(std::optional<std::size_t> point);
  std::optional<std::size_t> chosen() const { return m_chosen; }
  const std::optional<SweepGrid>& grid() const { return m_grid; }
  /// The setting at a place of the widget, and the middle of a setting's place.
  std::optional<std::size_t> pointAt(QPointF at) const;
  QPointF placeOf(std::size_t point) const;

  QAction* exportAction() const { return m_export; }
  /// As png, svg, csv or json, by the file's suffix.
  Status exportTo(const QString& file) const;
  /// A line a setting: values, state, samples/s with its interval.
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
  QString wordsOf(std::size_t point) const;
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

/// The ground of a figure in the map, `share` from 0, the least, to 1, the most. The theme's text
/// is readable on every one of them.
QColor sweepShade(double share);

}  // namespace millrace
