// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/node_painter.h"

#include <QPainter>

#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/common/format.h"
#include "widgets/common/icons.h"
#include "widgets/common/theme.h"

namespace millrace {

using namespace canvas;

namespace {

constexpr double kIcon = 18;

QPainterPath bandPath(const QRectF& body, double width) {
  QPainterPath round;
  round.addRoundedRect(body, kNodeRadius, kNodeRadius);
  QPainterPath left;
  left.addRect(QRectF(body.topLeft(), QSizeF(width, body.height())));
  return round & left;
}

/// Light: a solid band with a white icon. Dark: a fifth of the colour, its edge and icon in full.
void paintBand(QPainter& painter, const NodeDisplay& display, const QRectF& body, double width,
               double detail) {
  const QColor colour = theme().category(display.category);
  painter.setPen(Qt::NoPen);
  if (theme().isDark()) {
    QColor soft = colour;
    soft.setAlphaF(0.2F);
    painter.fillPath(bandPath(body, width), soft);
    painter.fillPath(bandPath(body, 4), colour);
  } else {
    painter.fillPath(bandPath(body, width), colour);
  }
  if (detail < kTextFrom) return;
  QRectF box(0, 0, kIcon, kIcon);
  box.moveCenter(QPointF(body.left() + width / 2 + (theme().isDark() ? 1 : 0), body.center().y()));
  paintIcon(painter, display.icon, box, theme().isDark() ? colour : QColor(Qt::white));
}

void paintHollowIcon(QPainter& painter, const NodeDisplay& display, const QRectF& body,
                     double detail) {
  if (detail < kTextFrom) return;
  QRectF box(0, 0, kIcon, kIcon);
  box.moveCenter(QPointF(body.left() + kBand / 2, body.center().y()));
  if (display.known) {
    painter.setPen(QPen(theme().category(display.category), 1));
    painter.setBrush(theme()[Tone::Base]);
    painter.drawRoundedRect(box.adjusted(-6, -6, 6, 6), 4, 4);
  }
  paintIcon(painter, display.icon, box, theme()[Tone::Text2]);
}

constexpr int kTitleAfar = 18;
constexpr int kTitle = 13;

/// The largest font between the usual one and the one for small zooms in which the title fits.
QFont titleFontAfar(const QString& title, double width) {
  int size = kTitleAfar;
  while (size > kTitle && QFontMetricsF(uiFont(size, true)).horizontalAdvance(title) > width)
    --size;
  return uiFont(size, true);
}

/// As many settings as fit; only the first one may be cut.
QString settingsWithin(QString settings, const QFontMetricsF& metrics, double width) {
  while (settings.contains(kDot) && metrics.horizontalAdvance(settings) > width)
    settings.truncate(settings.lastIndexOf(kDot));
  return metrics.elidedText(settings, Qt::ElideRight, width);
}

void paintTexts(QPainter& painter, const NodeDisplay& display, const QRectF& body, double detail) {
  if (detail < kTextFrom) return;
  const double width = body.width() - kTextLeft - kTextRight + 4;
  const bool afar = detail < kSecondLineFrom;
  // Without the second line, the title takes its room.
  const QFont bold = afar ? titleFontAfar(display.title, width + 6) : uiFont(kTitle, true);
  painter.setFont(bold);
  painter.setPen(theme()[display.bypassed ? Tone::Text2 : Tone::Text]);
  if (afar)
    return painter.drawText(
        QRectF(body.left() + kTextLeft, body.top(), width + 6, body.height()),
        Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetricsF(bold).elidedText(display.title, Qt::ElideRight, width + 6));
  painter.drawText(body.topLeft() + QPointF(kTextLeft, 24),
                   QFontMetricsF(bold).elidedText(display.title, Qt::ElideRight, width));
  const QFont small = uiFont(12);
  painter.setFont(small);
  painter.setPen(theme()[Tone::Text2]);
  painter.drawText(body.topLeft() + QPointF(kTextLeft, 42),
                   settingsWithin(display.settings, QFontMetricsF(small), width));
}

/// The outline shows the state: solid, dashed if bypassed, dotted if the kind is unknown.
QPen outline(const NodeDisplay& display, const NodeStyle& style) {
  const Theme& t = theme();
  QPen pen(t[style.hovered ? Tone::Control : Tone::Border], 1);
  if (display.errors > 0) pen = QPen(t[Tone::Error], 2);
  if (display.bypassed || !display.known) {
    if (display.errors == 0) pen.setColor(t[Tone::Control]);
    pen.setDashPattern(display.bypassed ? QList<qreal>{4, 3} : QList<qreal>{1.5, 2.5});
  }
  return pen;
}

void paintTag(QPainter& painter, const QRectF& body, const QString& word) {
  const QFont font = uiFont(11, true);
  const double width = QFontMetricsF(font).horizontalAdvance(word) + 12;
  const QRectF box(body.right() - width - 8, body.top() - 9, width, 18);
  painter.setPen(QPen(theme()[Tone::Control], 1));
  painter.setBrush(theme()[Tone::Alt]);
  painter.drawRoundedRect(box, 3, 3);
  painter.setFont(font);
  painter.setPen(theme()[Tone::Text2]);
  painter.drawText(box, Qt::AlignCenter, word);
}

void paintPorts(QPainter& painter, const NodeDisplay& display, const QRectF& body,
                const NodeStyle& style) {
  const QColor colour = wireColour(Place::Host);
  const double y = body.center().y();
  if (display.hasInput)
    paintPort(painter, {body.left(), y}, display.inLevel, colour, style.inFits || style.inHovered);
  if (display.hasOutput)
    paintPort(painter, {body.right(), y}, display.outLevel, colour,
              style.outFits || style.outHovered);
}

}  // namespace

QColor wireColour(Place place) {
  switch (place) {
    case Place::Host: return theme()[Tone::WireHost];
    case Place::Pinned: return theme()[Tone::WirePinned];
    case Place::Device: return theme()[Tone::WireDevice];
  }
  return {};
}

void paintPort(QPainter& painter, QPointF at, Level level, const QColor& colour, bool ring) {
  QRectF box(0, 0, kPort, kPort);
  box.moveCenter(at);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  const auto shape = [&](const QRectF& rect) {
    if (level == Level::Sample)
      painter.drawEllipse(rect);
    else
      painter.drawRoundedRect(rect, 2, 2);
  };
  shape(box);
  if (!ring) return;
  painter.setPen(QPen(theme()[Tone::Accent], 2));
  painter.setBrush(Qt::NoBrush);
  shape(box.adjusted(-5, -5, 5, 5));
}

void paintNode(QPainter& painter, const NodeDisplay& display, const QRectF& body,
               const NodeStyle& style, double detail) {
  const Theme& t = theme();
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  if (style.dimmed) painter.setOpacity(0.3);
  if (style.selected) {
    painter.setPen(QPen(t[Tone::Accent], 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(body.adjusted(-3, -3, 3, 3), kNodeRadius + 3, kNodeRadius + 3);
  }
  const bool hollow = display.bypassed || !display.known;
  painter.setPen(Qt::NoPen);
  painter.setBrush(hollow ? t[Tone::Canvas] : style.hovered ? t[Tone::Alt] : t[Tone::Node]);
  painter.drawRoundedRect(body, kNodeRadius, kNodeRadius);
  if (hollow)
    paintHollowIcon(painter, display, body, detail);
  else
    paintBand(painter, display, body, kBand, detail);
  painter.setPen(outline(display, style));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(body.adjusted(0.5, 0.5, -0.5, -0.5), kNodeRadius, kNodeRadius);
  paintTexts(painter, display, body, detail);
  paintPorts(painter, display, body, style);
  if (display.bypassed && detail >= kTextFrom) paintTag(painter, body, "BYPASSED");
  if (display.errors + display.warnings > 0)
    paintProblemMark(painter, body.topRight() + QPointF(-6, display.bypassed ? body.height() : 0),
                     display.errors, display.warnings);
  painter.restore();
}

void paintRegionHead(QPainter& painter, const NodeDisplay& display, const QRectF& head,
                     const QString& right, double detail) {
  if (detail < kTextFrom) return;
  const QColor colour = theme().category(display.category);
  QRectF band(head.topLeft(), QSizeF(kBand + 2, head.height()));
  QPainterPath round;
  round.addRoundedRect(head.adjusted(0, 0, 0, kRegionRadius), kRegionRadius, kRegionRadius);
  QPainterPath clip;
  clip.addRect(band);
  QColor fill = colour;
  if (theme().isDark()) fill.setAlphaF(0.2F);
  painter.fillPath(round & clip, fill);
  QRectF box(0, 0, kIcon, kIcon);
  box.moveCenter(band.center());
  paintIcon(painter, display.icon, box, theme().isDark() ? colour : QColor(Qt::white));
  const QFont bold = uiFont(13, true);
  const double baseline = head.top() + 21;
  painter.setFont(bold);
  painter.setPen(theme()[Tone::Text]);
  const double left = band.right() + 10;
  painter.drawText(QPointF(left, baseline), display.title);
  if (detail < kSecondLineFrom) return;
  painter.setFont(uiFont(12));
  painter.setPen(theme()[Tone::Text2]);
  const double settingsLeft = left + QFontMetricsF(bold).horizontalAdvance(display.title) + 10;
  painter.drawText(QPointF(settingsLeft, baseline), display.settings);
  const double used = settingsLeft + QFontMetricsF(uiFont(12)).horizontalAdvance(display.settings);
  const double width = QFontMetricsF(uiFont(12)).horizontalAdvance(right);
  if (head.right() - 12 - width > used + 16)
    painter.drawText(QPointF(head.right() - 12 - width, baseline), right);
}

void paintProblemMark(QPainter& painter, QPointF at, int errors, int warnings) {
  const Theme& t = theme();
  painter.setFont(uiFont(11, true));
  if (errors > 0) {
    const QRectF box(at.x() - 9, at.y() - 9, 18, 18);
    painter.setPen(QPen(t[Tone::Canvas], 1.5));
    painter.setBrush(t[Tone::Error]);
    painter.drawEllipse(box);
    painter.setPen(t[Tone::Base]);
    painter.drawText(box, Qt::AlignCenter, errors == 1 ? "!" : QString::number(errors));
    return;
  }
  const QPolygonF corners{at + QPointF(0, -11), at + QPointF(11, 8), at + QPointF(-11, 8)};
  painter.setPen(QPen(t[Tone::Canvas], 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.setBrush(t[Tone::Warning]);
  painter.drawPolygon(corners);
  painter.setPen(t[Tone::Base]);
  painter.drawText(QRectF(at.x() - 10, at.y() - 6, 20, 14), Qt::AlignCenter,
                   warnings == 1 ? "!" : QString::number(warnings));
}

void paintChip(QPainter& painter, QPointF middle, const QString& text, bool isQueue) {
  const QFont font = uiFont(12);
  const double width = QFontMetricsF(font).horizontalAdvance(text) + 20;
  QRectF box(0, 0, width, 20);
  box.moveCenter(middle);
  painter.setPen(QPen(theme()[isQueue ? Tone::Control : Tone::Border], 1));
  painter.setBrush(theme()[isQueue ? Tone::WaterTrack : Tone::Panel]);
  painter.drawRoundedRect(box, 4, 4);
  painter.setFont(font);
  painter.setPen(theme()[isQueue ? Tone::Text : Tone::Text2]);
  painter.drawText(box, Qt::AlignCenter, text);
}

void paintWire(QPainter& painter, const QPainterPath& path, Level level, Place place,
               const QColor& colour) {
  const bool batch = level == Level::Batch;
  QPen pen(colour, batch ? 4 : 2);
  pen.setCapStyle(Qt::FlatCap);
  painter.setBrush(Qt::NoBrush);
  if (place == Place::Pinned)  // In multiples of the pen width.
    pen.setDashPattern(batch ? QList<qreal>{2.5, 1.25} : QList<qreal>{3.5, 2});
  if (place == Place::Device) {
    pen.setWidthF(batch ? 7 : 5);
    painter.setPen(pen);
    painter.drawPath(path);
    pen.setColor(theme()[Tone::Canvas]);
    pen.setWidthF(batch ? 2.5 : 2);
  }
  painter.setPen(pen);
  painter.drawPath(path);
}

}  // namespace millrace
