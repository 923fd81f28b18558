// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/image_steps.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/check.h"

namespace millrace {

Result<int> Window::fromImagePixels(std::int64_t pixels) const {
  if (pixels % m_imageRatio != 0)
    return Error{
        fmt::format("{} image pixels are not a whole number of pixels of the paired field, which "
                    "is {} times smaller",
                    pixels, m_imageRatio)};
  return static_cast<int>(pixels / m_imageRatio);
}

void Window::crop(Rect part) {
  const Size seen = size();
  MILLRACE_CHECK(part.x >= 0 && part.y >= 0 && part.width > 0 && part.height > 0 &&
                     part.x + part.width <= seen.width && part.y + part.height <= seen.height,
                 "a crop must lie within the picture");
  // Steps see the picture mirrored; the stored numbers are not.
  if (m_flipX) part.x = seen.width - part.x - part.width;
  if (m_flipY) part.y = seen.height - part.y - part.height;
  Rect& kept = m_padded ? m_view : m_resized ? m_cut : m_source;
  kept = {kept.x + part.x, kept.y + part.y, part.width, part.height};
}

void Window::resize(Size size, Filter filter, bool antialias) {
  MILLRACE_CHECK(!m_resized && !m_padded, "a window is resized at most once, before padding");
  MILLRACE_CHECK(size.width > 0 && size.height > 0, "a picture must have pixels");
  m_resized = true;
  m_resizedTo = size;
  m_cut = {0, 0, size.width, size.height};
  m_filter = filter;
  m_antialias = antialias;
}

void Window::pad(int left, int top, int right, int bottom, const PadFill& fill) {
  MILLRACE_CHECK(!m_padded, "a window is padded at most once");
  MILLRACE_CHECK(left >= 0 && top >= 0 && right >= 0 && bottom >= 0,
                 "padding must not be negative");
  const Size seen = size();
  // Steps see the picture mirrored; the stored numbers are not.
  if (m_flipX) std::swap(left, right);
  if (m_flipY) std::swap(top, bottom);
  m_padded = true;
  m_canvas = {seen.width + left + right, seen.height + top + bottom};
  m_placed = {left, top, seen.width, seen.height};
  m_view = {0, 0, m_canvas.width, m_canvas.height};
  m_fill = fill;
}

}  // namespace millrace
