// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Stands in for Snappy in a build without it.
#include "core/base/parts.h"
#include "core/formats/io/stream_decoder.h"

namespace millrace {

Result<std::vector<char>> decodedSnappy(std::span<const char>, std::uint64_t) {
  return missingPart("snappy");
}

Status unpackSnappy(std::span<const std::byte>, std::span<std::byte>) {
  return missingPart("snappy");
}

}  // namespace millrace
