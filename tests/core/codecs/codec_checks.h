// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtTest>

#include <array>
#include <cmath>
#include <random>
#include <span>
#include <string>

#include "core/base/text/text.h"
#include "core/codecs/codec.h"
#include "core/codecs/pixel_rows.h"
#include "core/codecs/several_pictures.h"
#include "tests/core/codecs/plain_jpeg.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

/// The error of opening and decoding; empty: it is a picture.
inline std::string messageOf(std::span<const std::byte> file, DecodeLimits limits = {}) {
  ImageDecoder decoder(limits);
  const auto info = decoder.open(file);
  if (!info) return info.error().message;
  const auto image = decoder.decode({});
  return image ? "" : image.error().message;
}

/// The whole picture as the program decodes it.
inline Picture decoded(std::span<const std::byte> file, PixelForm form = PixelForm::Rgb) {
  ImageDecoder decoder;
  if (!decoder.open(file)) return {0, 0, 3};
  const auto image = decoder.decode({.form = form, .applyOrientation = false});
  return image ? copyOf(image->pixels) : Picture(0, 0, 3);
}

/// The whole and many regions have the pixels of `whole`, RGB, and its luma.
inline void checkRegions(std::span<const std::byte> file, const Picture& whole) {
  std::mt19937 random(1);
  const Size size{whole.width, whole.height};
  Picture luma(size.width, size.height, 1);
  rgbToGrey(whole.bytes.data(), luma.bytes.data(), size.width * size.height);
  ImageDecoder decoder;
  const auto info = decoder.open(file);
  VERIFY_OK(info);
  QCOMPARE(info->storedSize, size);
  for (int i = 0; i < 60; ++i) {
    const Rect region = i == 0 ? Rect{0, 0, size.width, size.height} : randomRegion(random, size);
    const PixelForm form = i % 3 == 2 ? PixelForm::Grey : PixelForm::Rgb;
    const auto image = decoder.decode({.region = region, .form = form, .applyOrientation = false});
    VERIFY_OK(image);
    const Picture& wanted = form == PixelForm::Grey ? luma : whole;
    const QString found = difference(image->pixels, wanted, region.x, region.y);
    QVERIFY2(found.isEmpty(), qPrintable(found));
  }
}

/// With a background, the whole and a region are mixed from the colours and the alpha of `drawn`
/// (grey and alpha, or RGB and alpha), and the luma is that of the result.
inline void checkBackground(std::span<const std::byte> file, const Picture& drawn) {
  const std::array<std::uint8_t, 3> background{250, 10, 100};
  const int alpha = drawn.channels - 1;
  Picture wanted(drawn.width, drawn.height, 3);
  for (int y = 0; y < drawn.height; ++y)
    for (int x = 0; x < drawn.width; ++x)
      for (int c = 0; c < 3; ++c) {
        const double share = drawn.at(x, y, alpha) / 255.0;
        const double colour = drawn.at(x, y, alpha == 3 ? c : 0);
        wanted.at(x, y, c) =
            std::uint8_t(std::lround(share * colour + (1 - share) * background[std::size_t(c)]));
      }
  Picture luma(drawn.width, drawn.height, 1);
  rgbToGrey(wanted.bytes.data(), luma.bytes.data(), drawn.width * drawn.height);
  ImageDecoder decoder;
  const auto info = decoder.open(file);
  VERIFY_OK(info);
  QVERIFY(info->reduced.has(Reduction::Alpha));
  for (const Rect region :
       {Rect{0, 0, drawn.width, drawn.height}, Rect{1, 1, drawn.width - 2, drawn.height - 1}}) {
    DecodeRequest request{.region = region, .applyOrientation = false, .background = background};
    const auto image = decoder.decode(request);
    VERIFY_OK(image);
    const QString found = difference(image->pixels, wanted, region.x, region.y);
    QVERIFY2(found.isEmpty(), qPrintable(found));
    request.form = PixelForm::Grey;
    const auto grey = decoder.decode(request);
    VERIFY_OK(grey);
    QVERIFY(difference(grey->pixels, luma, region.x, region.y).isEmpty());
  }
}

