// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <snappy-c.h>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/io/stream_decoder.h"

namespace millrace {

Result<std::vector<char>> decodedSnappy(std::span<const char> packed, std::uint64_t most) {
  std::size_t length = 0;
  if (snappy_uncompressed_length(packed.data(), packed.size(), &length) != SNAPPY_OK)
    return Error{"the compressed content is damaged: it does not start with its length"};
  if (length > most)
    return Error{
        fmt::format("the compressed content is longer than the expected {} bytes", grouped(most))};
  std::vector<char> whole(length);
  if (snappy_uncompress(packed.data(), packed.size(), whole.data(), &length) != SNAPPY_OK)
    return Error{"the compressed content is damaged or truncated"};
  return whole;
}

Status unpackSnappy(std::span<const std::byte> packed, std::span<std::byte> to) {
  const auto* from = reinterpret_cast<const char*>(packed.data());
  std::size_t length = 0;
  if (snappy_uncompressed_length(from, packed.size(), &length) != SNAPPY_OK)
    return Error{"the compressed content is damaged: it does not start with its length"};
  if (length != to.size())
    return Error{fmt::format("the compressed content has {} bytes instead of {}", grouped(length),
                             grouped(to.size()))};
  if (snappy_uncompress(from, packed.size(), reinterpret_cast<char*>(to.data()), &length) !=
      SNAPPY_OK)
    return Error{"the compressed content is damaged or truncated"};
  return {};
}

}  // namespace millrace
