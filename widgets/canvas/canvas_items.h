// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsItem>

#include "widgets/canvas/canvas_layout.h"
#include "widgets/canvas/node_painter.h"

namespace millrace {

// What the scene shows. Items only draw: they take no events and hold no document.

class NodeItem final : public QGraphicsItem {
 public:
  void show(const NodeFace& face, const QRectF& body);
  void setLook(const NodeLook& look);
  const NodeFace& face() const { return m_face; }
  QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override;

 private:
  NodeFace m_face;
  QRectF m_body;
  NodeLook m_look;
};

class RegionItem final : public QGraphicsItem {
 public:
  void show(const NodeFace& face, const RegionShape& shape, Level out, const QString& ends);
  void setLook(const NodeLook& look);
  QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override;

 private:
  NodeFace m_face;
  RegionShape m_shape;
  Level m_out = Level::Sample;
  QString m_ends;
  NodeLook m_look;
};

/// What a wire carries, as far as it is known.
struct WireFace {
  Level level = Level::Sample;
  Place place = Place::Host;
  QString queue;
  QString stream;
  bool operator==(const WireFace&) const = default;
};
enum class WireLook { Plain, Hovered, Selected, Target };

class WireItem final : public QGraphicsItem {
 public:
  void show(const WireFace& face, const WireShape& shape);
  void setLook(WireLook look);
  void setLabelled(bool labelled);
  const WireFace& face() const { return m_face; }
  QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override;

 private:
  WireFace m_face;
  WireShape m_shape;
  WireLook m_look = WireLook::Plain;
  bool m_labelled = false;
};

/// The wire that is being drawn.
class LooseWireItem final : public QGraphicsItem {
 public:
  void show(QPointF from, QPointF to, bool fits);
  QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override;

 private:
  QPainterPath m_path;
  QPointF m_end;
  bool m_fits = false;
};

}  // namespace millrace
