// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/overlay_painter.h"

#include <algorithm>

#include <QPainter>
#include <QPainterPath>

#include "widgets/canvas/canvas_metrics.h"
#include "widgets/common/theme.h"

namespace millrace {

using namespace canvas;

namespace {

constexpr double kBarHeight = 7;
constexpr double kShareWidth = 40;
constexpr double kRingGap = 7;
constexpr double kRingPen = 3;
constexpr double kTagHeight = 18;
constexpr double kChipHeight = 20;
constexpr double kChipBar = 52;

/// Square corners where it meets the node, round ones below.
QPainterPath stripPath(const QRectF& strip) {
  QPainterPath round;
  round.addRoundedRect(strip.adjusted(0, -kNodeRadius, 0, 0), kNodeRadius, kNodeRadius);
  QPainterPath below;
  below.addRect(strip);
  return round & below;
}

void paintBar(QPainter& painter, const QRectF& track, double share, const QColor& fill) {
  painter.fillRect(track, theme()[Tone::WaterTrack]);
  painter.fillRect(
      QRectF(track.topLeft(), QSizeF(track.width() * std::clamp(share, 0.0, 1.0), track.height())),
      fill);
}

void paintFigures(QPainter& painter, const NodeOverlay& overlay, const OverlayState& state,
                  const QRectF& strip) {
  const Tone ink = state.over ? Tone::Hint : Tone::Text;
  const QRectF line = strip.adjusted(kTextPad, 3, -kTextPad, 0);
  const QFont small = uiFont(12);
  painter.setFont(uiFont(12, true));
  painter.setPen(theme()[ink]);
  painter.drawText(line, Qt::AlignLeft | Qt::AlignTop, overlay.rate);
  painter.setFont(small);
  painter.setPen(theme()[state.over ? Tone::Hint : Tone::Text2]);
  painter.drawText(line, Qt::AlignRight | Qt::AlignTop, state.over ? state.label : overlay.mean);
  if (overlay.share < 0) return;
  painter.drawText(strip.adjusted(kTextPad, 0, -kTextPad, -2), Qt::AlignRight | Qt::AlignBottom,
                   overlay.shareText);
}

/// When zoomed out: only the rate and the share, as large as the strip allows.
void paintLargeFigures(QPainter& painter, const NodeOverlay& overlay, const OverlayState& state,
                       const QRectF& strip) {
  constexpr int kLarge = 21;
  const QRectF line = strip.adjusted(kTextPad, 0, -kTextPad, -10);
  painter.setFont(uiFont(kLarge, true));
  painter.setPen(theme()[state.over ? Tone::Hint : Tone::Text]);
  const QString left = overlay.instead.isEmpty() ? overlay.rate : overlay.instead;
  const QFontMetricsF metrics(painter.font());
  const double share =
      overlay.share >= 0 ? metrics.horizontalAdvance(overlay.shareText) + kTextPad : 0.0;
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                   metrics.elidedText(left, Qt::ElideRight, line.width() - share));
  if (overlay.share >= 0)
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, overlay.shareText);
}

}  // namespace

QRectF stripOf(const QRectF& body) { return {body.left(), body.bottom(), body.width(), kStrip}; }

QRectF overlayBounds(const QRectF& body) {
  const double reach = kRingGap + kRingPen;
  return body.united(stripOf(body)).adjusted(-reach, -reach - kTagHeight / 2, reach, reach);
}

