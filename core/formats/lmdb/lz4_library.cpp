// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/lmdb/lz4_value.h"

#include <lz4.h>
#include <lz4frame.h>

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace {

namespace {

Error otherSize(std::size_t has, std::size_t wanted) {
  return Error{
      fmt::format("decompressed, it has {} bytes instead of {}", grouped(has), grouped(wanted))};
}

/// Encodes the bytes as a block with one sequence of literals (lz4/doc/lz4_Block_format.md), which
/// is longer than its content.
void appendUnpackedBlock(std::string_view bytes, std::string& to) {
  constexpr std::size_t kInToken = 15;
  constexpr std::size_t kInByte = 255;
  to += static_cast<char>(std::min(bytes.size(), kInToken) << 4U);
  if (bytes.size() >= kInToken) {
    std::size_t more = bytes.size() - kInToken;
    for (; more >= kInByte; more -= kInByte) to += static_cast<char>(kInByte);
    to += static_cast<char>(more);
  }
  to += bytes;
}

}  // namespace

Result<std::string> packedLz4(std::string_view bytes) {
  if (bytes.size() > LZ4_MAX_INPUT_SIZE)
    return Error{fmt::format("{} bytes exceed an LZ4 block", grouped(bytes.size()))};
  const auto size = static_cast<int>(bytes.size());
  constexpr std::size_t kSizeBytes = Lz4Unpacker::kSizeBytes;
  std::string packed(kSizeBytes + static_cast<std::size_t>(LZ4_compressBound(size)), '\0');
  for (unsigned i = 0; i < kSizeBytes; ++i)
    packed[i] = static_cast<char>(bytes.size() >> (8 * i) & 0xffU);
  const int made = LZ4_compress_default(bytes.data(), packed.data() + kSizeBytes, size,
                                        static_cast<int>(packed.size() - kSizeBytes));
  packed.resize(kSizeBytes + static_cast<std::size_t>(made));
  if (packed.size() == bytes.size()) {
    packed.resize(kSizeBytes);
    appendUnpackedBlock(bytes, packed);
  }
  return packed;
}

void Lz4Unpacker::Free::operator()(LZ4F_dctx_s* context) const {
  LZ4F_freeDecompressionContext(context);
}

Status Lz4Unpacker::unpack(std::span<const std::byte> packed, std::span<std::byte> to) {
  if (isFrame(packed)) return unpackFrame(packed, to);
  if (packed.size() < kSizeBytes) return Error{"it is not an LZ4 block"};
  return unpackLz4Block(packed.subspan(kSizeBytes), to);
}

Status unpackLz4Block(std::span<const std::byte> block, std::span<std::byte> to) {
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<int>::max());
  if (block.size() > kMost || to.size() > kMost) return Error{"it is not an LZ4 block"};
  const int got = LZ4_decompress_safe(reinterpret_cast<const char*>(block.data()),
                                      reinterpret_cast<char*>(to.data()),
                                      static_cast<int>(block.size()), static_cast<int>(to.size()));
  if (got < 0) return Error{"its LZ4 block is damaged"};
  if (static_cast<std::size_t>(got) != to.size())
    return otherSize(static_cast<std::size_t>(got), to.size());
  return {};
}

Status Lz4Unpacker::unpackFrame(std::span<const std::byte> packed, std::span<std::byte> to) {
  if (m_context == nullptr) {
    LZ4F_dctx* made = nullptr;
    if (LZ4F_isError(LZ4F_createDecompressionContext(&made, LZ4F_VERSION)) != 0)
      return Error{"there is not enough memory for LZ4"};
    m_context.reset(made);
  }
  LZ4F_resetDecompressionContext(m_context.get());
  std::size_t made = 0;
  for (;;) {
    std::size_t room = to.size() - made;
    std::size_t taken = packed.size();
    const std::size_t more =
        LZ4F_decompress(m_context.get(), to.data() + made, &room, packed.data(), &taken, nullptr);
    if (LZ4F_isError(more) != 0)
      return Error{fmt::format("its LZ4 frame is damaged: {}", LZ4F_getErrorName(more))};
    made += room;
    packed = packed.subspan(taken);
    if (more == 0) break;
    if (room == 0 && taken == 0)
      return Error{packed.empty() ? "its LZ4 frame is truncated"
                                  : "decompressed, it has more bytes than expected"};
  }
  return made == to.size() ? Status() : otherSize(made, to.size());
}

}  // namespace millrace
