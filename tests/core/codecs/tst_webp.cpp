// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>

#include <webp/decode.h>
#include <webp/encode.h>

#include "core/base/text/text.h"
#include "core/codecs/codec.h"
#include "core/codecs/pixel_rows.h"
#include "tests/core/codecs/codec_checks.h"
#include "tests/core/codecs/plain_jpeg.h"
#include "tests/support/real_data.h"
#include "tests/support/test_case.h"

namespace millrace {
using tests::messageOf;
using tests::Picture;

namespace {

using Bytes = std::vector<std::byte>;

/// RGB, or RGB and alpha without loss.
Bytes encoded(const Picture& picture, bool lossless) {
  const ImageView view = picture.view();
  std::uint8_t* out = nullptr;
  const auto stride = int(view.stride);
  const std::size_t size =
      view.channels == 4
          ? WebPEncodeLosslessRGBA(view.row(0), view.width, view.height, stride, &out)
      : lossless ? WebPEncodeLosslessRGB(view.row(0), view.width, view.height, stride, &out)
                 : WebPEncodeRGB(view.row(0), view.width, view.height, stride, 60, &out);
  const auto* first = reinterpret_cast<const std::byte*>(out);
  Bytes file(first, first + size);
  WebPFree(out);
  return file;
}

/// The reference: decodes the whole file with the library's simplest call.
Picture decodedByTheLibrary(const Bytes& file) {
  int width = 0;
  int height = 0;
  std::uint8_t* rgb = WebPDecodeRGB(reinterpret_cast<const std::uint8_t*>(file.data()), file.size(),
                                    &width, &height);
  Picture picture(rgb == nullptr ? 0 : width, rgb == nullptr ? 0 : height, 3);
  if (rgb != nullptr) std::copy_n(rgb, picture.bytes.size(), picture.bytes.begin());
  WebPFree(rgb);
  return picture;
}

void append(Bytes& file, std::string_view text) {
  for (const char letter : text) file.push_back(std::byte(letter));
}

void setLittle(Bytes& file, std::size_t at, std::size_t value) {
  for (std::size_t i = 0; i < 4; ++i) file[at + i] = std::byte(value >> (8 * i));
}

/// The same picture in the extended container, with this chunk before or after it.
Bytes extended(const Bytes& simple, Size size, int flags, std::string_view chunk,
               const std::string& content) {
  Bytes file;
  append(file, "RIFF0000WEBPVP8X");
  append(file, std::string("\x0a\0\0\0", 4));
  append(file, std::string{char(flags), 0, 0, 0, char(size.width - 1), 0, 0, char(size.height - 1),
                           0, 0});
  file.insert(file.end(), simple.begin() + 12, simple.end());
  append(file, chunk);
  append(file, std::string{char(content.size()), 0, 0, 0});
  append(file, content);
  if (content.size() % 2 != 0) append(file, std::string(1, '\0'));
  setLittle(file, 4, file.size() - 8);
  return file;
}

/// An animation of these pictures, all at the top left, on this canvas.
Bytes animated(Size canvas, Size frame, const std::vector<Bytes>& pictures) {
  Bytes file;
  append(file, "RIFF0000WEBPVP8X");
  append(file, std::string("\x0a\0\0\0", 4));
  append(file,
         std::string{2, 0, 0, 0, char(canvas.width - 1), 0, 0, char(canvas.height - 1), 0, 0});
  append(file, "ANIM");
  append(file, std::string("\6\0\0\0", 4) + std::string(6, '\0'));
  for (const Bytes& picture : pictures) {
    append(file, "ANMF0000");
    const std::size_t begin = file.size();
    append(file, std::string(6, '\0'));
    append(file,
           std::string{char(frame.width - 1), 0, 0, char(frame.height - 1), 0, 0, 10, 0, 0, 0});
    file.insert(file.end(), picture.begin() + 12, picture.end());
    setLittle(file, begin - 4, file.size() - begin);
  }
  setLittle(file, 4, file.size() - 8);
  return file;
}

}  // namespace

class TestWebp : public QObject {
  Q_OBJECT
 private slots:
  void everyRegionHasThePixelsOfTheWhole() {
    std::mt19937 random(1);
    for (const bool lossless : {false, true})
      for (const Size size : {Size{75, 51}, Size{40, 40}, Size{1, 1}, Size{7, 3}}) {
        const Bytes file = encoded(tests::colourful(size.width, size.height, 3, 4), lossless);
        const Picture whole = decodedByTheLibrary(file);
        ImageDecoder decoder;
        const auto info = decoder.open(file);
        VERIFY_OK(info);
        QVERIFY(info->format == "WebP" && info->size == size);
        for (int i = 0; i < 300; ++i) {
          Rect region{0, 0, size.width, size.height};
          if (i > 0) region = tests::randomRegion(random, size);
          const auto image = decoder.decode({.region = region});
          VERIFY_OK(image);
          const QString found = difference(image->pixels, whole, region.x, region.y);
          QVERIFY2(found.isEmpty(), qPrintable(found));
        }
      }
  }

