// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "core/base/random.h"
#include "core/kernels/change/picture_change.h"

namespace millrace::nodes {

/// How the magnitude of an operation follows from its bin, from the first to the last.
struct MagnitudeRange {
  enum class Unit : std::uint8_t {
    None,     ///< the operation has no magnitude
    Plain,    ///< linear from `first` to `last`
    OfWidth,  ///< the same, as fractions of the picture
    OfHeight,
    Bits,  ///< the same, rounded to a whole number
  };
  Unit unit = Unit::None;
  double first = 0;
  double last = 0;
  bool isSigned = false;  ///< the sign is drawn
};

/// An operation that a policy can choose: what torchvision calls its augmentation space.
struct PolicyOp {
  ChangeKind kind = ChangeKind::None;
  MagnitudeRange range;
};

/// The spaces of transforms/v2/_auto_augment.py in torchvision 0.29, in its order.
std::span<const PolicyOp> randAugmentSpace();
std::span<const PolicyOp> trivialAugmentSpace();
/// Without brightness, colour, contrast and sharpness if not `allOps`.
std::span<const PolicyOp> augMixSpace(bool allOps);

/// The change of `op` at one of `bins` magnitudes, for a picture of `size`. Draws the sign. The
/// numbers are those of torchvision, which computes magnitudes in f32.
PictureChange changeOf(const PolicyOp& op, std::int64_t bin, std::int64_t bins, Size size,
                       Draw& draw);
/// The same for an operation that is drawn from `space`.
PictureChange drawChange(std::span<const PolicyOp> space, std::int64_t bin, std::int64_t bins,
                         Size size, Draw& draw);

}  // namespace millrace::nodes
