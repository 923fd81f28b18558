// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/shown_sample.h"

#include <algorithm>

#include "core/base/text/text.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

QImage pictureOf(const std::vector<std::byte>& png) {
  QImage picture;
  if (!png.empty())
    picture.loadFromData(QByteArrayView(reinterpret_cast<const char*>(png.data()),
                                        static_cast<qsizetype>(png.size())),
                         "PNG");
  return picture;
}

/// Class 0 is transparent: it is the background in most data sets, and the engine draws it black.
QImage withoutBackground(const QImage& mask) {
  QImage clear = mask.convertToFormat(QImage::Format_ARGB32);
  for (int y = 0; y < clear.height(); ++y) {
    auto* row = reinterpret_cast<QRgb*>(clear.scanLine(y));
    for (int x = 0; x < clear.width(); ++x)
      if ((row[x] & 0xFFFFFFU) == 0) row[x] = 0;
  }
  return clear;
}

ShownField shownField(const PreviewedField& from) {
  ShownField field;
  field.name = toQt(from.name);
  field.role = toQt(from.role);
  field.dtype = toQt(from.dtype);
  field.layout = toQt(from.layout);
  field.shape.assign(from.shape.begin(), from.shape.end());
  field.bytes = static_cast<qint64>(from.bytes);
  if (from.statistics) {
    double elements = 1;
    for (const qint64 size : field.shape) elements *= static_cast<double>(size);
    field.spread = {from.statistics->minimum, from.statistics->maximum, from.statistics->mean,
                    elements};
  }
  field.picture = pictureOf(from.png);
  if (field.isMask() && !field.picture.isNull()) field.picture = withoutBackground(field.picture);
  field.label = from.label;
  field.labelClass = toQt(from.labelClass);
  field.maskClasses = from.maskClasses;
  field.objects = from.objects;
  field.values = from.values;
  field.normalMean = from.normalMean;
  field.normalDeviation = from.normalDeviation;
  return field;
}

}  // namespace

QString ShownField::classText() const {
  return isWithoutFolder() ? "without a class folder" : labelClass;
}

QString ShownField::shapeText() const {
  QStringList sizes;
  for (const qint64 size : shape) sizes << shownNumber(static_cast<std::int64_t>(size));
  return sizes.isEmpty() ? QString("scalar") : sizes.join(" × ");
}

QString ShownField::typeText() const {
  if (isEncoded()) return "encoded, " + toQt(humanBytes(static_cast<double>(bytes)));
  QString text = dtype + " · " + shapeText();
  if (layout == "hwc" || layout == "chw") text += " · " + layout.toUpper();
  return text;
}

QString ShownSample::labelText() const {
  const auto boxes = std::ranges::find(fields, QString("boxes"), &ShownField::role);
  if (boxes != fields.end() && !boxes->shape.empty())
    return toQt(counted(static_cast<std::uint64_t>(boxes->shape.front()), "object"));
  const auto found =
      std::ranges::find_if(fields, [](const auto& f) { return f.label.has_value(); });
  if (found == fields.end() || found->isWithoutFolder()) return {};
  QString text = found->labelClass.isEmpty() ? shownNumber(*found->label) : found->labelClass;
  const bool isMixed = found->shape.size() == 1 && found->spread && found->spread->maximum < 1;
  if (isMixed) text += QString(" %1").arg(found->spread->maximum, 0, 'f', 2);
  return text;
}

std::vector<const ShownField*> ShownSample::pictures() const {
  std::vector<const ShownField*> found;
  for (const ShownField& field : fields)
    if (!field.isMask() && !field.picture.isNull()) found.push_back(&field);
  return found;
}

const ShownField* ShownSample::mask() const {
  for (const ShownField& field : fields)
    if (field.isMask() && !field.picture.isNull()) return &field;
  return nullptr;
}

ShownSample shownSample(const PreviewedSample& from) {
  ShownSample sample;
  sample.place = from.place;
  sample.position = from.position;
  sample.of = from.epochSamples.value_or(0);
  sample.epoch = from.epoch;
  sample.name = toQt(from.name);
  sample.node = toQt(from.node);
  sample.error = toQt(from.error);
  for (const PreviewedField& field : from.fields) sample.fields.push_back(shownField(field));
  return sample;
}

std::optional<FieldSpread> spreadOver(const std::vector<ShownSample>& samples, std::size_t field) {
  std::optional<FieldSpread> all;
  for (const ShownSample& sample : samples) {
    if (field >= sample.fields.size() || !sample.fields[field].spread) continue;
    const FieldSpread& one = *sample.fields[field].spread;
    if (!all) {
      all = one;
      continue;
    }
    all->minimum = std::min(all->minimum, one.minimum);
    all->maximum = std::max(all->maximum, one.maximum);
    const double elements = all->elements + one.elements;
    if (elements > 0) all->mean += (one.mean - all->mean) * (one.elements / elements);
    all->elements = elements;
  }
  return all;
}

}  // namespace millrace
