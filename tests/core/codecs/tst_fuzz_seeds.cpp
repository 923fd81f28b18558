// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Generates the seeds of the image fuzzers (tests/fuzz) and compares them with the files; with
// MILLRACE_WRITE_SEEDS=1 writes the files.
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <webp/encode.h>

#include "core/codecs/codec.h"
#include "tests/core/codecs/part_pictures.h"
#include "tests/core/codecs/plain_bmp.h"
#include "tests/core/codecs/plain_jpeg.h"
#include "tests/core/codecs/plain_png.h"
#include "tests/core/codecs/plain_tiff.h"
#include "tests/support/places.h"
#include "tests/support/test_case.h"

namespace millrace {
namespace {

using Bytes = std::vector<std::byte>;

/// A file and the eight bytes of a request (tests/fuzz/decode_bytes.h) for the middle of the
/// picture.
Bytes seed(Bytes file) {
  for (const int byte : {40, 40, 128, 128, 0, 0, 0, 0}) file.push_back(std::byte(byte));
  return file;
}

std::map<std::string, Bytes> jpegSeeds() {
  const auto make = [](int channels, const tests::PlainJpeg& how) {
    return seed(writePlainJpeg(tests::colourful(40, 24, channels, 1), how));
  };
  return {
      {"444", make(3, {.quality = 20})},
      {"420", make(3, {.horizontal = 2, .vertical = 2, .quality = 20})},
      {"422_restart", make(3, {.horizontal = 2, .restartRows = 1, .quality = 20})},
      {"411", make(3, {.horizontal = 4, .quality = 20})},
      {"progressive",
       make(3, {.horizontal = 2, .vertical = 2, .progressive = true, .quality = 20})},
      {"arithmetic", make(3, {.horizontal = 2, .arithmetic = true, .quality = 20})},
      {"grey", make(1, {.quality = 20})},
      {"cmyk", make(4, {.quality = 20})},
      {"ycck", make(4, {.horizontal = 2, .vertical = 2, .ycck = true, .quality = 20})},
  };
}

std::map<std::string, Bytes> pngSeeds() {
  const auto make = [](int bits, int type, std::size_t rowBytes, bool interlaced) {
    tests::PlainPng png{.width = 8, .height = 8, .bitDepth = bits, .colourType = type};
    png.interlaced = interlaced;
    png.idatBytes = 60;
    if (type == 3) png.palette.assign(4, {10, 200, 30});
    const std::size_t rows = interlaced ? 15 : 8;
    for (std::size_t y = 0; y < rows; ++y) png.rows.emplace_back(rowBytes, std::uint8_t(y * 17));
    return seed(writePlainPng(png));
  };
  return {
      {"grey1", make(1, 0, 1, false)},    {"grey8", make(8, 0, 8, false)},
      {"grey16", make(16, 0, 16, false)}, {"rgb", make(8, 2, 24, false)},
      {"palette2", make(2, 3, 2, false)}, {"grey_alpha", make(8, 4, 16, false)},
      {"rgba16", make(16, 6, 64, false)}, {"interlaced", make(1, 0, 1, true)},
  };
}

/// Every kind that the built-in decoder supports, with every filter.
std::map<std::string, Bytes> ownPngSeeds() {
  const auto make = [](int bits, int type, std::size_t rowBytes) {
    tests::PlainPng png{.width = 16, .height = 10, .bitDepth = bits, .colourType = type};
    png.idatBytes = 300;
    if (type == 3) png.palette.assign(3, {10, 200, 30});
    for (std::size_t y = 0; y < 10; ++y) {
      std::vector<std::uint8_t>& row = png.rows.emplace_back();
      for (std::size_t i = 0; i < rowBytes; ++i) row.push_back(std::uint8_t(i * i + 30 * y));
      png.filters.push_back(std::uint8_t(y % 5));
    }
    return seed(writePlainPng(png));
  };
  return {
      {"grey2", make(2, 0, 4)},    {"grey8", make(8, 0, 16)},    {"rgb", make(8, 2, 48)},
      {"palette4", make(4, 3, 8)}, {"palette8", make(8, 3, 16)}, {"grey_alpha", make(8, 4, 32)},
      {"rgba", make(8, 6, 64)},
  };
}

std::map<std::string, Bytes> webpSeeds() {
  const auto make = [](bool lossless) {
    const tests::Picture picture = tests::colourful(24, 20, 3, 1);
    std::uint8_t* out = nullptr;
    const std::uint8_t* rgb = picture.bytes.data();
    const std::size_t size = lossless ? WebPEncodeLosslessRGB(rgb, 24, 20, 72, &out)
                                      : WebPEncodeRGB(rgb, 24, 20, 72, 20, &out);
    const auto* first = reinterpret_cast<const std::byte*>(out);
    Bytes file(first, first + size);
    WebPFree(out);
    return seed(file);
  };
  return {{"lossless", make(true)}, {"lossy", make(false)}};
}

std::map<std::string, Bytes> tiffSeeds() {
  const auto make = [](int channels, const tests::PlainTiff& how) {
    tests::Picture picture = tests::colourful(24, 20, channels, 1);
    if (how.bits < 8)
      for (std::uint8_t& value : picture.bytes) value = std::uint8_t(value >> (8 - how.bits));
    return seed(writePlainTiff(picture, how));
  };
  return {
      {"rgb", make(3, {})},
      {"lzw_tiles", make(3, {.compression = COMPRESSION_LZW, .tile = 16, .mode = "wb"})},
      {"deflate_planes", make(3, {.compression = COMPRESSION_ADOBE_DEFLATE, .planes = true})},
      {"jpeg", make(3, {.photometric = PHOTOMETRIC_YCBCR,
                        .compression = COMPRESSION_JPEG,
                        .rowsPerStrip = 16})},
      {"fax", make(1, {.bits = 1,
                       .photometric = PHOTOMETRIC_MINISWHITE,
                       .compression = COMPRESSION_CCITTFAX4})},
      {"palette", make(1, {.bits = 4, .photometric = PHOTOMETRIC_PALETTE, .mode = "w8"})},
      {"grey16", make(1, {.bits = 16, .photometric = PHOTOMETRIC_MINISBLACK})},
  };
}

std::map<std::string, Bytes> gifSeeds() {
  const tests::Picture indices = tests::colourful(24, 20, 1, 1);
  return {
      {"plain", seed(writePlainGif(indices, {}))},
      {"interlaced", seed(writePlainGif(indices, {.interlaced = true}))},
      {"frames", seed(writePlainGif(
                     tests::colourful(6, 5, 1, 1),
                     {.frames = 2, .transparent = 3, .left = 2, .top = 1, .screen = {12, 9}}))}};
}

std::map<std::string, Bytes> avifSeeds() {
  const auto make = [](int channels, const tests::PlainAvif& how) {
    return seed(writePlainAvif(tests::colourful(16, 12, channels, 1), how));
  };
  return {{"rgb", make(3, {.lossy = true})},
          {"grey", make(1, {})},
          {"turned", make(3, {.turns = 1, .mirror = 0, .lossy = true})},
          {"deep_alpha", make(4, {.depth = 10, .lossy = true})},
          {"frames", make(3, {.frames = 2, .lossy = true})}};
}

std::map<std::string, Bytes> heicSeeds() {
  return {{"rgb", seed(writePlainHeic(tests::Picture(64, 64, 3)))}};
}

std::map<std::string, Bytes> jxlSeeds() {
  const auto make = [](int channels, const tests::PlainJxl& how) {
    return seed(writePlainJxl(tests::colourful(16, 12, channels, 1), how));
  };
  return {{"lossless", make(3, {})},
          {"lossy", make(3, {.lossy = true})},
          {"grey", make(1, {.orientation = 6})},
          {"alpha_frames", make(4, {.frames = 2})}};
}

std::map<std::string, Bytes> jpeg2000Seeds() {
  const auto make = [](int channels, const tests::PlainJpeg2000& how) {
    return seed(writePlainJpeg2000(tests::colourful(16, 12, channels, 1), how));
  };
  return {{"rgb", make(3, {})},
          {"bare_tiles", make(3, {.bare = true, .tile = 8})},
          {"lossy", make(3, {.lossy = true})},
          {"grey12", make(1, {.depth = 12})},
          {"ycc", make(3, {.ycc = true})}};
}

std::map<std::string, Bytes> bmpSeeds() {
  const auto small = [](tests::PlainBmp bmp) { return seed(bmp.file()); };
  const std::vector<std::array<std::uint8_t, 3>> palette(4, {10, 200, 30});
  return {
      {"rgb", small(tests::colourBmp(tests::colourful(9, 5, 3, 1), false))},
      {"top_down", small(tests::colourBmp(tests::colourful(9, 5, 3, 1), true, 124))},
      {"masks", small({.width = 2,
                       .height = 2,
                       .bits = 16,
                       .code = 3,
                       .masks = {0xf800, 0x7e0, 0x1f},
                       .data = {1, 2, 3, 4, 5, 6, 7, 8}})},
      {"os2", small({.width = 9,
                     .height = 1,
                     .bits = 4,
                     .head = 12,
                     .palette = palette,
                     .data = {0x12, 0x30, 0x12, 0x30, 0x10, 0, 0, 0}})},
      {"runs8", small({.width = 6,
                       .height = 3,
                       .bits = 8,
                       .code = 1,
                       .palette = palette,
                       .data = {6, 3, 0, 0, 0, 3, 1, 2, 3, 0, 0, 2, 2, 1, 1, 2, 0, 1}})},
      {"runs4", small({.width = 5,
                       .height = 2,
                       .bits = 4,
                       .code = 2,
                       .palette = palette,
                       .data = {0, 3, 0x32, 0x10, 0, 0, 5, 0x12, 0, 1}})},
  };
}

/// The length of a side index (2 bytes), the index, a file and a request for the lower half.
std::map<std::string, Bytes> sideIndexSeeds() {
  const auto make = [](const tests::PlainJpeg& how) {
    const Bytes file = writePlainJpeg(tests::colourful(24, 80, 3, 1), how);
    ImageDecoder decoder;
    Bytes index;
    if (decoder.open(file)) (void)decoder.decode({.region = {0, 72, 24, 8}, .sideIndex = &index});
    const std::size_t length = index.size();
    Bytes all = std::move(index);
    all.insert(all.begin(), {std::byte(length), std::byte(length >> 8U)});
    all.insert(all.end(), file.begin(), file.end());
    for (const int byte : {40, 128, 128, 200, 0, 0, 0, 0}) all.push_back(std::byte(byte));
    return all;
  };
  return {{"444", make({.quality = 20})},
          {"420", make({.horizontal = 2, .vertical = 2, .quality = 20})},
          {"422_restart", make({.horizontal = 2, .restartRows = 1, .quality = 20})}};
}

/// Writes the files if that is requested, then reads them.
std::map<std::string, Bytes> writtenSeeds(const std::string& what,
                                          const std::map<std::string, Bytes>& seeds) {
  const std::filesystem::path folder = tests::sourcePath("tests/fuzz/seeds/" + what);
  const bool writes = qEnvironmentVariableIsSet("MILLRACE_WRITE_SEEDS");
  if (writes) std::filesystem::create_directories(folder);
  std::map<std::string, Bytes> files;
  for (const auto& [name, bytes] : seeds) {
    const std::filesystem::path path = folder / name;
    if (writes)
      std::ofstream(path, std::ios::binary)
          .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
    files[name] = tests::readFile(path.c_str());
  }
  return files;
}

void compare(const std::string& what, const std::map<std::string, Bytes>& seeds) {
  for (const auto& [name, file] : writtenSeeds(what, seeds))
    QVERIFY2(file == seeds.at(name), (what + "/" + name).c_str());
}

/// For encoders whose bytes depend on the time, the processor or their version.
void decodeEach(const std::string& what, const std::map<std::string, Bytes>& seeds) {
  for (const auto& [name, file] : writtenSeeds(what, seeds)) {
    QVERIFY2(file.size() > 8 && file.size() < 2048, (what + "/" + name).c_str());
    ImageDecoder decoder;
    VERIFY_OK(decoder.open(std::span(file).first(file.size() - 8)));
    VERIFY_OK(decoder.decode({}));
  }
}

}  // namespace

class TestFuzzSeeds : public QObject {
  Q_OBJECT
 private slots:
  void theSeedsOfTheJpegFuzzerAreFresh() { compare("jpeg", jpegSeeds()); }
  void theSeedsOfThePngFuzzerAreFresh() { compare("png", pngSeeds()); }
  void theSeedsOfTheWebpFuzzerAreFresh() { compare("webp", webpSeeds()); }
  void theSeedsOfTheTiffFuzzerAreFresh() { compare("tiff", tiffSeeds()); }
  void theSeedsOfTheGifFuzzerAreFresh() { compare("gif", gifSeeds()); }
  void theSeedsOfTheAvifFuzzerAreSound() { decodeEach("avif", avifSeeds()); }
  void theSeedsOfTheHeicFuzzerAreSound() { decodeEach("heic", heicSeeds()); }
  void theSeedsOfTheJxlFuzzerAreSound() { decodeEach("jxl", jxlSeeds()); }
  void theSeedsOfTheJpeg2000FuzzerAreFresh() { compare("jpeg2000", jpeg2000Seeds()); }
  void theSeedsOfTheBmpFuzzerAreFresh() { compare("bmp", bmpSeeds()); }
  void theSeedsOfTheOwnPngFuzzerAreFresh() { compare("own_png", ownPngSeeds()); }
  void theSeedsOfTheSideIndexFuzzerAreFresh() { compare("side_index", sideIndexSeeds()); }
};

}  // namespace millrace

using millrace::TestFuzzSeeds;
MILLRACE_TEST_CASE(TestFuzzSeeds)
#include "tst_fuzz_seeds.moc"
