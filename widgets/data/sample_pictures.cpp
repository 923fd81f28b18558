// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/data/sample_pictures.h"

#include <functional>
#include <span>

#include <QFile>
#include <QFileInfo>

#include "core/codecs/codec.h"
#include "widgets/bridge/file_work.h"

namespace millrace {

namespace {

constexpr int kKept = 600;
/// Pictures are sharp on screens of up to this scale.
constexpr int kSharpness = 2;
constexpr int kAtOnce = 2;
/// Requests beyond that are of rows that have been scrolled past.
constexpr int kMostWaiting = 60;
constexpr qint64 kLargestFile = 256 << 20;
constexpr std::int64_t kMostPixels = 100 << 20;

QImage imageOf(const ImageView& pixels) {
  if (pixels.data == nullptr || pixels.channels != 3) return {};
  return QImage(pixels.data, pixels.width, pixels.height, pixels.stride, QImage::Format_RGB888)
      .copy();
}

}  // namespace

QImage readPicture(const QString& path, QSize box) {
  QFile file(path);
  const QFileInfo info(file);
  if (!info.isFile() || info.size() > kLargestFile || !file.open(QIODevice::ReadOnly)) return {};
  const QByteArray bytes = file.readAll();
  DecodeLimits limits;
  limits.pixels = kMostPixels;
  ImageDecoder decoder(limits);
  if (!decoder.open(std::as_bytes(std::span(bytes.constData(), std::size_t(bytes.size())))))
    return {};
  DecodeRequest request;
  request.cover = {box.width(), box.height()};
  request.fillTruncated = true;
  const auto decoded = decoder.decode(request);
  if (!decoded) return {};
  const QImage all = imageOf(decoded->pixels);
  return all.width() <= box.width() && all.height() <= box.height()
             ? all
             : all.scaled(box, Qt::KeepAspectRatio, Qt::SmoothTransformation);
}

SamplePictures::SamplePictures(QSize size, QObject* parent)
    : QObject(parent), m_size(size), m_pictures(kKept) {}

QImage SamplePictures::picture(const QString& file) {
  if (file.isEmpty()) return {};
  if (const QImage* known = m_pictures.object(file)) return *known;
  m_waiting.removeOne(file);
  m_waiting << file;
  if (m_waiting.size() > kMostWaiting) m_waiting.removeFirst();
  work();
  return {};
}

void SamplePictures::work() {
  while (m_inWork < kAtOnce && !m_waiting.isEmpty()) {
    const QString file = m_waiting.takeLast();
    if (m_pictures.contains(file)) continue;
    // Until it is made, it is not requested again.
    m_pictures.insert(file, new QImage);
    ++m_inWork;
    doFileWork(*this, [this, file, size = m_size * kSharpness]() -> std::function<void()> {
      return [this, file, picture = readPicture(file, size)] { take(file, picture); };
    });
  }
}

void SamplePictures::take(const QString& file, const QImage& picture) {
  --m_inWork;
  auto* shown = new QImage(picture);
  shown->setDevicePixelRatio(kSharpness);
  m_pictures.insert(file, shown);
  emit made();
  work();
}

}  // namespace millrace
