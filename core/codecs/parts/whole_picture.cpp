// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/parts/whole_picture.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/codecs/pixel_rows.h"

namespace millrace {

std::uint8_t* WholePicture::reserve(Size size, int channels) {
  m_size = size;
  m_channels = channels;
  m_palette.reset();
  return reinterpret_cast<std::uint8_t*>(m_samples.reserve(bytes()));
}

DecodedImage WholePicture::part(Rect region, PixelForm form) {
  const bool isColour = m_channels >= 3;
  const bool asColour = form == PixelForm::Rgb || (form == PixelForm::Index && isColour);
  const int channels = form == PixelForm::Rgba ? 4 : (asColour ? 3 : 1);
  const std::ptrdiff_t rowBytes = std::ptrdiff_t{region.width} * channels;
  auto* pixels = reinterpret_cast<std::uint8_t*>(
      m_part.reserve(static_cast<std::size_t>(rowBytes) * static_cast<std::size_t>(region.height)));
  const auto* samples = reinterpret_cast<const std::uint8_t*>(m_samples.data());
  for (int y = 0; y < region.height; ++y)
    convertRow(samples + static_cast<std::size_t>(region.y + y) * stride() +
                   static_cast<std::size_t>(region.x) * static_cast<std::size_t>(m_channels),
               region.width, form, pixels + y * rowBytes);
  DecodedImage image;
  image.pixels = {pixels, region.width, region.height, channels, rowBytes};
  image.region = {0, 0, static_cast<double>(region.width), static_cast<double>(region.height)};
  return image;
}

void WholePicture::convertRow(const std::uint8_t* from, int width, PixelForm form,
                              std::uint8_t* to) const {
  const bool isColour = m_channels >= 3;
  const bool asIndex = form == PixelForm::Index && !isColour;
  for (int x = 0; x < width; ++x, from += m_channels) {
    if (asIndex || (form == PixelForm::Grey && !isColour && !m_palette)) {
      *to++ = from[0];
      continue;
    }
    std::array<std::uint8_t, 3> rgb{from[0], from[0], from[0]};
    if (isColour) std::copy_n(from, 3, rgb.begin());
    if (m_palette) rgb = (*m_palette)[from[0]];
    if (form == PixelForm::Grey)
      rgbToGrey(rgb.data(), to++, 1);
    else
      to = std::copy_n(rgb.begin(), 3, to);
    if (form == PixelForm::Rgba) *to++ = alphaOf(from);
  }
}

std::uint8_t WholePicture::alphaOf(const std::uint8_t* sample) const {
  constexpr std::uint8_t kFullAlpha = 255;
  if (m_palette) return sample[0] == m_transparent ? 0 : kFullAlpha;
  return m_channels % 2 == 0 ? sample[m_channels - 1] : kFullAlpha;
}

Error noIndexMask(std::string_view format, int bits) {
  return {fmt::format("a mask of indices with {} bits as {} is not supported; save masks as PNG",
                      bits, format)};
}

}  // namespace millrace
