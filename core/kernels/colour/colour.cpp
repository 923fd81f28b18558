// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/colour/colour.h"

#include <algorithm>
#include <numeric>

#include "core/base/check.h"
#include "core/kernels/colour/colour_strip.h"

namespace millrace {

namespace {

bool hasColour(const MutableImageView& image) { return image.channels >= 3; }

/// Calls `change` for each strip, and writes the strip back if it returns true.
template <class Change>
void forEachStrip(MutableImageView image, Change change) {
  ColourStrip strip;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; x += static_cast<int>(ColourStrip::kPixels)) {
      std::uint8_t* pixels = image.row(y) + x * image.channels;
      const int count = std::min(image.width - x, static_cast<int>(ColourStrip::kPixels));
      readStrip(pixels, image.channels, static_cast<std::size_t>(count), strip);
      if (change(strip)) writeStrip(strip, image.channels, pixels);
    }
}

float meanOfGrey(MutableImageView image) {
  std::uint64_t sum = 0;
  if (hasColour(image)) {
    forEachStrip(image, [&sum](ColourStrip& strip) {
      sum += sumOfGrey(strip);
      return false;
    });
  } else {
    for (int y = 0; y < image.height; ++y)
      sum = std::accumulate(image.row(y), image.row(y) + image.width, sum);
  }
  return static_cast<float>(static_cast<double>(sum) / image.width / image.height);
}

/// Computes value * ratio + other for the colour channels.
void blendAll(MutableImageView image, float ratio, float other) {
  if (image.channels == 4) {
    forEachStrip(image, [ratio, other](ColourStrip& strip) {
      for (std::uint8_t* channel : {strip.r, strip.g, strip.b})
        blendBytes(channel, strip.count, ratio, other);
      return true;
    });
    return;
  }
  const auto count = static_cast<std::size_t>(image.width * image.channels);
  for (int y = 0; y < image.height; ++y) blendBytes(image.row(y), count, ratio, other);
}

void adjustOnce(MutableImageView image, const ColourFactors& factors, ColourStep step) {
  if (step == ColourStep::Brightness && factors.brightness != 1) {
    blendAll(image, static_cast<float>(factors.brightness), 0);
  } else if (step == ColourStep::Contrast && factors.contrast != 1) {
    blendAll(image, static_cast<float>(factors.contrast),
             meanOfGrey(image) * restOf(factors.contrast));
  } else if (step == ColourStep::Saturation && factors.saturation != 1 && hasColour(image)) {
    forEachStrip(image, [ratio = factors.saturation](ColourStrip& strip) {
      blendWithGrey(strip, static_cast<float>(ratio), restOf(ratio));
      return true;
    });
  } else if (step == ColourStep::Hue && factors.hue != 0 && hasColour(image)) {
    forEachStrip(image, [turns = static_cast<float>(factors.hue)](ColourStrip& strip) {
      turnHue(strip, turns);
      return true;
    });
  }
}

void checkChannels(const MutableImageView& image) {
  MILLRACE_CHECK(image.channels == 1 || image.channels == 3 || image.channels == 4,
                 "colour operations need 1, 3 or 4 channels");
}

}  // namespace

void adjustColour(MutableImageView image, const ColourFactors& factors) {
  checkChannels(image);
  MILLRACE_CHECK(factors.hue >= -1 && factors.hue <= 1, "a hue shift must be at most one turn");
  for (const ColourStep step : factors.order) adjustOnce(image, factors, step);
}

void shiftChannels(MutableImageView image, const std::array<int, 4>& offsets) {
  MILLRACE_CHECK(image.channels >= 1 && image.channels <= 4, "needs 1 to 4 channels");
  for (int y = 0; y < image.height; ++y)
    for (int c = 0; c < image.channels; ++c) {
      const int offset = std::clamp(offsets[static_cast<std::size_t>(c)], -255, 255);
      std::uint8_t* row = image.row(y);
      for (int i = c; i < image.width * image.channels; i += image.channels)
        row[i] = static_cast<std::uint8_t>(std::clamp(row[i] + offset, 0, 255));
    }
}

void greyscale(MutableImageView image) {
  checkChannels(image);
  if (!hasColour(image)) return;
  forEachStrip(image, [](ColourStrip& strip) {
    toGrey(strip);
    return true;
  });
}

}  // namespace millrace
