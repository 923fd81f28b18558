// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The kernels of core/kernels/device other than the pixel pass, compared with the CPU's.
#include <array>

#include "core/kernels/colour/blur.h"
#include "core/kernels/device/device_address.h"
#include "core/kernels/device/device_affine.h"
#include "core/kernels/device/device_blur.h"
#include "core/kernels/device/device_erase.h"
#include "core/kernels/device/device_form.h"
#include "core/kernels/device/device_mix.h"
#include "core/kernels/erase.h"
#include "core/kernels/half.h"
#include "core/kernels/mix.h"
#include "core/train/layer_kernels.h"
#include "tests/core/kernels/on_device.h"
#include "tests/core/kernels/picture.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::OnDevice;
using tests::Picture;

namespace {

const std::vector<Size> kBatchSizes{{1, 1}, {7, 3}, {33, 20}, {2, 41}};

Picture packed(Size size, int channels, std::uint32_t seed = 7) {
  Picture made(size.width, size.height, channels, seed);
  made.stride = size.width * channels;
  made.bytes.resize(static_cast<std::size_t>(made.stride * size.height));
  return made;
}

Size largest() { return {33, 41}; }

std::vector<std::uint8_t> bytesAt(OnDevice& on, const std::uint8_t* data, const Picture& like) {
  const auto bytes = on.download(reinterpret_cast<const std::byte*>(data), like.bytes.size());
  std::vector<std::uint8_t> all(bytes.size());
  std::memcpy(all.data(), bytes.data(), bytes.size());
  return all;
}

template <class T>
std::span<const std::byte> bytesOf(const std::vector<T>& values) {
  return std::as_bytes(std::span<const T>(values));
}

}  // namespace

class TestDeviceKernels : public QObject {
  Q_OBJECT

 private slots:
  void anAffineMapHasTheBitsOfTheCpu() {
    OPEN_DEVICE(on);
    const AffineMap map{0.8, 0.3, -2.5, -0.4, 1.1, 3.25};
    const std::array<std::uint8_t, 4> fill{9, 8, 7, 6};
    for (const int channels : {1, 2, 3, 4})
      for (const Border border : {Border::Constant, Border::Reflect, Border::Wrap})
        for (const bool nearest : {false, true}) {
          std::vector<DeviceAffineRow> rows;
          std::vector<Picture> wanted;
          for (const Size size : kBatchSizes) {
            const Picture from = packed(size, channels);
            Picture to = packed(size, channels);
            warpAffine(from.view(), map, nearest ? Filter::Nearest : Filter::Bilinear, border, fill,
                       to.edit());
            rows.push_back({deviceAddress(on.upload(from.bytes)),
                            deviceAddress(on.memory(from.bytes.size())),
                            size.width,
                            size.height,
                            map,
                            {9, 8, 7, 6}});
            wanted.push_back(to);
          }
          DeviceAffine affine;
          affine.rows = on.upload(rows);
          affine.rowCount = static_cast<int>(rows.size());
          affine.channels = channels;
          affine.width = largest().width;
          affine.height = largest().height;
          affine.border = border;
          affine.nearest = nearest;
          VERIFY_OK(launchAffine(on.stream(), affine));
          for (std::size_t i = 0; i < rows.size(); ++i)
            QCOMPARE(bytesAt(on, reinterpret_cast<const std::uint8_t*>(rows[i].out), wanted[i]),
                     wanted[i].bytes);
        }
  }

  void aBlurHasTheBitsOfTheCpu() {
    OPEN_DEVICE(on);
    for (const int taps : {1, 5, 11}) {
      std::vector<float> weights;
      gaussianWeights(taps, 1.7, weights);
      std::vector<float> all;
      std::vector<DeviceBlurRow> rows;
      std::vector<Picture> wanted;
      std::uint64_t elements = 0;
      for (const Size size : kBatchSizes) {
        const Picture from = packed(size, 3);
        wanted.push_back(from);
        GaussianBlur blur;
        if (size.width != 7) blur.run(wanted.back().edit(), {{taps, taps}, 1.7, 1.7});
        rows.push_back({deviceAddress(on.upload(from.bytes)), elements, size.width, size.height,
                        size.width != 7 ? 1 : 0});
        elements += from.bytes.size();
        all.insert(all.end(), weights.begin(), weights.end());
      }
      DeviceBlur blur;
      blur.rows = on.upload(rows);
      blur.weights = on.upload(all);
      blur.scratch = reinterpret_cast<float*>(on.memory(elements * sizeof(float)));
      blur.rowCount = static_cast<int>(rows.size());
      blur.taps = taps;
      blur.width = largest().width;
      blur.height = largest().height;
      VERIFY_OK(launchBlur(on.stream(), blur));
      for (std::size_t i = 0; i < rows.size(); ++i)
        QCOMPARE(bytesAt(on, reinterpret_cast<const std::uint8_t*>(rows[i].picture), wanted[i]),
                 wanted[i].bytes);
    }
  }

