// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/preview/picture_canvas.h"

#include <algorithm>
#include <cmath>

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include "core/base/text/text.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

constexpr double kPanePad = 8;
constexpr double kPaneTitle = 22;

QString numbersText(const std::vector<double>& values) {
  QStringList words;
  for (const double value : values)
    words << (value == std::floor(value) ? shownNumber(value)
                                         : shownNumber(QString::number(value, 'g', 4).toDouble()));
  return words.join("  ");
}

}  // namespace

QString PixelReading::text() const {
  QStringList words = {field, QString("x %1, y %2").arg(x).arg(y)};
  if (!values.empty()) words << numbersText(values);
  if (!maskClass.isEmpty()) words << maskClass;
  if (!original.empty()) words << "before normalising " + numbersText(original);
  return words.join(" · ");
}

PixelReading readingAt(const ShownField& field, double x, double y) {
  PixelReading reading;
  reading.field = field.name;
  const bool hasValues = field.values.has_value();
  const int width = hasValues ? field.values->width : field.picture.width();
  const int height = hasValues ? field.values->height : field.picture.height();
  reading.x = std::clamp(static_cast<int>(std::floor(x * width)), 0, std::max(0, width - 1));
  reading.y = std::clamp(static_cast<int>(std::floor(y * height)), 0, std::max(0, height - 1));
  if (!hasValues) return reading;
  const auto channels = static_cast<std::size_t>(field.values->channels);
  const auto pixel = static_cast<std::size_t>(reading.y) * static_cast<std::size_t>(width) +
                     static_cast<std::size_t>(reading.x);
  for (std::size_t c = 0; c < channels; ++c)
    reading.values.push_back(double{field.values->values[pixel * channels + c]});
  if (field.normalMean.size() == channels && field.normalDeviation.size() == channels)
    for (std::size_t c = 0; c < channels; ++c)
      reading.original.push_back(reading.values[c] * field.normalDeviation[c] +
                                 field.normalMean[c]);
  if (channels == 1)
    for (const MaskClass& one : field.maskClasses)
      if (static_cast<double>(one.index) == reading.values.front())
        reading.maskClass =
            one.name.empty() ? QString("class %1").arg(one.index) : toQt(singleLine(one.name));
  return reading;
}

PictureCanvas::PictureCanvas(QWidget* parent) : QWidget(parent) {
  setMinimumSize(256, 256);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName("Sample");
}

void PictureCanvas::setPanes(std::vector<Pane> panes) {
  m_panes = std::move(panes);
  tellReading();
  update();
}

void PictureCanvas::setMask(const MaskStyle& mask) {
  m_mask = mask;
  update();
}

QRectF PictureCanvas::paneRect(std::size_t pane) const {
  const auto count = static_cast<double>(std::max<std::size_t>(1, m_panes.size()));
  const double width = (this->width() - kPanePad) / count;
  const double top = m_panes.size() > 1 ? kPaneTitle : 0;
  return {kPanePad + width * static_cast<double>(pane), kPanePad + top, width - kPanePad,
          height() - 2 * kPanePad - top};
}

std::vector<PictureCanvas::Placed> PictureCanvas::placed() const {
  std::vector<Placed> all;
  for (std::size_t p = 0; p < m_panes.size(); ++p) {
    const QRectF pane = paneRect(p);
    const ShownSample& sample = m_panes[p].sample;
    const int across = picturesAcross(sample, m_mask.place);
    for (PicturePlace& place : picturePlaces(pane, sample, m_mask.place)) {
      QRectF clip = pane;
      // Enlarged pictures stay within their part of the pane.
      const double part = pane.width() / across;
      const double column = std::floor((place.box.center().x() - pane.left()) / part);
      if (across > 1) clip = QRectF(pane.left() + column * part, pane.top(), part, pane.height());
      const QPointF middle = clip.center();
      const QSizeF size = place.box.size() * m_zoom;
      place.box = QRectF(middle.x() - m_centre.x() * size.width(),
                         middle.y() - m_centre.y() * size.height(), size.width(), size.height());
      all.push_back({p, clip, place});
    }
  }
  return all;
}

const PictureCanvas::Placed* PictureCanvas::topAt(const std::vector<Placed>& all,
                                                  QPointF at) const {
  const auto covers = [at](const Placed& one) {
    return one.clip.contains(at) && one.place.box.contains(at);
  };
  const auto found = std::ranges::find_if(
      all, [&](const Placed& one) { return covers(one) && !one.place.isOver; });
  return found == all.end() ? nullptr : &*found;
}

std::optional<PixelReading> PictureCanvas::reading(QPointF at) const {
  const std::vector<Placed> all = placed();
  const Placed* top = topAt(all, at);
  if (top == nullptr) return std::nullopt;
  const auto fraction = [at](const QRectF& box) {
    return QPointF((at.x() - box.left()) / box.width(), (at.y() - box.top()) / box.height());
  };
  const QPointF within = fraction(top->place.box);
  PixelReading reading = readingAt(*top->place.field, within.x(), within.y());
  for (const Placed& one : all)
    if (one.place.isOver && one.pane == top->pane && one.place.box.contains(at) &&
        one.clip.contains(at))
      reading.maskClass = readingAt(*one.place.field, within.x(), within.y()).maskClass;
  return reading;
}