/// The file with the mark of a picture, or changed to it alone.
inline std::vector<std::byte> chosen(std::span<const std::byte> file, std::uint32_t picture) {
  std::vector<std::byte> memory(file.begin(), file.end());
  memory.resize(file.size() + kChoiceBytes);
  memory.resize(choosePicture(memory, picture).value_or(0));
  return memory;
}

/// The file has these pictures, RGB, each alone; values may differ by `most`.
inline void checkPictures(std::span<const std::byte> file, const std::vector<Picture>& pictures,
                          int most = 0) {
  QCOMPARE(countPictures(bytesOf(file)), std::uint32_t(pictures.size()));
  ImageDecoder decoder;
  // Forwards and backwards: the decoder continues after the frame that it has drawn last.
  for (std::size_t k = 0; k < 2 * pictures.size(); ++k) {
    const std::size_t i = std::min(k, 2 * pictures.size() - 1 - k);
    const Picture& wanted = pictures[i];
    const auto one = chosen(file, std::uint32_t(i));
    const auto info = decoder.open(one);
    VERIFY_OK(info);
    QCOMPARE(info->storedSize, (Size{wanted.width, wanted.height}));
    QVERIFY(!info->reduced.has(Reduction::Frames) && !info->reduced.has(Reduction::Pages));
    for (const Rect region : {Rect{0, 0, wanted.width, wanted.height},
                              Rect{1, 1, wanted.width - 2, wanted.height - 1}}) {
      const auto image = decoder.decode({.region = region});
      VERIFY_OK(image);
      for (int y = 0; y < region.height; ++y)
        for (int x = 0; x < region.width; ++x)
          for (int c = 0; c < 3; ++c) {
            const int got = image->pixels.row(y)[x * 3 + c];
            const int want = wanted.at(region.x + x, region.y + y, c);
            QVERIFY2(std::abs(got - want) <= most,
                     qPrintable(QString("picture %1 at %2, %3, channel %4: %5 instead of %6")
                                    .arg(i)
                                    .arg(x)
                                    .arg(y)
                                    .arg(c)
                                    .arg(got)
                                    .arg(want)));
          }
    }
  }
  const std::string none = messageOf(chosen(file, std::uint32_t(pictures.size())));
  QVERIFY2(none.find("the file has changed") != std::string::npos || none == "it is empty",
           none.c_str());
  // Every beginning has fewer pictures, or fails at one of them.
  for (std::size_t size = 0; size < file.size(); size += 1 + size / 8) {
    const std::span<const std::byte> part = file.first(size);
    const std::uint32_t count = countPictures(bytesOf(part));
    QVERIFY(count <= pictures.size());
    for (std::uint32_t i = 0; i < count; ++i) (void)messageOf(chosen(part, i));
  }
}

/// Every beginning of the file, from `first` bytes on, is an error that is a sentence.
inline void checkTruncated(std::span<const std::byte> file, std::size_t first,
                           std::size_t spare = 0) {
  for (std::size_t size = first; size + spare < file.size(); size += 1 + size / 8) {
    const std::string message = messageOf(file.first(size));
    QVERIFY2(message.size() > 10, std::to_string(size).c_str());
  }
}

/// Flipped bits never crash; some of them are found.
inline void checkDamaged(const std::vector<std::byte>& sound, std::size_t first) {
  std::mt19937 random(3);
  int refused = 0;
  for (int i = 0; i < 150; ++i) {
    std::vector<std::byte> file = sound;
    file[first + random() % (file.size() - first)] ^= std::byte(1U << random() % 8U);
    if (!messageOf(file).empty()) ++refused;
  }
  QVERIFY(refused > 0);
}

/// Refused by the head alone.
inline void checkLimit(std::span<const std::byte> file) {
  ImageDecoder decoder({.pixels = 100});
  const auto info = decoder.open(file);
  QVERIFY(!info.ok());
  QVERIFY2(info.error().message.find("but only 100 in all are allowed") != std::string::npos,
           info.error().message.c_str());
}

}  // namespace millrace::tests
