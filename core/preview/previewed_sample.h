// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/plan.h"
#include "core/preview/preview_field.h"
#include "core/preview/preview_run.h"

namespace millrace {

/// A field of a previewed sample. Value.
struct PreviewedField {
  std::string name;
  std::string role;    ///< in the stream: "image", "target", "mask", "label", "features"
  std::string dtype;   ///< "u8", "f32", ..., "encoded"
  std::string layout;  ///< "hwc", "chw", ...
  std::vector<std::int64_t> shape;
  std::uint64_t bytes = 0;
  std::optional<FieldStatistics> statistics;  ///< of the full field, not of the shrunk picture
  std::vector<std::byte> png;                 ///< a picture to look at; empty: it is not a picture
  /// Of a label: its value, the index of the maximum if it is one-hot, or of the first of several
  /// classes.
  std::optional<double> label;
  std::string labelClass;  ///< the class of that label, or all its classes; empty if it has no name
  std::vector<MaskClass> maskClasses{};    ///< of an index mask
  std::vector<PreviewedObject> objects{};  ///< of the image that their boxes are in
  std::optional<PictureValues> values{};   ///< of a picture, if they were asked for
  /// Of a normalised picture, by channel: a value times the deviation plus the mean is the value
  /// before, 0 to 1.
  std::vector<double> normalMean{};
  std::vector<double> normalDeviation{};
};

/// A sample after a node, or why there is none. Value.
struct PreviewedSample {
  std::uint64_t place = 0;                    ///< in the order, counted across epochs
  std::uint64_t position = 0;                 ///< in its epoch
  std::optional<std::uint64_t> epochSamples;  ///< nullopt while the source is being listed
  std::string name;
  std::uint64_t epoch = 0;
  std::uint64_t index = 0;  ///< in the source
  std::string node;         ///< the node that it comes from
  std::string error;        ///< why there is no sample; empty if there is one
  std::vector<PreviewedField> fields;
};

/// Everything about `sample`, with pictures of at most `side` pixels, and their values if asked
/// for. `plan` made the sample, at index `place` of its order. Any thread.
PreviewedSample previewed(const PreviewSample& sample, std::uint64_t place, const Plan& plan,
                          int side = kPreviewSide, bool withValues = false);

}  // namespace millrace
