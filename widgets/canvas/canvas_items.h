// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include <QGraphicsItem>

#include "widgets/canvas/layout/canvas_layout.h"
#include "widgets/canvas/node_painter.h"
#include "widgets/canvas/overlay_painter.h"

namespace millrace {

// Items of the scene. They only draw: they take no events and hold no document.

class NodeItem final : public QGraphicsItem {
 public:
  void show(const NodeDisplay& display, const QRectF& body);
  void setStyle(const NodeStyle& style);
  /// A run's figures for this node; nullopt: no strip. `edited`: the node differs from what is
  /// running.
  void setRun(const std::optional<NodeOverlay>& overlay, const OverlayState& state, bool edited);
  const NodeDisplay& display() const { return m_display; }
  QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override;

 private:
  NodeDisplay m_display;
  QRectF m_body;
  NodeStyle m_style;
  std::optional<NodeOverlay> m_run;
  OverlayState m_runState;
  bool m_edited = false;
};

class RegionItem final : public QGraphicsItem {
 public:
  void show(const NodeDisplay& display, const RegionShape& shape, Level out, const QString& ends);
  void setStyle(const NodeStyle& style);
  /// Figures stand next to the settings that they are of: after an edit they name their run.
  void setRun(const std::optional<RegionOverlay>& overlay, const OverlayState& state, bool edited);
  /// The texts of the head, left and right.
  QString settings() const;
  QString remark() const;
  QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override;

 private:
  NodeDisplay m_display;
  RegionShape m_shape;
  Level m_out = Level::Sample;
  QString m_ends;
  NodeStyle m_style;
  std::optional<RegionOverlay> m_run;
  QString m_runLabel;
  bool m_edited = false;
};

/// What is known about the stream on a wire.
struct WireDisplay {
  Level level = Level::Sample;
  Place place = Place::Host;
  QString queue;
  QString stream;
  bool operator==(const WireDisplay&) const = default;
};
enum class WireStyle { Plain, Hovered, Selected, Target };

class WireItem final : public QGraphicsItem {
 public:
  void show(const WireDisplay& display, const WireShape& shape);
  void setStyle(WireStyle style);
  void setLabelled(bool labelled);
  /// The fill of the wire's queue; nullopt: its capacity is shown.
  void setRun(const std::optional<QueueOverlay>& overlay, const OverlayState& state);
  const WireDisplay& display() const { return m_display; }
  QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override;

 private:
  WireDisplay m_display;
  WireShape m_shape;
  WireStyle m_style = WireStyle::Plain;
  bool m_labelled = false;
  std::optional<QueueOverlay> m_run;
  OverlayState m_runState;
};

/// The wire that is being drawn.
class LooseWireItem final : public QGraphicsItem {
 public:
  void show(const QPainterPath& path, QPointF end, bool fits);
  QRectF boundingRect() const override;
  void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override;

 private:
  QPainterPath m_path;
  QPointF m_end;
  bool m_fits = false;
};

}  // namespace millrace
