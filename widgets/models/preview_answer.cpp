// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/preview_answer.h"

#include <algorithm>
#include <cmath>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/base/text.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/models/json_values.h"

namespace millrace {

namespace {

/// A row has at most sixteen of these; the limit bounds memory for any input.
constexpr qsizetype kMostFields = 64;
constexpr qsizetype kMostDimensions = 6;

quint64 countAt(const QJsonObject& json, const char* key) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  return static_cast<quint64>(std::clamp(numberAt(json, key).value_or(0), 0.0, kExact));
}

QImage pictureOf(const QJsonValue& png) {
  if (!png.isString()) return {};
  QImage picture;
  picture.loadFromData(QByteArray::fromBase64(png.toString().toLatin1()), "PNG");
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

ShownField fieldOf(const QJsonObject& json) {
  ShownField field;
  field.name = json["name"].toString();
  field.role = json["role"].toString();
  field.dtype = json["dtype"].toString();
  field.layout = json["layout"].toString();
  const QJsonArray shape = json["shape"].toArray();
  for (qsizetype i = 0; i < std::min(shape.size(), kMostDimensions); ++i)
    field.shape.push_back(static_cast<qint64>(shape[i].toDouble()));
  field.bytes = static_cast<qint64>(countAt(json, "bytes"));
  const auto minimum = numberAt(json, "min");
  const auto maximum = numberAt(json, "max");
  const auto mean = numberAt(json, "mean");
  if (minimum && maximum && mean) {
    double elements = 1;
    for (const qint64 size : field.shape) elements *= static_cast<double>(size);
    field.spread = {*minimum, *maximum, *mean, elements};
  }
  field.picture = pictureOf(json["png"]);
  if (field.isMask() && !field.picture.isNull()) field.picture = withoutBackground(field.picture);
  const QJsonObject label = json["label"].toObject();
  field.label = numberAt(label, "value");
  field.labelClass = label["class"].toString();
  return field;
}

ShownSample sampleOf(const QJsonObject& json) {
  ShownSample sample;
  sample.place = countAt(json, "place");
  sample.position = countAt(json, "position");
  sample.of = countAt(json, "epoch_samples");
  sample.epoch = countAt(json, "epoch");
  sample.name = json["name"].toString();
  sample.node = json["node"].toString();
  sample.error = json["error"].toString();
  const QJsonArray fields = json["fields"].toArray();
  for (qsizetype i = 0; i < std::min(fields.size(), kMostFields); ++i)
    sample.fields.push_back(fieldOf(fields[i].toObject()));
  return sample;
}

}  // namespace

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
  const auto found =
      std::ranges::find_if(fields, [](const auto& f) { return f.label.has_value(); });
  if (found == fields.end()) return {};
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

std::optional<PreviewAnswer> parsePreviewAnswer(std::string_view line) {
  const QJsonDocument document = QJsonDocument::fromJson(
      QByteArray::fromRawData(line.data(), static_cast<qsizetype>(line.size())));
  if (!document.isObject()) return std::nullopt;
  const QJsonObject json = document.object();
  const QString event = json["event"].toString();
  if (event.isEmpty()) return std::nullopt;
  PreviewAnswer answer;
  if (const auto id = numberAt(json, "id")) answer.id = static_cast<qint64>(*id);
  if (event == "sample") {
    answer.kind = PreviewAnswer::Kind::Sample;
    answer.sample = sampleOf(json);
  }
  if (event == "done") answer.kind = PreviewAnswer::Kind::Done;
  if (event == "stale") answer.kind = PreviewAnswer::Kind::Stale;
  if (event == "error") {
    answer.kind = PreviewAnswer::Kind::Error;
    answer.error = json["error"].toString();
  }
  return answer;
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
