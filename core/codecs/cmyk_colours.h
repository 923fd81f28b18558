// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/base/result.h"

namespace millrace {

/// Converts CMYK to sRGB: by an ICC profile, or by Pillow's rule for pictures without one. For use
/// by one thread. Made by parts/cmyk_colours.cpp, with Little CMS.
class CmykColours {
 public:
  CmykColours();
  ~CmykColours();

  /// The profile for the following rows; empty: none. Its table is kept as long as the same bytes
  /// are passed. Fails if this build lacks Little CMS, and for a profile that is damaged or not of
  /// CMYK.
  Status setProfile(std::span<const std::byte> profile);

  /// `inverted`: CMYK as Adobe's JPEG files store it, 255 for no ink. `rgb` may be the same memory.
  void toRgb(const std::uint8_t* inverted, std::uint8_t* rgb, int width) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> m_parts;
};

}  // namespace millrace
