// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace millrace {

class CanvasGeometry;
class CanvasView;
class Document;

/// The whole pipeline small, bodies and regions, with a frame around what the canvas shows; a
/// press or drag brings that place to the middle.
class Minimap : public QWidget {
  Q_OBJECT
 public:
  Minimap(Document& document, CanvasGeometry& geometry, CanvasView& view);

 protected:
  void paintEvent(QPaintEvent*) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  /// From the scene to this widget.
  QTransform mapping() const;
  void goTo(QPointF at);

  Document& m_document;
  CanvasGeometry& m_geometry;
  CanvasView& m_view;
};

}  // namespace millrace
