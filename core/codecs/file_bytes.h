// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string_view>

namespace millrace {

/// Whether the file contains `text` at this offset.
inline bool isAt(std::span<const std::byte> file, std::size_t at, std::string_view text) {
  return file.size() >= at + text.size() &&
         std::memcmp(file.data() + at, text.data(), text.size()) == 0;
}

/// Whether the file begins with a box `ftyp` (ISO 14496-12) that names one of `brands`, as its own
/// or as a compatible one.
inline bool hasBrand(std::span<const std::byte> file,
                     std::initializer_list<std::string_view> brands) {
  constexpr std::size_t kMostBytes = 256;
  if (!isAt(file, 4, "ftyp")) return false;
  const std::size_t end =
      std::min({std::to_integer<std::size_t>(file[2]) << 8U | std::to_integer<std::size_t>(file[3]),
                file.size(), kMostBytes});
  for (std::size_t at = 8; at + 4 <= end; at += at == 8 ? 8 : 4)  // After the first: its version.
    for (const std::string_view brand : brands)
      if (isAt(file, at, brand)) return true;
  return false;
}

/// Whether a file of boxes (ISO 14496-12) ends inside one of them.
inline bool endsInsideBox(std::span<const std::byte> file) {
  std::size_t at = 0;
  while (at + 8 <= file.size()) {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < 4; ++i)
      bytes = bytes << 8U | std::to_integer<std::uint64_t>(file[at + i]);
    if (bytes < 8) return false;  // To the end of the file, or of 64 bits.
    if (bytes > file.size() - at) return true;
    at += static_cast<std::size_t>(bytes);
  }
  return at < file.size();
}

}  // namespace millrace
