// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/random.h"
#include "core/data/image_view.h"

namespace millrace::samples {

/// The picture at 1/ratio of its size, as restoration data sets make their low resolution: Keys'
/// cubic (a = -0.5, "Cubic convolution interpolation", 1981) widened by the ratio against aliasing,
/// as MATLAB's imresize does. RGB; width and height are multiples of `ratio`.
std::vector<std::uint8_t> downscaled(ImageView image, int ratio);

/// The picture as a moving or badly focused camera sees it: a curved path of the camera while the
/// shutter is open, or a disc. RGB; edges repeat. `reach` is the path's length, or the disc's
/// diameter, in pixels.
std::vector<std::uint8_t> blurred(ImageView image, Draw& draw, float reach);

}  // namespace millrace::samples
