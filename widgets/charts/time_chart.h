// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include <QtCharts/QChartView>

#include "widgets/charts/chart_content.h"

QT_BEGIN_NAMESPACE
class QLineSeries;
class QValueAxis;
QT_END_NAMESPACE

namespace millrace {

class ChartLink;

/// Lines over the last minute on Qt Charts, -60 to 0 s. Qt Charts draws grid and lines. What it
/// lacks (axis labels in our form, warm-ups, bands, cross-hair, range) is painted around them, so
/// that a grab or an SVG has it all. Arrow keys move the cross-hair. GUI thread.
class TimeChart : public QChartView {
  Q_OBJECT
 public:
  explicit TimeChart(ChartLink& link, QWidget* parent = nullptr);

  /// Replaces each line once; does nothing else unless the axis has to change.
  void show(const ChartContent& content);
  const ChartContent& content() const { return m_content; }
  double top() const { return m_top; }
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
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void drawBackground(QPainter* painter, const QRectF& rect) override;
  void drawForeground(QPainter* painter, const QRectF& rect) override;

 private:
  void style();
  void fitTop();
  void addLines(std::size_t count);
  double yAt(double value) const;
  QColor colourOf(const ChartLine& line) const;
  void paintWarmups(QPainter& painter) const;
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
  double m_top = 1;
  std::optional<double> m_dragFrom;  ///< in the stream's time
  bool m_dragged = false;
};

}  // namespace millrace
