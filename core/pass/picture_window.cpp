// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/pass/picture_window.h"

#include <algorithm>

#include <fmt/format.h>

namespace millrace {

namespace {

constexpr std::int64_t kMaxSide = 65535;
constexpr std::int64_t kMaxPixels = 256LL << 20;

Status checkSize(Size size, int ratio) {
  const std::int64_t width = std::int64_t{size.width} * ratio;
  const std::int64_t height = std::int64_t{size.height} * ratio;
  if (width <= kMaxSide && height <= kMaxSide && width * height <= kMaxPixels) return {};
  return Error{fmt::format(
      "the result would be {} x {} pixels, which is more than a picture may have", width, height)};
}

/// What to do if the sizes differ because one of the two is turned.
std::string turnedAlone(const WindowField& a, const WindowField& b) {
  if (a.turned == b.turned) return {};
  return fmt::format(
      "; {} is turned by its EXIF orientation, which `orientation` = `ignore` of the "
      "decode node prevents",
      a.turned ? a.name : b.name);
}

}  // namespace

Result<Window> startWindow(std::span<WindowField> fields, std::size_t reference,
                           std::span<const Box> boxes) {
  const auto smaller = [](const WindowField& a, const WindowField& b) {
    return a.size.width < b.size.width;
  };
  const WindowField& least = *std::min_element(fields.begin(), fields.end(), smaller);
  for (WindowField& field : fields) {
    field.ratio = field.size.width / least.size.width;
    if (times(least.size, field.ratio) != field.size)
      return Error{
          fmt::format("{} is {} x {} pixels and {} is {} x {}, which is not a whole multiple, so "
                      "one crop does not fit both{}",
                      field.name, field.size.width, field.size.height, least.name, least.size.width,
                      least.size.height, turnedAlone(field, least))};
  }
  return Window(least.size, fields[reference].ratio, boxes);
}

Box boxOf(Rect rect) {
  return {static_cast<double>(rect.x), static_cast<double>(rect.y),
          static_cast<double>(rect.x + rect.width), static_cast<double>(rect.y + rect.height)};
}

Status checkResultSize(const Window& window, int ratio) {
  MILLRACE_TRY(checkSize(window.resizedTo(), ratio));
  return window.padded() ? checkSize(window.canvas(), ratio) : Status{};
}

PixelPassSpec windowSpec(const Window& window, int ratio, Role role, const Box& region) {
  PixelPassSpec spec;
  spec.source = region;
  spec.resized = times(window.resizedTo(), ratio);
  spec.cut = times(window.cut(), ratio);
  spec.filter = role == Role::Mask ? Filter::Nearest : window.filter();
  spec.antialias = window.antialias();
  return spec;
}

}  // namespace millrace
