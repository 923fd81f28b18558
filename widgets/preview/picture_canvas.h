// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QWidget>

#include "widgets/preview/thumbnail_painter.h"

namespace millrace {

/// The pixel of a picture at a place: its values as the engine made them. Value.
struct PixelReading {
  int x = 0;
  int y = 0;
  QString field;
  std::vector<double> values;    ///< by channel; empty: the engine sent none
  std::vector<double> original;  ///< before the normalisation, 0 to 1; empty: there was none
  QString maskClass;             ///< of an index mask: its class

  /// "image · x 12, y 30 · −0.512 0.031 1.2 · before normalising 0.368 0.463 0.676".
  QString text() const;
};
/// The reading of a picture at a fraction of its width and height.
PixelReading readingAt(const ShownField& field, double x, double y);

/// Samples side by side, with one zoom and one place for all of them, so that the same part of each
/// is compared. Ctrl and the wheel zoom at the pointer, dragging pans. GUI thread.
class PictureCanvas : public QWidget {
  Q_OBJECT
 public:
  static constexpr double kMostZoom = 64;

  explicit PictureCanvas(QWidget* parent = nullptr);

  struct Pane {
    QString title;
    ShownSample sample;
  };
  void setPanes(std::vector<Pane> panes);
  const std::vector<Pane>& panes() const { return m_panes; }
  void setMask(const MaskStyle& mask);
  /// 1: each picture as large as fits.
  double zoom() const { return m_zoom; }
  void zoomBy(double factor, QPointF at);
  void showWhole();
  std::optional<PixelReading> reading(QPointF at) const;
  /// The picture below the pointer, or the first one, in its own size with its mask.
  QImage picture() const;

 signals:
  /// The pixel below the pointer in words; empty: none.
  void read(const QString& words);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  /// A picture, its pane's clip and its box with zoom and pan.
  struct Placed {
    std::size_t pane = 0;
    QRectF clip;
    PicturePlace place;
  };
  std::vector<Placed> placed() const;
  QRectF paneRect(std::size_t pane) const;
  const Placed* topAt(const std::vector<Placed>& all, QPointF at) const;
  void setCentre(QPointF centre);
  void tellReading();

  std::vector<Pane> m_panes;
  MaskStyle m_mask;
  double m_zoom = 1;
  QPointF m_centre{0.5, 0.5};  ///< the fraction of each picture in the middle of its room
  std::optional<QPointF> m_dragged;
  std::optional<QPointF> m_pointer;
};

}  // namespace millrace
