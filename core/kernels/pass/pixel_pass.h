// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/data/dtype.h"
#include "core/data/filter.h"
#include "core/data/image_view.h"
#include "core/data/stream_type.h"

namespace millrace {

/// The geometry of a pass: a region of the input is resampled to `resized`, `cut` is taken out of
/// the result and flipped.
struct PixelPassSpec {
  /// Region in pixels of the input, not empty. Pixels outside of floor(left, top) to ceil(right,
  /// bottom) are never read, so cropping before resizing gives the same bits. It may extend beyond
  /// the input where the cut needs no pixels: see neededRegion().
  Box source;
  /// The size that the region is resampled to. If it equals the region's size and the region is
  /// whole pixels, this is a copy.
  Size resized;
  /// The part of `resized` that is needed and computed; not empty, inside `resized`.
  Rect cut;
  bool flipX = false;  ///< mirrors the cut left to right
  bool flipY = false;
  Filter filter = Filter::Bilinear;
  /// false: the support is that of the filter at scale 1, the default of OpenCV and tf.image.
  bool antialias = true;
};

/// The form of the written pixels. u8 to float divides by 255; `normalise` then computes (x - mean)
/// / deviation, both from 0 to 1 (docs/reference/order-and-randomness.md), each step rounded to
/// f32. f16 and bf16 are rounded from that f32 to nearest even. The bits are equal on every vector
/// level.
struct OutputForm {
  static constexpr std::array<float, kMostFloatChannels> ones() {
    std::array<float, kMostFloatChannels> values{};
    values.fill(1);
    return values;
  }

  DType dtype = DType::U8;      ///< F32, F16, BF16; U8 from bytes; U16 from floats, rounded
  Layout layout = Layout::Hwc;  ///< Hwc or Chw
  bool normalise = false;       ///< floats only
  std::array<float, kMostFloatChannels> mean{};  ///< per channel
  std::array<float, kMostFloatChannels> deviation = ones();
  bool operator==(const OutputForm&) const = default;
};

/// Borrowed f32 pixels of any layout; strides are in elements.
struct FloatImageView {
  const float* data = nullptr;
  int width = 0;
  int height = 0;
  int channels = 0;
  std::ptrdiff_t pixelStride = 0;
  std::ptrdiff_t rowStride = 0;
  std::ptrdiff_t channelStride = 0;

  static FloatImageView hwc(const float* data, Size size, int channels);
  static FloatImageView chw(const float* data, Size size, int channels);
};

/// Resamples the whole image to `size`.
PixelPassSpec wholeImage(Size image, Size size);
/// The whole pixels of `source` (whose edges are whole) that the cut may read. An input with only
/// these pixels gives the same bits; so does one that was shrunk first, as long as the region stays
/// no smaller than `resized`. The result is slightly too large: half a tap on each side. `sample`:
/// the largest number of pixels that one input sample covers, if the input is to be enlarged
/// (chroma).
Rect neededRegion(const PixelPassSpec& spec, double sample = 1);
/// The number of bytes that a pass writes.
std::size_t outputBytes(Size cut, int channels, const OutputForm& form);

/// Crop, resize, cut, flip, normalise, type and layout in one pass over the rows, for 1 to 4
/// channels of bytes or kMostFloatChannels of floats. For u8 input the arithmetic is Pillow's for 8
/// bits per channel: coefficients of 22 bits, rows first, rounded to u8 in between. For f32 input:
/// f32 sums of f64 coefficients, rows first. Nearest takes pixel floor((x + 0.5) * scale) of the
/// region. For use by one thread; its scratch memory only grows. An invalid spec is a CHECK: the
/// caller must ensure that the pixels of neededRegion() are inside the image.
class PixelPass {
 public:
  PixelPass();
  ~PixelPass();
  PixelPass(PixelPass&&) noexcept;
  PixelPass& operator=(PixelPass&&) noexcept;

  /// `out` has outputBytes() bytes, rows packed, aligned for its type. It must not overlap the
  /// source, whose stride is positive.
  void run(ImageView source, const PixelPassSpec& spec, const OutputForm& form, std::byte* out);
  /// The same for f32 input, which is not divided by 255. The result cannot be u8.
  void run(const FloatImageView& source, const PixelPassSpec& spec, const OutputForm& form,
           std::byte* out);

 private:
  struct Scratch;
  std::unique_ptr<Scratch> m_scratch;
};

}  // namespace millrace
