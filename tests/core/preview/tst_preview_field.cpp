// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/preview/preview_field.h"

#include <array>
#include <cstring>
#include <limits>

#include "core/codecs/codec.h"
#include "core/codecs/encode.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// A value with its memory.
struct Held {
  std::vector<std::byte> memory;
  TensorView view;
};

template <class T>
Held valueOf(DType dtype, const Shape& shape, Layout layout, const std::vector<T>& elements) {
  Held value;
  value.memory.resize(elements.size() * sizeof(T));
  if (!elements.empty()) std::memcpy(value.memory.data(), elements.data(), value.memory.size());
  value.view = {dtype, layout, shape, value.memory.data(), value.memory.size()};
  return value;
}

FieldSpec fieldOf(Role role) {
  FieldSpec spec;
  spec.name = "image";
  spec.role = role;
  return spec;
}

struct Shown {
  int width = 0;
  int height = 0;
  std::vector<std::vector<int>> pixels;  ///< in rows; red, green and blue of each
};

/// The picture that the PNG shows; no pixels: there is none.
Shown shownOf(const FieldSpec& spec, const TensorView& view, int side = kPreviewSide) {
  Shown shown;
  const auto png = previewPng(spec, view, side);
  if (!png) return shown;
  ImageDecoder decoder;
  if (!decoder.open(*png)) return shown;
  const auto decoded = decoder.decode({});
  if (!decoded) return shown;
  const ImageView& from = decoded->pixels;
  shown.width = from.width;
  shown.height = from.height;
  for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x) {
      const std::uint8_t* pixel = from.row(y) + std::ptrdiff_t{x} * from.channels;
      shown.pixels.emplace_back(pixel, pixel + from.channels);
    }
  return shown;
}

}  // namespace

class TestPreviewField : public QObject {
  Q_OBJECT
 private slots:
  void elementsOfEveryTypeAreNumbers() {
    const std::vector<double> expected{1, 2};
    const auto elements = [](DType dtype, auto one, auto two) {
      return elementsOf(
          valueOf(dtype, {2}, Layout::Plain, std::vector<decltype(one)>{one, two}).view);
    };
    QVERIFY(elements(DType::U8, std::uint8_t{1}, std::uint8_t{2}) == expected);
    QVERIFY(elements(DType::I8, std::int8_t{1}, std::int8_t{2}) == expected);
    QVERIFY(elements(DType::U16, std::uint16_t{1}, std::uint16_t{2}) == expected);
    QVERIFY(elements(DType::I16, std::int16_t{1}, std::int16_t{2}) == expected);
    QVERIFY(elements(DType::I32, std::int32_t{1}, std::int32_t{2}) == expected);
    QVERIFY(elements(DType::I64, std::int64_t{1}, std::int64_t{2}) == expected);
    QVERIFY(elements(DType::F32, 1.0F, 2.0F) == expected);
    QVERIFY(elements(DType::F64, 1.0, 2.0) == expected);
    // IEEE 754 binary16, and the upper half of binary32.
    QVERIFY(elements(DType::F16, std::uint16_t{0x3c00}, std::uint16_t{0x4000}) == expected);
    QVERIFY(elements(DType::BF16, std::uint16_t{0x3f80}, std::uint16_t{0x4000}) == expected);
    QVERIFY(elements(DType::Encoded, std::uint8_t{1}, std::uint8_t{2}).empty());
  }

  void statisticsLeaveOutWhatIsNoNumber() {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const auto found = statisticsOf({kNan, 3, -1, kInfinity, 4});
    QVERIFY(found.has_value());
    QCOMPARE(found->minimum, -1.0);
    QCOMPARE(found->maximum, 4.0);
    QCOMPARE(found->mean, 2.0);
    QVERIFY(!statisticsOf({}));
    QVERIFY(!statisticsOf({kNan, kInfinity}));
  }

  void bothLayoutsShowTheSamePicture() {
    const std::vector<std::vector<int>> expected{{1, 2, 3}, {4, 5, 6}};
    const auto hwc = valueOf<std::uint8_t>(DType::U8, {1, 2, 3}, Layout::Hwc, {1, 2, 3, 4, 5, 6});
    QVERIFY(shownOf(fieldOf(Role::Image), hwc.view).pixels == expected);
    const auto chw = valueOf<std::uint8_t>(DType::U8, {3, 1, 2}, Layout::Chw, {1, 4, 2, 5, 3, 6});
    QVERIFY(shownOf(fieldOf(Role::Target), chw.view).pixels == expected);
  }

  void realsBetween0And1AreShownAsTheyAre() {
    const auto unit = valueOf<float>(DType::F32, {1, 3}, Layout::Plain, {0.2F, 0.4F, 1.0F});
    QVERIFY((shownOf(fieldOf(Role::Image), unit.view).pixels ==
             std::vector<std::vector<int>>{{51, 51, 51}, {102, 102, 102}, {255, 255, 255}}));
  }

  void otherRealsAreSpreadFromTheirLeastToTheirGreatest() {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    const auto wide = valueOf<float>(DType::F32, {1, 4}, Layout::Plain, {-1, 0, 4, kNan});
    QVERIFY((shownOf(fieldOf(Role::Image), wide.view).pixels ==
             std::vector<std::vector<int>>{{0, 0, 0}, {51, 51, 51}, {255, 255, 255}, {0, 0, 0}}));
    const auto flat = valueOf<float>(DType::F32, {1, 2}, Layout::Plain, {7, 7});
    QVERIFY((shownOf(fieldOf(Role::Image), flat.view).pixels ==
             std::vector<std::vector<int>>{{0, 0, 0}, {0, 0, 0}}));
  }

