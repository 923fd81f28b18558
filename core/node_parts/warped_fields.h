// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/node_parts/picture_changes.h"

namespace millrace::nodes {

/// The pictures and masks of a sample that one geometric draw samples again in place. For use by
/// one thread.
class WarpedFields {
 public:
  WarpedFields(const StreamType& in, const PolicyParams& params);

  /// The size of the image field, in whose pixels numbers are drawn.
  Size imageSize(const Sample& sample) const;
  /// Calls warp(from, rule, scale, to) for each: `from` is a copy of the picture at `to`, whose
  /// pixels are `scale` times as many in a row as those of the image field.
  template <class Warp>
  void apply(Sample& sample, Warp warp) {
    const Size image = imageSize(sample);
    for (const Field& field : m_fields) {
      const MutableImageView picture = pixelsOf(sample.writable(field.index));
      warp(copyOf(picture), field.rule, static_cast<double>(picture.width) / image.width, picture);
    }
  }

 private:
  struct Field {
    std::size_t index = 0;
    GridSampling rule;
  };
  ImageView copyOf(const MutableImageView& picture);

  std::vector<Field> m_fields;
  std::size_t m_image = 0;
  std::vector<std::uint8_t> m_copy;
};

}  // namespace millrace::nodes
