// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include <QtCharts/QChartView>

#include "widgets/charts/chart_content.h"
#include "widgets/common/round_axis.h"

QT_BEGIN_NAMESPACE
class QLineSeries;
class QValueAxis;
QT_END_NAMESPACE

namespace millrace {

class ChartLink;

/// Lines over time on Qt Charts: the last minute while a run goes on, then all of it. Qt Charts
/// draws grid and lines. What it lacks (axis labels in our form, warm-ups, bands, cross-hair,
/// range) is painted around them (time_chart_paint.cpp), so that a grab or an SVG has it all. The
/// wheel zooms at the pointer, with Shift it moves the zoomed part; a drag selects a range; a
/// double click shows everything again. Arrow keys move the cross-hair, + and - zoom. GUI thread.
class TimeChart : public QChartView {
  Q_OBJECT
 public:
  explicit TimeChart(ChartLink& link, QWidget* parent = nullptr);

  /// Replaces each line once; does nothing else unless the axis has to change.
  void show(const ChartContent& content);
  const ChartContent& content() const { return m_content; }
  double top() const { return m_values.high; }
  const PlotAxis& valueAxis() const { return m_values; }
  /// In seconds: before now while a run goes on, else since its begin.
  const PlotAxis& timeAxis() const { return m_times; }
  /// The shown part, in the stream's time.
  TimeSpan view() const;
  /// The lines, the band and the grey spans, as the legend names them.
  QStringList legendNames() const;
  /// Where each of these begins, in rows; those for which a low chart has no row are left out.
  QList<QPointF> legendPlaces() const;
  /// Shows everything, and drops the range.
  void reset();
  /// The stream's time at a horizontal position of the view.
  double timeAt(double x) const;
  double xAt(double time) const;

 protected:
  // None of these are passed to QChartView: it crashes on a press where there is no item (before Qt
  // 6.7).
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  /// Left to the panel, which has the menu.
  void contextMenuEvent(QContextMenuEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void drawBackground(QPainter* painter, const QRectF& rect) override;
  void drawForeground(QPainter* painter, const QRectF& rect) override;

 private:
  void style();
  void placePlot();
  void draw();
  void fitTop();
  void fitTimes();
  void addLines(std::size_t count);
  double zero() const;
  void zoomBy(double factor, double at);
  void moveBy(double seconds);
  double yAt(double value) const;
  QColor colourOf(const ChartLine& line) const;
  bool crossesLine(const QRectF& box) const;
  void paintWarmups(QPainter& painter) const;
  void paintMarks(QPainter& painter) const;
  void paintBand(QPainter& painter) const;
  void paintLegend(QPainter& painter) const;
  void paintAxes(QPainter& painter) const;
  void paintRange(QPainter& painter) const;
  void paintHair(QPainter& painter) const;
  void dragTo(double x);

  ChartLink& m_link;
  ChartContent m_content;
  std::vector<QLineSeries*> m_lines;  ///< owned by the chart
  QValueAxis* m_x;
  QValueAxis* m_y;
  PlotAxis m_values;
  PlotAxis m_times;
  double m_most = 0;                   ///< the largest value in view
  mutable bool m_warmupsNamed = true;  ///< painting found room for their names
  std::optional<double> m_dragFrom;    ///< in the stream's time
  bool m_dragged = false;
};

}  // namespace millrace
