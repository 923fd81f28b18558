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

/// How the dimensions of a field are to be read. Hwc and Chw: a picture of rank 3.
enum class Layout : std::uint8_t { Plain, Hwc, Chw };
/// What a field is for; nodes act on fields by role (CONTRACT §2).
enum class Role : std::uint8_t { Image, Target, Mask, Label, Features };
enum class Level : std::uint8_t { Sample, Batch };
enum class Place : std::uint8_t { Host, Pinned, Device };

std::string_view nameOf(Layout layout);
std::string_view nameOf(Role role);
std::string_view nameOf(Level level);
std::string_view nameOf(Place place);
bool isPicture(Role role);  ///< image, target or mask

/// One field of a stream. `shape` is that of one sample also at batch level: the rows are extra.
struct FieldSpec {
  std::string name;
  DType dtype = DType::U8;
  Shape shape;
  Layout layout = Layout::Plain;
  Role role = Role::Features;
  /// Labels and index masks: number of classes, 0 when not known.
  std::int64_t classes = 0;
  bool oneHot = false;
  /// Pictures in pairs: pixels of this one for one pixel of the `image` field, along each side; 1
  /// unless the source knows that they differ (super-resolution: 2, 4; a small mask: 0.5).
  double scale = 1;

  /// Height, width and channels of a picture by its layout; kUnknown where not known.
  std::int64_t height() const;
  std::int64_t width() const;
  std::int64_t channels() const;
  /// "image u8 224x224x3 hwc".
  std::string text() const;

  bool operator==(const FieldSpec&) const = default;
};

/// Whether the rows of a batch each have a length of their own.
bool isRagged(const FieldSpec& field);

/// What a wire carries, known before anything runs (DESIGN §2).
struct StreamType {
  Level level = Level::Sample;
  Place place = Place::Host;
  std::vector<FieldSpec> fields;
  /// Samples an epoch, when known.
  std::optional<std::int64_t> samples;
  /// Rows of a full batch, at batch level.
  std::int64_t batchSize = 0;
  /// Id of the last node before here whose result depends on a draw of the sample (not order).
  std::string randomFrom;

  const FieldSpec* field(std::string_view name) const;
  std::string text() const;

  bool operator==(const StreamType&) const = default;
};

/// Shape of a picture in the given layout; Plain gives {height, width}.
Shape pictureShape(std::int64_t height, std::int64_t width, std::int64_t channels, Layout layout);

}  // namespace millrace
