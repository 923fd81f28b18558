// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "core/codecs/codec.h"
#include "core/codecs/png/png_head.h"
#include "core/data/buffer.h"

namespace millrace::png {

/// Cuts the wanted columns out of plain rows and makes them what was asked for, with the results of
/// the library's path (core/codecs/png.cpp): few bits of grey are spread over the full range except
/// as Index, indices behind the palette's end are black, alpha is dropped. One thread.
class RowWriter {
 public:
  /// For the rows of one picture; `left` and `width` in pixels.
  void begin(const Head& head, PixelForm form, int left, int width);

  int channels() const { return m_channels; }
  /// Bytes that a row becomes.
  std::size_t bytes() const {
    return static_cast<std::size_t>(m_width) * static_cast<std::size_t>(m_channels);
  }
  /// A row's first bytes are what is asked for as they are: nobody needs to `write` them.
  bool isPlain() const { return m_step == Step::Copy && m_left == 0 && m_bits == 8; }
  /// `row` from its first column on, up to the last one wanted.
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
  int m_bits = 8;                ///< of a sample
  std::size_t m_pixelBytes = 1;  ///< of a pixel of 8 bits a sample
  int m_left = 0;
  int m_width = 0;
  std::array<std::array<std::uint8_t, 4>, 256> m_rgb{};  ///< four bytes, so that one move does it
  std::array<std::uint8_t, 256> m_grey{};
  Buffer m_unpacked;
};

}  // namespace millrace::png
