// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/dtype.h"
#include "core/data/shape.h"

namespace millrace {

/// How to interpret the dimensions of a field. Hwc and Chw: a picture of rank 3.
enum class Layout : std::uint8_t { Plain, Hwc, Chw };
/// What a field is used for; nodes select their fields by role
/// (docs/reference/order-and-randomness.md). Boxes, Keypoints and Objects have a row for each
/// object of the sample's picture; object_fields.h has their forms.
enum class Role : std::uint8_t {
  Image,
  Target,
  Mask,
  Label,
  Features,
  Boxes,
  Keypoints,
  Objects,  ///< any other value of each object: its area, whether it is a crowd
};
enum class Level : std::uint8_t { Sample, Batch };
enum class Place : std::uint8_t { Host, Pinned, Device };

std::string_view nameOf(Layout layout);
std::string_view nameOf(Role role);
std::string_view nameOf(Level level);
std::string_view nameOf(Place place);
bool isPicture(Role role);  ///< image, target or mask

/// One field of a stream. `shape` is always the shape of one sample, without the batch dimension.
struct FieldSpec {
  std::string name;
  DType dtype = DType::U8;
  Shape shape;
  Layout layout = Layout::Plain;
  Role role = Role::Features;
  /// Labels and index masks: number of classes, 0 if unknown.
  std::int64_t classes = 0;
  bool oneHot = false;
  /// Several views of one picture: the number of this one, from 1; 0: not a view. The views of a
  /// sample get different random draws (drawKeyOfView).
  int view = 0;
  /// Pictures in pairs: pixels of this field per pixel of the `image` field along each side. 1
  /// unless the source knows a different ratio (super-resolution: 2 or 4; a small mask: 0.5).
  double scale = 1;
  /// Keypoints: for each point the one that shows its place in a mirror image, such as the left eye
  /// for the right eye. Empty: every point stays itself.
  std::vector<std::uint16_t> mirrored = {};
  /// The rows of a batch all have the shape of its largest sample: the unknown sizes differ between
  /// batches only.
  bool padded = false;

  /// Height, width and channels of a picture according to its layout; kUnknown if unknown.
  std::int64_t height() const;
  std::int64_t width() const;
  std::int64_t channels() const;
  /// "image u8 224x224x3 hwc".
  std::string text() const;

  bool operator==(const FieldSpec&) const = default;
};

/// Whether the rows of a batch can have different lengths.
bool isRagged(const FieldSpec& field);

/// What a wire carries, known before anything runs (docs/reference/pipeline-file.md).
struct StreamType {
  Level level = Level::Sample;
  Place place = Place::Host;
  std::vector<FieldSpec> fields;
  /// Samples per epoch, if known.
  std::optional<std::int64_t> samples;
  /// Number of the source's paths (Source::pathOf).
  std::int64_t paths = 1;
  /// Rows of a full batch; batch level only.
  std::int64_t batchSize = 0;
  /// Id of the last upstream node whose result depends on a random draw per sample (not order
  /// nodes).
  std::string randomFrom;

  const FieldSpec* field(std::string_view name) const;
  std::string text() const;

  bool operator==(const StreamType&) const = default;
};

/// Shape of a picture in the given layout; Plain gives {height, width}.
Shape pictureShape(std::int64_t height, std::int64_t width, std::int64_t channels, Layout layout);

}  // namespace millrace
