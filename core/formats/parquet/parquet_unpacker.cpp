// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/parquet/parquet_unpacker.h"

#include <isa-l/igzip_lib.h>

#include <algorithm>

#include <fmt/format.h>

#include "core/base/parts.h"
#include "core/base/text/text.h"
#include "core/formats/io/stream_decoder.h"
#include "core/formats/lmdb/lz4_value.h"

namespace millrace {

namespace {

Error parquetCut() { return Error{"the compressed bytes are cut off"}; }

Error otherParquetSize(std::size_t has, std::size_t wanted) {
  return Error{
      fmt::format("decompressed, it has {} bytes instead of {}", grouped(has), grouped(wanted))};
}

/// How many bytes one packed byte can become; 0: no useful limit.
std::size_t highestRatio(ParquetCodec codec) {
  switch (codec) {
    case ParquetCodec::Snappy: return 32;
    case ParquetCodec::Gzip: return 1040;
    case ParquetCodec::Lz4:
    case ParquetCodec::Lz4Raw: return 256;
    default: return 0;
  }
}

std::uint32_t bigEndian32(const std::byte* bytes) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8U | std::to_integer<std::uint32_t>(bytes[i]);
  return value;
}

}  // namespace

Status checkParquetCodec(ParquetCodec codec) {
  switch (codec) {
    case ParquetCodec::Snappy: return checkPart("snappy");
    case ParquetCodec::Zstd: return checkPart("zstd");
    case ParquetCodec::Brotli: return checkPart("brotli");
    case ParquetCodec::Lz4:
    case ParquetCodec::Lz4Raw: return checkPart("lz4");
    default: return {};
  }
}

ParquetUnpacker::ParquetUnpacker() = default;
ParquetUnpacker::~ParquetUnpacker() = default;

/// One or several gzip members.
Status ParquetUnpacker::inflate(std::span<const std::byte> packed, std::span<std::byte> to) {
  if (!m_state) m_state = std::make_unique<inflate_state>();
  std::size_t made = 0;
  do {
    isal_inflate_init(m_state.get());
    m_state->crc_flag = ISAL_GZIP;
    m_state->next_in = reinterpret_cast<unsigned char*>(const_cast<std::byte*>(packed.data()));
    m_state->avail_in = static_cast<std::uint32_t>(packed.size());
    m_state->next_out = reinterpret_cast<unsigned char*>(to.data() + made);
    m_state->avail_out = static_cast<std::uint32_t>(to.size() - made);
    const int code = isal_inflate(m_state.get());
    made = to.size() - m_state->avail_out;
    if (code == ISAL_INCORRECT_CHECKSUM) return Error{"the checksum of its gzip stream is wrong"};
    if (code != ISAL_DECOMP_OK) return Error{"its gzip stream is damaged"};
    if (m_state->block_state != ISAL_BLOCK_FINISH)
      return m_state->avail_out > 0 ? parquetCut() : otherParquetSize(made + 1, to.size());
    packed = packed.last(m_state->avail_in);
  } while (!packed.empty() && made < to.size());
  return made == to.size() ? Status() : otherParquetSize(made, to.size());
}

/// Hadoop's framing: blocks, each after its two sizes in big-endian. Some writers stored one block
/// without (apache/parquet-format, Compression, LZ4).
Status ParquetUnpacker::unpackLz4(std::span<const std::byte> packed, std::span<std::byte> to) {
  constexpr std::size_t kSizes = 8;
  std::span<const std::byte> rest = packed;
  std::size_t made = 0;
  while (rest.size() >= kSizes) {
    const std::size_t size = bigEndian32(rest.data());
    const std::size_t length = bigEndian32(rest.data() + 4);
    if (length > rest.size() - kSizes || size > to.size() - made) break;
    if (!unpackLz4Block(rest.subspan(kSizes, length), to.subspan(made, size))) break;
    made += size;
    rest = rest.subspan(kSizes + length);
  }
  if (rest.empty() && made == to.size()) return {};
  return unpackLz4Block(packed, to);
}

Result<Buffer> ParquetUnpacker::unpackStream(ParquetCodec codec, std::span<const std::byte> packed,
                                             std::size_t bytes) {
  MILLRACE_ASSIGN_OR_RETURN(const auto decoder,
                            codec == ParquetCodec::Zstd ? zstdDecoder() : brotliDecoder());
  constexpr std::size_t kFirst = std::size_t{1} << 20U;
  Buffer whole;
  std::size_t made = 0;
  std::size_t room = std::min(bytes, std::max(kFirst, packed.size() * 16));
  whole.reserve(room);
  for (bool open = true; open;) {
    if (made == room && room < bytes) {
      room = std::min(bytes, room * 2);
      whole.grow(room, made);
    }
    MILLRACE_ASSIGN_OR_RETURN(const auto step,
                              decoder->step(packed, {whole.data() + made, room - made}));
    packed = packed.subspan(step.taken);
    made += step.made;
    open = step.open;
    // A stream may consist of several frames.
    if (!open && !packed.empty() && made < bytes) open = true;
    if (open && step.taken == 0 && step.made == 0) {
      if (made < room || room < bytes) return parquetCut();
      return otherParquetSize(made + 1, bytes);
    }
  }
  if (made != bytes) return otherParquetSize(made, bytes);
  return whole;
}

Result<Buffer> ParquetUnpacker::unpack(ParquetCodec codec, std::span<const std::byte> packed,
                                       std::size_t bytes) {
  if (codec == ParquetCodec::Zstd || codec == ParquetCodec::Brotli)
    return unpackStream(codec, packed, bytes);
  const std::size_t ratio = highestRatio(codec);
  MILLRACE_CHECK(ratio > 0, "a codec without a decompressor");
  if (bytes / ratio > packed.size() + 1)
    return Error{fmt::format("{} bytes cannot come from {} bytes of {}", grouped(bytes),
                             grouped(packed.size()), nameOf(codec))};
  Buffer whole;
  const std::span<std::byte> to(whole.reserve(bytes), bytes);
  if (codec == ParquetCodec::Snappy) {
    MILLRACE_TRY(unpackSnappy(packed, to));
  } else if (codec == ParquetCodec::Gzip) {
    MILLRACE_TRY(inflate(packed, to));
  } else if (codec == ParquetCodec::Lz4Raw) {
    MILLRACE_TRY(unpackLz4Block(packed, to));
  } else {
    MILLRACE_TRY(unpackLz4(packed, to));
  }
  return whole;
}

}  // namespace millrace
