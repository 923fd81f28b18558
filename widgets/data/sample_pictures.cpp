// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/data/sample_pictures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include <QFile>
#include <QFileInfo>

#include "core/codecs/codec.h"
#include "core/inspect/folder_content.h"
#include "core/inspect/pipeline_proposal.h"
#include "core/jobs/inspect/inspect_job.h"
#include "core/kernels/numbers.h"
#include "core/nodes/builtin.h"
#include "widgets/bridge/file_work.h"
#include "widgets/common/strings.h"

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
  const auto format = pixels.channels == 3 ? QImage::Format_RGB888 : QImage::Format_Grayscale8;
  if (pixels.data == nullptr || (pixels.channels != 3 && pixels.channels != 1)) return {};
  return QImage(pixels.data, pixels.width, pixels.height, pixels.stride, format).copy();
}

QImage fitting(const QImage& all, QSize box) {
  return all.width() <= box.width() && all.height() <= box.height()
             ? all
             : all.scaled(box, Qt::KeepAspectRatio, Qt::SmoothTransformation);
}

QImage decodedPicture(std::span<const std::byte> bytes, QSize box) {
  DecodeLimits limits;
  limits.pixels = kMostPixels;
  ImageDecoder decoder(limits);
  if (!decoder.open(bytes)) return {};
  DecodeRequest request;
  request.cover = {box.width(), box.height()};
  request.fillTruncated = true;
  const auto decoded = decoder.decode(request);
  return decoded ? fitting(imageOf(decoded->pixels), box) : QImage();
}

QImage pictureInFile(const std::string& path, QSize box) {
  QFile file(fileText(path));
  const QFileInfo info(file);
  if (!info.isFile() || info.size() > kLargestFile || !file.open(QIODevice::ReadOnly)) return {};
  const QByteArray bytes = file.readAll();
  return decodedPicture(std::as_bytes(std::span(bytes.constData(), std::size_t(bytes.size()))),
                        box);
}

/// Bytes are unchanged; of other numbers the smallest is black and the largest white.
std::vector<std::uint8_t> levelsOf(const TensorView& value, std::size_t count) {
  std::vector<std::uint8_t> bytes(count);
  if (value.dtype == DType::U8) {
    std::copy_n(value.as<std::uint8_t>(), count, bytes.begin());
    return bytes;
  }
  std::vector<double> numbers(count);
  toDoubles(value.dtype, value.data, count, numbers.data());
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (const double number : numbers)
    if (std::isfinite(number)) {
      least = std::min(least, number);
      most = std::max(most, number);
    }
  if (!(most > least)) return bytes;
  for (std::size_t i = 0; i < count; ++i)
    if (std::isfinite(numbers[i]))
      bytes[i] = static_cast<std::uint8_t>(255 * ((numbers[i] - least) / (most - least)));
  return bytes;
}

/// A picture that a container holds as numbers: three channels as colours, else the first as grey.
QImage storedPicture(const TensorView& value, QSize box) {
  const std::int64_t width = value.width();
  const std::int64_t height = value.height();
  const std::int64_t channels = value.channels();
  if (value.layout == Layout::Plain || width < 1 || height < 1 || channels < 1 ||
      width > kMostPixels / height / channels)
    return {};
  const auto pixels = static_cast<std::size_t>(width * height);
  const std::vector<std::uint8_t> all =
      levelsOf(value, pixels * static_cast<std::size_t>(channels));
  const std::size_t shown = channels >= 3 ? 3 : 1;
  const bool planes = value.layout == Layout::Chw;
  std::vector<std::uint8_t> interleaved(pixels * shown);
  for (std::size_t i = 0; i < pixels; ++i)
    for (std::size_t c = 0; c < shown; ++c)
      interleaved[i * shown + c] =
          all[planes ? c * pixels + i : i * static_cast<std::size_t>(channels) + c];
  return fitting(imageOf({interleaved.data(), static_cast<int>(width), static_cast<int>(height),
                          static_cast<int>(shown), static_cast<std::ptrdiff_t>(shown) * width}),
                 box);
}

QImage pictureIn(const Source& source, std::uint32_t index, QSize box) {
  const std::vector<FieldSpec> fields = source.fields();
  auto shown = std::ranges::find(fields, Role::Image, &FieldSpec::role);
  if (shown == fields.end())
    shown =
        std::ranges::find_if(fields, [](const FieldSpec& field) { return isPicture(field.role); });
  if (shown == fields.end()) return {};
  Sample sample;
  sample.reset({0, index, 0}, fields.size());
  ReadCounters counters;
  const std::unique_ptr<SourceReader> reader = source.reader();
  if (!reader->read(index, sample, counters)) return {};
  const TensorView& value = sample[static_cast<std::size_t>(shown - fields.begin())];
  return value.dtype == DType::Encoded ? decodedPicture(value.content(), box)
                                       : storedPicture(value, box);
}

}  // namespace

std::shared_ptr<const Source> OpenData::at(const std::string& path) {
  const std::lock_guard lock(m_mutex);
  const auto [known, isNew] = m_sources.try_emplace(path);
  if (!isNew) return known->second;
  const FolderContent content = detectContent(path, thoroughScan(), nullptr);
  if (!isReadable(content)) return nullptr;
  const auto proposal = proposePipeline(content, builtinCatalog());
  if (!proposal) return nullptr;
  if (auto source = openSourceOf(proposal->graph, builtinCatalog())) known->second = source.take();
  return known->second;
}

QString SampleToShow::key() const {
  return file.empty() ? fileText(data + "#" + name) : fileText(file);
}

QImage readPicture(const SampleToShow& place, OpenData& data, QSize box) {
  if (!place.file.empty()) return pictureInFile(place.file, box);
  const std::shared_ptr<const Source> source = data.at(place.data);
  const bool isSame =
      source != nullptr && place.index < source->size() && source->name(place.index) == place.name;
  return isSame ? pictureIn(*source, place.index, box) : QImage();
}

SamplePictures::SamplePictures(QSize size, QObject* parent)
    : QObject(parent), m_size(size), m_pictures(kKept), m_data(std::make_shared<OpenData>()) {}

QImage SamplePictures::picture(const SampleToShow& place) {
  if (place.file.empty() && place.data.empty()) return {};
  const QString key = place.key();
  if (const QImage* known = m_pictures.object(key)) return *known;
  m_waiting.removeIf([&](const SampleToShow& waiting) { return waiting.key() == key; });
  m_waiting << place;
  if (m_waiting.size() > kMostWaiting) m_waiting.removeFirst();
  work();
  return {};
}

void SamplePictures::work() {
  while (m_inWork < kAtOnce && !m_waiting.isEmpty()) {
    const SampleToShow place = m_waiting.takeLast();
    const QString key = place.key();
    if (m_pictures.contains(key)) continue;
    // Until it is made, it is not requested again.
    m_pictures.insert(key, new QImage);
    ++m_inWork;
    doFileWork(
        *this,
        [this, place, key, data = m_data, size = m_size * kSharpness]() -> std::function<void()> {
          return [this, key, picture = readPicture(place, *data, size)] { take(key, picture); };
        });
  }
}

void SamplePictures::take(const QString& key, const QImage& picture) {
  --m_inWork;
  auto* shown = new QImage(picture);
  shown->setDevicePixelRatio(kSharpness);
  m_pictures.insert(key, shown);
  emit made();
  work();
}

}  // namespace millrace
