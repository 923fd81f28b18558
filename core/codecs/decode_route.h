// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace millrace {

/// Which decoder a picture went through and, where that was not our own, why. The pixels are the
/// same either way; only the time differs.
enum class DecodeRoute : std::uint8_t {
  Other,          ///< a format with one decoder only
  Own,            ///< JPEG by core/codecs/jpeg
  Asked,          ///< JPEG by libjpeg-turbo, as somebody asked
  Progressive,    ///< JPEG by libjpeg-turbo from here on, for what the file is
  Arithmetic,     ///< arithmetic instead of Huffman codes
  OtherProcess,   ///< lossless, hierarchical or not of 8 bits a sample
  Colours,        ///< not grey and not YCbCr
  Sampling,       ///< not 4:4:4, 4:2:2, 4:2:0, 4:4:0 or 4:1:1
  Scans,          ///< components in several scans
  Tables,         ///< missing, over-full or unusual tables
  Head,           ///< an odd or damaged head
  Data,           ///< damaged or truncated data
  OwnPng,         ///< PNG by core/codecs/png
  AskedPng,       ///< PNG by libspng, as somebody asked
  InterlacedPng,  ///< PNG by libspng from here on, for what the file is
  DeepPng,        ///< 16 bits a sample
  HeadPng,        ///< an odd or damaged head
  DataPng,        ///< data that is damaged, truncated or not as long as the picture
};
constexpr std::size_t kDecodeRoutes = static_cast<std::size_t>(DecodeRoute::DataPng) + 1;

/// Whether one of our own decoders made the picture.
constexpr bool isOwn(DecodeRoute route) {
  return route == DecodeRoute::Own || route == DecodeRoute::OwnPng;
}

/// "own", "progressive", ...: the reason alone, in a word.
std::string_view nameOf(DecodeRoute route);

/// "JPEG by the own decoder", "PNG by libspng: interlaced": as a run's totals name it.
std::string describe(DecodeRoute route);

}  // namespace millrace
