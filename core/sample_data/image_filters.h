// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/random.h"
#include "core/data/image_view.h"

namespace millrace::samples {

/// The picture at 1/ratio of its size, as restoration data sets compute low resolutions: Keys'
/// cubic (a = -0.5, "Cubic convolution interpolation", 1981), widened by the ratio against
/// aliasing, like MATLAB's imresize. RGB; width and height must be multiples of `ratio`.
std::vector<std::uint8_t> downscaled(ImageView image, int ratio);

/// The picture as a moving or defocused camera sees it: blurred along a curved path of the camera
/// during the exposure, or by a disc. RGB; edges are repeated. `reach` is the length of the path or
/// the diameter of the disc, in pixels.
std::vector<std::uint8_t> blurred(ImageView image, Draw& draw, float reach);

}  // namespace millrace::samples
