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

/// A block of LZ4 with the size of what it holds in front, as lz4.block of Python writes it. It
/// never has the size of what it holds, so that a value's size tells whether it is packed. At most
/// 2 GB.
Result<std::string> packedLz4(std::string_view bytes);

/// Unpacks values that are packed with LZ4 each: a frame (lz4/doc/lz4_Frame_format.md), or a block
/// with its size when unpacked in front, four bytes, little-endian, as lz4.block of Python writes
/// it. One thread.
class Lz4Unpacker {
 public:
  Lz4Unpacker() = default;

  /// Whether these bytes are a frame, or a block that says that it holds as many.
  static bool isPacked(std::span<const std::byte> packed, std::uint64_t bytes);

  /// Fills all of `to`. The error says what is wrong, without a name.
  Status unpack(std::span<const std::byte> packed, std::span<std::byte> to);

 private:
  struct Free {
    void operator()(LZ4F_dctx_s* context) const;
  };
  Status unpackFrame(std::span<const std::byte> packed, std::span<std::byte> to);

  std::unique_ptr<LZ4F_dctx_s, Free> m_context;
};

}  // namespace millrace
