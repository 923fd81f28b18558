// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/offer_card.h"

#include <algorithm>
#include <utility>

#include <QFile>
#include <QPainter>
#include <QPainterPath>
#include <QSvgRenderer>

#include "widgets/common/icons.h"
#include "widgets/preview/thumbnail_painter.h"

namespace millrace {

namespace {

constexpr double kPicture = 116;
constexpr double kPad = 12;
constexpr double kGap = 10;
constexpr double kRadius = 6;
constexpr std::size_t kAcross = 3;

/// One pair of pictures shows more than three small pairs.
std::size_t howMany(const std::vector<ShownSample>& samples) {
  const bool isPair = picturesAcross(samples.front(), MaskPlace::Beside) > 1;
  return isPair ? 1 : std::min(samples.size(), kAcross);
}

}  // namespace

void paintSamples(QPainter& painter, const QRectF& box, const std::vector<ShownSample>& samples) {
  if (samples.empty()) {
    paintIcon(painter, "source", {box.center().x() - 20, box.center().y() - 20, 40, 40},
              theme()[Tone::Control]);
    return;
  }
  const std::size_t count = howMany(samples);
  const double width =
      (box.width() - kGap * static_cast<double>(count - 1)) / static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const QRectF room(box.left() + static_cast<double>(i) * (width + kGap), box.top(), width,
                      box.height());
    const QString label = samples[i].labelText();
    const double caption = label.isEmpty() ? 0 : 18;
    painter.save();
    paintSample(painter, room.adjusted(0, 0, 0, -caption), samples[i],
                MaskStyle{MaskPlace::Beside});
    painter.restore();
    if (label.isEmpty()) continue;
    painter.setFont(uiFont(12));
    painter.setPen(theme()[Tone::Text2]);
    // A caption may use most of the gap to the next one.
    const QRectF line = room.adjusted(-kGap * 0.4, room.height() - caption, kGap * 0.4, 0);
    painter.drawText(line, Qt::AlignCenter,
                     QFontMetricsF(painter.font()).elidedText(label, Qt::ElideRight, line.width()));
  }
}

OfferCard::OfferCard(const StartOffer& offer, QWidget* parent)
    : QAbstractButton(parent), m_offer(offer) {
  setCheckable(true);
  setAutoExclusive(true);
  setText(offer.title);
  setAccessibleName(offer.title);
  setAccessibleDescription(offer.description);
  setCursor(Qt::PointingHandCursor);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void OfferCard::setSamples(std::vector<ShownSample> samples) {
  m_samples = std::move(samples);
  update();
}

/// A drawing for an example whose samples are no pictures.
bool OfferCard::paintIllustration(QPainter& painter, const QRectF& box) const {
  const bool hasPictures = std::ranges::any_of(
      m_samples, [](const ShownSample& sample) { return !sample.pictures().empty(); });
  const QString file = QString(":/millrace/illustrations/%1.svg").arg(m_offer.name);
  if (hasPictures || m_offer.isOwn || !QFile::exists(file)) return false;
  QSvgRenderer drawing(file);
  QRectF room(QPointF(), QSizeF(drawing.defaultSize()).scaled(box.size(), Qt::KeepAspectRatio));
  room.moveCenter(box.center());
  drawing.render(&painter, room);
  return true;
}

void OfferCard::mouseDoubleClickEvent(QMouseEvent*) { emit opened(); }

void OfferCard::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& t = theme();
  const double edge = isChecked() ? 2 : 1;
  const QRectF frame = QRectF(rect()).adjusted(edge / 2, edge / 2, -edge / 2, -edge / 2);
  QPainterPath shape;
  shape.addRoundedRect(frame, kRadius, kRadius);
  painter.fillPath(shape, t[Tone::Base]);
  painter.save();
  painter.setClipPath(shape);
  const QRectF picture(0, 0, width(), kPicture);
  painter.fillRect(picture, t[Tone::Hover]);
  const QRectF box = picture.adjusted(16, 14, -16, -14);
  if (!paintIllustration(painter, box)) paintSamples(painter, box, m_samples);
  painter.restore();
  const QRectF words(kPad, kPicture + 10, width() - 2 * kPad, height() - kPicture - 10);
  painter.setFont(uiFont(15, true));
  painter.setPen(t[Tone::Text]);
  painter.drawText(words, Qt::AlignLeft | Qt::AlignTop, m_offer.title);
  painter.setFont(uiFont(12));
  painter.setPen(t[Tone::Text2]);
  painter.drawText(words.adjusted(0, 22, 0, -32), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                   m_offer.description);
  const double line = height() - 26;
  paintIcon(painter, "source", {kPad, line, 14, 14}, t[Tone::Text2]);
  const QRectF dataLine(kPad + 20, line - 3, width() - 2 * kPad - 20, 20);
  painter.drawText(dataLine, Qt::AlignLeft | Qt::AlignVCenter, m_offer.count);
  painter.setPen(QPen(
      isChecked() ? t[Tone::Accent] : (underMouse() ? t[Tone::Control] : t[Tone::Border]), edge));
  painter.drawPath(shape);
  if (!hasFocus()) return;
  // A chosen card has the outer frame, too.
  painter.setPen(QPen(t[Tone::Accent], 2));
  painter.drawRoundedRect(frame.adjusted(4, 4, -4, -4), kRadius - 3, kRadius - 3);
}

}  // namespace millrace
