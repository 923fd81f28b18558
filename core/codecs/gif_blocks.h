// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/codecs/animation_canvas.h"
#include "core/codecs/read_bytes.h"

namespace millrace {

/// The head of a frame.
struct GifFrame {
  FrameStep step;
  int transparent = -1;  ///< index of a colour; -1: none
};

/// What the blocks of a GIF file say, read without its library: GIF89a, sections 18 to 24.
struct GifBlocks {
  Size canvas;                   ///< the screen, extended to the first frame
  int background = 0;            ///< index of what the first frame does not cover
  std::vector<GifFrame> frames;  ///< at most as many as were wanted
  bool isCut = false;            ///< the file ends before the head of the first frame
};

/// Reads on to the head of frame `wanted`, counted from 1, over the data of those before it.
GifBlocks readGifBlocks(const ReadBytes& read, std::uint32_t wanted);

}  // namespace millrace
