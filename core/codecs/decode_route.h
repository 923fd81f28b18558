// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace millrace {

/// Which decoder was used for a picture and, if it was not the built-in one, why. The pixels are
/// the same in both cases; only the time differs.
enum class DecodeRoute : std::uint8_t {
  Other,          ///< a format with one decoder only
  Own,            ///< JPEG by core/codecs/jpeg
  Asked,          ///< JPEG by libjpeg-turbo as requested
  Progressive,    ///< from here on: JPEG by libjpeg-turbo because of the file's properties
  Arithmetic,     ///< arithmetic instead of Huffman codes
  OtherProcess,   ///< lossless, hierarchical, or not 8 bits per sample
  Colours,        ///< neither grey nor YCbCr
  Sampling,       ///< not 4:4:4, 4:2:2, 4:2:0, 4:4:0 or 4:1:1
  Scans,          ///< components in several scans
  Tables,         ///< missing, over-full or unusual tables
  Head,           ///< unusual or damaged header
  Data,           ///< damaged or truncated data
  OwnPng,         ///< PNG by core/codecs/png
  AskedPng,       ///< PNG by libspng as requested
  InterlacedPng,  ///< from here on: PNG by libspng because of the file's properties
  DeepPng,        ///< 16 bits per sample
  HeadPng,        ///< unusual or damaged header
  DataPng,        ///< data that is damaged, truncated, or does not match the picture's size
};
constexpr std::size_t kDecodeRoutes = static_cast<std::size_t>(DecodeRoute::DataPng) + 1;

/// Whether a built-in decoder was used.
constexpr bool isOwn(DecodeRoute route) {
  return route == DecodeRoute::Own || route == DecodeRoute::OwnPng;
}

/// The reason alone, as one word: "own", "progressive", ...
std::string_view nameOf(DecodeRoute route);

/// "JPEG by the built-in decoder", "PNG by libspng: interlaced": the counter's name in a run's
/// totals.
std::string describe(DecodeRoute route);

}  // namespace millrace
