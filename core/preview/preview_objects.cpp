// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/base/text/text.h"
#include "core/codecs/codec.h"
#include "core/data/object_fields.h"
#include "core/preview/preview_field.h"

namespace millrace {

namespace {

/// The size of a picture, displayed if it is encoded; 0 x 0: not known.
Size sizeOf(const TensorView& image) {
  if (image.dtype == DType::Encoded) {
    ImageDecoder decoder;
    const Result<ImageInfo> info = decoder.open(image.content());
    return info ? info->size : Size{};
  }
  if (image.layout == Layout::Plain || image.shape.rank() != 3) return {};
  return {static_cast<int>(image.width()), static_cast<int>(image.height())};
}

/// The first field with a row for each object that has this role.
const TensorView* valueOf(const std::vector<FieldSpec>& fields, const Sample& sample, Role role) {
  for (const std::size_t i : perObjectFields(fields))
    if (fields[i].role == role && sample[i].shape.rank() > 0) return &sample[i];
  return nullptr;
}

std::size_t rowsOf(const TensorView* value) {
  return value == nullptr ? 0 : static_cast<std::size_t>(value->shape[0]);
}

void addPoints(const TensorView& points, std::size_t object, Size size, PreviewedObject& to) {
  if (points.dtype != DType::F32 || points.shape.rank() != 3 || points.shape[2] != 3) return;
  const auto count = static_cast<std::size_t>(points.shape[1]);
  const auto* values = points.as<const float>() + object * count * 3;
  for (std::size_t k = 0; k < count; ++k, values += 3)
    if (values[2] > 0)
      to.points.push_back({static_cast<double>(values[0]) / size.width,
                           static_cast<double>(values[1]) / size.height});
}

}  // namespace

std::vector<PreviewedObject> previewedObjects(const std::vector<FieldSpec>& fields,
                                              const Sample& sample, std::size_t image,
                                              const std::vector<std::string>& classes) {
  const TensorView* const boxes = valueOf(fields, sample, Role::Boxes);
  if (boxes == nullptr || boxes->dtype != DType::F32 || boxes->shape.rank() != 2) return {};
  const Size size = sizeOf(sample[image]);
  if (size.width == 0 || size.height == 0) return {};
  const TensorView* const labels = valueOf(fields, sample, Role::Label);
  const TensorView* const points = valueOf(fields, sample, Role::Keypoints);
  std::vector<PreviewedObject> objects;
  for (std::size_t i = 0; i < std::min(rowsOf(boxes), kMostShownObjects); ++i) {
    const auto* box = boxes->as<const float>() + i * 4;
    PreviewedObject object;
    object.box = {
        static_cast<double>(box[0]) / size.width, static_cast<double>(box[1]) / size.height,
        static_cast<double>(box[2]) / size.width, static_cast<double>(box[3]) / size.height};
    if (i < rowsOf(labels) && labels->dtype == DType::I64)
      object.label = labels->as<const std::int64_t>()[i];
    const std::int64_t label = object.label.value_or(-1);
    if (label >= 0 && static_cast<std::size_t>(label) < classes.size())
      object.name = validUtf8(classes[static_cast<std::size_t>(label)]);
    // Class 0 of a mask is black, but the first class of objects is one like all others.
    object.colour = classColour(object.label.value_or(0) + 1);
    if (i < rowsOf(points)) addPoints(*points, i, size, object);
    objects.push_back(std::move(object));
  }
  return objects;
}

}  // namespace millrace
