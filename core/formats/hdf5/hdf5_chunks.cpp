// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/hdf5/hdf5_chunks.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace {

namespace {

std::size_t hdf5Product(std::span<const std::uint64_t> sizes) {
  std::size_t product = 1;
  for (const std::uint64_t size : sizes) product *= size;
  return product;
}

std::vector<std::size_t> hdf5Strides(std::span<const std::uint64_t> sizes, std::size_t element) {
  std::vector<std::size_t> strides(sizes.size());
  for (std::size_t i = sizes.size(); i-- > 0; element *= sizes[i]) strides[i] = element;
  return strides;
}

Error inChunk(const Hdf5Chunk& chunk, const std::string& message) {
  return Error{fmt::format("the chunk at byte {}: {}", grouped(chunk.offset), message)};
}

}  // namespace

std::size_t Hdf5Chunks::bytes() const { return hdf5Product(sides) * elementBytes; }
std::size_t Hdf5Chunks::rowBytes() const {
  return hdf5Product(std::span(axes).subspan(1)) * elementBytes;
}
std::size_t Hdf5Chunks::perBand() const { return hdf5Product(std::span(counts).subspan(1)); }

void Hdf5ChunkReader::bind(int file, std::uint64_t fileBytes, const Hdf5Chunks& chunks) {
  if (m_file == file && m_chunks == &chunks) return;
  m_file = file;
  m_fileBytes = fileBytes;
  m_chunks = &chunks;
  m_chunkStrides = hdf5Strides(chunks.sides, chunks.elementBytes);
  m_rowStrides = hdf5Strides(chunks.axes, chunks.elementBytes);
  m_lengths.assign(chunks.axes.size(), 0);
  m_held = kNone;
}

Status Hdf5ChunkReader::checkPlace(const Hdf5Chunk& chunk) const {
  if (chunk.offset <= m_fileBytes && chunk.bytes <= m_fileBytes - chunk.offset) return {};
  return inChunk(chunk, fmt::format("its {} bytes are not within the file, which has {}",
                                    grouped(chunk.bytes), grouped(m_fileBytes)));
}

Status Hdf5ChunkReader::unpackBand(std::uint64_t band, ReadCounters& counters) {
  const std::size_t count = m_chunks->perBand();
  const std::size_t bytes = m_chunks->bytes();
  m_held = kNone;
  std::byte* to = m_band.reserve(count * bytes);
  for (std::size_t i = 0; i < count; ++i, to += bytes) {
    const Hdf5Chunk& chunk = m_chunks->list[band * count + i];
    MILLRACE_TRY(checkPlace(chunk));
    const auto packed = m_packed.read(m_file, chunk.offset, chunk.bytes, counters);
    if (!packed) return inChunk(chunk, packed.error().message);
    if (Status done = m_unpacker.unpack(m_chunks->filters, chunk.skipped, *packed, {to, bytes});
        !done)
      return inChunk(chunk, done.error().message);
  }
  m_held = band;
  return {};
}

/// Copies the chunk's part of a sample: runs along the last axis.
void Hdf5ChunkReader::copyPart(std::size_t axis, const std::byte* from, std::byte* to) const {
  const std::size_t rank = m_lengths.size();
  if (axis + 1 >= rank) {
    std::memcpy(to, from, (axis < rank ? m_lengths[axis] : 1) * m_chunks->elementBytes);
    return;
  }
  for (std::uint64_t i = 0; i < m_lengths[axis]; ++i)
    copyPart(axis + 1, from + i * m_chunkStrides[axis], to + i * m_rowStrides[axis]);
}

Status Hdf5ChunkReader::readTo(std::uint64_t row, std::span<std::byte> to, ReadCounters& counters) {
  const Hdf5Chunks& chunks = *m_chunks;
  const std::size_t count = chunks.perBand();
  const std::uint64_t band = row / chunks.sides[0];
  const std::size_t within = row % chunks.sides[0] * m_chunkStrides[0];
  const bool whole = count == 1 && m_chunkStrides[0] == to.size();
  if (whole && chunks.filters.empty()) {
    const Hdf5Chunk& chunk = chunks.list[band];
    if (chunk.bytes < within + to.size())
      return inChunk(chunk, fmt::format("it has only {} bytes", grouped(chunk.bytes)));
    MILLRACE_TRY(checkPlace(chunk));
    return m_packed.readTo(m_file, chunk.offset + within, to, counters);
  }
  if (m_held != band) MILLRACE_TRY(unpackBand(band, counters));
  if (whole) {
    std::memcpy(to.data(), m_band.data() + within, to.size());
    return {};
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t place = 0;
    std::size_t number = i;
    for (std::size_t axis = chunks.axes.size(); axis-- > 1; number /= chunks.counts[axis]) {
      const std::uint64_t begin = number % chunks.counts[axis] * chunks.sides[axis];
      m_lengths[axis] = std::min(chunks.sides[axis], chunks.axes[axis] - begin);
      place += begin * m_rowStrides[axis];
    }
    copyPart(1, m_band.data() + i * chunks.bytes() + within, to.data() + place);
  }
  return {};
}

}  // namespace millrace
