// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/codecs/codec_checks.h"
#include "tests/core/codecs/part_pictures.h"

namespace millrace {
using tests::Picture;

namespace {

Picture colours(const Picture& indices) {
  Picture rgb(indices.width, indices.height, 3);
  for (int y = 0; y < rgb.height; ++y)
    for (int x = 0; x < rgb.width; ++x)
      for (int c = 0; c < 3; ++c)
        rgb.at(x, y, c) = tests::gifColour(indices.at(x, y))[std::size_t(c)];
  return rgb;
}

}  // namespace

class TestGif : public QObject {
  Q_OBJECT
 private slots:
  void everyRegionHasTheColoursOfTheWhole() {
    for (const bool interlaced : {false, true})
      for (const Size size : {Size{75, 51}, Size{1, 1}, Size{7, 3}}) {
        const Picture indices = tests::colourful(size.width, size.height, 1, 4);
        const auto file = writePlainGif(indices, {.interlaced = interlaced});
        tests::checkRegions(file, colours(indices));
      }
  }

  void aMaskHasTheIndices() {
    const Picture indices = tests::colourful(33, 20, 1, 2);
    QCOMPARE(tests::decoded(writePlainGif(indices, {}), PixelForm::Index).bytes, indices.bytes);
  }

  void theFirstFrameOfSeveralIsUsedAndTheOthersAreReported() {
    const Picture indices = tests::colourful(20, 10, 1, 2);
    ImageDecoder decoder;
    const auto one = decoder.open(writePlainGif(indices, {}));
    VERIFY_OK(one);
    QVERIFY(one->format == "GIF" && one->isPalette);
    QVERIFY(!one->reduced.any());
    const auto file = writePlainGif(indices, {.frames = 3, .transparent = 5});
    const auto several = decoder.open(file);
    VERIFY_OK(several);
    QVERIFY(several->reduced.has(Reduction::Frames));
    QVERIFY(several->reduced.has(Reduction::Alpha));
    QCOMPARE(tests::decoded(file).bytes, colours(indices).bytes);
  }

  void aTransparentIndexShowsTheBackground() {
    const Picture indices = tests::colourful(20, 10, 1, 2);
    Picture drawn(20, 10, 4);
    for (int y = 0; y < 10; ++y)
      for (int x = 0; x < 20; ++x) {
        const int index = indices.at(x, y);
        for (int c = 0; c < 3; ++c) drawn.at(x, y, c) = tests::gifColour(index)[std::size_t(c)];
        drawn.at(x, y, 3) = index == indices.at(3, 4) ? 0 : 255;
      }
    tests::checkBackground(writePlainGif(indices, {.transparent = indices.at(3, 4)}), drawn);
  }

  /// The screen's background is index 3, that of a frame with transparency its transparent index.
  void aFrameThatCoversAPartIsPlacedOnTheScreen() {
    const Picture indices = tests::colourful(4, 2, 1, 2);
    for (const int transparent : {-1, 9}) {
      const Picture whole = tests::decoded(
          writePlainGif(indices,
                        {.transparent = transparent, .left = 5, .top = 1, .screen = {12, 6}}),
          PixelForm::Index);
      QCOMPARE(whole.view().size(), (Size{12, 6}));
      for (int y = 0; y < 6; ++y)
        for (int x = 0; x < 12; ++x) {
          const bool inside = x >= 5 && x < 9 && y >= 1 && y < 3;
          QCOMPARE(int(whole.at(x, y)), inside            ? int(indices.at(x - 5, y - 1))
                                        : transparent < 0 ? 3
                                                          : transparent);
        }
    }
    const Picture wide = tests::decoded(writePlainGif(indices, {.left = 5, .screen = {6, 2}}));
    QCOMPARE(wide.width, 9);
  }

  void eachFrameIsWhatAViewerShows() {
    const Picture indices = tests::colourful(20, 10, 1, 2);
    const auto file = writePlainGif(indices, {.interlaced = true, .frames = 3});
    tests::checkPictures(file, {colours(indices), colours(tests::frameOf(indices, 1)),
                                colours(tests::frameOf(indices, 2))});
  }

  /// Where a frame is transparent, what is below depends on what became of the frame before.
  void transparentPixelsOfAFrameShowWhatIsBelow() {
    Picture indices(6, 4, 1);
    for (std::size_t i = 0; i < indices.bytes.size(); ++i) indices.bytes[i] = i % 3 == 0 ? 9 : 8;
    const Picture first = colours(indices);
    for (const int disposal : {0, 1, 2, 3}) {
      // In the second frame 8 has become 9, which is transparent, and 9 has become 10.
      const auto file =
          writePlainGif(indices, {.frames = 2, .disposal = disposal, .transparent = 9});
      Picture second = colours(tests::frameOf(indices, 1));
      if (disposal < 2)
        for (int y = 0; y < 4; ++y)
          for (int x = 0; x < 6; ++x)
            for (int c = 0; c < 3 && indices.at(x, y) == 8; ++c)
              second.at(x, y, c) = first.at(x, y, c);
      tests::checkPictures(file, {first, second});
    }
  }

  void aFrameBesideItsScreenIsCutOff() {
    const Picture indices = tests::colourful(4, 4, 1, 2);
    auto file = writePlainGif(indices, {.frames = 2});
    // The second frame's place.
    std::size_t at = file.size() - 1;
    while (file[at] != std::byte{','} || file[at + 5] != std::byte{4}) --at;
    file[at + 1] = std::byte{2};
    Picture second = colours(indices);
    const Picture moved = colours(tests::frameOf(indices, 1));
    for (int y = 0; y < 4; ++y)
      for (int x = 2; x < 4; ++x)
        for (int c = 0; c < 3; ++c) second.at(x, y, c) = moved.at(x - 2, y, c);
    tests::checkPictures(file, {colours(indices), second});
  }

  void truncatedAndDamagedFilesAreErrorsOrPictures() {
    const auto file = writePlainGif(tests::colourful(75, 51, 1, 4), {});
    tests::checkTruncated(file, 6, 2);
    QCOMPARE(tests::messageOf(std::span(file).first(400)),
             std::string("truncated after 400 bytes"));
    tests::checkDamaged(file, 6);
  }

  void tooManyPixelsAreRefusedBeforeMemoryIsTaken() {
    auto file = writePlainGif(tests::colourful(20, 20, 1, 4), {});
    tests::checkLimit(file);
    for (const std::size_t at : {6, 7, 8, 9}) file[at] = std::byte{0xea};
    QCOMPARE(tests::messageOf(file),
             "declares 60138 x 60138 pixels, but only 268 435 456 in all are allowed");
  }
};

}  // namespace millrace

using millrace::TestGif;
MILLRACE_TEST_CASE(TestGif)
#include "tst_gif.moc"