  void classesOfAMaskHaveDistinctColoursAndTheBackgroundIsBlack() {
    const auto mask = valueOf<std::int64_t>(DType::I64, {1, 4}, Layout::Plain, {0, 1, 2, 1});
    const Shown shown = shownOf(fieldOf(Role::Mask), mask.view);
    QCOMPARE(shown.pixels.size(), std::size_t{4});
    QVERIFY((shown.pixels[0] == std::vector<int>{0, 0, 0}));
    QVERIFY(shown.pixels[1] != shown.pixels[0] && shown.pixels[2] != shown.pixels[0]);
    QVERIFY(shown.pixels[1] != shown.pixels[2]);
    QVERIFY(shown.pixels[1] == shown.pixels[3]);
    // One-hot: the class of a pixel is its greatest channel.
    FieldSpec hot = fieldOf(Role::Mask);
    hot.oneHot = true;
    const auto channels = valueOf<std::uint8_t>(DType::U8, {1, 4, 3}, Layout::Hwc,
                                                {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0});
    QVERIFY(shownOf(hot, channels.view).pixels == shown.pixels);
  }

  void aMaskInColoursIsShownAsItIs() {
    const auto mask = valueOf<std::uint8_t>(DType::U8, {1, 1, 3}, Layout::Hwc, {10, 20, 30});
    QVERIFY((shownOf(fieldOf(Role::Mask), mask.view).pixels ==
             std::vector<std::vector<int>>{{10, 20, 30}}));
  }

  void largePicturesAreShrunkToTheSideWithTheirShape() {
    const std::vector<std::uint8_t> grey(std::size_t{400} * 100, 77);
    const auto wide = valueOf(DType::U8, {100, 400}, Layout::Plain, grey);
    const Shown shown = shownOf(fieldOf(Role::Image), wide.view, 200);
    QCOMPARE(shown.width, 200);
    QCOMPARE(shown.height, 50);
    QVERIFY((shown.pixels.front() == std::vector<int>{77, 77, 77}));
    const auto line = valueOf(DType::U8, {1, 400}, Layout::Plain,
                              std::vector<std::uint8_t>(grey.begin(), grey.begin() + 400));
    QCOMPARE(shownOf(fieldOf(Role::Image), line.view, 200).height, 1);
  }

  void encodedFilesAreDecoded() {
    const std::array<std::uint8_t, 6> pixels{9, 8, 7, 6, 5, 4};
    const auto png = encodePng({pixels.data(), 2, 1, 3, 6});
    VERIFY_OK(png);
    auto file = valueOf(DType::Encoded, {static_cast<std::int64_t>(png->size())}, Layout::Plain,
                        std::vector<std::byte>(png->begin(), png->end()));
    QVERIFY((shownOf(fieldOf(Role::Image), file.view).pixels ==
             std::vector<std::vector<int>>{{9, 8, 7}, {6, 5, 4}}));
    file.memory.resize(20);
    file.view.bytes = 20;
    QVERIFY(!previewPng(fieldOf(Role::Image), file.view));
    file.memory.assign(20, std::byte{1});
    file.view.data = file.memory.data();
    QVERIFY(!previewPng(fieldOf(Role::Image), file.view));
  }

  void anEncodedMaskHasTheColoursOfItsClasses() {
    const std::array<std::uint8_t, 2> classes{0, 2};
    const auto png = encodePng({classes.data(), 2, 1, 1, 2});
    VERIFY_OK(png);
    const auto file = valueOf(DType::Encoded, {static_cast<std::int64_t>(png->size())},
                              Layout::Plain, std::vector<std::byte>(png->begin(), png->end()));
    const auto indices = valueOf<std::uint8_t>(DType::U8, {1, 2}, Layout::Plain, {0, 2});
    const Shown shown = shownOf(fieldOf(Role::Mask), file.view);
    QCOMPARE(shown.pixels.size(), std::size_t{2});
    QVERIFY(shown.pixels == shownOf(fieldOf(Role::Mask), indices.view).pixels);
  }

  void whatIsNoPictureHasNone() {
    const auto row = valueOf<std::uint8_t>(DType::U8, {3}, Layout::Plain, {1, 2, 3});
    QVERIFY(!previewPng(fieldOf(Role::Image), row.view));
    QVERIFY(!previewPng(fieldOf(Role::Label), row.view));
    QVERIFY(!previewPng(fieldOf(Role::Features), row.view));
    const auto flat = valueOf<std::uint8_t>(DType::U8, {1, 3}, Layout::Hwc, {1, 2, 3});
    QVERIFY(!previewPng(fieldOf(Role::Image), flat.view));
    const auto empty = valueOf<std::uint8_t>(DType::U8, {0, 3}, Layout::Plain, {});
    QVERIFY(!previewPng(fieldOf(Role::Image), empty.view));
    // Fewer elements than the shape claims.
    const auto cut = valueOf<std::uint8_t>(DType::U8, {2, 3}, Layout::Plain, {1, 2, 3});
    QVERIFY(!previewPng(fieldOf(Role::Image), cut.view));
  }
};

}  // namespace millrace

using millrace::TestPreviewField;
MILLRACE_TEST_CASE(TestPreviewField)
#include "tst_preview_field.moc"
