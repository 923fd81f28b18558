// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/convert.h"

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "core/kernels/half.h"
#include "core/kernels/mix.h"
#include "tests/core/kernels/levels.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

template <class T>
const std::byte* raw(const std::vector<T>& v) {
  return reinterpret_cast<const std::byte*>(v.data());
}
template <class T>
std::byte* raw(std::vector<T>& v) {
  return reinterpret_cast<std::byte*>(v.data());
}

/// The value of a binary16 or bfloat16 bit pattern, from the definition of the formats.
double meaning(std::uint16_t bits, int exponentBits) {
  const int fractionBits = 15 - exponentBits;
  const int bias = (1 << (exponentBits - 1)) - 1;
  const int exponent = (bits & 0x7fff) >> fractionBits;
  const int fraction = bits & ((1 << fractionBits) - 1);
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == (1 << exponentBits) - 1)
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  const double scale = std::ldexp(1.0, std::max(exponent, 1) - bias - fractionBits);
  return sign * scale * (fraction + (exponent > 0 ? 1 << fractionBits : 0));
}

void roundsToNearestEven(int exponentBits, std::uint16_t (*narrow)(float),
                         float (*widen)(std::uint16_t)) {
  const int infinity = ((1 << exponentBits) - 1) << (15 - exponentBits);
  for (int bits = 0; bits < infinity; ++bits) {
    const auto pattern = static_cast<std::uint16_t>(bits);
    const double value = meaning(pattern, exponentBits);
    QCOMPARE(static_cast<double>(widen(pattern)), value);
    QCOMPARE(narrow(static_cast<float>(value)), pattern);
    QCOMPARE(narrow(static_cast<float>(-value)), static_cast<std::uint16_t>(bits | 0x8000));
    if (bits + 1 == infinity) continue;
    const double next = meaning(static_cast<std::uint16_t>(bits + 1), exponentBits);
    const auto middle = static_cast<float>((value + next) / 2);
    if (static_cast<double>(middle) != (value + next) / 2) continue;  // below f32's range
    QCOMPARE(int{narrow(middle)}, bits + bits % 2);
    QCOMPARE(int{narrow(std::nextafter(middle, 0.0F))}, bits);
    QCOMPARE(int{narrow(std::nextafter(middle, std::numeric_limits<float>::infinity()))}, bits + 1);
  }
}

}  // namespace

class TestConvert : public QObject {
  Q_OBJECT
 private slots:
  void halfFloatsRoundToNearestEven() {
    roundsToNearestEven(5, f16FromF32, f32FromF16);
    roundsToNearestEven(8, bf16FromF32, f32FromBf16);
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    QCOMPARE(int{f16FromF32(65519.996F)}, 0x7bff);
    QCOMPARE(int{f16FromF32(65520.0F)}, 0x7c00);
    QCOMPARE(int{f16FromF32(-kInfinity)}, 0xfc00);
    QCOMPARE(int{bf16FromF32(3.4028235e38F)}, 0x7f80);
    QVERIFY(std::isnan(f32FromF16(f16FromF32(std::nanf("")))));
    QVERIFY(std::isnan(f32FromBf16(bf16FromF32(std::bit_cast<float>(0x7f800001U)))));
    QVERIFY(std::isinf(f32FromF16(0x7c00)));
    QVERIFY(std::isnan(f32FromF16(0x7c01)));
  }

  void everyHalfIsReadAlikeWithABranchAndWithout() {
    for (std::uint32_t bits = 0; bits <= 0xffff; ++bits) {
      const auto half = static_cast<std::uint16_t>(bits);
      const auto plain = std::bit_cast<std::uint32_t>(f32FromF16(half));
      QCOMPARE(std::bit_cast<std::uint32_t>(f32FromF16ByProduct(half)), plain);
      // A NaN becomes quiet.
      const bool nan = (bits & 0x7fffU) > 0x7c00U;
      QCOMPARE(f16FromF32(f32FromF16(half)), nan ? half | 0x200 : half);
    }
  }

  void bytesBecomeUnitsAndComeBack() {
    std::vector<std::uint8_t> bytes(256);
    for (std::size_t i = 0; i < 256; ++i) bytes[i] = static_cast<std::uint8_t>(i);
    std::vector<float> floats(256);
    converter(DType::U8, DType::F32, U8Range::Unit)(raw(bytes), raw(floats), 256);
    std::vector<double> doubles(256);
    converter(DType::U8, DType::F64, U8Range::Unit)(raw(bytes), raw(doubles), 256);
    for (std::size_t i = 0; i < 256; ++i) {
      QVERIFY(floats[i] == static_cast<float>(i) / 255.0F);
      QVERIFY(doubles[i] == static_cast<double>(i) / 255.0);
    }
    // f16 has 11 significant bits, enough for 256 levels; bf16 has 8 and is not tested.
    for (const DType type : {DType::F16, DType::F32, DType::F64}) {
      std::vector<double> between(256);
      std::vector<std::uint8_t> back(256);
      converter(DType::U8, type, U8Range::Unit)(raw(bytes), raw(between), 256);
      converter(type, DType::U8, U8Range::Unit)(raw(between), raw(back), 256);
      QVERIFY(back == bytes);
    }
    converter(DType::U8, DType::F32, U8Range::Plain)(raw(bytes), raw(floats), 256);
    QVERIFY(floats[200] == 200.0F);
  }