  void erasingHasTheBitsOfTheCpu() {
    OPEN_DEVICE(on);
    const Picture from = packed({33, 20}, 3);
    for (const Rect rect : {Rect{}, Rect{4, 5, 20, 9}, Rect{0, 0, 33, 20}}) {
      Picture wanted = from;
      eraseWithColour(wanted.edit(), rect, {1, 2, 3, 4});
      const std::vector<DeviceEraseRow> rows{{deviceAddress(on.upload(from.bytes)), 33, rect}};
      const DeviceErase erase{on.upload(rows), 1, 3, rect.size(), {1, 2, 3, 4}};
      VERIFY_OK(launchErase(on.stream(), erase));
      QCOMPARE(bytesAt(on, reinterpret_cast<const std::uint8_t*>(rows[0].picture), wanted),
               wanted.bytes);
    }
  }

  void mixedRowsHaveTheBitsOfTheCpu() {
    OPEN_DEVICE(on);
    constexpr std::size_t kRows = 5;
    constexpr std::size_t kElements = 6 * 4 * 3;
    for (const DType dtype : {DType::U8, DType::F16, DType::BF16, DType::F32}) {
      const std::size_t each = kElements * sizeOf(dtype);
      std::vector<std::uint8_t> data = tests::noise(kRows * each, 3);
      // Numbers of any size except NaN, whose sign is undefined.
      if (dtype != DType::U8)
        for (std::size_t i = sizeOf(dtype) - 1; i < data.size(); i += sizeOf(dtype))
          data[i] &= 0xbfU;
      DeviceMix mixed;
      mixed.from = reinterpret_cast<const std::byte*>(on.upload(data));
      mixed.to = on.memory(data.size());
      mixed.elements = kElements;
      mixed.rows = kRows;
      mixed.dtype = dtype;
      VERIFY_OK(launchMixRows(on.stream(), mixed, 0.3));
      std::vector<std::uint8_t> wanted(data.size());
      const auto* from = reinterpret_cast<const std::byte*>(data.data());
      for (std::size_t r = 0; r < kRows; ++r)
        mix(from + r * each, from + (r + kRows - 1) % kRows * each, 0.3, dtype, kElements,
            reinterpret_cast<std::byte*>(wanted.data() + r * each));
      const auto got = on.download(mixed.to, data.size());
      QVERIFY2(std::equal(got.begin(), got.end(), bytesOf(wanted).begin()), nameOf(dtype).data());
    }
  }

  void mixedBoxesHaveTheBitsOfTheCpu() {
    OPEN_DEVICE(on);
    const Size size{6, 4};
    const Rect box{1, 1, 3, 2};
    for (const Layout layout : {Layout::Hwc, Layout::Chw})
      for (const DType dtype : {DType::U8, DType::F16, DType::F32}) {
        const std::size_t each = 72 * sizeOf(dtype);
        const std::vector<std::uint8_t> data = tests::noise(4 * each, 3);
        DeviceMix mixed;
        mixed.from = reinterpret_cast<const std::byte*>(on.upload(data));
        mixed.to = on.memory(data.size());
        mixed.elements = 72;
        mixed.rows = 4;
        mixed.dtype = dtype;
        VERIFY_OK(launchMixBoxes(on.stream(), mixed, box, size, 3, layout == Layout::Chw));
        std::vector<std::uint8_t> wanted = data;
        for (std::size_t r = 0; r < 4; ++r)
          copyBox(reinterpret_cast<const std::byte*>(data.data()) + (r + 3) % 4 * each, size, 3,
                  sizeOf(dtype), layout, box,
                  reinterpret_cast<std::byte*>(wanted.data()) + r * each);
        const auto got = on.download(mixed.to, data.size());
        QVERIFY(std::equal(got.begin(), got.end(), bytesOf(wanted).begin()));
      }
  }

