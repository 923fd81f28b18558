// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/device_pass.h"

namespace millrace {

/// How the device's pixel pass is parted among blocks. A tile is a rectangle of a result, before
/// mirroring; the rows that it is made of lie in the block's shared memory, four a word: word
/// (group * channels + channel) * width + column has that channel of the column in source rows
/// 4 * group to 4 * group + 3, counted from the tile's first. So what a result is made of lies in a
/// word or two, as the products want it.

/// Threads of a block, on the device and in the emulation.
inline constexpr int kPassThreads = 256;
/// Bytes of the tile's rows in shared memory: what a block may have without asking.
inline constexpr int kPassTileBytes = 46 * 1024;
inline constexpr int kWidestTileShift = 6;
/// Heights that a tile may have: the first that has room for its rows is taken.
inline constexpr int kTileHeights = 4;
MILLRACE_HOST_DEVICE inline int tileHeight(int choice) { return 32 >> choice; }
/// Source rows that a tile of that many outputs is made of, at most.
std::int32_t rowsOfTile(const AxisSpec& spec, int outputs);
/// Words a channel and column for so many rows. Behind the last row there is always another word:
/// whoever reads rows that begin within a word takes the next one too.
MILLRACE_HOST_DEVICE inline std::int32_t wordsOfRows(std::int32_t rows) {
  return (rows + 3) / 4 + 1;
}
/// Whatever the number of channels.
MILLRACE_HOST_DEVICE inline bool fitsTile(std::int32_t rows) {
  constexpr int kMostChannels = 4;
  return wordsOfRows(rows) <= kPassTileBytes / (kMostChannels * 4 << kWidestTileShift);
}

/// The same for every block of a launch.
struct PassTiling {
  std::int32_t widthShift = kWidestTileShift;  ///< tiles are 1 << widthShift wide
  std::int32_t height = 32;
  std::int32_t across = 1;  ///< tiles of a row's picture
  std::int32_t down = 1;
  std::int32_t sharedBytes = 0;
  const AxisTaps* taps = nullptr;
  const TapQuad* quads = nullptr;
};

/// What a block shares besides the rows.
struct alignas(16) PassShared {
  float contrast = 0;
};

}  // namespace millrace
