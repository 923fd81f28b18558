// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// nvJPEG on a real GPU against the CPU's decoder, within the bound of core/cuda/README.md.
#include <cmath>
#include <cstdlib>

#include "core/codecs/codec.h"
#include "core/codecs/encode.h"
#include "core/cuda/cuda_facts.h"
#include "core/cuda/jpeg_device.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestNvjpeg : public QObject {
  Q_OBJECT

  static std::vector<std::byte> pictureOf(int width, int height) {
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width * height * 3));
    for (std::size_t p = 0; p < pixels.size(); ++p) {
      const auto x = static_cast<double>(p / 3 % static_cast<std::size_t>(width));
      const auto y = static_cast<double>(p / 3 / static_cast<std::size_t>(width));
      pixels[p] = static_cast<std::uint8_t>(
          128 + 60 * std::sin(x / 9 + static_cast<double>(p % 3)) + 60 * std::cos(y / 14));
    }
    return encodeJpeg({pixels.data(), width, height, 3, std::ptrdiff_t{width} * 3}).take();
  }

 private slots:
  void picturesAreTheCpusWithinTheBound() {
    const CudaFacts facts = cudaFacts();
    if (!facts.trouble.empty()) QSKIP(facts.trouble.c_str());
    const auto library = JpegLibrary::use(DeviceBackend::Cuda);
    if (!library) QSKIP(library.error().message.c_str());
    const auto device = openCudaDevice(0);
    QVERIFY(device.ok());
    const auto stream = (*device)->makeStream("test").take();
    const auto jpeg = JpegDevice::open(*library, *stream);
    QVERIFY2(jpeg.ok(), jpeg.ok() ? "" : jpeg.error().message.c_str());
    const auto batch = (*jpeg)->makeBatch(3).take();

    constexpr int kWidth = 322;
    constexpr int kHeight = 241;
    constexpr std::size_t kBytes = std::size_t{kWidth} * kHeight * 3;
    const std::vector<std::byte> file = pictureOf(kWidth, kHeight);
    const DeviceBuffer there = (*device)->deviceMemory(kBytes).take();
    const PinnedBuffer back = (*device)->pinnedMemory(kBytes).take();
    const JpegPicture picture{file, kWidth, there.data()};
    std::vector<JpegRefusal> refused;
    QVERIFY(batch->decode(*stream, {&picture, 1}, refused).ok());
    QVERIFY2(refused.empty(), refused.empty() ? "" : jpegWordsOf(refused.front().code).c_str());
    QVERIFY(stream->copyToHost(back.data(), there.data(), kBytes).ok());
    QVERIFY(stream->synchronise().ok());

    ImageDecoder decoder;
    QVERIFY(decoder.open(file).ok());
    const auto image = decoder.decode({});
    QVERIFY(image.ok());
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < kBytes; ++i)
      sum += std::abs(std::to_integer<int>(back.data()[i]) - int{image->pixels.data[i]});
    QVERIFY2(static_cast<double>(sum) <= 2.0 * kBytes, qPrintable(QString::number(sum)));
  }
};

}  // namespace millrace

using millrace::TestNvjpeg;
MILLRACE_TEST_CASE(TestNvjpeg)
#include "tst_nvjpeg.moc"
