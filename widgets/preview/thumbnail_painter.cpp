// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/preview/thumbnail_painter.h"

#include <algorithm>

#include <QPainter>

#include "core/base/text/text.h"
#include "widgets/common/icons.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

constexpr double kGap = 4;

/// The largest centred box inside `room` with the picture's proportions.
QRectF fitted(const QImage& picture, const QRectF& room) {
  const QSizeF size = QSizeF(picture.size()).scaled(room.size(), Qt::KeepAspectRatio);
  return {room.center().x() - size.width() / 2, room.center().y() - size.height() / 2, size.width(),
          size.height()};
}

void paintPicture(QPainter& painter, const QRectF& box, const QImage& picture) {
  const double device = box.width() * painter.device()->devicePixelRatioF();
  painter.setRenderHint(QPainter::SmoothPixmapTransform, device < picture.width());
  painter.drawImage(box, picture);
}

void paintMark(QPainter& painter, const QRectF& box) {
  painter.fillRect(box, theme()[Tone::ErrorSoft]);
  const double side = std::min({24.0, box.width(), box.height()});
  paintIcon(painter, "error",
            {box.center().x() - side / 2, box.center().y() - side / 2, side, side},
            theme()[Tone::Error]);
}

/// One field in each line, with its type if there is room; if there are too many, the number left
/// out.
void paintFields(QPainter& painter, const QRectF& box, const ShownSample& sample) {
  painter.fillRect(box, theme()[Tone::Alt]);
  painter.setFont(uiFont(11));
  painter.setPen(theme()[Tone::Text2]);
  const QRectF room = box.adjusted(4, 3, -4, -3);
  const QFontMetricsF metrics(painter.font());
  // If there is room, the type is below the name.
  const auto fields = static_cast<double>(sample.fields.size());
  const bool two = 2 * fields * metrics.lineSpacing() <= room.height();
  const auto fits = [&](const QString& text) {
    return metrics.horizontalAdvance(text) <= room.width();
  };
  QStringList lines;
  for (const ShownField& field : sample.fields) {
    const QString type = field.isEncoded() ? "encoded" : field.dtype + ' ' + field.shapeText();
    // A whole name says more than two cut halves.
    if (two)
      lines << field.name << (fits(type) ? type : field.shapeText());
    else
      lines << (fits(field.name + ' ' + type) ? field.name + ' ' + type : field.name);
  }
  const auto most = static_cast<qsizetype>(std::max(1.0, room.height() / metrics.lineSpacing()));
  if (lines.size() > most) {
    const qsizetype left = lines.size() - most + 1;
    lines = lines.mid(0, most - 1) << QString("+%1").arg(left);
  }
  for (QString& line : lines) line = metrics.elidedText(line, Qt::ElideRight, room.width());
  painter.drawText(room, Qt::AlignCenter, lines.join('\n'));
}

}  // namespace

int picturesAcross(const ShownSample& sample, MaskPlace mask) {
  const auto pictures = static_cast<int>(sample.pictures().size());
  const bool besides = sample.mask() != nullptr && (mask == MaskPlace::Beside || pictures == 0);
  return std::max(1, pictures + (besides ? 1 : 0));
}

std::vector<PicturePlace> picturePlaces(const QRectF& box, const ShownSample& sample,
                                        MaskPlace place) {
  std::vector<PicturePlace> places;
  const std::vector<const ShownField*> pictures = sample.pictures();
  const ShownField* mask = sample.mask();
  const int across = picturesAcross(sample, place);
  const double width = (box.width() - kGap * (across - 1)) / across;
  const auto room = [&](std::size_t i) {
    return QRectF(box.left() + static_cast<double>(i) * (width + kGap), box.top(), width,
                  box.height());
  };
  for (std::size_t i = 0; i < pictures.size(); ++i)
    places.push_back({fitted(pictures[i]->picture, room(i)), pictures[i], false});
  if (mask == nullptr) return places;
  const bool isOver = place == MaskPlace::Over && !pictures.empty();
  places.push_back({isOver ? fitted(pictures.front()->picture, room(0))
                           : fitted(mask->picture, room(pictures.size())),
                    mask, isOver});
  return places;
}

namespace {

/// The name of a class on its colour, at the top left corner of its box; nothing if it would hide
/// the object.
void paintName(QPainter& painter, const QRectF& box, const PreviewedObject& object,
               const QColor& colour) {
  constexpr double kPad = 3;
  const QString name = object.name.empty() && object.label ? QString::number(*object.label)
                                                           : toQt(singleLine(object.name));
  painter.setFont(uiFont(10));
  const QFontMetricsF metrics(painter.font());
  const QSizeF size(metrics.horizontalAdvance(name) + 2 * kPad, metrics.height());
  if (name.isEmpty() || size.width() > box.width() || 2 * size.height() > box.height()) return;
  const QRectF plate(box.topLeft(), size);
  painter.fillRect(plate, colour);
  painter.setPen(qGray(colour.rgb()) > 140 ? Qt::black : Qt::white);
  painter.drawText(plate, Qt::AlignCenter, name);
}

}  // namespace

void paintObjects(QPainter& painter, const QRectF& box, const ShownField& picture) {
  constexpr double kPoint = 2.5;
  painter.save();
  painter.setClipRect(box, Qt::IntersectClip);
  painter.setRenderHint(QPainter::Antialiasing);
  for (const PreviewedObject& object : picture.objects) {
    const QColor colour(object.colour[0], object.colour[1], object.colour[2]);
    const auto [left, top, right, bottom] = object.box;
    const QRectF around(box.left() + left * box.width(), box.top() + top * box.height(),
                        (right - left) * box.width(), (bottom - top) * box.height());
    // A dark line below makes the colour visible on any picture.
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(QColor(0, 0, 0, 140), 3));
    painter.drawRect(around);
    painter.setPen(QPen(colour, 1.5));
    painter.drawRect(around);
    paintName(painter, around, object, colour);
    painter.setPen(QPen(QColor(0, 0, 0, 140), 1));
    painter.setBrush(colour);
    for (const auto& [x, y] : object.points)
      painter.drawEllipse(QPointF(box.left() + x * box.width(), box.top() + y * box.height()),
                          kPoint, kPoint);
  }
  painter.restore();
}

void paintSample(QPainter& painter, const QRectF& box, const ShownSample& sample,
                 const MaskStyle& style) {
  if (!sample.error.isEmpty()) return paintMark(painter, box);
  const std::vector<PicturePlace> places = picturePlaces(box, sample, style.place);
  if (places.empty()) return paintFields(painter, box, sample);
  for (const PicturePlace& place : places) {
    painter.save();
    if (place.isOver)
      painter.setOpacity(painter.opacity() * style.opacity);
    else if (place.field->isMask())
      painter.fillRect(place.box, Qt::black);
    paintPicture(painter, place.box, place.field->picture);
    painter.restore();
    paintObjects(painter, place.box, *place.field);
  }
}

}  // namespace millrace
