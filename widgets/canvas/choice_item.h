// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsItem>

#include "widgets/canvas/layout/canvas_layout.h"
#include "widgets/canvas/node_painter.h"

namespace millrace {

/// A choice in the scene: a frame around its nodes, and a tab that says how many of them are
/// applied. It only draws.
class ChoiceItem final : public QGraphicsItem {
 public:
  void show(const NodeDisplay& display, const ChoiceShape& shape);
  void setStyle(const NodeStyle& style);
  /// "Choose: one of 3".
  QString text() const;
  QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override;

 private:
  NodeDisplay m_display;
  ChoiceShape m_shape;
  NodeStyle m_style;
};

}  // namespace millrace