  void realNumbersAreClampedAndRoundedToBytes() {
    const std::vector<float> floats{-1, -0.1F, 0.5F, 1.5F, 2.5F, 254.5F, 255.4F, 1e30F, NAN};
    std::vector<std::uint8_t> bytes(floats.size());
    converter(DType::F32, DType::U8, U8Range::Plain)(raw(floats), raw(bytes), floats.size());
    QVERIFY((bytes == std::vector<std::uint8_t>{0, 0, 0, 2, 2, 254, 255, 255, 0}));
  }

  void everyPairOfTypesKeepsSmallWholeNumbers() {
    const DType types[] = {DType::U8, DType::F16, DType::BF16, DType::F32, DType::F64};
    const std::vector<std::uint8_t> numbers{0, 1, 2, 77, 128, 255};
    for (const DType from : types)
      for (const DType to : types) {
        std::vector<double> a(6);
        std::vector<double> b(6);
        std::vector<std::uint8_t> back(6);
        converter(DType::U8, from, U8Range::Plain)(raw(numbers), raw(a), 6);
        converter(from, to, U8Range::Plain)(raw(a), raw(b), 6);
        converter(to, DType::U8, U8Range::Plain)(raw(b), raw(back), 6);
        QVERIFY(back == numbers);
      }
    QVERIFY(converter(DType::I64, DType::F32, U8Range::Plain) == nullptr);
    QVERIFY(converter(DType::F32, DType::Encoded, U8Range::Plain) == nullptr);
  }

  void normaliseActsByChannelInBothLayouts() {
    for (const Layout layout : {Layout::Hwc, Layout::Chw}) {
      std::vector<float> data(5 * 3 * 3);
      for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i) / 7;
      const std::vector<float> before = data;
      normalise(data.data(), {5, 3}, 3, layout, {0.1F, 0.2F, 0.3F}, {0.5F, 0.6F, 0.7F});
      for (std::size_t i = 0; i < data.size(); ++i) {
        const std::size_t c = layout == Layout::Chw ? i / 15 : i % 3;
        const float mean[] = {0.1F, 0.2F, 0.3F};
        const float deviation[] = {0.5F, 0.6F, 0.7F};
        QVERIFY(data[i] == (before[i] - mean[c]) / deviation[c]);
      }
    }
  }

  void mixingIsTheWeightedSum() {
    const auto a = tests::noise(1001, 1);
    const auto b = tests::noise(1001, 2);
    for (const double share : {0.0, 0.25, 0.3, 1.0}) {
      std::vector<std::uint8_t> bytes(1001);
      mix(raw(a), raw(b), share, DType::U8, 1001, raw(bytes));
      for (const DType type : {DType::F16, DType::BF16, DType::F32, DType::F64}) {
        std::vector<double> realA(1001);
        std::vector<double> realB(1001);
        std::vector<double> wide(1001);
        converter(DType::U8, type, U8Range::Plain)(raw(a), raw(realA), 1001);
        converter(DType::U8, type, U8Range::Plain)(raw(b), raw(realB), 1001);
        mix(raw(realA), raw(realB), share, type, 1001, raw(realB));
        converter(type, DType::F64, U8Range::Plain)(raw(realB), raw(wide), 1001);
        // Half a unit in the last of the type's 11, 8, 24 or 53 bits at 256, plus the error of f32
        // sums.
        const double bound = type == DType::F16 ? 0.126 : type == DType::BF16 ? 1.001 : 1e-4;
        for (std::size_t i = 0; i < 1001; ++i)
          QVERIFY(std::abs(wide[i] - (share * a[i] + (1 - share) * b[i])) < bound);
      }
      for (std::size_t i = 0; i < 1001; ++i)
        QVERIFY(std::abs(bytes[i] - (share * a[i] + (1 - share) * b[i])) < 0.5001);
    }
  }

  void aBoxIsCopiedAndNothingElse() {
    for (const Layout layout : {Layout::Hwc, Layout::Chw})
      for (const std::size_t width : {1U, 4U}) {
        const Size size{9, 6};
        const Rect box{2, 1, 5, 4};
        const auto from = tests::noise(9 * 6 * 3 * width, 1);
        const auto before = tests::noise(9 * 6 * 3 * width, 2);
        auto to = before;
        copyBox(raw(from), size, 3, width, layout, box, raw(to));
        for (std::size_t i = 0; i < to.size(); ++i) {
          const int element = static_cast<int>(i / width);
          const int pixel = layout == Layout::Chw ? element % 54 : element / 3;
          const int x = pixel % 9;
          const int y = pixel / 9;
          const bool inside = x >= 2 && x < 7 && y >= 1 && y < 5;
          QCOMPARE(to[i], inside ? from[i] : before[i]);
        }
      }
  }
};

}  // namespace millrace

using millrace::TestConvert;
MILLRACE_TEST_CASE(TestConvert)
#include "tst_convert.moc"
