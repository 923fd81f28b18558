// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Stands in for Little CMS in a build without it.
#include "core/base/parts.h"
#include "core/codecs/cmyk_colours.h"
#include "core/codecs/pixel_rows.h"

namespace millrace {

struct CmykColours::Parts {};

CmykColours::CmykColours() = default;
CmykColours::~CmykColours() = default;

Status CmykColours::setProfile(std::span<const std::byte> profile) {
  if (profile.empty()) return {};
  return missingPart("lcms2");
}

void CmykColours::toRgb(const std::uint8_t* inverted, std::uint8_t* rgb, int width) const {
  invertedCmykToRgb(inverted, rgb, width);
}

}  // namespace millrace
