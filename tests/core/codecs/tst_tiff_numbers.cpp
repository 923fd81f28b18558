// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// PixelForm::Stored of TIFF: numbers of every width and kind, with any count of channels.
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "tests/core/codecs/plain_jpeg.h"
#include "tests/core/codecs/plain_numbers.h"
#include "tests/core/codecs/stored_numbers.h"
#include "tests/support/test_case.h"

namespace millrace {
using tests::Numbers;
using tests::NumbersTiff;
using tests::storedError;
using tests::storedNumbers;
using tests::writeNumbers;

namespace {

using Bytes = std::vector<std::byte>;

/// Numbers from all of T's range, its ends among them.
template <class T>
std::vector<T> randomNumbers(std::size_t count) {
  std::mt19937 random(11);
  std::vector<T> numbers(count);
  for (T& number : numbers) {
    if constexpr (std::is_floating_point_v<T>)
      number = T(random()) / T(1000) - T(1e6);
    else
      number = T(random());
  }
  numbers[0] = std::numeric_limits<T>::max();
  numbers[1] = std::numeric_limits<T>::lowest();
  return numbers;
}

template <class T>
Numbers partOf(const std::vector<T>& numbers, int width, int channels, Rect region) {
  Numbers part;
  for (int y = region.y; y < region.y + region.height; ++y)
    for (int i = region.x * channels; i < (region.x + region.width) * channels; ++i)
      part.push_back(float(numbers[std::size_t(y * width * channels + i)]));
  return part;
}

template <class T>
void checkTiff(int channels, const NumbersTiff& how) {
  const Size size{37, 22};
  auto numbers = randomNumbers<T>(std::size_t(size.width * size.height * channels));
  if constexpr (std::is_same_v<T, std::uint16_t>)
    if (how.bits > 0)
      for (T& number : numbers) number = T(number >> (16 - how.bits));
  const Bytes file = writeNumbers(numbers, size, channels, how);
  std::mt19937 random(5);
  for (int i = 0; i < 12; ++i) {
    const Rect region = i == 0 ? Rect{0, 0, 37, 22} : tests::randomRegion(random, size);
    QCOMPARE(storedNumbers(file, region), partOf(numbers, size.width, channels, region));
  }
}

}  // namespace

class TestTiffNumbers : public QObject {
  Q_OBJECT
 private slots:
  void everyTypeAndCountOfChannels() {
    const std::vector<NumbersTiff> ways = {{},
                                           {.mode = "wb", .compression = COMPRESSION_LZW},
                                           {.planes = true},
                                           {.planes = true, .tile = 16},
                                           {.mode = "w8", .tile = 32}};
    for (const NumbersTiff& how : ways)
      for (const int channels : {1, 2, 4, 13}) {
        checkTiff<std::uint8_t>(channels, how);
        checkTiff<std::int8_t>(channels, how);
        checkTiff<std::uint16_t>(channels, how);
        checkTiff<std::int16_t>(channels, how);
        checkTiff<std::uint32_t>(channels, how);
        checkTiff<std::int32_t>(channels, how);
        checkTiff<float>(channels, how);
        checkTiff<double>(channels, how);
      }
  }

  void halfFloatsAreNumbers() {
    // 1, -2, the largest, the smallest above 0, the largest below the normal ones, infinities.
    const std::vector<std::uint16_t> halves{0x3c00, 0xc000, 0x7bff, 0x0001, 0x03ff, 0x7c00, 0xfc00};
    const Bytes file = writeNumbers(halves, {7, 1}, 1, {.format = SAMPLEFORMAT_IEEEFP});
    const float none = std::numeric_limits<float>::infinity();
    QCOMPARE(storedNumbers(file, {0, 0, 7, 1}),
             (Numbers{1, -2, 65504, std::ldexp(1.0F, -24), std::ldexp(1023.0F, -24), none, -none}));
    const Bytes notANumber =
        writeNumbers<std::uint16_t>({0x7e00}, {1, 1}, 1, {.format = SAMPLEFORMAT_IEEEFP});
    QVERIFY(std::isnan(storedNumbers(notANumber, {0, 0, 1, 1}).front()));
  }

  void everyNumberOfBits() {
    for (int bits = 1; bits <= 16; ++bits)
      for (const int channels : {1, 3, 4})
        for (const NumbersTiff& how :
             {NumbersTiff{.bits = bits}, NumbersTiff{.mode = "wb", .tile = 16, .bits = bits},
              NumbersTiff{.planes = true, .bits = bits}})
          checkTiff<std::uint16_t>(channels, how);
  }

  void coloursOfEveryNumberOfBitsAreRounded() {
    for (int bits = 1; bits <= 16; ++bits) {
      const int most = (1 << bits) - 1;
      std::vector<std::uint16_t> numbers(64);
      for (int i = 0; i < 64; ++i) numbers[std::size_t(i)] = std::uint16_t(most * i / 63);
      const Bytes file = writeNumbers(numbers, {64, 1}, 1, {.bits = bits});
      ImageDecoder decoder;
      const auto info = decoder.open(file);
      VERIFY_OK(info);
      QCOMPARE(info->bitDepth, bits);
      QCOMPARE(info->reduced.has(Reduction::Bits), bits > 8);
      const auto image = decoder.decode({.form = PixelForm::Grey});
      VERIFY_OK(image);
      for (int i = 0; i < 64; ++i)
        QCOMPARE(int(image->pixels.row(0)[i]),
                 int(std::lround(255.0 * numbers[std::size_t(i)] / most)));
    }
  }

