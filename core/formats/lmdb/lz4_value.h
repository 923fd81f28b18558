// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"

struct LZ4F_dctx_s;

namespace millrace {

/// Compresses to an LZ4 block preceded by the uncompressed size, as Python's lz4.block does. The
/// result never has the size of its content, so that a value's size shows whether it is compressed.
/// At most 2 GB. Fails in a build without the part `lz4`.
Result<std::string> packedLz4(std::string_view bytes);

/// Decompresses an LZ4 block without a size, which must fill all of `to`. The error is that of
/// missingPart() in a build without the part `lz4`.
Status unpackLz4Block(std::span<const std::byte> block, std::span<std::byte> to);

/// Decompresses single values: an LZ4 frame (lz4/doc/lz4_Frame_format.md), or a block preceded by
/// its uncompressed size, four bytes, little-endian, as Python's lz4.block writes it. One thread.
class Lz4Unpacker {
 public:
  /// Size of the number before a block.
  static constexpr std::size_t kSizeBytes = 4;

  Lz4Unpacker() = default;

  /// Whether the bytes are a frame, or a block with an uncompressed size of `bytes`.
  static bool isPacked(std::span<const std::byte> packed, std::uint64_t bytes);

  /// Fills all of `to`. The error does not contain a name; always fails in a build without the part
  /// `lz4`.
  Status unpack(std::span<const std::byte> packed, std::span<std::byte> to);

 private:
  struct Free {
    void operator()(LZ4F_dctx_s* context) const;
  };
  static bool isFrame(std::span<const std::byte> packed);
  Status unpackFrame(std::span<const std::byte> packed, std::span<std::byte> to);

  std::unique_ptr<LZ4F_dctx_s, Free> m_context;
};

}  // namespace millrace
