// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace millrace {

class CanvasGeometry;
class CanvasView;
class Document;

/// A small view of the whole pipeline, nodes and regions, with a frame around the canvas's visible
/// part; a press or drag centres the canvas on that place.
class Minimap : public QWidget {
  Q_OBJECT
 public:
  Minimap(Document& document, CanvasGeometry& geometry, CanvasView& view);

 protected:
  void paintEvent(QPaintEvent*) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  /// From scene to widget coordinates.
  QTransform mapping() const;
  void goTo(QPointF at);

  Document& m_document;
  CanvasGeometry& m_geometry;
  CanvasView& m_view;
};

}  // namespace millrace