  void losslessPicturesComeBackExactly() {
    const Picture picture = tests::colourful(60, 41, 3, 2);
    QCOMPARE(decodedByTheLibrary(encoded(picture, true)).bytes, picture.bytes);
  }

  /// Without loss, the encoder changes colours under alpha 0.
  void transparentPixelsShowTheBackground() {
    Picture rgba = tests::colourful(31, 20, 4, 2);
    for (int y = 0; y < 20; ++y)
      for (int x = 0; x < 31; ++x) rgba.at(x, y, 3) = std::max<std::uint8_t>(rgba.at(x, y, 3), 1);
    tests::checkBackground(encoded(rgba, true), rgba);
    tests::checkBackground(animated({31, 20}, {31, 20}, {encoded(rgba, true)}), rgba);
  }

  /// Alpha is then in a separate chunk.
  void aLossyFrameOfAnAnimationKeepsItsAlpha() {
    Picture rgba(16, 16, 4);
    for (int i = 0; i < 256; ++i) rgba.bytes[std::size_t(i) * 4 + 3] = std::uint8_t(i);
    std::uint8_t* out = nullptr;
    const std::size_t size = WebPEncodeRGBA(rgba.bytes.data(), 16, 16, 64, 90, &out);
    Bytes file(reinterpret_cast<std::byte*>(out), reinterpret_cast<std::byte*>(out) + size);
    WebPFree(out);
    constexpr std::size_t kExtendedHead = 30;
    QVERIFY(std::memcmp(file.data() + kExtendedHead, "ALPH", 4) == 0);
    // An animation's frame has the chunks after VP8X.
    file.erase(file.begin() + 12, file.begin() + kExtendedHead);
    const Bytes animation = animated({16, 16}, {16, 16}, {file});
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(animation));
    const auto image = decoder.decode({.background = {{255, 255, 255}}});
    VERIFY_OK(image);
    // Black over white: the brighter, the less of it there is.
    QVERIFY(image->pixels.row(0)[0] == 255 && image->pixels.row(15)[45] <= 3);
    QVERIFY(std::abs(image->pixels.row(8)[0] - 127) <= 3);
  }

