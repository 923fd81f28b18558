// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/data/sample.h"
#include "core/data/stream_type.h"

namespace millrace {

/// Statistics of all numeric elements; absent if there are none.
struct FieldStatistics {
  double minimum = 0;
  double maximum = 0;
  double mean = 0;
};
/// Elements as f64 in memory order; empty for encoded bytes.
std::vector<double> elementsOf(const TensorView& view);
std::optional<FieldStatistics> statisticsOf(const std::vector<double>& elements);

/// The longer side of a preview in pixels: the default, and the most that a request may ask for.
inline constexpr int kPreviewSide = 192;
inline constexpr int kMostPreviewSide = 1024;

/// A picture field as PNG bytes for viewing: shrunk to `side`; floats scaled from their minimum to
/// their maximum (from 0 to 1 if they lie within); index masks in distinct colours; encoded files
/// decoded. nullopt if the field is not a picture or cannot be shown.
std::optional<std::vector<std::byte>> previewPng(const FieldSpec& spec, const TensorView& view,
                                                 int side = kPreviewSide);

/// The values of a picture field, row by row, the channels of a pixel together.
struct PictureValues {
  int width = 0;
  int height = 0;
  int channels = 0;
  std::vector<float> values;
};
/// Pictures with more values are too large to be sent.
inline constexpr std::size_t kMostPictureValues = 4'000'000;
/// nullopt if the field is not a picture, cannot be decoded, or has too many values.
std::optional<PictureValues> pictureValues(const FieldSpec& spec, const TensorView& view);

/// The colour in which a class is drawn. Indices i and i + 1 differ clearly in hue; 0 is black,
/// like backgrounds.
std::array<std::uint8_t, 3> classColour(std::int64_t index);

/// A class of an index mask.
struct MaskClass {
  std::int64_t index = 0;
  double share = 0;  ///< of the mask's pixels
  /// Red, green and blue in which previewPng draws it.
  std::array<std::uint8_t, 3> colour{};
  std::string name;  ///< empty: not known

  bool operator==(const MaskClass&) const = default;
};
/// The classes in an index mask by their index, at most 256; empty for another field.
std::vector<MaskClass> maskClassesOf(const FieldSpec& spec, const TensorView& view);

/// An object that is drawn over its picture.
struct PreviewedObject {
  /// Left, top, right and bottom edge as fractions of the picture's width and height.
  std::array<double, 4> box{};
  std::optional<std::int64_t> label;
  std::string name;  ///< of its class; empty: not known
  std::array<std::uint8_t, 3> colour{};
  /// Of each keypoint in the picture: x and y as fractions.
  std::vector<std::array<double, 2>> points{};

  bool operator==(const PreviewedObject&) const = default;
};
/// At most this many objects of a picture are shown.
inline constexpr std::size_t kMostShownObjects = 300;

/// The objects of a sample whose image field is `image` (object_fields.h); empty for a stream
/// without objects, or if the image's size is not known.
std::vector<PreviewedObject> previewedObjects(const std::vector<FieldSpec>& fields,
                                              const Sample& sample, std::size_t image,
                                              const std::vector<std::string>& classes);

}  // namespace millrace
