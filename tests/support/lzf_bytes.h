// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

namespace millrace::tests {

/// An LZF stream in the format of core/formats/hdf5/lzf_stream.h: at each byte, the longest
/// possible match.
inline std::string lzfPacked(const std::string& bytes) {
  constexpr std::size_t kFarthest = 8192;
  constexpr std::size_t kLongest = 264;
  constexpr std::size_t kShortest = 3;
  constexpr std::size_t kLongestLiteral = 32;
  std::string packed;
  std::string literal;
  const auto endLiteral = [&] {
    if (!literal.empty()) packed += static_cast<char>(literal.size() - 1) + literal;
    literal.clear();
  };
  for (std::size_t at = 0; at < bytes.size();) {
    std::size_t length = 0;
    std::size_t distance = 0;
    for (std::size_t back = 1; back <= std::min(at, kFarthest); ++back) {
      std::size_t same = 0;
      while (at + same < bytes.size() && same < kLongest &&
             bytes[at + same] == bytes[at + same - back])
        ++same;
      if (same > length) distance = back;
      length = std::max(length, same);
    }
    if (length < kShortest) {
      literal += bytes[at++];
      if (literal.size() == kLongestLiteral) endLiteral();
      continue;
    }
    endLiteral();
    const std::size_t number = length - 2;
    packed += static_cast<char>(std::min<std::size_t>(number, 7) << 5U | (distance - 1) >> 8U);
    if (number >= 7) packed += static_cast<char>(number - 7);
    packed += static_cast<char>((distance - 1) & 255U);
    at += length;
  }
  endLiteral();
  return packed;
}

}  // namespace millrace::tests
