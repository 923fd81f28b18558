// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "core/data/sampled_planes.h"
#include "core/kernels/pass/pixel_pass.h"

namespace millrace {

/// The pixel pass for a picture whose components have different resolutions, as JPEG stores them.
/// Each plane is resized separately with its own scale and offset, and colours are converted in the
/// result's pixels (ITU-T T.871) together with flip, normalise, type and layout. Chroma is thus
/// never upsampled to luma's resolution, and there is one colour conversion per result pixel.
///
/// Compared with upsampling, converting and then resizing, the result is closer to the file's data:
/// one triangle filter over the original chroma samples replaces two successive filters, and
/// nothing is rounded to whole levels in between (weights of 14 bits, samples with 7 fractional
/// bits). A u8 result is rounded once, at the end; a float result is not rounded to levels: it is
/// (v / 255 - mean) / deviation, as one multiplication and one addition in f32, for v from 0 to 255
/// with its fraction. The bits are equal on every vector level.
/// For use by one thread; its scratch memory only grows. An invalid spec is a CHECK.
class PlanePass {
 public:
  PlanePass();
  ~PlanePass();
  PlanePass(PlanePass&&) noexcept;
  PlanePass& operator=(PlanePass&&) noexcept;

  /// Like PixelPass::run(), but every plane's region replaces `spec.source`. `channels` is 3, or 1
  /// for luma alone; a grey picture gives three equal channels. Rows of the planes must be readable
  /// for 64 bytes after their last sample.
  void run(const SampledPlanes& picture, const PixelPassSpec& spec, const OutputForm& form,
           int channels, std::byte* out);

 private:
  struct Scratch;
  std::unique_ptr<Scratch> m_scratch;
};

}  // namespace millrace
