// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

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

/// The picture that an animation shows after some of its frames: 8 bits, colour and alpha. It stays
/// until another file is drawn, so that the frames of a file in their order take linear time. Its
/// memory only grows. For use by one thread.
class AnimationCanvas {
 public:
  using Colour = std::array<std::uint8_t, 3>;

  /// How many frames of this file are drawn already, if these are no more than `frames`; then
  /// draw() continues after them. 0: begin() comes first.
  std::size_t drawn(std::span<const std::byte> file, std::size_t frames);
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
  std::uint64_t m_file = 0;  ///< XXH3 of the file
  std::size_t m_frames = 0;  ///< that are drawn
  FrameStep m_last;          ///< its place is inside the canvas
  Buffer m_before;           ///< what was at the place of the last frame, if that is restored
};

}  // namespace millrace
