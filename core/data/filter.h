// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace millrace {

/// Interpolation of a resize. Bilinear and Bicubic (a = -0.5) are Pillow's ImagingResample, which
/// torchvision's antialias=True equals: the support widens with the scale when shrinking.
enum class Filter : std::uint8_t { Nearest, Bilinear, Bicubic };

}  // namespace millrace
