// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/minimap.h"

#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/layout/canvas_geometry.h"
#include "widgets/common/theme.h"
#include "widgets/models/document.h"

namespace millrace {

namespace {
constexpr QSize kSize(180, 104);
constexpr double kMapMargin = 6;
}  // namespace

Minimap::Minimap(Document& document, CanvasGeometry& geometry, CanvasView& view)
    : QWidget(&view), m_document(document), m_geometry(geometry), m_view(view) {
  setFixedSize(kSize);
  setAccessibleName("Minimap");
  connect(&geometry, &CanvasGeometry::changed, this, [this] { update(); });
  connect(&view, &CanvasView::zoomChanged, this, [this] { update(); });
  for (const QScrollBar* bar : {view.horizontalScrollBar(), view.verticalScrollBar()})
    connect(bar, &QScrollBar::valueChanged, this, [this] { update(); });
}

QTransform Minimap::mapping() const {
  const QRectF seen = m_view.mapToScene(m_view.viewport()->rect()).boundingRect();
  const QRectF all = m_geometry.layout().bounds().united(seen);
  const double scale = std::min((width() - 2 * kMapMargin) / std::max(1.0, all.width()),
                                (height() - 2 * kMapMargin) / std::max(1.0, all.height()));
  QTransform to;
  to.translate(width() / 2.0, height() / 2.0);
  to.scale(scale, scale);
  to.translate(-all.center().x(), -all.center().y());
  return to;
}

void Minimap::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(t[Tone::Border], 1));
  painter.setBrush(t[Tone::Panel]);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  const QTransform to = mapping();
  const CanvasLayout& layout = m_geometry.layout();
  const QColor runtime = t.category(Category::Runtime);
  for (const RegionShape& region : layout.regions) {
    QColor fill = runtime;
    fill.setAlphaF(0.1F);
    painter.setPen(QPen(runtime, 1));
    painter.setBrush(fill);
    painter.drawRoundedRect(to.mapRect(region.frame), 2, 2);
  }
  painter.setPen(Qt::NoPen);
  for (const auto& [id, body] : layout.nodes) {
    if (layout.isFrame(id)) continue;
    const NodeSpec* spec = m_document.specOf(id);
    painter.setBrush(spec == nullptr ? t[Tone::Control] : t.category(spec->category));
    painter.drawRect(to.mapRect(body));
  }
  painter.setPen(QPen(t[Tone::Accent], 1.5));
  painter.setBrush(Qt::NoBrush);
  const QRectF seen = m_view.mapToScene(m_view.viewport()->rect()).boundingRect();
  painter.drawRect(to.mapRect(seen).intersected(QRectF(rect()).adjusted(2, 2, -2, -2)));
}

void Minimap::goTo(QPointF at) { m_view.centerOn(mapping().inverted().map(at)); }

void Minimap::mousePressEvent(QMouseEvent* event) { goTo(event->position()); }
void Minimap::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() & Qt::LeftButton) goTo(event->position());
}

}  // namespace millrace
