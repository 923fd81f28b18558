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

/// Where the pixels of a result come from: a region of the input is resampled to `resized`, `cut`
/// is taken out of that, and flipped.
struct PixelPassSpec {
  /// Region in pixels of the input, not empty. Samples outside of floor(left, top) to
  /// ceil(right, bottom) are never read, so cropping first and resizing then gives the same bits.
  /// It may reach beyond the input where the cut looks at nothing: see lookedAt().
  Box source;
  /// Size the region is resampled to. Equal to the region's size where that is whole: a plain copy.
  Size resized;
  /// Part of `resized` that is wanted, not empty, inside of it; only that is computed.
  Rect cut;
  bool flipX = false;  ///< left to right, of the cut
  bool flipY = false;
  Filter filter = Filter::Bilinear;
  /// Off: the support stays that of the filter at scale 1, as OpenCV and tf.image do by default.
  bool antialias = true;
};

/// Form of the pixels written. u8 to float divides by 255; `normalise` then gives
/// (x - mean) / deviation, both in 0 to 1 (CONTRACT §2), each step rounded to f32; f16 and bf16 are
/// rounded from that f32 to nearest even. The bits are the same on every vector level.
struct OutputForm {
  DType dtype = DType::U8;      ///< U8, F32, F16 or BF16
  Layout layout = Layout::Hwc;  ///< Hwc or Chw
  bool normalise = false;       ///< floats only
  std::array<float, 4> mean{};  ///< a channel
  std::array<float, 4> deviation{1, 1, 1, 1};
  bool operator==(const OutputForm&) const = default;
};

/// Borrowed f32 pixels of any layout: strides in elements.
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

/// The whole image, resampled to `size`.
PixelPassSpec wholeImage(Size image, Size size);
/// Whole pixels of `source` that the cut may look at, inside of `source` (whose edges are whole).
/// An input that holds these alone gives the same bits; so does one that was shrunk first, as long
/// as the region stays no smaller than `resized`. A little too much: half a tap at each side.
/// `sample`: pixels that one of the input covers at most, where it is to be enlarged (chroma).
Rect lookedAt(const PixelPassSpec& spec, double sample = 1);
/// Bytes that a pass writes.
std::size_t outputBytes(Size cut, int channels, const OutputForm& form);

/// Crop, resize, cut, flip, normalise, type and layout in one pass over the rows, for 1 to 4
/// channels. For u8 input the arithmetic is Pillow's for 8 bits a channel: coefficients of 22 bits,
/// rows first, rounded to u8 in between; for f32 input f32 sums of f64 coefficients, rows first.
/// Nearest takes pixel floor((x + 0.5) * scale) of the region.
/// One thread; keeps its scratch between calls, which only grows. A broken spec is a CHECK: a
/// caller proves that what is looked at lies inside of the image before it comes here.
class PixelPass {
 public:
  PixelPass();
  ~PixelPass();
  PixelPass(PixelPass&&) noexcept;
  PixelPass& operator=(PixelPass&&) noexcept;

  /// `out` takes outputBytes(), rows packed, aligned for its type; it does not overlap the source,
  /// whose stride is positive.
  void run(ImageView source, const PixelPassSpec& spec, const OutputForm& form, std::byte* out);
  /// The same for f32 input, which is taken as it is: no division by 255. Not to u8. Plain code:
  /// pipelines that normalise before they resize are rare.
  void run(const FloatImageView& source, const PixelPassSpec& spec, const OutputForm& form,
           std::byte* out);

 private:
  struct Scratch;
  std::unique_ptr<Scratch> m_scratch;
};

}  // namespace millrace
