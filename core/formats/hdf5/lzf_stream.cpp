// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/hdf5/lzf_stream.h"

#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace {

namespace {

struct LzfToken {
  std::size_t length = 0;    ///< bytes of output
  std::size_t distance = 0;  ///< distance of the reference; 0: a literal
};

/// Parses the token at `at` and advances `at` past it (for a literal, to its bytes); nullopt if the
/// stream ends within it.
std::optional<LzfToken> nextLzfToken(std::span<const std::byte> packed, std::size_t& at) {
  constexpr unsigned kLowerBits = 31;
  constexpr unsigned kLongReference = 7;
  constexpr std::size_t kLeastReference = 2;
  const auto byte = [&] { return std::to_integer<unsigned>(packed[at++]); };
  const std::size_t left = packed.size() - at;
  const unsigned first = byte();
  const unsigned kind = first >> 5U;
  const unsigned lower = first & kLowerBits;
  if (kind == 0) {
    if (lower + 1 > left - 1) return std::nullopt;
    return LzfToken{lower + 1, 0};
  }
  const bool isLong = kind == kLongReference;
  if (left < (isLong ? 3U : 2U)) return std::nullopt;
  const std::size_t length = kind + (isLong ? byte() : 0) + kLeastReference;
  return LzfToken{length, (lower << 8U) + byte() + 1};
}

/// Copies byte by byte: where source and target overlap, the bytes just written are repeated.
void repeatLzf(std::byte* to, std::size_t distance, std::size_t length) {
  const std::byte* from = to - distance;
  if (distance >= length) {
    std::memcpy(to, from, length);
    return;
  }
  for (std::size_t i = 0; i < length; ++i) to[i] = from[i];
}

}  // namespace

Result<std::size_t> unpackLzf(std::span<const std::byte> packed, std::span<std::byte> to) {
  std::size_t made = 0;
  for (std::size_t at = 0; at < packed.size();) {
    const std::size_t begin = at;
    const auto token = nextLzfToken(packed, at);
    if (!token)
      return Error{fmt::format("its LZF stream is truncated at byte {}", grouped(packed.size()))};
    if (token->length > to.size() - made)
      return Error{fmt::format("its LZF stream contains more than {} bytes", grouped(to.size()))};
    if (token->distance > made)
      return Error{
          fmt::format("its LZF stream is damaged at byte {}: it refers {} bytes back, but only {} "
                      "are decompressed",
                      grouped(begin), grouped(token->distance), grouped(made))};
    if (token->distance > 0) {
      repeatLzf(to.data() + made, token->distance, token->length);
    } else {
      std::memcpy(to.data() + made, packed.data() + at, token->length);
      at += token->length;
    }
    made += token->length;
  }
  return made;
}

}  // namespace millrace
