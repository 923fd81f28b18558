// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/overlay_painter.h"

#include <algorithm>

#include <QPainter>
#include <QPainterPath>

#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/canvas/node_painter.h"
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
constexpr double kLeastChipBar = 20;
constexpr int kLarge = 21;  ///< figures when zoomed out

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
  painter.drawText(line, Qt::AlignRight | Qt::AlignTop, overlay.mean);
  if (overlay.share < 0) return;
  painter.drawText(strip.adjusted(kTextPad, 0, -kTextPad, -2), Qt::AlignRight | Qt::AlignBottom,
                   overlay.shareText);
}

/// When zoomed out: only the rate and the share, as large as the strip allows.
void paintLargeFigures(QPainter& painter, const NodeOverlay& overlay, const OverlayState& state,
                       const QRectF& strip) {
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
    const bool limits = overlay.ring && !overlay.keepsUp;
    const Tone fill = state.over ? Tone::Hint : limits ? Tone::Bottleneck : Tone::Water;
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

namespace {

/// A word in a box at the top of a node.
void paintTag(QPainter& painter, const QRectF& box, const QString& word, const QColor& fill,
              const QColor& ink, const QPen& outline) {
  painter.setPen(outline);
  painter.setBrush(fill);
  painter.drawRoundedRect(box, 3, 3);
  painter.setFont(uiFont(11, true));
  painter.setPen(ink);
  painter.drawText(box, Qt::AlignCenter, word);
}

double tagWidth(const QString& word) {
  return QFontMetricsF(uiFont(11, true)).horizontalAdvance(word) + 16;
}

}  // namespace

void paintLimitRing(QPainter& painter, const OverlayState& state, const QRectF& body, bool keepsUp,
                    double detail) {
  const Tone tone = state.over ? Tone::Hint : keepsUp ? Tone::Water : Tone::Bottleneck;
  const double reach = kRingGap + kRingPen / 2 - 1.5;
  const QRectF ring = body.united(stripOf(body)).adjusted(-reach, -reach, reach, reach);
  painter.setPen(QPen(theme()[tone], kRingPen));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(ring, kNodeRadius + kRingGap, kNodeRadius + kRingGap);
  if (detail < kTextFrom) return;
  const QString word = keepsUp ? "LOADER KEEPS UP" : "BOTTLENECK";
  const double width = tagWidth(word);
  const QRectF tag(ring.center().x() - width / 2, ring.top() - kTagHeight / 2, width, kTagHeight);
  if (keepsUp && !state.over)
    return paintTag(painter, tag, word, theme()[Tone::Panel], theme()[Tone::Text],
                    QPen(theme()[tone], 1));
  paintTag(painter, tag, word, theme()[tone],
           theme()[state.over ? Tone::Canvas : Tone::OnBottleneck], Qt::NoPen);
}

QRectF runTagBox(const OverlayState& state, const QRectF& body, bool isMarked) {
  const double width = tagWidth(state.label);
  const double right = body.right() - (isMarked ? kProblemMarkReach + 4 : 8);
  return {right - width, body.top() - 9, width, kTagHeight};
}

void paintRunTag(QPainter& painter, const OverlayState& state, const QRectF& body, bool isMarked,
                 double detail) {
  if (detail < kSecondLineFrom) return;
  paintTag(painter, runTagBox(state, body, isMarked), state.label, theme()[Tone::Alt],
           theme()[Tone::Text2], QPen(theme()[Tone::Control], 1));
}

void paintEditedDot(QPainter& painter, const QRectF& body) {
  painter.setPen(QPen(theme()[Tone::Node], 1.5));
  painter.setBrush(theme()[Tone::Accent]);
  painter.drawEllipse(body.topRight() + QPointF(-12, 12), 5, 5);
}

namespace {

/// What a chip shows. Value.
struct ChipText {
  QString words;
  double bar = 0;  ///< its width; 0: none
  double width = 0;
};

/// The longest form that fits.
ChipText chipTextFor(const QueueOverlay& overlay, double room, bool isSmall) {
  const QFontMetricsF metrics(uiFont(isSmall ? kLarge : 12));
  const QString fill = overlay.text.section(',', 0, 0);
  QList<ChipText> forms;
  if (!isSmall)
    forms = {{overlay.text, kChipBar},
             {fill, kChipBar},
             {fill, kLeastChipBar},
             {overlay.shortText, kLeastChipBar}};
  forms += {{overlay.shortText, 0}, {{}, kChipBar}, {{}, kLeastChipBar}};
  for (ChipText& form : forms) {
    form.width = kTextPad;
    if (form.bar > 0) form.width += form.bar + kTextPad;
    if (!form.words.isEmpty()) form.width += metrics.horizontalAdvance(form.words) + kTextPad;
    if (form.width + 2 * kTextPad <= room) return form;
  }
  return forms.last();
}

}  // namespace

void paintQueueFill(QPainter& painter, QPointF middle, double room, const QueueOverlay& overlay,
                    const OverlayState& state, double detail) {
  const bool isSmall = detail < kSecondLineFrom;
  const ChipText text = chipTextFor(overlay, room, isSmall);
  QRectF chip(0, 0, text.width, isSmall ? 1.6 * kChipHeight : kChipHeight);
  chip.moveCenter(middle);
  const bool limits = overlay.limits && !state.over;
  painter.setPen(
      QPen(theme()[limits ? Tone::Bottleneck : Tone::Control], limits && isSmall ? 2 : 1));
  painter.setBrush(theme()[Tone::Panel]);
  painter.drawRoundedRect(chip, 4, 4);
  if (text.bar > 0)
    paintBar(painter, QRectF(chip.left() + kTextPad, chip.center().y() - 4, text.bar, 8),
             overlay.share,
             theme()[state.over                      ? Tone::Hint
                     : limits && overlay.share > 0.5 ? Tone::Bottleneck
                                                     : Tone::Water]);
  painter.setFont(uiFont(isSmall ? kLarge : 12));
  painter.setPen(theme()[state.over ? Tone::Hint : Tone::Text]);
  painter.drawText(
      chip.adjusted(kTextPad, 0, -kTextPad, 0),
      static_cast<int>(Qt::AlignVCenter | (text.bar > 0 ? Qt::AlignRight : Qt::AlignHCenter)),
      text.words);
}

}  // namespace millrace
