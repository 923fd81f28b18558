// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "core/data/image_view.h"

namespace millrace {

enum class ColourStep : std::uint8_t { Brightness, Contrast, Saturation, Hue };

/// The four adjustments of torchvision's ColorJitter, and the order in which they are applied. A
/// factor of 1 (hue: 0) is skipped.
struct ColourFactors {
  double brightness = 1;  ///< 0: black, 2: twice as bright
  double contrast = 1;    ///< 0: the mean grey of the picture, 2: twice as far from it
  double saturation = 1;  ///< 0: grey, 2: twice as far from it
  double hue = 0;         ///< turns around the colour circle, -0.5 to 0.5
  std::array<ColourStep, 4> order{ColourStep::Brightness, ColourStep::Contrast,
                                  ColourStep::Saturation, ColourStep::Hue};
};

/// The weight of the second picture in a blend by `ratio`, from the whole ratio, as in torchvision.
inline float restOf(double ratio) { return static_cast<float>(1.0 - ratio); }

/// Adjusts u8 RGB in place like torchvision.transforms.v2.functional.adjust_*: f32 arithmetic, each
/// step clamped and truncated to integers, hue via HSV and back, multiplied by 255.999. Grey is
/// 0.2989 R + 0.587 G + 0.114 B, truncated. With one channel, that channel is the grey, and
/// saturation and hue have no effect. A fourth channel is unchanged. Any thread.
void adjustColour(MutableImageView image, const ColourFactors& factors);

/// Adds an offset to each channel and clamps to 0 to 255.
void shiftChannels(MutableImageView image, const std::array<int, 4>& offsets);

/// Replaces the three channels by the grey that adjustColour() uses (ITU-R BT.601 weights). A
/// picture with one channel is unchanged.
void greyscale(MutableImageView image);

}  // namespace millrace
