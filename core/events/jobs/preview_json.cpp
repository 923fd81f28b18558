// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/jobs/preview_json.h"

#include <algorithm>
#include <cstring>

#include <nlohmann/json.hpp>

#include "core/base/text/base64.h"
#include "core/base/text/parsed_json.h"
#include "core/base/text/text.h"
#include "core/events/json/json_read.h"
#include "core/events/json/json_text.h"

namespace millrace {

namespace {

namespace preview_key {
constexpr const char* kId = "id";
constexpr const char* kPipeline = "pipeline";
constexpr const char* kBase = "base";
constexpr const char* kNode = "node";
constexpr const char* kSeed = "seed";
constexpr const char* kFirst = "first";
constexpr const char* kCount = "count";
constexpr const char* kSide = "side";
constexpr const char* kValues = "values";
constexpr const char* kWidth = "width";
constexpr const char* kHeight = "height";
constexpr const char* kChannels = "channels";
constexpr const char* kF32 = "f32";
constexpr const char* kDeviation = "deviation";
constexpr const char* kNormalised = "normalised";
constexpr const char* kMaskClasses = "mask_classes";
constexpr const char* kObjects = "objects";
constexpr const char* kBox = "box";
constexpr const char* kPoints = "points";
constexpr const char* kShare = "share";
constexpr const char* kColour = "colour";
constexpr const char* kEvent = "event";
constexpr const char* kPlace = "place";
constexpr const char* kPosition = "position";
constexpr const char* kEpochSamples = "epoch_samples";
constexpr const char* kName = "name";
constexpr const char* kEpoch = "epoch";
constexpr const char* kIndex = "index";
constexpr const char* kError = "error";
constexpr const char* kFields = "fields";
constexpr const char* kRole = "role";
constexpr const char* kDtype = "dtype";
constexpr const char* kShape = "shape";
constexpr const char* kLayout = "layout";
constexpr const char* kBytes = "bytes";
constexpr const char* kMin = "min";
constexpr const char* kMax = "max";
constexpr const char* kMean = "mean";
constexpr const char* kPng = "png";
constexpr const char* kLabel = "label";
constexpr const char* kValue = "value";
constexpr const char* kClass = "class";
constexpr const char* kSamples = "samples";
}  // namespace preview_key

constexpr const char* kSampleEvent = "sample";
constexpr const char* kDoneEvent = "done";
constexpr const char* kStaleEvent = "stale";
constexpr const char* kErrorEvent = "error";

std::string previewLine(const char* event, std::optional<std::int64_t> id, Json json) {
  json[preview_key::kEvent] = event;
  json[preview_key::kId] = orNull(id);
  return dumpJson(json);
}

Json pictureValuesJson(const std::optional<PictureValues>& picture) {
  using namespace preview_key;
  if (!picture) return {};
  std::vector<std::byte> bytes(picture->values.size() * sizeof(float));
  std::memcpy(bytes.data(), picture->values.data(), bytes.size());
  return {{kWidth, picture->width},
          {kHeight, picture->height},
          {kChannels, picture->channels},
          {kF32, base64Of(bytes)}};
}

/// nullopt unless there is a value for each channel of each pixel.
std::optional<PictureValues> pictureValuesIn(const Json& json) {
  using namespace preview_key;
  std::uint64_t width = 0;
  std::uint64_t height = 0;
  std::uint64_t channels = 0;
  std::string text;
  json_read::readAll(json, kWidth, width, kHeight, height, kChannels, channels, kF32, text);
  const auto bytes = bytesOfBase64(text);
  for (const std::uint64_t size : {width, height, channels})
    if (size < 1 || size > kMostPictureValues) return std::nullopt;
  if (!bytes || width * height > kMostPictureValues ||
      bytes->size() != width * height * channels * sizeof(float))
    return std::nullopt;
  PictureValues picture{static_cast<int>(width), static_cast<int>(height),
                        static_cast<int>(channels), std::vector<float>(width * height * channels)};
  std::memcpy(picture.values.data(), bytes->data(), bytes->size());
  return picture;
}

Json maskClassesJson(const std::vector<MaskClass>& classes) {
  using namespace preview_key;
  Json all = Json::array();
  for (const MaskClass& one : classes)
    all.push_back({{kIndex, one.index},
                   {kShare, one.share},
                   {kColour, one.colour},
                   {kName, orNull(one.name)}});
  return all;
}

/// Reads as many numbers as the array has.
template <class Number, std::size_t N>
void readNumbers(const Json& json, std::array<Number, N>& numbers) {
  if (!json.is_array()) return;
  for (std::size_t i = 0; i < std::min(N, json.size()); ++i) {
    double value = 0;
    json_read::read(json[i], value);
    numbers[i] = static_cast<Number>(value);
  }
}

std::vector<MaskClass> maskClassesIn(const Json& json) {
  using namespace preview_key;
  constexpr std::size_t kMostClasses = 256;
  std::vector<MaskClass> classes;
  for (const Json& item : json_read::itemsAt(json, kMaskClasses)) {
    if (classes.size() == kMostClasses) break;
    MaskClass& one = classes.emplace_back();
    json_read::readAll(item, kIndex, one.index, kShare, one.share, kName, one.name);
    readNumbers(json_read::at(item, kColour), one.colour);
  }
  return classes;
}

Json objectsJson(const std::vector<PreviewedObject>& objects) {
  using namespace preview_key;
  Json all = Json::array();
  for (const PreviewedObject& one : objects)
    all.push_back({{kBox, one.box},
                   {kLabel, orNull(one.label)},
                   {kClass, orNull(one.name)},
                   {kColour, one.colour},
                   {kPoints, one.points}});
  return all;
}

std::vector<PreviewedObject> objectsIn(const Json& json) {
  using namespace preview_key;
  constexpr std::size_t kMostPoints = 1000;
  std::vector<PreviewedObject> objects;
  for (const Json& item : json_read::itemsAt(json, kObjects)) {
    if (objects.size() == kMostShownObjects) break;
    PreviewedObject& one = objects.emplace_back();
    json_read::readAll(item, kLabel, one.label, kClass, one.name);
    readNumbers(json_read::at(item, kBox), one.box);
    readNumbers(json_read::at(item, kColour), one.colour);
    for (const Json& point : json_read::itemsAt(item, kPoints)) {
      if (one.points.size() == kMostPoints) break;
      readNumbers(point, one.points.emplace_back());
    }
  }
  return objects;
}

Json previewedFieldJson(const PreviewedField& field) {
  using namespace preview_key;
  const auto& found = field.statistics;
  Json json = {{kName, field.name},
               {kRole, field.role},
               {kDtype, field.dtype},
               {kShape, field.shape},
               {kLayout, field.layout},
               {kBytes, field.bytes},
               {kMin, found ? Json(found->minimum) : Json()},
               {kMax, found ? Json(found->maximum) : Json()},
               {kMean, found ? Json(found->mean) : Json()}};
  json[kPng] = field.png.empty() ? Json() : Json(base64Of(field.png));
  json[kMaskClasses] = maskClassesJson(field.maskClasses);
  json[kObjects] = objectsJson(field.objects);
  json[kValues] = pictureValuesJson(field.values);
  json[kNormalised] = field.normalMean.empty()
                          ? Json()
                          : Json{{kMean, field.normalMean}, {kDeviation, field.normalDeviation}};
  json[kLabel] =
      field.label ? Json{{kValue, *field.label}, {kClass, orNull(field.labelClass)}} : Json();
  return json;
}

PreviewedField previewedFieldIn(const Json& json) {
  using namespace preview_key;
  constexpr std::size_t kMostDimensions = 6;
  PreviewedField field;
  std::string png;
  std::optional<double> minimum;
  std::optional<double> maximum;
  std::optional<double> mean;
  json_read::readAll(json, kName, field.name, kRole, field.role, kDtype, field.dtype, kLayout,
                     field.layout, kBytes, field.bytes, kPng, png, kMin, minimum, kMax, maximum,
                     kMean, mean);
  for (const Json& size : json_read::itemsAt(json, kShape)) {
    if (field.shape.size() == kMostDimensions) break;
    json_read::read(size, field.shape.emplace_back());
  }
  if (minimum && maximum && mean) field.statistics = {*minimum, *maximum, *mean};
  if (auto bytes = bytesOfBase64(png)) field.png = std::move(*bytes);
  json_read::readAll(json_read::at(json, kLabel), kValue, field.label, kClass, field.labelClass);
  field.maskClasses = maskClassesIn(json);
  field.objects = objectsIn(json);
  field.values = pictureValuesIn(json_read::at(json, kValues));
  const Json& normalised = json_read::at(json, kNormalised);
  for (const auto& [key, list] :
       {std::pair(kMean, &field.normalMean), std::pair(kDeviation, &field.normalDeviation)})
    for (const Json& number : json_read::itemsAt(normalised, key))
      if (list->size() < kMostDimensions) json_read::read(number, list->emplace_back());
  return field;
}

PreviewedSample previewedSampleIn(const Json& json) {
  using namespace preview_key;
  constexpr std::size_t kMostFields = 64;
  PreviewedSample sample;
  json_read::readAll(json, kPlace, sample.place, kPosition, sample.position, kEpochSamples,
                     sample.epochSamples, kName, sample.name, kEpoch, sample.epoch, kIndex,
                     sample.index, kNode, sample.node, kError, sample.error);
  for (const Json& field : json_read::itemsAt(json, kFields)) {
    if (sample.fields.size() == kMostFields) break;
    sample.fields.push_back(previewedFieldIn(field));
  }
  return sample;
}

template <class T>
T previewNumberAt(const Json& json, const char* key, T fallback) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_integer() && *found >= 0 ? found->get<T>()
                                                                          : fallback;
}

}  // namespace