  void masksOfEveryNumberOfBitsKeepTheirValues() {
    for (int bits = 2; bits <= 16; ++bits) {
      const Bytes file =
          writeNumbers(std::vector<std::uint16_t>{0, 1, 3, 2}, {4, 1}, 1, {.bits = bits});
      ImageDecoder decoder;
      VERIFY_OK(decoder.open(file));
      const auto image = decoder.decode({.form = PixelForm::Index});
      VERIFY_OK(image);
      const std::uint8_t* const row = image->pixels.row(0);
      QCOMPARE(std::vector<int>(row, row + 4), (std::vector<int>{0, 1, 3, 2}));
    }
    const Bytes wide = writeNumbers(std::vector<std::uint16_t>{4095}, {1, 1}, 1, {.bits = 12});
    QCOMPARE(storedError(wide, PixelForm::Index),
             std::string("the 12-bit value 4095 does not fit an 8-bit mask"));
  }

  void masksOfLargeOrSignedNumbersAreIndicesIfTheyFit() {
    const auto indices = [](const Bytes& file) {
      ImageDecoder decoder;
      const auto info = decoder.open(file);
      const auto image = decoder.decode({.form = PixelForm::Index});
      const std::uint8_t* const row = image ? image->pixels.row(0) : nullptr;
      return row == nullptr ? std::vector<int>{} : std::vector<int>(row, row + 4);
    };
    const std::vector<int> expected = {0, 2, 255, 1};
    QCOMPARE(indices(writeNumbers(std::vector<std::int32_t>{0, 2, 255, 1}, {4, 1}, 1, {})),
             expected);
    QCOMPARE(indices(writeNumbers(std::vector<float>{0, 2, 255, 1}, {4, 1}, 1, {})), expected);
    for (const float odd : {256.0F, -1.0F, 0.5F}) {
      const Bytes file = writeNumbers(std::vector<float>{0, odd}, {2, 1}, 1, {});
      QCOMPARE(storedError(file, PixelForm::Index),
               fmt::format("the value {} does not fit an 8-bit mask", odd));
    }
  }

  void headsSayWhatTheyHold() {
    const Bytes file = writeNumbers(std::vector<float>(6 * 4 * 5, 0.5F), {6, 4}, 5, {});
    ImageDecoder decoder;
    const auto info = decoder.open(file);
    VERIFY_OK(info);
    QCOMPARE(info->storedChannels, 5);
    QCOMPARE(info->bitDepth, 32);
    QCOMPARE(info->onlyStored,
             std::string("it holds floating-point numbers of 32 bits, which have no colours"));
    QCOMPARE(storedError(file, PixelForm::Rgb),
             std::string("it holds floating-point numbers of 32 bits, which have no colours; set "
                         "decode.form to stored"));
    QCOMPARE(storedError(file), std::string());
  }

  void numbersAreTurnedAsTheirOrientationSays() {
    const std::vector<std::uint16_t> numbers = {1, 2, 3, 40000, 50000, 60000};  // 3 x 2
    const Bytes file = writeNumbers(numbers, {3, 2}, 1, {.orientation = 6});
    QCOMPARE(storedNumbers(file), (Numbers{40000, 1, 50000, 2, 60000, 3}));
    QCOMPARE(storedNumbers(file, {1, 0, 1, 2}), (Numbers{1, 2}));
    QCOMPARE(storedNumbers(file, {}, false), (Numbers{1, 2, 3, 40000, 50000, 60000}));
  }

  void severalChannelsAreTurnedTogether() {
    const std::vector<float> numbers = {0, 10, 20, 30, 40, 1, 11, 21, 31, 41};  // 2 x 1 x 5
    const Bytes file = writeNumbers(numbers, {2, 1}, 5, {.orientation = 3});
    QCOMPARE(storedNumbers(file), (Numbers{1, 11, 21, 31, 41, 0, 10, 20, 30, 40}));
  }

  void memoryIsNotTakenOnAHeadersWord() {
    const Bytes many = writeNumbers(std::vector<std::uint8_t>(70), {1, 1}, 70, {});
    QCOMPARE(storedError(many), std::string("it has 70 channels; at most 64 are supported"));
    const Bytes file = writeNumbers(std::vector<float>(10 * 10 * 3), {10, 10}, 3, {});
    QCOMPARE(storedError(file, PixelForm::Stored, {.pixels = 299}),
             std::string("10 x 10 pixels with 3 channels are too many numbers"));
  }
};

}  // namespace millrace

using millrace::TestTiffNumbers;
MILLRACE_TEST_CASE(TestTiffNumbers)
#include "tst_tiff_numbers.moc"
