// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Counting and choosing pictures, how frames are drawn, and animated PNG.
#include "core/codecs/animation_canvas.h"
#include "tests/core/codecs/codec_checks.h"
#include "tests/core/codecs/plain_bmp.h"
#include "tests/core/codecs/plain_png.h"

namespace millrace {
using tests::Picture;
using tests::PlainPng;
using Bytes = std::vector<std::byte>;

namespace {

struct Frame {
  Picture drawn;  ///< RGB and alpha
  int left = 0;
  int top = 0;
  int disposal = 0;
  bool blends = false;
};

PlainPng pngOf(const Picture& drawn) {
  PlainPng png{.width = drawn.width, .height = drawn.height, .colourType = 6};
  for (int y = 0; y < drawn.height; ++y) {
    const auto* row = drawn.view().row(y);
    png.rows.emplace_back(row, row + drawn.width * 4);
  }
  return png;
}

std::string dataOf(const Picture& drawn) {
  const Bytes file = writePlainPng(pngOf(drawn));
  const std::size_t begin = tests::chunkAt(file, "IDAT") + 8;
  const std::size_t end = tests::chunkAt(file, "IEND") - 4;
  return {reinterpret_cast<const char*>(file.data()) + begin, end - begin};
}

/// `still`: whether the first frame is the picture that other readers see.
Bytes animatedPng(const std::vector<Frame>& frames, bool still = true) {
  using tests::pngChunk;
  using tests::pngNumber;
  const Picture& first = frames.front().drawn;
  std::string file = "\x89PNG\r\n\x1a\n";
  file +=
      pngChunk("IHDR", pngNumber(std::uint32_t(first.width)) +
                           pngNumber(std::uint32_t(first.height)) + std::string("\10\6\0\0\0", 5));
  file += pngChunk("acTL", pngNumber(std::uint32_t(frames.size())) + pngNumber(0));
  if (!still) file += pngChunk("IDAT", dataOf(Picture(first.width, first.height, 4)));
  std::uint32_t sequence = 0;
  for (const Frame& frame : frames) {
    file += pngChunk(
        "fcTL", pngNumber(sequence++) + pngNumber(std::uint32_t(frame.drawn.width)) +
                    pngNumber(std::uint32_t(frame.drawn.height)) +
                    pngNumber(std::uint32_t(frame.left)) + pngNumber(std::uint32_t(frame.top)) +
                    std::string{0, 1, 0, 10, char(frame.disposal), char(frame.blends)});
    const std::string data = dataOf(frame.drawn);
    const std::string halves[] = {data.substr(0, data.size() / 2), data.substr(data.size() / 2)};
    for (const std::string& half : halves)
      file += still && &frame == &frames.front() ? pngChunk("IDAT", half)
                                                 : pngChunk("fdAT", pngNumber(sequence++) + half);
  }
  file += pngChunk("IEND", "");
  const auto* begin = reinterpret_cast<const std::byte*>(file.data());
  return {begin, begin + file.size()};
}

Picture opaque(int width, int height, int seed) {
  Picture picture = tests::colourful(width, height, 4, seed);
  for (std::size_t i = 3; i < picture.bytes.size(); i += 4) picture.bytes[i] = 255;
  return picture;
}

/// `part` in place of what is there, or its colours alone.
Picture rgbOf(const Picture& rgba) {
  Picture rgb(rgba.width, rgba.height, 3);
  for (int y = 0; y < rgb.height; ++y)
    for (int x = 0; x < rgb.width; ++x)
      for (int c = 0; c < 3; ++c) rgb.at(x, y, c) = rgba.at(x, y, c);
  return rgb;
}

Picture placed(Picture below, const Picture& part, int left, int top) {
  for (int y = 0; y < part.height; ++y)
    for (int x = 0; x < part.width; ++x)
      for (int c = 0; c < below.channels; ++c) below.at(left + x, top + y, c) = part.at(x, y, c);
  return below;
}

Picture drawnBy(AnimationCanvas& canvas, Size size) {
  return tests::copyOf(canvas.part({0, 0, size.width, size.height}, PixelForm::Rgba).pixels);
}

}  // namespace

class TestSeveralPictures : public QObject {
  Q_OBJECT
 private slots:
  void otherFilesHaveNoPicturesToChoose() {
    const Bytes bmp = tests::colourBmp(tests::colourful(5, 4, 3, 1), true).file();
    QCOMPARE(countPictures(bytesOf(bmp)), 0U);
    QCOMPARE(countPictures(bytesOf(Bytes{})), 0U);
    QCOMPARE(countPictures(bytesOf(Bytes(100, std::byte{'G'}))), 0U);
    QVERIFY(tests::chosen(bmp, 0).empty());
    QCOMPARE(countPictures(bytesOf(writePlainPng(pngOf(opaque(4, 3, 1))))), 0U);
  }

  void aMarkOfAFormatWithoutSeveralIsIgnored() {
    Bytes bmp = tests::colourBmp(tests::colourful(5, 4, 3, 1), true).file();
    const Bytes png = animatedPng({{opaque(4, 3, 1)}, {opaque(4, 3, 2)}});
    const Bytes marked = tests::chosen(png, 1);
    bmp.insert(bmp.end(), marked.end() - kChoiceBytes, marked.end());
    QCOMPARE(tests::messageOf(bmp), std::string());
    QCOMPARE(withoutMark(marked).file.size(), png.size());
    QCOMPARE(withoutMark(marked).picture, std::optional(1U));
    QVERIFY(!withoutMark(png).picture);
  }

