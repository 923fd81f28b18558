// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "core/codecs/codec_entry.h"
#include "core/codecs/png/data_stream.h"
#include "core/codecs/png/png_head.h"
#include "core/codecs/png/row_writer.h"
#include "core/data/buffer.h"

namespace millrace::png {

/// Decodes ordinary PNG files (8 bits per sample, or packed grey and palettes, without interlace).
/// It is designed for decoding a region: a strip of rows that fits the second-level cache is
/// decompressed, filters are undone up to the region's last column, and the needed columns are
/// written to their destination; nothing is read after the filter type of the row below the region.
/// Its pixels equal the library's. Any file in which it finds something wrong (see data_stream.h)
/// can be decoded by the library instead. For use by one thread; keeps its memory, and never
/// allocates more than a row and what the region needs because of what a header says.
class RowDecoder {
 public:
  /// Reads the header. Returns DecodeRoute::OwnPng if it can decode the file; `file` must then
  /// outlive the decodes.
  DecodeRoute open(std::span<const std::byte> file);
  const Head& head() const { return m_head; }

  /// After open() returned OwnPng, any number of times. Returns OwnPng and fills `image`, or
  /// returns DataPng and leaves `image` unchanged. The pixels are valid until the next call.
  DecodeRoute decode(const StoredRequest& request, DecodedImage& image);

 private:
  bool decodeStrip(int first, int end, const Rect& region);
  void decodeRows(int first, int end, const Rect& region);
  int firstNeeded(int first, int end, const Rect& region);
  std::uint8_t* stripRow(int row);
  std::uint8_t* target(int row, const Rect& region);

  std::span<const std::byte> m_file;
  Head m_head;

  // Valid during one decode.
  std::size_t m_rowBytes = 0;   ///< including the filter byte
  std::size_t m_usedBytes = 0;  ///< unfiltered bytes of a row, up to the region's last column
  int m_stripFirst = 0;         ///< the strip's first row
  const std::uint8_t* m_above = nullptr;  ///< unfiltered bytes of the previous row

  // Kept between decodes.
  DataStream m_stream;
  RowWriter m_writer;
  Buffer m_strip;
  Buffer m_aboveStrip;
  Buffer m_pixels;
};

}  // namespace millrace::png
