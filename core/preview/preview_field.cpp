// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/preview/preview_field.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/codecs/codec.h"
#include "core/codecs/encode.h"
#include "core/kernels/half.h"
#include "core/kernels/pass/pixel_pass.h"

namespace millrace {

namespace {

template <class T, class F>
void append(const TensorView& view, std::vector<double>& out, F convert) {
  const T* data = view.as<T>();
  for (std::size_t i = 0; i < view.bytes / sizeof(T); ++i)
    out.push_back(static_cast<double>(convert(data[i])));
}

template <class T>
void append(const TensorView& view, std::vector<double>& out) {
  append<T>(view, out, [](T value) { return value; });
}

/// 8-bit pixels in packed rows.
struct Pixels {
  int width = 0;
  int height = 0;
  int channels = 0;
  std::vector<std::uint8_t> bytes;

  ImageView view() const {
    return {bytes.data(), width, height, channels, std::ptrdiff_t{width} * channels};
  }
};

/// The memory layout of a picture's elements.
struct Grid {
  std::size_t width = 0;
  std::size_t height = 0;
  std::size_t channels = 0;
  bool planar = false;

  std::size_t at(std::size_t pixel, std::size_t channel) const {
    return planar ? channel * width * height + pixel : pixel * channels + channel;
  }
};

std::optional<Grid> gridOf(const TensorView& view) {
  Grid grid;
  if (view.layout == Layout::Plain) {
    if (view.shape.rank() != 2) return std::nullopt;
    grid = {static_cast<std::size_t>(view.shape[1]), static_cast<std::size_t>(view.shape[0]), 1,
            false};
  } else {
    if (view.shape.rank() != 3) return std::nullopt;
    grid = {static_cast<std::size_t>(view.width()), static_cast<std::size_t>(view.height()),
            static_cast<std::size_t>(view.channels()), view.layout == Layout::Chw};
  }
  if (grid.width == 0 || grid.height == 0 || grid.channels == 0) return std::nullopt;
  return grid;
}

/// The class of a mask's pixel: its value, or the channel with the greatest one.
double classAt(const Grid& grid, const std::vector<double>& elements, std::size_t pixel) {
  if (grid.channels == 1) return elements[grid.at(pixel, 0)];
  std::size_t best = 0;
  for (std::size_t c = 1; c < grid.channels; ++c)
    if (elements[grid.at(pixel, c)] > elements[grid.at(pixel, best)]) best = c;
  return static_cast<double>(best);
}

/// The whole number that a mask's value means; 0 if it is not finite.
std::int64_t classIn(double value) {
  return std::isfinite(value) ? static_cast<std::int64_t>(std::clamp(value, -1e9, 1e9)) : 0;
}

Pixels maskPixels(const Grid& grid, const std::vector<double>& elements) {
  Pixels pixels{static_cast<int>(grid.width), static_cast<int>(grid.height), 3, {}};
  pixels.bytes.reserve(grid.width * grid.height * 3);
  for (std::size_t p = 0; p < grid.width * grid.height; ++p)
    for (const std::uint8_t value : classColour(classIn(classAt(grid, elements, p))))
      pixels.bytes.push_back(value);
  return pixels;
}

Pixels colourPixels(const Grid& grid, const std::vector<double>& elements, bool isFloating) {
  const std::optional<FieldStatistics> found = statisticsOf(elements);
  double low = 0;
  double high = 255;
  if (isFloating && found) {
    const bool isUnit = found->minimum >= 0 && found->maximum <= 1;
    low = isUnit ? 0 : found->minimum;
    high = isUnit ? 1 : found->maximum;
  }
  const double scale = high > low ? 255 / (high - low) : 0;
  const std::size_t channels = grid.channels < 3 ? 1 : 3;
  Pixels pixels{
      static_cast<int>(grid.width), static_cast<int>(grid.height), static_cast<int>(channels), {}};
  pixels.bytes.reserve(grid.width * grid.height * channels);
  for (std::size_t p = 0; p < grid.width * grid.height; ++p)
    for (std::size_t c = 0; c < channels; ++c) {
      const double value = (elements[grid.at(p, c)] - low) * scale;
      const double clamped = std::isfinite(value) ? std::clamp(value, 0.0, 255.0) : 0;
      pixels.bytes.push_back(static_cast<std::uint8_t>(std::lround(clamped)));
    }
  return pixels;
}

/// An encoded picture as its file has it: of a mask the indices, not their colours.
std::optional<Pixels> filePixels(const FieldSpec& spec, const TensorView& view) {
  ImageDecoder decoder;
  if (!decoder.open(view.content())) return std::nullopt;
  DecodeRequest request;
  if (spec.role == Role::Mask) request.form = PixelForm::Index;
  const auto image = decoder.decode(request);
  if (!image) return std::nullopt;
  const ImageView& from = image->pixels;
  Pixels pixels{from.width, from.height, from.channels, {}};
  for (int y = 0; y < from.height; ++y)
    pixels.bytes.insert(pixels.bytes.end(), from.row(y),
                        from.row(y) + std::ptrdiff_t{from.width} * from.channels);
  return pixels;
}

/// A picture's elements with their order in memory.
struct Elements {
  Grid grid;
  std::vector<double> values;
};

std::optional<Elements> pictureElements(const FieldSpec& spec, const TensorView& view) {
  Elements elements;
  if (view.dtype == DType::Encoded) {
    const std::optional<Pixels> pixels = filePixels(spec, view);
    if (!pixels) return std::nullopt;
    elements.grid = {static_cast<std::size_t>(pixels->width),
                     static_cast<std::size_t>(pixels->height),
                     static_cast<std::size_t>(pixels->channels), false};
    elements.values.assign(pixels->bytes.begin(), pixels->bytes.end());
    return elements;
  }
  const std::optional<Grid> grid = gridOf(view);
  if (!grid) return std::nullopt;
  elements.grid = *grid;
  elements.values = elementsOf(view);
  if (elements.values.size() < grid->width * grid->height * grid->channels) return std::nullopt;
  return elements;
}

/// Three channels that are not one-hot are colours.
bool isIndexMask(const FieldSpec& spec, const Grid& grid, bool isEncoded) {
  if (spec.role != Role::Mask) return false;
  return isEncoded ? grid.channels == 1 : grid.channels != 3 || spec.oneHot;
}

Pixels shrunk(Pixels from, Filter filter, int most) {
  const int longest = std::max(from.width, from.height);
  if (longest <= most) return from;
  const auto side = [&](int size) {
    return static_cast<int>(std::max<std::int64_t>(1, std::int64_t{size} * most / longest));
  };
  Pixels to{side(from.width), side(from.height), from.channels, {}};
  PixelPassSpec spec = wholeImage({from.width, from.height}, {to.width, to.height});
  spec.filter = filter;
  to.bytes.resize(outputBytes({to.width, to.height}, to.channels, {}));
  PixelPass().run(from.view(), spec, {}, reinterpret_cast<std::byte*>(to.bytes.data()));
  return to;
}

std::optional<Pixels> pixelsOf(const FieldSpec& spec, const TensorView& view) {
  const bool isEncoded = view.dtype == DType::Encoded;
  if (isEncoded && spec.role != Role::Mask) return filePixels(spec, view);
  const std::optional<Elements> elements = pictureElements(spec, view);
  if (!elements) return std::nullopt;
  if (isIndexMask(spec, elements->grid, isEncoded))
    return maskPixels(elements->grid, elements->values);
  return colourPixels(elements->grid, elements->values, isFloat(view.dtype));
}

}  // namespace

std::array<std::uint8_t, 3> classColour(std::int64_t which) {
  const auto index = static_cast<double>(which);
  if (which == 0) return {0, 0, 0};
  const double hue = std::fmod(index * 0.61803398875, 1.0) * 6;
  const double low = std::fmod(index, 3.0) < 1.5 ? 40 : 90;
  std::array<std::uint8_t, 3> colour{};
  for (std::size_t c = 0; c < 3; ++c) {
    const double distance = std::abs(std::fmod(hue + 6 - 2.0 * static_cast<double>(c), 6.0) - 3);
    colour[c] = static_cast<std::uint8_t>(low + (230 - low) * std::clamp(distance - 1, 0.0, 1.0));
  }
  return colour;
}

std::vector<double> elementsOf(const TensorView& view) {
  std::vector<double> out;
  out.reserve(view.bytes / sizeOf(view.dtype));
  switch (view.dtype) {
    case DType::U8: append<std::uint8_t>(view, out); break;
    case DType::I8: append<std::int8_t>(view, out); break;
    case DType::U16: append<std::uint16_t>(view, out); break;
    case DType::I16: append<std::int16_t>(view, out); break;
    case DType::I32: append<std::int32_t>(view, out); break;
    case DType::I64: append<std::int64_t>(view, out); break;
    case DType::F16: append<std::uint16_t>(view, out, f32FromF16); break;
    case DType::BF16: append<std::uint16_t>(view, out, f32FromBf16); break;
    case DType::F32: append<float>(view, out); break;
    case DType::F64: append<double>(view, out); break;
    case DType::Encoded: break;
  }
  return out;
}

std::optional<FieldStatistics> statisticsOf(const std::vector<double>& elements) {
  FieldStatistics statistics;
  std::size_t count = 0;
  for (const double value : elements) {
    if (!std::isfinite(value)) continue;
    statistics.minimum = count == 0 ? value : std::min(statistics.minimum, value);
    statistics.maximum = count == 0 ? value : std::max(statistics.maximum, value);
    statistics.mean += value;
    ++count;
  }
  if (count == 0) return std::nullopt;
  statistics.mean /= static_cast<double>(count);
  return statistics;
}

std::optional<std::vector<std::byte>> previewPng(const FieldSpec& spec, const TensorView& view,
                                                 int side) {
  if (!isPicture(spec.role)) return std::nullopt;
  std::optional<Pixels> pixels = pixelsOf(spec, view);
  if (!pixels) return std::nullopt;
  const Filter filter = spec.role == Role::Mask ? Filter::Nearest : Filter::Bilinear;
  auto png = encodePng(shrunk(std::move(*pixels), filter, side).view());
  if (!png) return std::nullopt;
  return png.take();
}

std::optional<PictureValues> pictureValues(const FieldSpec& spec, const TensorView& view) {
  if (!isPicture(spec.role)) return std::nullopt;
  const std::optional<Elements> elements = pictureElements(spec, view);
  if (!elements) return std::nullopt;
  const Grid& grid = elements->grid;
  const std::size_t pixels = grid.width * grid.height;
  if (pixels * grid.channels > kMostPictureValues) return std::nullopt;
  PictureValues values{static_cast<int>(grid.width),
                       static_cast<int>(grid.height),
                       static_cast<int>(grid.channels),
                       {}};
  values.values.reserve(pixels * grid.channels);
  for (std::size_t p = 0; p < pixels; ++p)
    for (std::size_t c = 0; c < grid.channels; ++c)
      values.values.push_back(static_cast<float>(elements->values[grid.at(p, c)]));
  return values;
}

std::vector<MaskClass> maskClassesOf(const FieldSpec& spec, const TensorView& view) {
  constexpr std::size_t kMostClasses = 256;
  if (spec.role != Role::Mask) return {};
  const std::optional<Elements> elements = pictureElements(spec, view);
  if (!elements || !isIndexMask(spec, elements->grid, view.dtype == DType::Encoded)) return {};
  const std::size_t pixels = elements->grid.width * elements->grid.height;
  std::map<std::int64_t, std::size_t> counts;
  for (std::size_t p = 0; p < pixels; ++p) {
    const double index = classAt(elements->grid, elements->values, p);
    if (std::isfinite(index)) ++counts[classIn(index)];
  }
  std::vector<MaskClass> classes;
  for (const auto& [index, count] : counts) {
    if (classes.size() == kMostClasses) break;
    classes.push_back(
        {index, static_cast<double>(count) / static_cast<double>(pixels), classColour(index), {}});
  }
  return classes;
}

}  // namespace millrace
