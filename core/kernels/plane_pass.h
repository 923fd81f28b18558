// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "core/data/sampled_planes.h"
#include "core/kernels/pixel_pass.h"

namespace millrace {

/// The pixel pass for a picture whose components lie on grids of their own, as JPEG stores them:
/// each plane is resized by itself, with the scale and the offset that it has, and colours are
/// converted in the result's pixels (ITU-T T.871) at once with flip, normalise, type and layout. So
/// chroma is never widened to luma's grid, and there is one conversion a pixel of the result.
///
/// Against widening, converting and then resizing the result is nearer to what the file says: a
/// triangle over chroma's own samples stands for two filters in a row, and nothing is rounded to
/// whole levels in between (weights of 14 bits, samples with 7 bits of fraction). A u8 is rounded
/// once, at the end; a float is not: it is (v / 255 - mean) / deviation as one multiplication and
/// one addition in f32, for v in 0 to 255 with its fraction. The bits are the same on every vector
/// level.
/// One thread; keeps its scratch between calls, which only grows. A broken spec is a CHECK.
class PlanePass {
 public:
  PlanePass();
  ~PlanePass();
  PlanePass(PlanePass&&) noexcept;
  PlanePass& operator=(PlanePass&&) noexcept;

  /// As PixelPass::run; every plane's region stands in place of `spec.source`. `channels` is 3, or
  /// 1, which takes luma alone; grey gives three that are alike. Rows of planes are readable for 64
  /// bytes behind their last sample.
  void run(const SampledPlanes& picture, const PixelPassSpec& spec, const OutputForm& form,
           int channels, std::byte* out);

 private:
  struct Scratch;
  std::unique_ptr<Scratch> m_scratch;
};

}  // namespace millrace