  void floatPicturesHaveTheBitsOfTheCpu() {
    OPEN_DEVICE(on);
    std::vector<float> values(5 * 3 * 3);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) * 0.37F - 3;
    values[4] = -0.0F;
    for (const bool normalise : {true, false}) sameFloats(on, values, normalise);
  }

  /// As the pictures of a training step are read and written, with the CPU's bits, including NaN.
  void everyHalfIsConvertedAsOnTheCpu() {
    OPEN_DEVICE(on);
    std::vector<std::uint16_t> halves(65536);
    for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<std::uint16_t>(i);
    std::vector<float> floats(halves.size());
    std::ranges::transform(halves, floats.begin(), f32FromF16);
    // Values between any two halves, and beyond the largest.
    std::vector<float> between;
    for (const float each : floats)
      for (const float factor : {0.9997F, 1.0F, 1.0003F}) between.push_back(each * factor);
    std::vector<std::uint16_t> rounded(between.size());
    std::ranges::transform(between, rounded.begin(), f16FromF32);
    QVERIFY(loaded(on, halves, DType::F16, DType::F32) == asBytes(floats));
    QVERIFY(loaded(on, halves, DType::F16, DType::F16) == asBytes(convertedTwice(halves)));
    QVERIFY(loaded(on, between, DType::F32, DType::F16) == asBytes(rounded));
  }

 private:
  template <class T>
  static std::vector<std::byte> asBytes(const std::vector<T>& values) {
    const auto bytes = bytesOf(values);
    return {bytes.begin(), bytes.end()};
  }

  static std::vector<std::uint16_t> convertedTwice(std::vector<std::uint16_t> halves) {
    for (std::uint16_t& half : halves) half = f16FromF32(f32FromF16(half));
    return halves;
  }

  /// Reads `values` as a training step reads its pictures.
  template <class T>
  static std::vector<std::byte> loaded(OnDevice& on, const std::vector<T>& values, DType from,
                                       DType to) {
    const std::size_t bytes = values.size() * sizeOf(to);
    std::byte* const out = on.memory(bytes);
    const PictureView picture{.data = on.upload(values),
                              .dtype = from,
                              .rows = 1,
                              .channels = 1,
                              .height = 1,
                              .width = static_cast<std::int32_t>(values.size())};
    if (!launchLoadPictures(on.stream(), to, picture, out)) return {};
    return on.download(out, bytes);
  }

  /// In every layout and type.
  static void sameFloats(OnDevice& on, const std::vector<float>& values, bool normalise) {
    for (const Layout from : {Layout::Hwc, Layout::Chw})
      for (const Layout to : {Layout::Hwc, Layout::Chw})
        for (const DType dtype : {DType::F32, DType::F16, DType::BF16}) {
          FloatFormPass pass;
          pass.form.dtype = dtype;
          pass.form.layout = to;
          pass.form.normalise = normalise;
          pass.form.mean = {0.1F, 0.2F, 0.3F};
          pass.form.deviation = {0.5F, 0.6F, 0.7F, 1};
          std::vector<std::byte> wanted(values.size() * sizeOf(dtype));
          const FloatImageView view = from == Layout::Chw
                                          ? FloatImageView::chw(values.data(), {5, 3}, 3)
                                          : FloatImageView::hwc(values.data(), {5, 3}, 3);
          PixelPass().run(view, wholeImage({5, 3}, {5, 3}), pass.form, wanted.data());
          std::byte* const out = on.memory(wanted.size());
          const std::vector<FloatFormRow> rows{
              {deviceAddress(on.upload(values)), deviceAddress(out), 5, 3}};
          pass.rows = on.upload(rows);
          pass.rowCount = 1;
          pass.mostElements = 45;
          pass.fromPlanar = from == Layout::Chw;
          pass.toPlanar = to == Layout::Chw;
          VERIFY_OK(launchFloatForm(on.stream(), pass));
          QVERIFY(on.download(out, wanted.size()) == wanted);
        }
  }
};

}  // namespace millrace

using millrace::TestDeviceKernels;
MILLRACE_TEST_CASE(TestDeviceKernels)
#include "tst_device_kernels.moc"