QImage PictureCanvas::picture() const {
  const std::vector<Placed> all = placed();
  if (all.empty()) return {};
  const Placed* top = m_pointer ? topAt(all, *m_pointer) : nullptr;
  if (top == nullptr) top = &all.front();
  QImage image = top->place.field->picture.convertToFormat(QImage::Format_ARGB32_Premultiplied);
  for (const Placed& one : all) {
    if (!one.place.isOver || one.pane != top->pane || one.place.box != top->place.box) continue;
    QPainter painter(&image);
    painter.setOpacity(m_mask.opacity);
    painter.drawImage(image.rect(), one.place.field->picture);
  }
  return image;
}

void PictureCanvas::setCentre(QPointF centre) {
  const double reach = 0.5;
  m_centre = {std::clamp(centre.x(), 0.5 - reach, 0.5 + reach),
              std::clamp(centre.y(), 0.5 - reach, 0.5 + reach)};
  if (m_zoom <= 1) m_centre = {0.5, 0.5};
  tellReading();
  update();
}

void PictureCanvas::zoomBy(double factor, QPointF at) {
  const double before = m_zoom;
  const std::vector<Placed> all = placed();
  m_zoom = std::clamp(m_zoom * factor, 1.0, kMostZoom);
  const Placed* top = topAt(all, at);
  if (top == nullptr) return setCentre(m_centre);
  // The point below the pointer stays there.
  const QRectF& box = top->place.box;
  const QSizeF whole = box.size() / before;
  const QPointF point((at.x() - box.left()) / box.width(), (at.y() - box.top()) / box.height());
  const QPointF from = at - top->clip.center();
  setCentre({point.x() - from.x() / (whole.width() * m_zoom),
             point.y() - from.y() / (whole.height() * m_zoom)});
}

void PictureCanvas::showWhole() {
  m_zoom = 1;
  setCentre({0.5, 0.5});
}

void PictureCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme()[Tone::Base]);
  for (std::size_t p = 0; p < m_panes.size(); ++p) {
    const QRectF pane = paneRect(p);
    if (m_panes.size() > 1) {
      painter.setFont(uiFont(12, true));
      painter.setPen(theme()[Tone::Text]);
      painter.drawText(
          QRectF(pane.left(), kPanePad / 2, pane.width(), kPaneTitle), Qt::AlignVCenter,
          QFontMetricsF(painter.font()).elidedText(m_panes[p].title, Qt::ElideRight, pane.width()));
    }
    if (!m_panes[p].sample.error.isEmpty() || m_panes[p].sample.pictures().empty())
      if (m_panes[p].sample.mask() == nullptr)
        paintSample(painter, pane, m_panes[p].sample, m_mask);
  }
  for (const Placed& one : placed()) {
    painter.save();
    painter.setClipRect(one.clip);
    if (one.place.isOver)
      painter.setOpacity(m_mask.opacity);
    else if (one.place.field->isMask())
      painter.fillRect(one.place.box, Qt::black);
    painter.setRenderHint(QPainter::SmoothPixmapTransform,
                          one.place.box.width() < one.place.field->picture.width());
    painter.drawImage(one.place.box, one.place.field->picture);
    paintObjects(painter, one.place.box, *one.place.field);
    painter.restore();
  }
}

void PictureCanvas::wheelEvent(QWheelEvent* event) {
  zoomBy(std::pow(1.0015, event->angleDelta().y()), event->position());
  event->accept();
}

void PictureCanvas::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton || event->button() == Qt::MiddleButton)
    m_dragged = event->position();
}

void PictureCanvas::mouseMoveEvent(QMouseEvent* event) {
  m_pointer = event->position();
  if (m_dragged) {
    const std::vector<Placed> all = placed();
    if (!all.empty()) {
      const QSizeF size = all.front().place.box.size();
      const QPointF by = event->position() - *m_dragged;
      setCentre(m_centre - QPointF(by.x() / size.width(), by.y() / size.height()));
    }
    m_dragged = event->position();
    return;
  }
  tellReading();
}

void PictureCanvas::tellReading() {
  const auto found = m_pointer ? reading(*m_pointer) : std::nullopt;
  emit read(found ? found->text() : QString());
}

void PictureCanvas::mouseReleaseEvent(QMouseEvent*) { m_dragged.reset(); }

void PictureCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  constexpr double kCloser = 4;
  m_zoom > 1 ? showWhole() : zoomBy(kCloser, event->position());
}

void PictureCanvas::leaveEvent(QEvent*) {
  m_pointer.reset();
  tellReading();
}

/// A sample is opened whole. Not when it is hidden: a dialog that is deleted while it is open hides
/// its children after its own part is gone, and then nothing may be emitted to it.
void PictureCanvas::showEvent(QShowEvent* event) {
  if (event->spontaneous()) return;
  m_pointer.reset();
  showWhole();
}

}  // namespace millrace
