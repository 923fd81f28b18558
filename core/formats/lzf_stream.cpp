// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/lzf_stream.h"

#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "core/base/text.h"

namespace millrace {

namespace {

struct LzfToken {
  std::size_t length = 0;    ///< bytes that it makes
  std::size_t distance = 0;  ///< of what it refers to; 0: a literal
};

/// The token at `at`, which moves behind it, of a literal to its bytes; nothing: the stream ends
/// within it.
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

/// Where source and target overlap, what was just written is repeated.
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
      return Error{fmt::format("its LZF stream is cut short at byte {}", grouped(packed.size()))};
    if (token->length > to.size() - made)
      return Error{fmt::format("its LZF stream holds more than {} bytes", grouped(to.size()))};
    if (token->distance > made)
      return Error{
          fmt::format("its LZF stream is damaged at byte {}: it refers {} bytes back, where {} are "
                      "unpacked",
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
