// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace millrace {

/// Interpolation of a resize. Bilinear and Bicubic (a = -0.5) give the same pixels as Pillow's
/// ImagingResample and torchvision with antialias=True: the support widens with the scale when
/// shrinking.
enum class Filter : std::uint8_t { Nearest, Bilinear, Bicubic };

}  // namespace millrace
