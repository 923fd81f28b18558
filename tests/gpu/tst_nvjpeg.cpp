// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// nvJPEG on a real GPU compared with the CPU's decoder, within the bound in core/cuda/README.md.
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "core/codecs/codec.h"
#include "core/codecs/encode.h"
#include "core/cuda/cuda_facts.h"
#include "core/cuda/jpeg_device.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestNvjpeg : public QObject {
  Q_OBJECT

  struct File {
    int width = 0;
    int height = 0;
    std::vector<std::byte> bytes;
  };

  static File fileOf(int width, int height, const JpegSettings& settings = {}) {
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width) *
                                     static_cast<std::size_t>(height) * 3);
    for (std::size_t p = 0; p < pixels.size(); ++p) {
      const auto x = static_cast<double>(p / 3 % static_cast<std::size_t>(width));
      const auto y = static_cast<double>(p / 3 / static_cast<std::size_t>(width));
      pixels[p] = static_cast<std::uint8_t>(
          128 + 60 * std::sin(x / 9 + static_cast<double>(p % 3)) + 60 * std::cos(y / 14));
    }
    return {
        width, height,
        encodeJpeg({pixels.data(), width, height, 3, std::ptrdiff_t{width} * 3}, settings).take()};
  }

  /// nvJPEG with memory for pictures.
  struct JpegStage {
    std::shared_ptr<Device> device;
    std::unique_ptr<Stream> stream;
    std::unique_ptr<JpegDevice> jpeg;
    std::vector<DeviceBuffer> memory;
    std::vector<JpegPicture> pictures;
    std::vector<JpegRefusal> refused;

    /// Allocates memory without a picture for each file, with no work in flight on it.
    void lay(const std::vector<File>& files, int channels) {
      memory.clear();
      pictures.clear();
      refused.clear();
      for (const File& file : files) {
        const std::size_t bytes = bytesOf(file, channels);
        memory.push_back(device->deviceMemory(bytes).take());
        QVERIFY(stream->fill(memory.back().data(), 0xa5, bytes).ok());
        pictures.push_back({file.bytes, file.width, file.height, memory.back().data()});
      }
      QVERIFY(stream->synchronise().ok());
    }
    static std::size_t bytesOf(const File& file, int channels) {
      return static_cast<std::size_t>(file.width) * static_cast<std::size_t>(file.height) *
             static_cast<std::size_t>(channels);
    }
    /// The content after the stream's work: reading waits for nothing else. Empty: it failed.
    std::vector<std::uint8_t> pixels(std::size_t picture, const File& file, int channels) {
      const std::size_t bytes = bytesOf(file, channels);
      const PinnedBuffer back = device->pinnedMemory(bytes).take();
      if (!stream->copyToHost(back.data(), memory[picture].data(), bytes).ok()) return {};
      if (!stream->synchronise().ok()) return {};
      const auto* const first = reinterpret_cast<const std::uint8_t*>(back.data());
      return {first, first + bytes};
    }
    /// The mean difference from the CPU's pixels, in levels.
    double distance(const File& file, std::size_t picture, int channels) {
      const std::vector<std::uint8_t> made = pixels(picture, file, channels);
      if (made.empty()) return 255;
      ImageDecoder decoder;
      DecodeRequest request;
      request.form = channels == 1 ? PixelForm::Grey : PixelForm::Rgb;
      if (!decoder.open(file.bytes).ok()) return 255;
      const auto image = decoder.decode(request);
      if (!image.ok()) return 255;
      const auto row = static_cast<std::size_t>(file.width) * static_cast<std::size_t>(channels);
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < made.size(); ++i)
        sum += std::abs(int{made[i]} - int{image->pixels.row(static_cast<int>(i / row))[i % row]});
      return static_cast<double>(sum) / static_cast<double>(made.size());
    }
  };

  JpegStage m_deviceStage;

  void decodeAll(JpegBatch& batch, const std::vector<File>& files, int channels) {
    m_deviceStage.lay(files, channels);
    QVERIFY(
        batch.decode(*m_deviceStage.stream, m_deviceStage.pictures, m_deviceStage.refused).ok());
    QVERIFY2(m_deviceStage.refused.empty(),
             m_deviceStage.refused.empty()
                 ? ""
                 : jpegErrorText(m_deviceStage.refused.front().code).c_str());
    for (std::size_t i = 0; i < files.size(); ++i) {
      const double distance = m_deviceStage.distance(files[i], i, channels);
      QVERIFY2(distance <= 2, qPrintable(QString("picture %1: %2").arg(i).arg(distance)));
    }
  }

 private slots:
  void initTestCase() {
    const CudaFacts facts = cudaFacts();
    if (!facts.trouble.empty()) QSKIP(facts.trouble.c_str());
    const auto library = JpegLibrary::use(DeviceBackend::Cuda);
    if (!library) QSKIP(library.error().message.c_str());
    auto device = openCudaDevice(0);
    QVERIFY(device.ok());
    m_deviceStage.device = device.take();
    m_deviceStage.stream = m_deviceStage.device->makeStream("test").take();
    auto jpeg = JpegDevice::open(*library, m_deviceStage.device);
    QVERIFY2(jpeg.ok(), jpeg.ok() ? "" : jpeg.error().message.c_str());
    m_deviceStage.jpeg = jpeg.take();
    qInfo("nvJPEG %s, %s", (*library)->version().c_str(),
          m_deviceStage.jpeg->byEngine() ? "by the JPEG engine" : "by the multiprocessors");
  }
  void cleanupTestCase() { m_deviceStage = {}; }

  void picturesAreTheCpusWithinTheBound() {
    const auto batch = m_deviceStage.jpeg->makeBatch(3).take();
    decodeAll(*batch, {fileOf(322, 241)}, 3);
  }

  /// The state is set up again if the number of pictures changes.
  void batchesOfOtherPicturesFollowEachOther() {
    const auto batch = m_deviceStage.jpeg->makeBatch(3).take();
    std::vector<File> files;
    for (int i = 0; i < 9; ++i) files.push_back(fileOf(64 + 37 * i, 333 - 29 * i));
    decodeAll(*batch, files, 3);
    files.resize(4);
    decodeAll(*batch, files, 3);
    for (int i = 0; i < 20; ++i) files.push_back(fileOf(33 + i, 47 + 2 * i));
    decodeAll(*batch, files, 3);
  }

  void everySubsamplingIsDecoded() {
    const auto batch = m_deviceStage.jpeg->makeBatch(3).take();
    for (const Subsampling sampling : {Subsampling::S444, Subsampling::S422, Subsampling::S420}) {
      JpegSettings settings;
      settings.subsampling = sampling;
      decodeAll(*batch, {fileOf(129, 87, settings), fileOf(200, 31, settings)}, 3);
    }
  }

  void lumaIsTheCpusGrey() {
    const auto batch = m_deviceStage.jpeg->makeBatch(1).take();
    decodeAll(*batch, {fileOf(200, 100), fileOf(65, 31)}, 1);
  }

  /// Only the JPEG engine decodes regions; other decoders return the whole picture.
  void aRegionIsThatOfTheWholePicture() {
    const auto batch = m_deviceStage.jpeg->makeBatch(3).take();
    const File file = fileOf(320, 240);
    m_deviceStage.lay({file, file}, 3);
    const Rect region{77, 31, 120, 96};
    m_deviceStage.pictures[1].region = region;
    QVERIFY(
        batch->decode(*m_deviceStage.stream, m_deviceStage.pictures, m_deviceStage.refused).ok());
    QVERIFY(m_deviceStage.refused.empty());
    QCOMPARE(batch->regions(), std::size_t{m_deviceStage.jpeg->byEngine() ? 1U : 0U});
    const std::vector<std::uint8_t> whole = m_deviceStage.pixels(0, file, 3);
    const std::vector<std::uint8_t> part = m_deviceStage.pixels(1, file, 3);
    std::int64_t sum = 0;
    for (int y = region.y; y < region.y + region.height; ++y)
      for (int i = 3 * region.x; i < 3 * (region.x + region.width); ++i) {
        const auto at = static_cast<std::size_t>(y * file.width * 3 + i);
        sum += std::abs(int{whole[at]} - int{part[at]});
      }
    QVERIFY(static_cast<double>(sum) <= 2.0 * 3 * region.width * region.height);
    if (m_deviceStage.jpeg->byEngine()) QCOMPARE(int{part.front()}, 0xa5);
  }

  /// Whatever rejects it, the other pictures of the batch are decoded.
  void aDamagedFileIsRefusedAndNoOther() {
    const auto batch = m_deviceStage.jpeg->makeBatch(3).take();
    std::vector<File> files = {fileOf(200, 100), fileOf(201, 100), fileOf(202, 100)};
    std::fill(files[1].bytes.begin() + 2, files[1].bytes.begin() + 40, std::byte{0});
    m_deviceStage.lay(files, 3);
    QVERIFY(
        batch->decode(*m_deviceStage.stream, m_deviceStage.pictures, m_deviceStage.refused).ok());
    QCOMPARE(m_deviceStage.refused.size(), std::size_t{1});
    QCOMPARE(m_deviceStage.refused.front().picture, std::size_t{1});
    QVERIFY(m_deviceStage.distance(files[0], 0, 3) <= 2);
    QVERIFY(m_deviceStage.distance(files[2], 2, 3) <= 2);
  }

  /// Two fields of a sample, each with a separate state.
  void twoBatchesAreUnderWayAtOnce() {
    const auto first = m_deviceStage.jpeg->makeBatch(3).take();
    const auto second = m_deviceStage.jpeg->makeBatch(3).take();
    const std::vector<File> files = {fileOf(300, 200), fileOf(301, 201), fileOf(90, 60)};
    m_deviceStage.lay(files, 3);
    const std::span pictures(m_deviceStage.pictures);
    QVERIFY(first->decode(*m_deviceStage.stream, pictures.first(2), m_deviceStage.refused).ok());
    QVERIFY(second->decode(*m_deviceStage.stream, pictures.last(1), m_deviceStage.refused).ok());
    QVERIFY(m_deviceStage.refused.empty());
    for (std::size_t i = 0; i < files.size(); ++i)
      QVERIFY(m_deviceStage.distance(files[i], i, 3) <= 2);
  }
};

}  // namespace millrace

using millrace::TestNvjpeg;
MILLRACE_TEST_CASE(TestNvjpeg)
#include "tst_nvjpeg.moc"
