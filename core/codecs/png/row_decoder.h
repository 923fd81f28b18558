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

/// Decodes what PNG files in data sets usually are (8 bits a sample, or packed grey and palettes,
/// without interlace), made for "a region to pixels": a strip of rows that stays in the
/// second-level cache is unpacked, its filters are undone up to the region's last column, and the
/// wanted columns go straight to their place; nothing is read behind the filter type of the row
/// below the region. Its pixels are the library's. It takes a file only when nothing is wrong with
/// what it looked at (data_stream.h says what that is), so a caller may hand any other to the
/// library. One thread; keeps its memory, takes none on the word of a head beyond a row and what
/// the region needs.
class RowDecoder {
 public:
  /// Reads the head. DecodeRoute::OwnPng when the file is for us; `file` must then outlive the
  /// decodes.
  DecodeRoute open(std::span<const std::byte> file);
  const Head& head() const { return m_head; }

  /// After an open that gave OwnPng, any number of times. OwnPng with `image` filled; else DataPng,
  /// and `image` is untouched. The pixels live until the next call.
  DecodeRoute decode(const StoredRequest& request, DecodedImage& image);

 private:
  bool decodeStrip(int first, int end, const Rect& region);
  void decodeRows(int first, int end, const Rect& region);
  int firstNeeded(int first, int end, const Rect& region);
  std::uint8_t* stripRow(int row);
  std::uint8_t* target(int row, const Rect& region);

  std::span<const std::byte> m_file;
  Head m_head;

  // Of one decode.
  std::size_t m_rowBytes = 0;   ///< with the filter's byte
  std::size_t m_usedBytes = 0;  ///< of a row's plain bytes, up to the region's last column
  int m_stripFirst = 0;         ///< the strip's first row
  const std::uint8_t* m_above = nullptr;  ///< plain bytes of the row before the next one

  // Kept between decodes.
  DataStream m_stream;
  RowWriter m_writer;
  Buffer m_strip;
  Buffer m_aboveStrip;
  Buffer m_pixels;
};

}  // namespace millrace::png