void paintStrip(QPainter& painter, const NodeOverlay& overlay, const OverlayState& state,
                const QRectF& body, double detail) {
  const QRectF strip = stripOf(body);
  painter.setPen(QPen(theme()[Tone::Border], 1));
  painter.setBrush(theme()[Tone::Alt]);
  painter.drawPath(stripPath(strip.adjusted(0.5, -0.5, -0.5, -0.5)));
  if (detail < kTextFrom) return;
  const bool small = detail < kSecondLineFrom;
  if (overlay.share >= 0) {
    const Tone fill = state.over ? Tone::Hint : overlay.ring ? Tone::Bottleneck : Tone::Water;
    const QRectF track(strip.left() + kTextPad, strip.bottom() - (small ? 10 : 14),
                       strip.width() - 2 * kTextPad - (small ? 0 : kShareWidth), kBarHeight);
    paintBar(painter, track, overlay.share, theme()[fill]);
  }
  if (detail < kSecondLineFrom) {
    paintLargeFigures(painter, overlay, state, strip);
    return;
  }
  if (overlay.instead.isEmpty()) {
    paintFigures(painter, overlay, state, strip);
    return;
  }
  painter.setFont(uiFont(12));
  painter.setPen(theme()[state.over ? Tone::Hint : Tone::Text2]);
  painter.drawText(strip.adjusted(kTextPad, 0, -kTextPad, 0), Qt::AlignLeft | Qt::AlignVCenter,
                   overlay.instead);
}

void paintLimitRing(QPainter& painter, const OverlayState& state, const QRectF& body,
                    double detail) {
  const QColor colour = theme()[state.over ? Tone::Hint : Tone::Bottleneck];
  const double reach = kRingGap + kRingPen / 2 - 1.5;
  const QRectF ring = body.united(stripOf(body)).adjusted(-reach, -reach, reach, reach);
  painter.setPen(QPen(colour, kRingPen));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(ring, kNodeRadius + kRingGap, kNodeRadius + kRingGap);
  if (detail < kTextFrom) return;
  const QFont font = uiFont(11, true);
  const QString word = "BOTTLENECK";
  const double width = QFontMetricsF(font).horizontalAdvance(word) + 16;
  const QRectF tag(ring.center().x() - width / 2, ring.top() - kTagHeight / 2, width, kTagHeight);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawRoundedRect(tag, 3, 3);
  painter.setFont(font);
  painter.setPen(theme()[state.over ? Tone::Canvas : Tone::OnBottleneck]);
  painter.drawText(tag, Qt::AlignCenter, word);
}

void paintEditedDot(QPainter& painter, const QRectF& body) {
  painter.setPen(QPen(theme()[Tone::Node], 1.5));
  painter.setBrush(theme()[Tone::Accent]);
  painter.drawEllipse(body.topRight() + QPointF(-12, 12), 5, 5);
}

void paintQueueFill(QPainter& painter, QPointF middle, double room, const QueueOverlay& overlay,
                    const OverlayState& state) {
  const QFontMetricsF metrics(uiFont(12));
  const double bare = kChipBar + 2 * kTextPad;
  const auto widthOf = [&](const QString& text) {
    return text.isEmpty() ? bare : bare + kTextPad + metrics.horizontalAdvance(text);
  };
  QString text = overlay.text;
  if (widthOf(text) + 2 * kTextPad > room) text = text.section(',', 0, 0);
  if (widthOf(text) + 2 * kTextPad > room) text.clear();
  QRectF chip(0, 0, std::min(widthOf(text), std::max(room - 2 * kPort, 24.0)), kChipHeight);
  if (!text.isEmpty()) chip.setWidth(widthOf(text));
  chip.moveCenter(middle);
  const bool limits = overlay.limits && !state.over;
  painter.setPen(QPen(theme()[limits ? Tone::Bottleneck : Tone::Control], 1));
  painter.setBrush(theme()[Tone::Panel]);
  painter.drawRoundedRect(chip, 4, 4);
  const double bar = std::min(kChipBar, chip.width() - kTextPad);
  const double inset = text.isEmpty() ? (chip.width() - bar) / 2 : kTextPad;
  paintBar(painter, QRectF(chip.left() + inset, chip.center().y() - 4, bar, 8), overlay.share,
           theme()[state.over                      ? Tone::Hint
                   : limits && overlay.share > 0.5 ? Tone::Bottleneck
                                                   : Tone::Water]);
  painter.setFont(uiFont(12));
  painter.setPen(theme()[state.over ? Tone::Hint : Tone::Text]);
  painter.drawText(chip.adjusted(2 * kTextPad + bar, 0, -kTextPad, 0),
                   Qt::AlignLeft | Qt::AlignVCenter, text);
}

}  // namespace millrace
