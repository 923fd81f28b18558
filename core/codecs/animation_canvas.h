// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "core/codecs/parts/whole_picture.h"
#include "core/data/buffer.h"

namespace millrace {

/// What becomes of a frame's place before the next frame is drawn.
enum class Disposal : std::uint8_t {
  Keep,
  Clear,    ///< it becomes transparent
  Restore,  ///< it shows again what was there before
};

/// How a frame is drawn.
struct FrameStep {
  Rect place;           ///< on the canvas; what lies outside is cut off
  bool blends = false;  ///< transparent pixels show what is below; false: they replace it
  Disposal disposal = Disposal::Keep;
};

/// The picture that an animation shows after some of its frames: 8 bits, colour and alpha. Its
/// memory only grows. For use by one thread.
class AnimationCanvas {
 public:
  using Colour = std::array<std::uint8_t, 3>;

  /// Starts with transparent pixels of this colour.
  void begin(Size size, const Colour& colour);
  /// `pixels`: the frame, with 4 channels. The first one keeps its colours where it is transparent.
  void draw(const FrameStep& frame, const ImageView& pixels);
  DecodedImage part(Rect region, PixelForm form) { return m_whole.part(region, form); }

 private:
  void disposeLast();
  std::uint8_t* at(int x, int y) const;

  Size m_size;
  Colour m_colour{};
  WholePicture m_whole;
  std::uint8_t* m_pixels = nullptr;
  bool m_isEmpty = true;
  FrameStep m_last;  ///< its place is inside the canvas
  Buffer m_before;   ///< what was at the place of the last frame, if that is restored
};

}  // namespace millrace
