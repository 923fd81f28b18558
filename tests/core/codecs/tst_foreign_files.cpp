// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// All unusual and broken files of the real data: none crashes or hangs, and a file is accepted if
// and only if Pillow accepts it (the name of the file's folder), except for the files listed here
// with the reason.
#include <algorithm>
#include <filesystem>
#include <map>
#include <random>
#include <string>

#include "core/codecs/codec.h"
#include "tests/core/codecs/plain_jpeg.h"
#include "tests/support/needs_part.h"
#include "tests/support/real_data.h"
#include "tests/support/test_case.h"

namespace millrace {
using tests::copyOf;
using tests::Picture;

namespace {

using Bytes = std::vector<std::byte>;
namespace fs = std::filesystem;

/// The first six characters of a file's name are unique.
const std::map<std::string, const char*> kUnlikePillow{
    {"1d037c", "ends inside the last CRC, which libspng reads before it decompresses the rows"},
    {"2b864e", "one flipped bit; found again at the next restart marker, counted as warnings"},
    {"06bc08", "the data ends before the rows, at an end marker: grey rows and a warning"},
    {"005a2d", "16 bits by masks, top-down, which Pillow does not support"},
    {"08e807", "AVIF, which that Pillow did not read"},
    {"0afab1", "AVIF, which that Pillow did not read"},
    {"041bc7", "a picture of 5 x 184 on a screen of 32 x 32, which giflib finds incomplete"},
    {"1b3556", "four rows and then garbage that no decoder needs to read"},
    {"051a2e", "RGB with one bit per sample, which Pillow does not support"},
};

std::vector<fs::path> filesUnder(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

bool isPartOf(ImageView part, const Picture& whole, int left, int top) {
  for (int y = 0; y < part.height; ++y)
    for (int i = 0; i < part.width * part.channels; ++i)
      if (part.row(y)[i] != whole.at(left + i / part.channels, top + y, i % part.channels))
        return false;
  return true;
}

}  // namespace

class TestForeignFiles : public QObject {
  Q_OBJECT
 private slots:
  void awkwardFilesAreTakenOrRefusedAsListed() {
    for (const char* part : {"tiff", "webp", "gif", "avif"}) MILLRACE_NEEDS_PART(part);
    const auto data = tests::realData();
    if (!data) QSKIP("no real data next to the project");
    ImageDecoder decoder;
    int seen = 0;
    for (const fs::path& path : filesUnder(*data / "nasty")) {
      const Bytes file = tests::readFile(path.c_str());
      const auto info = decoder.open(file);
      const auto image = info ? decoder.decode({}) : Result<DecodedImage>(info.error());
      const std::string reason = image ? "" : image.error().message;
      const bool taken = path.parent_path().filename() == "ok";
      const bool unlike = kUnlikePillow.count(path.filename().string().substr(0, 6)) > 0;
      const bool unsupported = reason.starts_with("not supported yet: ");
      const bool wanted = unsupported ? false : taken != unlike;
      QVERIFY2(image.ok() == wanted, (path.string() + ": " + reason).c_str());
      QVERIFY2(image.ok() || reason.size() > 10, path.c_str());
      ++seen;
    }
    QVERIFY(seen > 100);
  }

  /// All forms, scales and regions of every file, valid or not; regions of valid ones are compared.
  void regionsOfAwkwardFilesHaveThePixelsOfTheWhole() {
    const auto data = tests::realData();
    if (!data) QSKIP("no real data next to the project");
    ImageDecoder decoder;
    std::mt19937 random(1);
    const auto below = [&random](int n) { return int(random() % unsigned(n)); };
    int compared = 0;
    for (const fs::path& path : filesUnder(*data / "nasty")) {
      const Bytes file = tests::readFile(path.c_str());
      const auto info = decoder.open(file);
      if (!info) continue;
      for (const PixelForm form : {PixelForm::Rgb, PixelForm::Grey, PixelForm::Index})
        for (const int scale : {1, 2, 4, 8}) {
          DecodeRequest request{.form = form, .applyOrientation = false};
          const Size size = info->storedSize;
          request.cover = {size.width / scale, size.height / scale};
          const auto whole = decoder.decode(request);
          const Picture all = whole ? copyOf(whole->pixels) : Picture(0, 0, 3);
          request.region.width = 1 + below(size.width);
          request.region.height = 1 + below(size.height);
          request.region.x = below(size.width - request.region.width + 1);
          request.region.y = below(size.height - request.region.height + 1);
          request.cover = {request.region.width / scale, request.region.height / scale};
          const auto part = decoder.decode(request);
          if (!whole || !part || whole->warnings > 0 || part->scale != whole->scale) continue;
          QVERIFY2(isPartOf(part->pixels, all, request.region.x / part->scale,
                            request.region.y / part->scale),
                   path.c_str());
          ++compared;
        }
    }
    QVERIFY(compared > 300);
  }

  void realPhotosAndPicturesDecode() {
    MILLRACE_NEEDS_PART("tiff");
    MILLRACE_NEEDS_PART("webp");
    const auto data = tests::realData();
    if (!data) QSKIP("no real data next to the project");
    ImageDecoder decoder;
    for (const char* folder : {"photos_cc0", "photos_imagenet", "photos_large", "kodak", "sr_pairs",
                               "seg_coco", "seg_camvid", "exif_orientation"})
      for (const fs::path& path : filesUnder(*data / folder)) {
        const std::string suffix = path.extension();
        if (suffix != ".jpg" && suffix != ".jpeg" && suffix != ".png") continue;
        const Bytes file = tests::readFile(path.c_str());
        const auto info = decoder.open(file);
        QVERIFY2(info.ok(), path.c_str());
        const auto image = decoder.decode({});
        QVERIFY2(image.ok(), path.c_str());
        QCOMPARE(image->pixels.size(), info->size);
        QCOMPARE(image->warnings, 0);
      }
  }
};

}  // namespace millrace

using millrace::TestForeignFiles;
MILLRACE_TEST_CASE(TestForeignFiles)
#include "tst_foreign_files.moc"
