// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/kernels/change/byte_table.h"
#include "core/kernels/change/sharpness.h"
#include "core/kernels/warp/grid_sample.h"

namespace millrace {

/// The changes of pictures that augmentation policies draw, as in torchvision's
/// transforms/v2/_auto_augment.py. What `amount` of a PictureChange means:
enum class ChangeKind : std::uint8_t {
  None,
  ShearX,  ///< from the top left corner; the slope
  ShearY,
  TranslateX,  ///< pixels of the image field
  TranslateY,
  Rotate,      ///< degrees, anticlockwise
  Brightness,  ///< factor
  Saturation,
  Contrast,
  Sharpness,
  Posterize,  ///< bits that stay
  Solarize,   ///< threshold, 0 to 255
  Gamma,      ///< exponent
  Invert,
  AutoContrast,
  Equalize,
};

struct PictureChange {
  ChangeKind kind = ChangeKind::None;
  double amount = 0;
  bool operator==(const PictureChange&) const = default;
};

/// Where a geometric change takes the pixels of the result from, in a picture of `size` that is
/// `scale` times as large as the image field. nullopt: the change is not geometric.
std::optional<CentredMap> mapOf(const PictureChange& change, Size size, double scale);

/// The table of a change of single values that does not depend on the picture; nullopt: it is
/// another kind of change.
std::optional<ByteTable> tableOf(const PictureChange& change);

struct ChangeRules {
  GridSampling sampling;
  double scale = 1;     ///< the picture's pixels per pixel of the image field
  bool colours = true;  ///< false, of masks: only geometry
};

/// Applies changes one after the other to u8 pictures in place, with the bytes of torchvision's
/// functions. Neighbouring changes of single values become one table, so that the picture is
/// visited once. 1, 3 or 4 channels with colours; the fourth is alpha, which stays. For use by one
/// thread; scratch memory only grows.
class PictureChanger {
 public:
  void run(MutableImageView picture, std::span<const PictureChange> changes,
           const ChangeRules& rules);

 private:
  void move(MutableImageView picture, const CentredMap& map, const GridSampling& sampling);

  CentredWarp m_warp;
  Sharpness m_sharpness;
  std::vector<std::uint8_t> m_copy;
};

}  // namespace millrace
