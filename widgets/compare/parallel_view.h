// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetricsF>

#include "widgets/compare/compare_view.h"
#include "widgets/compare/parallel_axes.h"

namespace millrace {

/// All runs of the list on parallel axes. Dragging on an axis marks a range (a brush), and the runs
/// within all ranges are selected. Dragging a title moves its axis, a click flips it, a double
/// click makes it logarithmic. Keyboard: Left and Right select an axis, with Shift they move it, F
/// flips it, L makes it logarithmic, Esc clears the brushes. GUI thread.
class ParallelView : public CompareView {
  Q_OBJECT
 public:
  explicit ParallelView(CompareSet& set, QWidget* parent = nullptr);

  ParallelAxes& axes() { return m_axes; }
  QAction* constantsAction() const { return m_constants; }
  double xOf(std::size_t axis) const;
  QRectF area() const;
  QRectF titleOf(std::size_t axis) const;
  /// The drawn lines of an axis's title; they are elided only if there is no room at all.
  QStringList titleLines(std::size_t axis) const;
  std::string csv() const override;
  QString emptyReason() const override;

  /// The run's line, in pieces: it is interrupted where the run has no value.
  std::vector<QPolygonF> linesOf(const CloudRun& run) const;

 protected:
  bool event(QEvent* event) override;
  void paintPlot(QPainter& painter) override;
  std::optional<RunNumber> runAt(QPointF at) const override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Grip {
    std::size_t axis = 0;
    bool title = false;
    QPointF from;
    bool dragged = false;
  };
  /// In how many rows the titles are, so that neighbours have room, and in how many lines each.
  struct TitleRows {
    int rows = 1;
    int lines = 1;
  };
  TitleRows titleRows() const;
  bool fits(const TitleRows& titles, const QFontMetricsF& metrics) const;
  /// The room for a title in one of so many rows: around its axis, within the view. Only its
  /// horizontal place counts.
  QRectF titleRoom(std::size_t axis, int rows) const;
  std::optional<std::size_t> axisAt(double x, double reach) const;
  std::optional<std::size_t> titleAt(QPointF at) const;
  QRectF wordBox(std::size_t axis, double y) const;
  double placeAt(double y) const;
  void paintLine(QPainter& painter, const CloudRun& run) const;
  void paintLines(QPainter& painter) const;
  void paintAxis(QPainter& painter, std::size_t axis) const;
  void chooseWanted();
  void drag(QPointF at);

  ParallelAxes m_axes;
  QAction* m_constants;
  std::optional<Grip> m_grip;
  std::size_t m_focused = 0;
};

}  // namespace millrace
