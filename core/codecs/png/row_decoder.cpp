// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/png/row_decoder.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/codecs/png/unfilter.h"

namespace millrace::png {
namespace {

/// Large compared with the 32 KiB that ISA-L copies twice per piece, small compared with the cache.
constexpr std::size_t kStripBytes = std::size_t{1} << 18U;
/// The number of rows whose filters are undone before their columns are cut.
constexpr int kRowsAtOnce = 16;

std::size_t size(int value) { return static_cast<std::size_t>(value); }

bool looksUp(std::uint8_t filter) { return filter > static_cast<std::uint8_t>(Filter::Sub); }

}  // namespace

DecodeRoute RowDecoder::open(std::span<const std::byte> file) {
  m_file = file;
  return readHead(file, m_head);
}

DecodeRoute RowDecoder::decode(const StoredRequest& request, DecodedImage& image) {
  const Rect region = request.region;
  const int end = region.y + region.height;
  const bool toTheEnd = end == m_head.height;
  if (!m_stream.begin(m_file, m_head.firstData, toTheEnd)) return DecodeRoute::DataPng;
  m_writer.begin(m_head, request.form, region.x, region.width);
  m_rowBytes = m_head.bytesOf(m_head.width) + 1;
  m_usedBytes = m_head.bytesOf(region.x + region.width);
  m_pixels.reserve(m_writer.bytes() * size(region.height));
  std::byte* const zeros = m_aboveStrip.reserve(m_usedBytes);
  std::memset(zeros, 0, m_usedBytes);
  m_above = reinterpret_cast<const std::uint8_t*>(zeros);

  const int most =
      static_cast<int>(std::clamp<std::size_t>(kStripBytes / m_rowBytes, 1, size(end)));
  const int strips = (end + most - 1) / most;
  const int rows = (end + strips - 1) / strips;
  for (int row = 0; row < end; row += rows)
    if (!decodeStrip(row, std::min(row + rows, end), region)) return DecodeRoute::DataPng;
  if (toTheEnd && !m_stream.finish()) return DecodeRoute::DataPng;

  image = {};
  image.pixels = {reinterpret_cast<const std::uint8_t*>(m_pixels.data()), region.width,
                  region.height, m_writer.channels(),
                  static_cast<std::ptrdiff_t>(m_writer.bytes())};
  image.region = {0, 0, static_cast<double>(region.width), static_cast<double>(region.height)};
  return DecodeRoute::OwnPng;
}

std::uint8_t* RowDecoder::stripRow(int row) {
  return reinterpret_cast<std::uint8_t*>(m_strip.data()) + size(row - m_stripFirst) * m_rowBytes;
}

std::uint8_t* RowDecoder::target(int row, const Rect& region) {
  return reinterpret_cast<std::uint8_t*>(m_pixels.data()) + size(row - region.y) * m_writer.bytes();
}

/// Rows above the region are only needed if rows below refer to the row above.
int RowDecoder::firstNeeded(int first, int end, const Rect& region) {
  int row = std::min(region.y, end - 1);
  while (row > first && looksUp(*stripRow(row))) --row;
  return std::max(row, first);
}

bool RowDecoder::decodeStrip(int first, int end, const Rect& region) {
  // The library reads a row together with the filter type of the next one, and rejects both
  // together.
  const bool hasNext = end == region.y + region.height && end < m_head.height;
  const std::size_t bytes = size(end - first) * m_rowBytes + (hasNext ? 1 : 0);
  m_strip.reserve(bytes);
  m_stripFirst = first;
  if (!m_stream.read(stripRow(first), bytes)) return false;
  for (int row = first; row < end + (hasNext ? 1 : 0); ++row)
    if (*stripRow(row) > kLastFilter) return false;
  for (int row = firstNeeded(first, end, region); row < end; row += kRowsAtOnce)
    decodeRows(row, std::min(row + kRowsAtOnce, end), region);
  // The strip's last row is still needed when the next strip overwrites it.
  if (m_above == stripRow(end - 1) + 1) {
    std::memcpy(m_aboveStrip.data(), m_above, m_usedBytes);
    m_above = reinterpret_cast<const std::uint8_t*>(m_aboveStrip.data());
  }
  return true;
}

void RowDecoder::decodeRows(int first, int end, const Rect& region) {
  std::array<FilteredRow, kRowsAtOnce> rows;
  for (int row = first; row < end; ++row) {
    std::uint8_t* const bytes = stripRow(row) + 1;
    const bool straight = m_writer.isPlain() && row >= region.y;
    rows[size(row - first)] = {static_cast<Filter>(bytes[-1]), bytes,
                               straight ? target(row, region) : bytes};
  }
  unfilter(std::span(rows).first(size(end - first)), m_above, m_head.filterPixelBytes(),
           m_usedBytes);
  m_above = rows[size(end - first - 1)].to;
  if (m_writer.isPlain()) return;
  for (int row = std::max(first, region.y); row < end; ++row)
    m_writer.write(stripRow(row) + 1, target(row, region));
}

}  // namespace millrace::png
