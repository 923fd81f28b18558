// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/kernels/pixel_pass.h"
#include "core/kernels/resample_weights.h"

namespace millrace {

/// CHECKs that the spec makes sense by itself and that the form can be written.
void checkPixelPass(int channels, const PixelPassSpec& spec, const OutputForm& form);
AxisSpec horizontalAxis(const PixelPassSpec& spec);
/// Not flipped: rows are made in the order of the source and written where flipY puts them.
AxisSpec verticalAxis(const PixelPassSpec& spec);
/// Three and four channels may lie in planes, one channel is both.
inline bool isPlanar(const OutputForm& form, int channels) {
  return form.layout == Layout::Chw && channels > 1;
}

}  // namespace millrace
