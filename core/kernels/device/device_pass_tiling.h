// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/device/device_pass.h"

namespace millrace {

/// How the device's pixel pass is divided into blocks. A tile is a rectangle of a result before
/// mirroring. The source rows that it needs are in the block's shared memory, four per word: word
/// (group * channels + channel) * width + column holds this channel of the column for source rows 4
/// * group to 4 * group + 3, counted from the tile's first row. The inputs of a result are thus in
/// one or two words, as the dot product instructions need them.

/// Threads per block, on the device and in the emulation.
inline constexpr int kPassThreads = 256;
/// Bytes of a tile's rows in shared memory: the default limit of a block.
inline constexpr int kPassTileBytes = 46 * 1024;
inline constexpr int kWidestTileShift = 6;
/// The possible tile heights; the first one whose rows fit is used.
inline constexpr int kTileHeights = 4;
MILLRACE_HOST_DEVICE inline int tileHeight(int choice) { return 32 >> choice; }
/// The largest number of source rows that a tile with `outputs` rows needs.
std::int32_t rowsOfTile(const AxisSpec& spec, int outputs);
/// Words per channel and column for `rows` rows. There is always one word after the last row,
/// because readers that start within a word also read the next one.
MILLRACE_HOST_DEVICE inline std::int32_t wordsOfRows(std::int32_t rows) {
  return (rows + 3) / 4 + 1;
}
/// For any number of channels.
MILLRACE_HOST_DEVICE inline bool fitsTile(std::int32_t rows) {
  constexpr int kMostChannels = 4;
  return wordsOfRows(rows) <= kPassTileBytes / (kMostChannels * 4 << kWidestTileShift);
}

/// Equal for all blocks of a launch.
struct PassTiling {
  std::int32_t widthShift = kWidestTileShift;  ///< tiles are 1 << widthShift wide
  std::int32_t height = 32;
  std::int32_t across = 1;  ///< tiles per row of a picture
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
