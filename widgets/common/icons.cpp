// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/icons.h"

#include <cmath>

#include <QFile>
#include <QGuiApplication>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include "widgets/common/strings.h"

namespace millrace {

namespace {

QString fileOf(const QString& name) { return ":/millrace/icons/" + name + ".svg"; }

QSvgRenderer& rendererOf(const QString& name) {
  static QHash<QString, std::shared_ptr<QSvgRenderer>> renderers;
  std::shared_ptr<QSvgRenderer>& renderer = renderers[name];
  if (!renderer) renderer = std::make_shared<QSvgRenderer>(fileOf(name));
  return *renderer;
}

/// `pixels`: length of a side in device pixels.
QPixmap tinted(const QString& name, int pixels, const QColor& colour) {
  const QString key = QString("millrace/%1/%2/%3").arg(name).arg(pixels).arg(colour.rgba(), 0, 16);
  QPixmap pixmap;
  if (QPixmapCache::find(key, &pixmap)) return pixmap;
  QImage image(pixels, pixels, QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  QPainter painter(&image);
  rendererOf(name).render(&painter);
  painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
  painter.fillRect(image.rect(), colour);
  painter.end();
  pixmap = QPixmap::fromImage(image);
  QPixmapCache::insert(key, pixmap);
  return pixmap;
}

class ToneEngine final : public QIconEngine {
 public:
  ToneEngine(QString name, Tone tone) : m_name(std::move(name)), m_tone(tone) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    const Tone tone = mode == QIcon::Disabled ? Tone::Hint : m_tone;
    const int side = std::min(rect.width(), rect.height());
    QRect box(0, 0, side, side);
    box.moveCenter(rect.center());
    // In a wide box the extra room follows the icon and separates it from a button's text.
    if (rect.width() > side) box.moveLeft(rect.left());
    paintIcon(*painter, m_name, box, theme()[tone]);
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return pixmap;
  }
  QIconEngine* clone() const override { return new ToneEngine(*this); }

 private:
  QString m_name;
  Tone m_tone;
};

class MarkEngine final : public QIconEngine {
 public:
  MarkEngine(QString name, Category category) : m_name(std::move(name)), m_category(category) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode, QIcon::State) override {
    paintMark(*painter, m_name, m_category, rect);
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return pixmap;
  }
  QIconEngine* clone() const override { return new MarkEngine(*this); }

 private:
  QString m_name;
  Category m_category;
};

}  // namespace

bool hasIcon(const QString& name) { return QFile::exists(fileOf(name)); }

void paintIcon(QPainter& painter, const QString& name, const QRectF& box, const QColor& colour) {
  const double scale = painter.device()->devicePixelRatioF() *
                       std::hypot(painter.transform().m11(), painter.transform().m12());
  const int pixels = std::max(1, static_cast<int>(std::lround(box.width() * scale)));
  const QPixmap pixmap = tinted(name, pixels, colour);
  painter.save();
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  painter.drawPixmap(box, pixmap, pixmap.rect());
  painter.restore();
}

QIcon icon(const QString& name, Tone tone) { return QIcon(new ToneEngine(name, tone)); }

QString iconOf(Category category) { return toQt(nameOf(category)); }

QIcon programIcon() {
  QSvgRenderer drawing(QString(":/millrace/desktop/millrace-workbench.svg"));
  QIcon icon;
  for (const int side : {16, 24, 32, 48, 64, 128, 256}) {
    QPixmap pixmap(side, side);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    drawing.render(&painter);
    painter.end();
    icon.addPixmap(pixmap);
  }
  return icon;
}

QString iconOf(const NodeSpec& spec) {
  const QString own = toQt(spec.kind);
  return hasIcon(own) ? own : iconOf(spec.category);
}

void paintMark(QPainter& painter, const QString& name, Category category, const QRectF& box) {
  const QColor colour = theme().category(category);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  QColor fill = colour;
  if (theme().isDark()) fill.setAlphaF(0.2F);
  painter.setBrush(fill);
  const double radius = box.width() / 5;
  painter.drawRoundedRect(box, radius, radius);
  const double side = std::round(box.width() * 0.62);
  QRectF inner(0, 0, side, side);
  inner.moveCenter(box.center());
  paintIcon(painter, name, inner, theme().isDark() ? colour : QColor(Qt::white));
  painter.restore();
}

QIcon markIcon(const QString& name, Category category) {
  return QIcon(new MarkEngine(name, category));
}

}  // namespace millrace
