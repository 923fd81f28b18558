// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_items.h"

#include <QPainter>
#include <QStyleOptionGraphicsItem>

#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/common/theme.h"

namespace millrace {

using namespace canvas;

namespace {

double detailOf(const QPainter& painter) {
  return QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter.worldTransform());
}

}  // namespace

void NodeItem::show(const NodeDisplay& display, const QRectF& body) {
  if (display == m_display && body == m_body) return;
  prepareGeometryChange();
  m_display = display;
  m_body = body;
  update();
}

void NodeItem::setStyle(const NodeStyle& style) {
  if (style == m_style) return;
  m_style = style;
  update();
}

void NodeItem::setRun(const std::optional<NodeOverlay>& overlay, const OverlayState& state,
                      bool edited) {
  if (overlay == m_run && state == m_runState && edited == m_edited) return;
  if (overlay.has_value() != m_run.has_value()) prepareGeometryChange();
  m_run = overlay;
  m_runState = state;
  m_edited = edited;
  update();
}

QRectF NodeItem::boundingRect() const {
  const QRectF box = m_body.adjusted(-16, -16, 16, 16);
  return m_run ? box | overlayBounds(m_body) : box;
}

void NodeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  const double detail = detailOf(*painter);
  painter->setRenderHint(QPainter::Antialiasing);
  if (m_run) paintStrip(*painter, *m_run, m_runState, m_body, detail);
  paintNode(*painter, m_display, m_body, m_style, detail);
  if (m_run && m_run->ring)
    paintLimitRing(*painter, m_runState, m_body, m_run->keepsUp, detail);
  else if (m_run && m_runState.over && !m_display.bypassed)
    paintRunTag(*painter, m_runState, m_body, m_display.errors + m_display.warnings > 0, detail);
  if (m_edited) paintEditedDot(*painter, m_body);
}

void RegionItem::show(const NodeDisplay& display, const RegionShape& shape, Level out,
                      const QString& ends) {
  prepareGeometryChange();
  m_display = display;
  m_shape = shape;
  m_out = out;
  m_ends = ends;
  update();
}

void RegionItem::setStyle(const NodeStyle& style) {
  if (style == m_style) return;
  m_style = style;
  update();
}

void RegionItem::setRun(const std::optional<RegionOverlay>& overlay, const OverlayState& state,
                        bool edited) {
  if (overlay == m_run && state.label == m_runLabel && edited == m_edited) return;
  m_run = overlay;
  m_runLabel = state.label;
  m_edited = edited;
  update(m_shape.head());
}

QString RegionItem::settings() const {
  return m_run && !m_edited ? m_run->left : m_display.settings;
}

QString RegionItem::remark() const {
  if (!m_run) return m_ends;
  return m_edited ? m_runLabel + ": " + m_run->left : m_run->right;
}

QRectF RegionItem::boundingRect() const { return m_shape.frame.adjusted(-16, -16, 16, 16); }

void RegionItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  const Theme& t = theme();
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  if (m_style.dimmed) painter->setOpacity(0.3);
  const QRectF frame = m_shape.frame;
  const QColor colour = t.category(m_display.category);
  QColor fill = colour;
  fill.setAlphaF(t.isDark() ? 0.10F : 0.07F);
  if (m_style.selected) {
    painter->setPen(QPen(t[Tone::Accent], 2));
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(frame.adjusted(-4, -4, 4, 4), kRegionRadius + 4, kRegionRadius + 4);
  }
  painter->setPen(m_display.errors > 0 ? QPen(t[Tone::Error], 2) : QPen(colour, 1.5));
  painter->setBrush(fill);
  painter->drawRoundedRect(frame, kRegionRadius, kRegionRadius);
  const QRectF head = m_shape.head();
  QColor line = colour;
  line.setAlphaF(0.6F);
  painter->setPen(QPen(line, 1));
  painter->drawLine(head.bottomLeft(), head.bottomRight());
  NodeDisplay display = m_display;
  display.settings = settings();
  constexpr double kDotRoom = 16;
  const QRectF texts = m_edited ? head.adjusted(0, 0, -kDotRoom, 0) : head;
  paintRegionHead(*painter, display, texts, remark(), detailOf(*painter));
  if (m_edited) paintEditedDot(*painter, head);
  const QColor port = wireColour(Place::Host);
  paintPort(*painter, m_shape.in, Level::Sample, port, m_style.inFits || m_style.inHovered);
  paintPort(*painter, m_shape.out, m_out, port, m_style.outFits);
  if (m_display.errors + m_display.warnings > 0)
    paintProblemMark(*painter, frame.topRight() + QPointF(-6, 0), m_display.errors,
                     m_display.warnings);
  painter->restore();
}