std::string previewRequestLine(std::int64_t id, const PreviewRequest& request) {
  using namespace preview_key;
  Json json = {{kId, id},
               {kBase, validUtf8(request.base.native())},
               {kNode, request.node},
               {kFirst, request.first},
               {kCount, request.count},
               {kSide, request.side}};
  if (request.values) json[kValues] = true;
  if (request.seed) json[kSeed] = *request.seed;
  std::string line = dumpJson(json);
  // A JSON text has line breaks only between its parts, never inside a string.
  std::string document = request.pipeline;
  std::replace(document.begin(), document.end(), '\n', ' ');
  line.back() = ',';
  return line + dumpJson(kPipeline) + ':' + document + '}';
}

ParsedPreviewRequest parsePreviewRequest(const std::string& line) {
  using namespace preview_key;
  ParsedPreviewRequest parsed;
  const Json json = parsedJson(line);
  if (!json.is_object()) {
    parsed.error =
        "a request is one JSON object per line, such as {\"id\": 1, \"pipeline\": {...}}";
    return parsed;
  }
  json_read::read(json_read::at(json, kId), parsed.id);
  const Json& pipeline = json_read::at(json, kPipeline);
  if (!pipeline.is_object()) {
    parsed.error = "pipeline: expected a pipeline document as an object";
    return parsed;
  }
  PreviewRequest& request = parsed.request;
  request.pipeline = dumpJson(pipeline);
  std::string base;
  json_read::readAll(json, kBase, base, kNode, request.node, kSeed, request.seed, kValues,
                     request.values);
  request.base = base;
  request.first =
      std::min<std::uint64_t>(previewNumberAt(json, kFirst, std::uint64_t{0}), 1U << 31U);
  request.count = static_cast<int>(std::clamp<std::size_t>(
      previewNumberAt(json, kCount, std::size_t{8}), 1, PreviewOptions::kMostSamples));
  request.side =
      std::clamp(previewNumberAt(json, kSide, kPreviewSide), kPreviewSide, kMostPreviewSide);
  return parsed;
}

