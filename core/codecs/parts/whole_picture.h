// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/codecs/codec_entry.h"
#include "core/data/buffer.h"

namespace millrace {

/// A picture of 8-bit samples that a library decodes as a whole, and parts of it in every form. Its
/// memory only grows. For use by one thread.
class WholePicture {
 public:
  using Palette = std::array<std::array<std::uint8_t, 3>, 256>;

  /// Memory for interleaved samples without padding between rows, with any content. `channels`: 1
  /// grey or palette, 2 grey and alpha, 3 RGB, 4 RGB and alpha.
  std::uint8_t* reserve(Size size, int channels);
  std::size_t bytes() const { return stride() * static_cast<std::size_t>(m_size.height); }
  std::size_t stride() const {
    return static_cast<std::size_t>(m_size.width) * static_cast<std::size_t>(m_channels);
  }
  int channels() const { return m_channels; }
  /// The colours of a picture with one channel, and the index that is transparent, or -1; reserve()
  /// removes them.
  void setPalette(const Palette& palette, int transparent = -1) {
    m_palette = palette;
    m_transparent = transparent;
  }

  /// The region in the requested form; the pixels are valid until the next call.
  DecodedImage part(Rect region, PixelForm form);

 private:
  void convertRow(const std::uint8_t* from, int width, PixelForm form, std::uint8_t* to) const;
  std::uint8_t alphaOf(const std::uint8_t* sample) const;

  Size m_size;
  int m_channels = 0;
  std::optional<Palette> m_palette;
  int m_transparent = -1;
  Buffer m_samples;
  Buffer m_part;
};

/// Why a grey picture of `bits` bits, which its library scales to 8, cannot be a mask of indices.
Error noIndexMask(std::string_view format, int bits);

}  // namespace millrace
