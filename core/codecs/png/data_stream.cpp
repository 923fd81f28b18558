// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/png/data_stream.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

#include <array>
#include <cstring>

#include "core/codecs/png/png_head.h"

namespace millrace::png {
namespace {

/// Some encoders write chunks of 8 KiB or less, and each call of ISA-L moves its window of 32 KiB.
/// Short chunks are therefore joined first; long ones are used in place.
constexpr std::size_t kGathered = std::size_t{1} << 17U;
constexpr std::size_t kLarge = std::size_t{1} << 15U;

}  // namespace

struct DataStream::State {
  std::span<const std::byte> file;
  std::size_t next = 0;  // Offset of the next chunk's length.
  Chunk large;           // The chunk that is used in place; no data: the joined ones are used.
  inflate_state inflate;
  std::array<std::uint8_t, kGathered> gathered;

  void use(const std::uint8_t* bytes, std::size_t size) {
    inflate.next_in = const_cast<std::uint8_t*>(bytes);  // ISA-L only reads it.
    inflate.avail_in = static_cast<std::uint32_t>(size);
  }
};

// Not std::make_unique, which would zero 300 KiB.
DataStream::DataStream() : m_state(new State) {}
DataStream::~DataStream() = default;
DataStream::DataStream(DataStream&&) noexcept = default;
DataStream& DataStream::operator=(DataStream&&) noexcept = default;

bool DataStream::begin(std::span<const std::byte> file, std::size_t firstData, bool toTheEnd) {
  State& state = *m_state;
  state.file = file;
  state.next = firstData;
  state.large = {};
  isal_inflate_init(&state.inflate);
  state.inflate.crc_flag = toTheEnd ? ISAL_ZLIB_NO_HDR_VER : ISAL_DEFLATE;
  state.use(nullptr, 0);
  // RFC 1950, section 2.2: deflate, a window of up to 32 KiB, no dictionary.
  std::array<unsigned, 2> head{};
  for (unsigned& byte : head) {
    while (state.inflate.avail_in == 0)
      if (!refill()) return false;
    byte = *state.inflate.next_in++;
    --state.inflate.avail_in;
  }
  return (head[0] & 0x0fU) == 8 && head[0] >> 4U <= 7 && (head[0] << 8U | head[1]) % 31 == 0 &&
         (head[1] & 0x20U) == 0;
}

/// Handles a chunk used in place when it is used up, or when the stream ended in it.
bool DataStream::closeLarge() {
  State& state = *m_state;
  if (state.large.data.empty()) return true;
  const bool isRight = hasRightSum(state.file, state.large);
  state.large = {};
  return isRight;
}

/// Joins the next short chunks and returns the number of bytes. Stops before a chunk that is long
/// or invalid.
std::size_t DataStream::gather() {
  State& state = *m_state;
  std::size_t size = 0;
  Chunk chunk;
  while (chunkAt(state.file, state.next, chunk) && chunk.type == chunkType("IDAT") &&
         chunk.data.size() < kLarge && chunk.data.size() <= kGathered - size &&
         hasRightSum(state.file, chunk)) {
    if (!chunk.data.empty())
      std::memcpy(state.gathered.data() + size, chunk.data.data(), chunk.data.size());
    size += chunk.data.size();
    state.next = chunk.end + 4;
  }
  return size;
}

bool DataStream::refill() {
  State& state = *m_state;
  if (!closeLarge()) return false;
  const std::size_t size = gather();
  if (size > 0) {
    state.use(state.gathered.data(), size);
    return true;
  }
  Chunk chunk;
  if (!chunkAt(state.file, state.next, chunk) || chunk.type != chunkType("IDAT") ||
      chunk.data.size() < kLarge)
    return false;
  state.large = chunk;
  state.next = chunk.end + 4;
  state.use(reinterpret_cast<const std::uint8_t*>(chunk.data.data()), chunk.data.size());
  return true;
}

bool DataStream::read(std::uint8_t* to, std::size_t bytes) {
  inflate_state& inflate = m_state->inflate;
  inflate.next_out = to;
  inflate.avail_out = static_cast<std::uint32_t>(bytes);
  while (true) {
    if (isal_inflate(&inflate) != ISAL_DECOMP_OK) return false;
    if (inflate.avail_out == 0) return true;
    if (inflate.block_state == ISAL_BLOCK_FINISH) return false;
    if (inflate.avail_in == 0 && !refill()) return false;
  }
}

bool DataStream::finish() {
  inflate_state& inflate = m_state->inflate;
  std::uint8_t more = 0;
  inflate.next_out = &more;
  inflate.avail_out = 1;
  while (true) {
    if (isal_inflate(&inflate) != ISAL_DECOMP_OK || inflate.avail_out == 0) return false;
    if (inflate.block_state == ISAL_BLOCK_FINISH) return closeLarge();
    if (inflate.avail_in == 0 && !refill()) return false;
  }
}

}  // namespace millrace::png