  void greyIsTheLumaOfTheColours() {
    const Bytes file = encoded(tests::colourful(33, 20, 3, 2), false);
    const Picture whole = decodedByTheLibrary(file);
    Picture luma(33, 20, 1);
    rgbToGrey(whole.bytes.data(), luma.bytes.data(), 33 * 20);
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(file));
    const auto image = decoder.decode({.region = {3, 5, 20, 10}, .form = PixelForm::Grey});
    VERIFY_OK(image);
    QCOMPARE(image->pixels.channels, 1);
    QVERIFY(difference(image->pixels, luma, 3, 5).isEmpty());
  }

  void orientationComesFromTheExifChunk() {
    const std::string tiff("II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0", 26);
    const Bytes simple = encoded(tests::colourful(9, 4, 3, 2), true);
    for (const std::string& exif : {tiff, std::string("Exif\0\0", 6) + tiff}) {
      const Bytes file = extended(simple, {9, 4}, 8, "EXIF", exif);
      ImageDecoder decoder;
      const auto info = decoder.open(file);
      VERIFY_OK(info);
      QCOMPARE(info->orientation, 6);
      QCOMPARE(info->size.width, 4);
    }
  }

  void theFirstFrameOfAnAnimationIsUsed() {
    const Picture picture = tests::colourful(9, 4, 3, 2);
    for (const bool lossless : {false, true}) {
      const Bytes simple = encoded(picture, lossless);
      const Bytes file =
          animated({9, 4}, {9, 4}, {simple, encoded(tests::colourful(9, 4, 3, 7), lossless)});
      ImageDecoder decoder;
      const auto info = decoder.open(file);
      VERIFY_OK(info);
      QCOMPARE(info->size, (Size{9, 4}));
      QVERIFY(info->reduced.has(Reduction::Frames));
      const auto image = decoder.decode({});
      VERIFY_OK(image);
      QVERIFY(difference(image->pixels, decodedByTheLibrary(simple), 0, 0).isEmpty());
      for (std::size_t size = 12; size < file.size() / 2; ++size)
        QVERIFY(!messageOf(std::span(file).first(size)).empty());
    }
  }

  void eachFrameIsWhatAViewerShows() {
    const Picture first = tests::colourful(9, 5, 3, 2);
    const Picture second = tests::colourful(9, 5, 3, 7);
    tests::checkPictures(animated({9, 5}, {9, 5}, {encoded(first, true), encoded(second, true)}),
                         {first, second});
    QCOMPARE(countPictures(bytesOf(encoded(first, true))), 0U);
  }

  /// The rest of the canvas is transparent black at first.
  void aFrameThatCoversAPartIsDrawnOnTheCanvas() {
    const auto on = [](Picture below, const Picture& part) {
      for (int y = 0; y < part.height; ++y)
        for (int x = 0; x < part.width; ++x)
          for (int c = 0; c < 3; ++c) below.at(x, y, c) = part.at(x, y, c);
      return below;
    };
    const Picture part = tests::colourful(6, 4, 3, 2);
    const Picture other = tests::colourful(6, 4, 3, 5);
    const Picture black(9, 5, 3);
    const Bytes file = animated({9, 5}, {6, 4}, {encoded(part, true), encoded(other, true)});
    QCOMPARE(tests::decoded(file).bytes, on(black, part).bytes);
    tests::checkPictures(file, {on(black, part), on(black, other)});
    ImageDecoder decoder;
    const auto info = decoder.open(file);
    VERIFY_OK(info);
    QVERIFY(info->reduced.has(Reduction::Alpha) && info->reduced.has(Reduction::Frames));
    const auto white = decoder.decode({.background = {{255, 255, 255}}});
    VERIFY_OK(white);
    QCOMPARE(int(white->pixels.row(4)[8 * 3]), 255);
    QCOMPARE(int(white->pixels.row(0)[0]), int(part.at(0, 0, 0)));
  }

  /// A frame of a few bytes may be as large as the canvas.
  void framesWithTooManyPixelsAreRefused() {
    const Bytes frame = encoded(Picture(9, 5, 3), true);
    const Bytes file = animated({9, 5}, {9, 5}, std::vector<Bytes>(40, frame));
    QVERIFY(tests::messageOf(tests::chosen(file, 15), {.pixels = 45}).empty());
    QVERIFY(tests::messageOf(tests::chosen(file, 30), {.pixels = 45})
                .find("31 frames have too many pixels") != std::string::npos);
  }

  void truncatedFilesAreErrorsWithTheirPlace() {
    for (const bool lossless : {false, true}) {
      const Bytes file = encoded(tests::colourful(75, 51, 3, 4), lossless);
      for (std::size_t size = 12; size < file.size(); size += 1 + size / 4)
        QCOMPARE(messageOf(std::span(file).first(size)),
                 "truncated after " + grouped(size) + " bytes");
    }
  }

  void damagedFilesAreErrorsOrPictures() {
    std::mt19937 random(3);
    int refused = 0;
    for (const bool lossless : {false, true}) {
      const Bytes sound = encoded(tests::colourful(75, 51, 3, 4), lossless);
      for (int i = 0; i < 200; ++i) {
        Bytes file = sound;
        file[12 + random() % (i % 2 == 0 ? 30 : file.size() - 12)] ^=
            std::byte(1U << random() % 8U);
        if (!messageOf(file).empty()) ++refused;
      }
    }
    QVERIFY(refused > 20);
  }

  void tooManyPixelsAreRefusedBeforeMemoryIsTaken() {
    ImageDecoder decoder({.pixels = 100});
    const auto info = decoder.open(encoded(tests::colourful(20, 20, 3, 4), true));
    QVERIFY(!info.ok());
    QVERIFY(info.error().message.starts_with(
        "declares 20 x 20 pixels, but only 100 in all are allowed"));
  }

  void realFilesHaveThePixelsOfTheLibrary() {
    const auto data = tests::realData();
    if (!data) QSKIP("no real data next to the project");
    int seen = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(*data / "nasty/WEBP")) {
      if (entry.path().extension() != ".webp") continue;
      const Bytes file = tests::readFile(entry.path().c_str());
      ImageDecoder decoder;
      VERIFY_OK(decoder.open(file));
      const auto image = decoder.decode({.applyOrientation = false});
      VERIFY_OK(image);
      QVERIFY(difference(image->pixels, decodedByTheLibrary(file), 0, 0).isEmpty());
      ++seen;
    }
    QVERIFY(seen > 0);
  }
};

}  // namespace millrace

using millrace::TestWebp;
MILLRACE_TEST_CASE(TestWebp)
#include "tst_webp.moc"
