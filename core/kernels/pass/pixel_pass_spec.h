// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/kernels/pass/pixel_pass.h"
#include "core/kernels/pass/resample_weights.h"

namespace millrace {

/// CHECKs that the spec is consistent and that the form can be written from `from`: U8 or F32.
void checkPixelPass(int channels, DType from, const PixelPassSpec& spec, const OutputForm& form);
AxisSpec horizontalAxis(const PixelPassSpec& spec);
/// Not flipped: rows are computed in the source's order and written where flipY puts them.
AxisSpec verticalAxis(const PixelPassSpec& spec);
/// Three or four channels can be planar; with one channel both layouts are the same.
inline bool isPlanar(const OutputForm& form, int channels) {
  return form.layout == Layout::Chw && channels > 1;
}

}  // namespace millrace
