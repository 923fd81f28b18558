// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/png/row_writer.h"

#include <cstring>

#include "core/codecs/pixel_rows.h"

namespace millrace::png {
namespace {

/// Unpacks samples of `kBits` bits, highest first, to one byte each, for `bytes` whole bytes.
template <unsigned kBits>
void unpack(const std::uint8_t* packed, std::size_t bytes, std::uint8_t* samples) {
  constexpr unsigned kEach = 8 / kBits;
  constexpr unsigned kMask = (1U << kBits) - 1;
  for (std::size_t i = 0; i < bytes; ++i)
    for (unsigned k = 0; k < kEach; ++k)
      samples[i * kEach + k] =
          static_cast<std::uint8_t>(packed[i] >> (8 - kBits * (k + 1)) & kMask);
}

/// Copies four bytes at a time (the next pixel overwrites the last one), and three for the last
/// pixel.
template <class PixelAt>
void writeRgb(int width, std::uint8_t* to, PixelAt pixelAt) {
  for (int x = 0; x + 1 < width; ++x, to += 3) std::memcpy(to, pixelAt(x), 4);
  std::memcpy(to, pixelAt(width - 1), 3);
}

}  // namespace

RowWriter::Step RowWriter::stepFor(const Head& head, PixelForm form) {
  const bool wantsGrey = form == PixelForm::Grey;
  switch (head.colour) {
    case ColourType::Grey:
    case ColourType::Palette:
      if (form == PixelForm::Rgb) return Step::RgbByTable;
      if (form == PixelForm::Index) return Step::Copy;
      return head.colour == ColourType::Grey && head.bitDepth == 8 ? Step::Copy : Step::GreyByTable;
    case ColourType::GreyAlpha:
      return form == PixelForm::Rgb ? Step::RgbOfFirstOfTwo : Step::FirstOfTwo;
    case ColourType::Rgb: return wantsGrey ? Step::GreyOfRgb : Step::Copy;
    case ColourType::Rgba: return wantsGrey ? Step::GreyOfRgba : Step::RgbOfRgba;
  }
  return Step::Copy;
}

void RowWriter::fillTables(const Head& head) {
  const std::size_t last = (std::size_t{1} << static_cast<unsigned>(head.bitDepth)) - 1;
  for (std::size_t i = 0; i <= last; ++i) {
    std::array<std::uint8_t, 3> colour = head.palette[i];
    if (head.colour == ColourType::Grey) colour.fill(static_cast<std::uint8_t>(i * 255 / last));
    m_rgb[i] = {colour[0], colour[1], colour[2], 0};
    m_grey[i] = colour[0];
    if (head.colour == ColourType::Palette) rgbToGrey(colour.data(), &m_grey[i], 1);
  }
}

void RowWriter::begin(const Head& head, PixelForm form, int left, int width) {
  m_step = stepFor(head, form);
  m_bits = head.bitDepth;
  m_pixelBytes = static_cast<std::size_t>(head.channels());
  m_left = left;
  m_width = width;
  const bool isColour = head.colour == ColourType::Rgb || head.colour == ColourType::Rgba;
  m_channels = form == PixelForm::Rgb || (form == PixelForm::Index && isColour) ? 3 : 1;
  if (m_step == Step::GreyByTable || m_step == Step::RgbByTable) fillTables(head);
  // Up to 7 more samples on each side share a byte with a needed one.
  if (m_bits < 8) m_unpacked.reserve(static_cast<std::size_t>(width) + 16);
  if (m_step == Step::GreyOfRgba) m_unpacked.reserve(static_cast<std::size_t>(width) * 3);
}

/// The needed pixels with 8 bits per sample.
const std::uint8_t* RowWriter::samples(const std::uint8_t* row) {
  if (m_bits == 8) return row + static_cast<std::size_t>(m_left) * m_pixelBytes;
  const int each = 8 / m_bits;
  const int first = m_left / each;
  const auto bytes = static_cast<std::size_t>((m_left + m_width + each - 1) / each - first);
  auto* to = reinterpret_cast<std::uint8_t*>(m_unpacked.data());
  if (m_bits == 1)
    unpack<1>(row + first, bytes, to);
  else if (m_bits == 2)
    unpack<2>(row + first, bytes, to);
  else
    unpack<4>(row + first, bytes, to);
  return to + m_left % each;
}

void RowWriter::write(const std::uint8_t* row, std::uint8_t* to) {
  const std::uint8_t* from = samples(row);
  switch (m_step) {
    case Step::Copy: std::memcpy(to, from, bytes()); return;
    case Step::GreyByTable:
      for (int x = 0; x < m_width; ++x) to[x] = m_grey[from[x]];
      return;
    case Step::RgbByTable:
      writeRgb(m_width, to, [this, from](int x) { return m_rgb[from[x]].data(); });
      return;
    case Step::FirstOfTwo:
      for (int x = 0; x < m_width; ++x) to[x] = from[2 * x];
      return;
    case Step::RgbOfFirstOfTwo:
      for (int x = 0; x < m_width; ++x) to[3 * x] = to[3 * x + 1] = to[3 * x + 2] = from[2 * x];
      return;
    case Step::GreyOfRgb: rgbToGrey(from, to, m_width); return;
    case Step::GreyOfRgba: {
      auto* rgb = reinterpret_cast<std::uint8_t*>(m_unpacked.data());
      writeRgb(m_width, rgb, [from](int x) { return from + std::ptrdiff_t{4} * x; });
      rgbToGrey(rgb, to, m_width);
      return;
    }
    case Step::RgbOfRgba:
      writeRgb(m_width, to, [from](int x) { return from + std::ptrdiff_t{4} * x; });
      return;
  }
}

}  // namespace millrace::png
