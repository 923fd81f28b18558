// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/hdf5/hdf5_filters.h"

#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/base/little_endian.h"
#include "core/base/text/text.h"
#include "core/formats/hdf5/lzf_stream.h"

namespace millrace {

namespace {

constexpr std::size_t kFletcherBytes = 4;

/// Reduces a sum to 16 bits in ones' complement, where 65 535 and 0 differ.
std::uint64_t onesComplement(std::uint64_t sum) { return sum == 0 ? 0 : (sum - 1) % 65535 + 1; }

/// Verifies the checksum and returns the bytes before it.
Result<std::span<const std::byte>> checkedSum(std::span<const std::byte> bytes) {
  if (bytes.size() < kFletcherBytes) return Error{"it is too short for its checksum"};
  const auto data = bytes.first(bytes.size() - kFletcherBytes);
  const auto stored = littleEndian<std::uint32_t>(bytes.data() + data.size());
  const std::uint32_t sum = hdf5Fletcher32(data);
  // Versions before 1.6.3 swapped the bytes of each half.
  const std::uint32_t swapped = ((sum & 0x00ff00ffU) << 8U) | ((sum >> 8U) & 0x00ff00ffU);
  if (stored != sum && stored != swapped)
    return Error{fmt::format("its checksum is {:08x}, not {:08x}", sum, stored)};
  return data;
}

void unshuffle(std::span<const std::byte> from, std::byte* to, std::size_t width) {
  const std::size_t count = from.size() / width;
  for (std::size_t b = 0; b < width; ++b) {
    const std::byte* plane = from.data() + b * count;
    for (std::size_t i = 0; i < count; ++i) to[i * width + b] = plane[i];
  }
  // Bytes after the last whole element are not shuffled.
  const std::size_t whole = count * width;
  std::copy(from.begin() + static_cast<std::ptrdiff_t>(whole), from.end(), to + whole);
}

Error otherHdf5Size(std::size_t has, std::size_t wanted) {
  return Error{
      fmt::format("it contains {} bytes, but {} are needed", grouped(has), grouped(wanted))};
}

}  // namespace

std::uint32_t hdf5Fletcher32(std::span<const std::byte> bytes) {
  // The sums of this many words cannot overflow before the reduction.
  constexpr std::size_t kBlock = 8192;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  for (std::size_t at = 0; at < bytes.size(); at += kBlock) {
    const std::size_t end = std::min(at + kBlock, bytes.size());
    for (std::size_t i = at; i < end; i += 2) {
      const auto second = i + 1 < bytes.size() ? std::to_integer<std::uint64_t>(bytes[i + 1]) : 0;
      low += std::to_integer<std::uint64_t>(bytes[i]) * 256 + second;
      high += low;
    }
    low = onesComplement(low);
    high = onesComplement(high);
  }
  return static_cast<std::uint32_t>(high << 16U | low);
}

Hdf5Unpacker::Hdf5Unpacker() = default;
Hdf5Unpacker::~Hdf5Unpacker() = default;
Hdf5Unpacker::Hdf5Unpacker(Hdf5Unpacker&&) noexcept = default;

Result<std::size_t> Hdf5Unpacker::inflate(std::span<const std::byte> packed,
                                          std::span<std::byte> to) {
  if (!m_state) m_state = std::make_unique<inflate_state>();
  isal_inflate_init(m_state.get());
  m_state->crc_flag = ISAL_ZLIB;
  m_state->next_in = reinterpret_cast<unsigned char*>(const_cast<std::byte*>(packed.data()));
  m_state->avail_in = static_cast<std::uint32_t>(packed.size());
  m_state->next_out = reinterpret_cast<unsigned char*>(to.data());
  m_state->avail_out = static_cast<std::uint32_t>(to.size());
  const int code = isal_inflate(m_state.get());
  const std::size_t made = to.size() - m_state->avail_out;
  const std::size_t used = packed.size() - m_state->avail_in;
  if (code == ISAL_INCORRECT_CHECKSUM)
    return Error{"the checksum of its deflate stream does not match its content"};
  if (code != ISAL_DECOMP_OK)
    return Error{fmt::format("its deflate stream is damaged before byte {}", grouped(used))};
  if (m_state->block_state == ISAL_BLOCK_FINISH) return made;
  if (m_state->avail_out == 0)
    return Error{fmt::format("its deflate stream contains more than {} bytes", grouped(to.size()))};
  return Error{fmt::format("its deflate stream is truncated at byte {}", grouped(used))};
}

Result<std::size_t> Hdf5Unpacker::undo(const Hdf5Filter& filter, std::span<const std::byte> packed,
                                       std::span<std::byte> to) {
  if (filter.kind == Hdf5Filter::Kind::Deflate) return inflate(packed, to);
  if (filter.kind == Hdf5Filter::Kind::Lzf) return unpackLzf(packed, to);
  if (packed.size() > to.size()) return otherHdf5Size(packed.size(), to.size());
  unshuffle(packed, to.data(), filter.width);
  return packed.size();
}

Status Hdf5Unpacker::unpack(std::span<const Hdf5Filter> filters, std::uint32_t skipped,
                            std::span<const std::byte> packed, std::span<std::byte> to) {
  // The checksum may be part of the compressed data.
  const std::size_t most = to.size() + kFletcherBytes * filters.size();
  std::span<const std::byte> bytes = packed;
  int used = 0;
  for (std::size_t i = filters.size(); i-- > 0;) {
    if ((skipped >> i & 1U) != 0) continue;
    const Hdf5Filter& filter = filters[i];
    if (filter.kind == Hdf5Filter::Kind::Fletcher32) {
      MILLRACE_ASSIGN_OR_RETURN(bytes, checkedSum(bytes));
      continue;
    }
    if (filter.kind == Hdf5Filter::Kind::Shuffle && filter.width < 2) continue;
    // The first filter is undone last: write its output directly to the destination.
    const std::span<std::byte> room =
        i == 0 ? to : std::span<std::byte>(m_memory[used].reserve(most), most);
    used ^= 1;
    MILLRACE_ASSIGN_OR_RETURN(const auto made, undo(filter, bytes, room));
    bytes = room.first(made);
  }
  if (bytes.size() != to.size()) return otherHdf5Size(bytes.size(), to.size());
  if (bytes.data() != to.data() && !to.empty()) std::memcpy(to.data(), bytes.data(), bytes.size());
  return {};
}

}  // namespace millrace
