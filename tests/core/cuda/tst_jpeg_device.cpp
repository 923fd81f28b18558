// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// How the engine calls nvJPEG, tested with a fake that decodes into the emulated device's memory.
#include <array>
#include <cstring>

#include "core/codecs/codec.h"
#include "core/codecs/encode.h"
#include "core/cuda/emulated_device.h"
#include "core/cuda/jpeg_device.h"
#include "tests/support/fake_nvjpeg.h"
#include "tests/support/places.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;  // NOLINT(google-build-using-namespace): everything here is a test

class TestJpegDevice : public QObject {
  Q_OBJECT

  /// A batch of files on an emulated device.
  struct DecodeStage {
    std::shared_ptr<Device> device = makeEmulatedDevice();
    std::unique_ptr<Stream> stream = device->makeStream("decode").take();
    std::unique_ptr<JpegDevice> jpeg;
    std::unique_ptr<JpegBatch> batch;
    std::vector<std::vector<std::byte>> files;
    std::vector<JpegPicture> pictures;
    std::vector<DeviceBuffer> memory;
    std::vector<JpegRefusal> refused;
    int channels = 3;
  };

  static int heightOf(int width) { return 30 + width % 7; }
  static std::vector<std::byte> jpegOf(int width) {
    const int height = heightOf(width);
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width * height * 3));
    for (std::size_t p = 0; p < pixels.size(); ++p)
      pixels[p] = static_cast<std::uint8_t>(p * 7 + p / 91 * static_cast<unsigned>(width));
    return encodeJpeg({pixels.data(), width, height, 3, std::ptrdiff_t{width} * 3}).take();
  }

  static void open(DecodeStage& deviceStage, int channels, const std::vector<int>& widths) {
    auto library = JpegLibrary::open(tests::kFakeNvjpeg, DeviceBackend::Emulated);
    QVERIFY2(library.ok(), library.ok() ? "" : library.error().message.c_str());
    auto jpeg = JpegDevice::open(*library, deviceStage.device);
    QVERIFY(jpeg.ok());
    deviceStage.jpeg = jpeg.take();
    deviceStage.channels = channels;
    auto batch = deviceStage.jpeg->makeBatch(channels);
    QVERIFY(batch.ok());
    deviceStage.batch = batch.take();
    for (const int width : widths) {
      deviceStage.files.push_back(jpegOf(width));
      const auto bytes = static_cast<std::size_t>(width * 40 * channels);
      deviceStage.memory.push_back(deviceStage.device->deviceMemory(bytes).take());
      std::memset(deviceStage.memory.back().data(), 0, bytes);
    }
    for (std::size_t i = 0; i < widths.size(); ++i)
      deviceStage.pictures.push_back(
          {deviceStage.files[i], widths[i], heightOf(widths[i]), deviceStage.memory[i].data()});
  }

  static bool isDecoded(const DecodeStage& deviceStage, std::size_t i) {
    ImageDecoder decoder;
    if (!decoder.open(deviceStage.files[i])) return false;
    DecodeRequest request;
    request.form = deviceStage.channels == 1 ? PixelForm::Grey : PixelForm::Rgb;
    const auto image = decoder.decode(request);
    if (!image) return false;
    const auto rowBytes = static_cast<std::size_t>(image->pixels.width * deviceStage.channels);
    for (int y = 0; y < image->pixels.height; ++y)
      if (std::memcmp(image->pixels.row(y),
                      deviceStage.memory[i].data() + static_cast<std::size_t>(y) * rowBytes,
                      rowBytes) != 0)
        return false;
    return true;
  }

  const FakeNvjpeg m_fake{tests::kFakeNvjpeg};

 private slots:
  void init() { m_fake.script(""); }

  void aBatchIsOneCallAndGivesTheCpusPixels() {
    for (const int channels : {3, 1}) {
      m_fake.script("");
      DecodeStage deviceStage;
      open(deviceStage, channels, {40, 64, 33});
      QVERIFY(
          deviceStage.batch->decode(*deviceStage.stream, deviceStage.pictures, deviceStage.refused)
              .ok());
      QVERIFY(deviceStage.refused.empty());
      for (std::size_t i = 0; i < 3; ++i) QVERIFY(isDecoded(deviceStage, i));
      QVERIFY(deviceStage.batch
                  ->decode(*deviceStage.stream, std::span(deviceStage.pictures).first(2),
                           deviceStage.refused)
                  .ok());
      QCOMPARE(m_fake.batches(), 2);
      QCOMPARE(m_fake.singles(), 0);
      QCOMPARE(m_fake.pictures(), 5);
    }
    QCOMPARE(m_fake.open(), 0);
  }

  void aBrokenPictureIsRefusedAndTheOthersAreDecoded() {
    DecodeStage deviceStage;
    open(deviceStage, 3, {40, 64, 33, 50});
    m_fake.script("head=64 width=33:10");
    std::fill(deviceStage.files[3].begin(), deviceStage.files[3].begin() + 20, std::byte{0});
    QVERIFY(
        deviceStage.batch->decode(*deviceStage.stream, deviceStage.pictures, deviceStage.refused)
            .ok());
    QCOMPARE(deviceStage.refused.size(), std::size_t{3});
    const std::array<const char*, 3> reasons = {"this kind of JPEG is not supported",
                                                "the data is truncated", "the data is damaged"};
    for (std::size_t i = 0; i < 3; ++i) {
      QCOMPARE(deviceStage.refused[i].picture, i + 1);
      QCOMPARE(jpegErrorText(deviceStage.refused[i].code), std::string(reasons[i]));
    }
    QVERIFY(isDecoded(deviceStage, 0));
    m_fake.script("");
    deviceStage.refused.clear();
    QVERIFY(deviceStage.batch
                ->decode(*deviceStage.stream, std::span(deviceStage.pictures).first(3),
                         deviceStage.refused)
                .ok());
    QVERIFY(deviceStage.refused.empty());
    QCOMPARE(m_fake.batches(), 1);
    QVERIFY(isDecoded(deviceStage, 2));
  }

  void theEngineDecodesRegionsAlone() {
    DecodeStage deviceStage;
    open(deviceStage, 3, {40, 64, 33});
    const int height = heightOf(64);
    deviceStage.pictures[1].region = {10, 5, 30, 12};
    deviceStage.pictures[2].region = {0, 0, 33, heightOf(33)};
    QVERIFY(
        deviceStage.batch->decode(*deviceStage.stream, deviceStage.pictures, deviceStage.refused)
            .ok());
    QVERIFY(deviceStage.refused.empty());
    QCOMPARE(deviceStage.batch->regions(), std::size_t{1});
    QCOMPARE(m_fake.batches(), 1);
    QVERIFY(isDecoded(deviceStage, 0) && !isDecoded(deviceStage, 1) && isDecoded(deviceStage, 2));
    // The region is written to its place in the whole picture.
    const std::vector<std::byte> part(deviceStage.memory[1].data(),
                                      deviceStage.memory[1].data() + 64 * height * 3);
    deviceStage.pictures[1].region = {};
    QVERIFY(
        deviceStage.batch->decode(*deviceStage.stream, deviceStage.pictures, deviceStage.refused)
            .ok());
    QCOMPARE(deviceStage.batch->regions(), std::size_t{0});
    QVERIFY(isDecoded(deviceStage, 1));
    for (int y = 5; y < 17; ++y)
      QVERIFY(std::memcmp(part.data() + (y * 64 + 10) * 3,
                          deviceStage.memory[1].data() + (y * 64 + 10) * 3, 30 * 3) == 0);
  }

  void withoutTheEngineOrItsConsentPicturesAreDecodedWhole() {
    for (const char* script : {"no_engine", "whole", "batch=6"}) {
      m_fake.script(script);
      DecodeStage deviceStage;
      open(deviceStage, 3, {40, 64});
      for (JpegPicture& picture : deviceStage.pictures) picture.region = {3, 4, 20, 10};
      QVERIFY(
          deviceStage.batch->decode(*deviceStage.stream, deviceStage.pictures, deviceStage.refused)
              .ok());
      QVERIFY(deviceStage.refused.empty());
      QCOMPARE(deviceStage.batch->regions(), std::size_t{0});
      QVERIFY(isDecoded(deviceStage, 0) && isDecoded(deviceStage, 1));
    }
    QCOMPARE(m_fake.open(), 0);
  }

  /// The memory was sized for another width.
  void aPictureOfAnotherSizeIsRefused() {
    DecodeStage deviceStage;
    open(deviceStage, 3, {40, 64, 33});
    deviceStage.pictures[0].height -= 1;
    deviceStage.pictures[1].width -= 1;
    QVERIFY(
        deviceStage.batch->decode(*deviceStage.stream, deviceStage.pictures, deviceStage.refused)
            .ok());
    QCOMPARE(deviceStage.refused.size(), std::size_t{2});
    QCOMPARE(deviceStage.refused[1].picture, std::size_t{1});
    QCOMPARE(m_fake.pictures(), 1);
    QVERIFY(isDecoded(deviceStage, 2));
  }

  void aBatchThatFailsAsAWholeIsDecodedOneByOne() {
    DecodeStage deviceStage;
    open(deviceStage, 3, {40, 64});
    m_fake.script("batch=6");
    QVERIFY(
        deviceStage.batch->decode(*deviceStage.stream, deviceStage.pictures, deviceStage.refused)
            .ok());
    QVERIFY(deviceStage.refused.empty());
    QCOMPARE(m_fake.singles(), 2);
    QVERIFY(isDecoded(deviceStage, 0) && isDecoded(deviceStage, 1));
  }

  void theEngineIsTakenWhereThereIsOne() {
    const auto library = JpegLibrary::open(tests::kFakeNvjpeg, DeviceBackend::Emulated);
    DecodeStage deviceStage;
    QVERIFY((*JpegDevice::open(*library, deviceStage.device))->byEngine());
    m_fake.script("no_engine");
    QVERIFY(!(*JpegDevice::open(*library, deviceStage.device))->byEngine());
    m_fake.script("create=5");
    const auto none = JpegDevice::open(*library, deviceStage.device);
    QVERIFY(!none.ok());
    QCOMPARE(
        none.error().message,
        std::string(
            "nvJPEG 13.3.2 cannot start (nvjpegCreateEx: not enough GPU memory to decode it)"));
  }

  void aLibraryThatCannotBeUsedSaysWhy() {
    const auto reason = [](const char* file, DeviceBackend backend) {
      const auto library = JpegLibrary::open(file, backend);
      return library ? std::string() : library.error().message;
    };
    QCOMPARE(reason("libnvjpeg_missing.so.13", DeviceBackend::Cuda),
             std::string("libnvjpeg_missing.so.13 is not installed"));
    const std::string old = tests::kFakeNvjpegOld;
    QCOMPARE(reason(old.c_str(), DeviceBackend::Emulated),
             old + " is version 12.3.0, but 12.4 or later is needed");
    const std::string cut = tests::kFakeNvjpegCut;
    QCOMPARE(reason(cut.c_str(), DeviceBackend::Emulated),
             cut + " 13.3.2 has no function nvjpegDecodeBatchedSupported");
    const std::string fake = tests::kFakeNvjpeg;
    QCOMPARE(reason(fake.c_str(), DeviceBackend::Cuda),
             fake + " is a test double that works without a GPU only");
    QVERIFY(reason("libjpeg.so.62", DeviceBackend::Emulated).find("its version") !=
            std::string::npos);
  }

  void theVariableNamesTheLibrary() {
    qputenv("MILLRACE_NVJPEG", tests::kFakeNvjpeg);
    const auto first = JpegLibrary::use(DeviceBackend::Emulated);
    const auto second = JpegLibrary::use(DeviceBackend::Emulated);
    QVERIFY(first.ok() && second.ok());
    QCOMPARE(first->get(), second->get());
    qputenv("MILLRACE_NVJPEG", "/nowhere/libnvjpeg.so");
    const auto none = JpegLibrary::use(DeviceBackend::Emulated);
    qunsetenv("MILLRACE_NVJPEG");
    QVERIFY(!none.ok());
    QCOMPARE(none.error().message, std::string("/nowhere/libnvjpeg.so is not installed"));
  }
};

}  // namespace millrace

using millrace::TestJpegDevice;
MILLRACE_TEST_CASE(TestJpegDevice)
#include "tst_jpeg_device.moc"
