// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "core/codecs/codec.h"
#include "core/codecs/png/png_head.h"
#include "core/data/buffer.h"

namespace millrace::png {

/// Cuts the needed columns from unfiltered rows and converts them to the requested form, with the
/// same results as the library's path (core/codecs/png.cpp): grey with few bits is scaled to the
/// full range except for Index, indices after the palette's end are black, alpha is dropped. For
/// use by one thread.
class RowWriter {
 public:
  /// Prepares for the rows of one picture; `left` and `width` in pixels.
  void begin(const Head& head, PixelForm form, int left, int width);

  int channels() const { return m_channels; }
  /// The number of bytes of a converted row.
  std::size_t bytes() const {
    return static_cast<std::size_t>(m_width) * static_cast<std::size_t>(m_channels);
  }
  /// Whether the first bytes of a row already are the result, so that write() is not needed.
  bool isPlain() const { return m_step == Step::Copy && m_left == 0 && m_bits == 8; }
  /// `row` starts at column 0 and must extend to the last needed column.
  void write(const std::uint8_t* row, std::uint8_t* to);

 private:
  enum class Step : std::uint8_t {
    Copy,
    GreyByTable,
    RgbByTable,
    FirstOfTwo,
    RgbOfFirstOfTwo,
    GreyOfRgb,
    GreyOfRgba,
    RgbOfRgba,
  };
  static Step stepFor(const Head& head, PixelForm form);
  void fillTables(const Head& head);
  const std::uint8_t* samples(const std::uint8_t* row);

  Step m_step = Step::Copy;
  int m_channels = 3;
  int m_bits = 8;                ///< per sample
  std::size_t m_pixelBytes = 1;  ///< bytes of a pixel with 8 bits per sample
  int m_left = 0;
  int m_width = 0;
  std::array<std::array<std::uint8_t, 4>, 256> m_rgb{};  ///< four bytes each, so that one move
                                                         ///< copies an entry
  std::array<std::uint8_t, 256> m_grey{};
  Buffer m_unpacked;
};

}  // namespace millrace::png
