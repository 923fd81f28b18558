// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/codecs/codec.h"
#include "core/data/stream_type.h"
#include "core/spec/source.h"

namespace millrace {

/// What the pixels of some masks hold. Value.
struct MaskValues {
  std::size_t masks = 0;               ///< that were decoded
  std::size_t lossy = 0;               ///< of these, files of lossy formats
  std::size_t refused = 0;             ///< whose pixels cannot be class numbers
  std::string whyRefused;              ///< the first of these; a sentence without its end
  std::set<std::string> lossyFormats;  ///< "JPEG", "lossy WebP"
  std::size_t colour = 0;              ///< of these, with three channels
  std::bitset<256> values;             ///< of those with one channel
  std::set<std::uint32_t> colours;     ///< 0xRRGGBB, up to kMostColours + 1

  static constexpr std::size_t kMostColours = 256;

  /// Whether all colours are shades of grey: then they are numbers in three channels.
  bool areGreyColours() const;
  bool areColours() const { return 2 * colour > masks; }
  /// Highest value except 255, which usually marks pixels without a class; -1: none.
  int highest() const;
  /// "0 to 20 and 255", "0, 1 and 255".
  std::string text() const;
  /// "4 of the 4 NAMES examined are JPEG, which changes class numbers and colours near edges";
  /// empty if none is lossy.
  std::string lossyText(std::string_view names) const;
};

/// Adds the pixels of a mask's file; one that cannot be opened is not counted.
void addMask(MaskValues& found, ImageDecoder& decoder, std::span<const std::byte> file);

/// The values of the first masks of an open source, by field; empty if no field holds mask files.
std::map<std::string, MaskValues> examineMasks(const Source& source,
                                               const std::vector<FieldSpec>& fields);

}  // namespace millrace
