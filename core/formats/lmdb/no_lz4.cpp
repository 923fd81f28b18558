// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Stands in for LZ4 in a build without it.
#include "core/base/parts.h"
#include "core/formats/lmdb/lz4_value.h"

namespace millrace {

Result<std::string> packedLz4(std::string_view) { return missingPart("lz4"); }

void Lz4Unpacker::Free::operator()(LZ4F_dctx_s*) const {}

Status Lz4Unpacker::unpack(std::span<const std::byte>, std::span<std::byte>) {
  return missingPart("lz4");
}

Status unpackLz4Block(std::span<const std::byte>, std::span<std::byte>) {
  return missingPart("lz4");
}

}  // namespace millrace
