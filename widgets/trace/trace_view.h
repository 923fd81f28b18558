// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include <QAbstractScrollArea>
#include <QPixmap>

#include "widgets/trace/trace_rows.h"

namespace millrace {

/// A trace as a timeline: a row for each thread, then one for each queue, below a strip that shows
/// the whole repeat. Ctrl and the wheel zoom at the pointer, dragging pans, a click follows the
/// batch of a span. Painting takes as long as there are pixels, whatever the number of spans. GUI
/// thread.
class TraceView : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit TraceView(QWidget* parent = nullptr);

  /// Shows a repeat of the file.
  void showTrace(std::shared_ptr<const TraceFile> file, std::size_t repeat,
                 const TraceTitles& titles = {});
  const TraceRows& rows() const { return m_rows; }

  /// The shown time, in nanoseconds.
  double from() const { return m_from; }
  double to() const { return m_to; }
  void showSpan(double from, double to);
  void showAll();
  /// `factor` above 1 shows less time; the time at `x` stays there.
  void zoomBy(double factor, double x);
  void panBy(double pixels);

  /// The batch whose spans stand out; nullopt: all do.
  std::optional<std::uint64_t> followed() const { return m_followed; }
  void follow(std::optional<std::uint64_t> batch);
  void showFollowed();
  /// The span at a place of the viewport.
  std::optional<TraceRows::Place> placeAt(QPoint at) const;
  /// The middle of the visible part of a span, in the viewport.
  QPointF pointOf(const TraceRows::Place& place) const;
  /// Paints the content at a size; what the screen shows.
  void paintTo(QPainter& painter, const QSize& size) const;

 signals:
  /// The span below the pointer in words; empty: none.
  void hovered(const QString& words);
  void followedChanged();
  void spanChanged();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  double nsPerPixel() const;
  double xOf(double ns) const;
  double nsAt(double x) const;
  QRectF plot() const;
  QRectF laneRect(std::size_t thread, std::size_t lane) const;
  double threadHeight(std::size_t thread) const;
  double contentHeight() const;
  void fitBars();
  void moveOverview(double x);
  void paintOverview(QPainter& painter) const;
  void paintAxis(QPainter& painter) const;
  void paintThreads(QPainter& painter) const;
  void paintLane(QPainter& painter, const TraceLane& lane, const QRectF& row) const;
  void paintQueues(QPainter& painter) const;
  void paintFollowed(QPainter& painter) const;
  void paintNames(QPainter& painter) const;
  bool moveByKey(int key);
  void followNext(int step);

  std::shared_ptr<const TraceFile> m_file;
  TraceRows m_rows;
  double m_from = 0;
  double m_to = 1;
  std::optional<std::uint64_t> m_followed;
  std::vector<TraceRows::Place> m_followedSpans;
  mutable std::vector<double> m_overview;  ///< busy share of each column of the strip
  std::vector<double> m_tops;              ///< of the threads' rows, then the content's end
  enum class Drag { None, Content, Overview } m_drag = Drag::None;
  QPoint m_pressed;
  QPoint m_last;
  bool m_moved = false;
};

}  // namespace millrace
