// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/animation_canvas.h"

#include <xxhash.h>

#include <algorithm>

namespace millrace {

namespace {

constexpr int kChannels = 4;
constexpr unsigned kOpaque = 255;

/// The part of `place` on a canvas of this size; empty: none.
Rect cutOff(Rect place, Size size) {
  const int left = std::clamp(place.x, 0, size.width);
  const int top = std::clamp(place.y, 0, size.height);
  const int right = std::min(size.width, place.x + place.width);
  const int bottom = std::min(size.height, place.y + place.height);
  return {left, top, std::max(right - left, 0), std::max(bottom - top, 0)};
}

/// Colour and alpha over colour and alpha, which are not multiplied (Portable Network Graphics,
/// "Blending"), to the nearest value.
void blend(const std::uint8_t* over, std::uint8_t* to) {
  const unsigned alpha = over[3];
  if (alpha == 0) return;
  const unsigned below = to[3] * (kOpaque - alpha);  // times 255
  const unsigned total = alpha * kOpaque + below;    // times 255
  for (int c = 0; c < 3; ++c)
    to[c] =
        static_cast<std::uint8_t>((over[c] * alpha * kOpaque + to[c] * below + total / 2) / total);
  to[3] = static_cast<std::uint8_t>((total + kOpaque / 2) / kOpaque);
}

}  // namespace

std::uint8_t* AnimationCanvas::at(int x, int y) const {
  return m_pixels + (std::ptrdiff_t{y} * m_size.width + x) * kChannels;
}

std::size_t AnimationCanvas::drawn(std::span<const std::byte> file, std::size_t frames) {
  const std::uint64_t hash = XXH3_64bits(file.data(), file.size());
  if (hash != m_file || m_frames > frames) m_frames = 0;
  m_file = hash;
  return m_frames;
}

void AnimationCanvas::begin(Size size, const Colour& colour) {
  m_size = size;
  m_colour = colour;
  m_frames = 0;
  m_pixels = m_whole.reserve(size, kChannels);
  m_last = {{0, 0, size.width, size.height}, false, Disposal::Clear};
}

void AnimationCanvas::disposeLast() {
  const Rect place = m_last.place;
  const auto bytes = static_cast<std::size_t>(place.width) * kChannels;
  const auto* before = reinterpret_cast<const std::uint8_t*>(m_before.data());
  for (int y = 0; y < place.height && m_last.disposal != Disposal::Keep; ++y) {
    std::uint8_t* to = at(place.x, place.y + y);
    if (m_last.disposal == Disposal::Restore)
      std::copy_n(before + static_cast<std::size_t>(y) * bytes, bytes, to);
    else
      for (int x = 0; x < place.width; ++x) {
        to = std::ranges::copy(m_colour, to).out;
        *to++ = 0;
      }
  }
}

void AnimationCanvas::draw(const FrameStep& frame, const ImageView& pixels) {
  disposeLast();
  const bool blends = frame.blends && m_frames > 0;
  ++m_frames;
  m_last = frame;
  const Rect place = cutOff(frame.place, m_size);
  m_last.place = place;
  const auto bytes = static_cast<std::size_t>(place.width) * kChannels;
  auto* before = frame.disposal == Disposal::Restore
                     ? reinterpret_cast<std::uint8_t*>(
                           m_before.reserve(bytes * static_cast<std::size_t>(place.height)))
                     : nullptr;
  for (int y = 0; y < place.height; ++y) {
    const std::uint8_t* from = pixels.row(place.y - frame.place.y + y) +
                               std::ptrdiff_t{place.x - frame.place.x} * kChannels;
    std::uint8_t* const to = at(place.x, place.y + y);
    if (before != nullptr) std::copy_n(to, bytes, before + static_cast<std::size_t>(y) * bytes);
    if (!blends)
      std::copy_n(from, bytes, to);
    else
      for (int x = 0; x < place.width; ++x) blend(from + x * kChannels, to + x * kChannels);
  }
}

}  // namespace millrace