void WireItem::show(const WireDisplay& display, const WireShape& shape) {
  if (display == m_display && shape.path == m_shape.path) return;
  prepareGeometryChange();
  m_display = display;
  m_shape = shape;
  update();
}

void WireItem::setStyle(WireStyle style) {
  if (style == m_style) return;
  m_style = style;
  update();
}

void WireItem::setLabelled(bool labelled) {
  if (labelled == m_labelled) return;
  prepareGeometryChange();
  m_labelled = labelled;
}

void WireItem::setRun(const std::optional<QueueOverlay>& overlay, const OverlayState& state) {
  if (overlay == m_run && state == m_runState) return;
  if (overlay.has_value() != m_run.has_value()) prepareGeometryChange();
  m_run = overlay;
  m_runState = state;
  update();
}

QRectF WireItem::boundingRect() const {
  QRectF box = m_shape.path.boundingRect().adjusted(-8, -8, 8, 8);
  if (m_labelled || m_run || !m_display.queue.isEmpty())
    box |= QRectF(m_shape.middle - QPointF(300, 18), QSizeF(600, 36));
  return box;
}

void WireItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  painter->setRenderHint(QPainter::Antialiasing);
  const bool marked = m_style == WireStyle::Selected || m_style == WireStyle::Target;
  QColor colour = wireColour(m_display.place);
  if (marked) {
    QColor glow = theme()[Tone::Accent];
    painter->setPen(QPen(glow, m_display.level == Level::Batch ? 8 : 6));
    glow.setAlphaF(0.35F);
    painter->setPen(QPen(glow, m_display.level == Level::Batch ? 12 : 9));
    painter->setBrush(Qt::NoBrush);
    painter->drawPath(m_shape.path);
    colour = theme()[Tone::Accent];
  }
  if (m_style == WireStyle::Hovered) colour = theme()[Tone::Text2];
  paintWire(*painter, m_shape.path, m_display.level, m_display.place, colour);
  const double detail = detailOf(*painter);
  if (m_shape.isBack && detail >= kTextFrom) {
    // At a quarter of the level piece, so that it does not cover a chip in the middle.
    const QPointF at = m_shape.middle + QPointF(m_shape.room / 3.2, 0);
    painter->setPen(QPen(colour, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->drawPolyline(QPolygonF{at + QPointF(4, -5), at + QPointF(-3, 0), at + QPointF(4, 5)});
  }
  if (m_run && detail >= kTextFrom)
    paintQueueFill(*painter, m_shape.middle, m_shape.room, *m_run, m_runState, detail);
  if (m_run || detail < kSecondLineFrom) return;
  if (!m_display.queue.isEmpty() && m_shape.room > canvas::kQueueChip)
    paintChip(*painter, m_shape.middle, m_display.queue, true);
  else if (m_labelled && !m_display.stream.isEmpty() && m_shape.room > 180)
    paintChip(*painter, m_shape.middle, m_display.stream, false);
}

void LooseWireItem::show(const QPainterPath& path, QPointF end, bool fits) {
  prepareGeometryChange();
  m_path = path;
  m_end = end;
  m_fits = fits;
  update();
}

QRectF LooseWireItem::boundingRect() const {
  return m_path.boundingRect().adjusted(-12, -12, 12, 12);
}

void LooseWireItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  painter->setRenderHint(QPainter::Antialiasing);
  const QColor colour = theme()[m_fits ? Tone::Accent : Tone::Control];
  QPen pen(colour, 2);
  if (!m_fits) pen.setDashPattern({4, 3});
  painter->setPen(pen);
  painter->setBrush(Qt::NoBrush);
  painter->drawPath(m_path);
  painter->setPen(Qt::NoPen);
  painter->setBrush(colour);
  painter->drawEllipse(m_end, 4, 4);
}

}  // namespace millrace