std::string previewSampleLine(std::optional<std::int64_t> id, const PreviewedSample& sample) {
  using namespace preview_key;
  Json json = {{kPlace, sample.place},
               {kPosition, sample.position},
               {kEpochSamples, orNull(sample.epochSamples)},
               {kName, sample.name},
               {kEpoch, sample.epoch},
               {kIndex, sample.index},
               {kNode, sample.node},
               {kError, orNull(sample.error)}};
  Json fields = Json::array();
  for (const PreviewedField& field : sample.fields) fields.push_back(previewedFieldJson(field));
  json[kFields] = std::move(fields);
  return previewLine(kSampleEvent, id, std::move(json));
}

std::string previewDoneLine(std::optional<std::int64_t> id, std::size_t samples) {
  return previewLine(kDoneEvent, id, {{preview_key::kSamples, samples}});
}

std::string previewStaleLine(std::optional<std::int64_t> id) {
  return previewLine(kStaleEvent, id, Json::object());
}

std::string previewErrorLine(std::optional<std::int64_t> id, const std::string& error) {
  return previewLine(kErrorEvent, id, {{preview_key::kError, validUtf8(error)}});
}

std::optional<PreviewAnswer> parsePreviewAnswer(std::string_view line) {
  const Json json = parsedJson(line);
  std::string event;
  json_read::read(json_read::at(json, preview_key::kEvent), event);
  if (event.empty()) return std::nullopt;
  PreviewAnswer answer;
  json_read::read(json_read::at(json, preview_key::kId), answer.id);
  if (event == kSampleEvent) {
    answer.kind = PreviewAnswer::Kind::Sample;
    answer.sample = previewedSampleIn(json);
  }
  if (event == kDoneEvent) answer.kind = PreviewAnswer::Kind::Done;
  if (event == kStaleEvent) answer.kind = PreviewAnswer::Kind::Stale;
  if (event == kErrorEvent) {
    answer.kind = PreviewAnswer::Kind::Error;
    json_read::read(json_read::at(json, preview_key::kError), answer.error);
  }
  return answer;
}

}  // namespace millrace