  void aFrameBlendsOrReplaces() {
    Picture over(1, 1, 4);
    over.bytes = {200, 0, 100, 128};
    AnimationCanvas canvas;
    for (const bool blends : {true, false}) {
      canvas.begin({1, 1}, {9, 8, 7});
      QVERIFY(drawnBy(canvas, {1, 1}).bytes.size() == 4);
      Picture below(1, 1, 4);
      below.bytes = {100, 50, 0, 255};
      canvas.draw({{0, 0, 1, 1}}, below.view());
      canvas.draw({{0, 0, 1, 1}, blends}, over.view());
      QCOMPARE(drawnBy(canvas, {1, 1}).bytes,
               blends ? (std::vector<std::uint8_t>{150, 25, 50, 255}) : over.bytes);
    }
    // Over half transparency: (128 * 255 + 64 * 127) / 255 = 159.9, colours by their shares.
    canvas.begin({1, 1}, {});
    Picture half(1, 1, 4);
    half.bytes = {0, 255, 0, 64};
    canvas.draw({{0, 0, 1, 1}}, half.view());
    canvas.draw({{0, 0, 1, 1}, true}, over.view());
    QCOMPARE(drawnBy(canvas, {1, 1}).bytes, (std::vector<std::uint8_t>{160, 51, 80, 160}));
  }

  void whatBecomesOfAFrameIsDoneBeforeTheNext() {
    const Picture first = opaque(6, 4, 1);
    const Picture second = opaque(2, 2, 2);
    const Picture third = opaque(1, 1, 3);
    AnimationCanvas canvas;
    for (const Disposal disposal : {Disposal::Keep, Disposal::Clear, Disposal::Restore}) {
      canvas.begin({6, 4}, {9, 8, 7});
      canvas.draw({{0, 0, 6, 4}}, first.view());
      canvas.draw({{3, 1, 2, 2}, false, disposal}, second.view());
      QCOMPARE(drawnBy(canvas, {6, 4}).bytes, placed(first, second, 3, 1).bytes);
      canvas.draw({{0, 0, 1, 1}}, third.view());
      Picture hole(2, 2, 4);
      for (std::size_t i = 0; i < hole.bytes.size(); ++i)
        hole.bytes[i] = std::array<std::uint8_t, 4>{9, 8, 7, 0}[i % 4];
      const Picture below = disposal == Disposal::Keep    ? placed(first, second, 3, 1)
                            : disposal == Disposal::Clear ? placed(first, hole, 3, 1)
                                                          : first;
      QCOMPARE(drawnBy(canvas, {6, 4}).bytes, placed(below, third, 0, 0).bytes);
    }
  }

  void framesOfPngAreDrawnOnEachOther() {
    const Picture first = opaque(9, 7, 1);
    const Picture second = opaque(4, 3, 2);
    Picture third = opaque(9, 7, 3);
    third.at(0, 0, 3) = 0;
    const Picture two = placed(first, second, 5, 4);
    Picture three = third;
    for (int c = 0; c < 3; ++c) three.at(0, 0, c) = two.at(0, 0, c);
    for (const bool still : {true, false}) {
      const Bytes file =
          animatedPng({{first}, {second, 5, 4, 0, true}, {third, 0, 0, 0, true}}, still);
      tests::checkPictures(file, {rgbOf(first), rgbOf(two), rgbOf(three)});
      // Other readers, and no choice, see the still picture.
      QCOMPARE(tests::decoded(file).bytes, rgbOf(still ? first : Picture(9, 7, 4)).bytes);
    }
  }

  void damagedFramesOfPngAreErrors() {
    Bytes file = animatedPng({{opaque(9, 7, 1)}, {opaque(9, 7, 2)}});
    const Bytes sound = file;
    file[tests::chunkAt(file, "fdAT") + 20] ^= std::byte{1};
    QVERIFY(tests::messageOf(tests::chosen(file, 0)).empty());
    QCOMPARE(tests::messageOf(tests::chosen(file, 1)),
             std::string("damaged PNG: the sum of a frame's chunk is wrong"));
    const std::size_t cut = tests::chunkAt(sound, "fdAT") + 50;
    QCOMPARE(tests::messageOf(tests::chosen(std::span(sound).first(cut), 1)),
             "truncated after " + std::to_string(cut) + " bytes");
    tests::checkDamaged(tests::chosen(sound, 1), 8);
    ImageDecoder decoder;
    const Bytes frame = tests::chosen(sound, 1);
    VERIFY_OK(decoder.open(frame));
    VERIFY_OK(decoder.decode({.background = {{1, 2, 3}}}));
    VERIFY_OK(decoder.decode({.form = PixelForm::Grey}));
  }
};

}  // namespace millrace

using millrace::TestSeveralPictures;
MILLRACE_TEST_CASE(TestSeveralPictures)
#include "tst_several_pictures.moc"
