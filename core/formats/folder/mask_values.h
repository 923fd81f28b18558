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
#include <vector>

#include "core/codecs/codec.h"
#include "core/data/stream_type.h"
#include "core/spec/source.h"

namespace millrace {

/// What the pixels of some masks hold. Value.
struct MaskValues {
  std::size_t masks = 0;            ///< that were decoded
  std::size_t refused = 0;          ///< whose pixels cannot be class numbers
  std::string whyRefused;           ///< the first of these; a sentence without its end
  std::size_t lossy = 0;            ///< of these, JPEG files
  std::size_t colour = 0;           ///< of these, with three channels
  std::bitset<256> values;          ///< of those with one channel
  std::set<std::uint32_t> colours;  ///< 0xRRGGBB, up to kMostColours + 1

  static constexpr std::size_t kMostColours = 256;

  bool areColours() const { return 2 * colour > masks; }
  /// Highest value except 255, which usually marks pixels without a class; -1: none.
  int highest() const;
  /// "0 to 20 and 255", "0, 1 and 255".
  std::string text() const;
};

/// Adds the pixels of a mask's file; one that cannot be opened is not counted.
void addMask(MaskValues& found, ImageDecoder& decoder, std::span<const std::byte> file);

/// The values of the first masks of an open source, by field; empty if no field holds mask files.
std::map<std::string, MaskValues> examineMasks(const Source& source,
                                               const std::vector<FieldSpec>& fields);

}  // namespace millrace
