// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/sample_data/sample_kinds.h"

#include <array>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "core/codecs/codec.h"
#include "core/sample_data/brush.h"
#include "tests/support/test_case.h"

namespace millrace::samples {
namespace {

const TextureTiles& tiles() {
  static const TextureTiles made(1);
  return made;
}

const SampleKindEntry& kindNamed(std::string_view name) {
  for (const SampleKindEntry& entry : sampleKindEntries())
    if (entry.name == name) return entry;
  qFatal("no such kind");
}

/// The files of a few samples, spread over the whole data set.
std::vector<std::vector<SampleFile>> drawSome(std::string_view name, std::uint32_t count) {
  std::vector<std::vector<SampleFile>> samples;
  for (std::uint32_t i = 0; i < count; ++i) {
    auto files = kindNamed(name).draw(tiles(), {0, i, count});
    if (files.ok()) samples.push_back(files.take());
  }
  return samples;
}

struct Picture {
  std::string format;
  Size size;
  int channels = 0;
  std::vector<std::uint8_t> pixels;
};

Picture decoded(const SampleFile& file) {
  ImageDecoder decoder;
  const auto info = decoder.open(file.bytes);
  if (!info.ok()) return {};
  const bool grey = info->storedChannels == 1;
  const auto image = decoder.decode({.form = grey ? PixelForm::Grey : PixelForm::Rgb});
  if (!image.ok()) return {};
  Picture picture = {std::string(info->format), info->size, info->storedChannels, {}};
  for (int y = 0; y < image->pixels.height; ++y)
    picture.pixels.insert(picture.pixels.end(), image->pixels.row(y),
                          image->pixels.row(y) + image->pixels.width * image->pixels.channels);
  return picture;
}

/// The mean square of differences at distance one, divided by that at distance eight. White noise
/// has 1, a smooth gradient 1/64; photos are in between.
double roughness(const Picture& picture) {
  const auto row = static_cast<std::size_t>(picture.size.width) * 3;
  double near = 0;
  double far = 0;
  for (std::size_t i = 0; i + 24 < picture.pixels.size(); ++i) {
    if (i % row + 24 >= row) continue;
    const double step = picture.pixels[i + 3] - picture.pixels[i];
    const double jump = picture.pixels[i + 24] - picture.pixels[i];
    near += step * step;
    far += jump * jump;
  }
  return near / far;
}

}  // namespace

class TestSampleKinds : public QObject {
  Q_OBJECT
 private slots:
  /// ImageNet photos have 468x401 pixels and 110 KB on average. Over 80 drawn pictures the mean
  /// sizes have a standard error of about 9 pixels, the mean bytes one of about 4 KB.
  void imagenetHasThePhotosSizesAndBytes() {
    double width = 0;
    double height = 0;
    double bytes = 0;
    std::set<std::pair<int, int>> sizes;
    const auto samples = drawSome("imagenet", 80);
    QCOMPARE(samples.size(), std::size_t{80});
    for (const auto& files : samples) {
      const Picture picture = decoded(files.at(0));
      QCOMPARE(picture.format, std::string("JPEG"));
      width += picture.size.width / 80.0;
      height += picture.size.height / 80.0;
      bytes += static_cast<double>(files[0].bytes.size()) / 80.0;
      sizes.insert({picture.size.width, picture.size.height});
    }
    QVERIFY2(std::abs(width - 468) < 30, qPrintable(QString::number(width)));
    QVERIFY2(std::abs(height - 401) < 30, qPrintable(QString::number(height)));
    QVERIFY2(std::abs(bytes - 110e3) < 15e3, qPrintable(QString::number(bytes)));
    QVERIFY(sizes.size() > 5);
  }

  void validationHasEveryClass() {
    for (const std::uint32_t count : {10U, 40U, 55U}) {
      std::map<std::string, std::set<std::string>> classes;
      for (const auto& files : drawSome("imagenet", count)) {
        const std::string& path = files.at(0).path;
        const std::size_t slash = path.find('/');
        classes[path.substr(0, slash)].insert(path.substr(slash + 1, path.rfind('/') - slash - 1));
      }
      QVERIFY(classes["train"].size() > 1);
      QCOMPARE(classes["val"], classes["train"]);
    }
  }

  /// The boxes are those that were painted, as YOLO writes them.
  void objectsHaveTheirBoxes() {
    std::size_t boxes = 0;
    for (const auto& files : drawSome("objects", 12)) {
      QCOMPARE(files.size(), std::size_t{2});
      QCOMPARE(files[0].path.substr(0, 7), std::string("images/"));
      QCOMPARE(files[1].path.substr(0, 7), std::string("labels/"));
      QCOMPARE(decoded(files[0]).size.width + decoded(files[0]).size.height, 640 + 480);
      std::istringstream lines(
          std::string(reinterpret_cast<const char*>(files[1].bytes.data()), files[1].bytes.size()));
      std::size_t kind = 0;
      double x = 0;
      double y = 0;
      double width = 0;
      double height = 0;
      while (lines >> kind >> x >> y >> width >> height) {
        ++boxes;
        QVERIFY(kind < subjectNames().size());
        QVERIFY(width > 0 && height > 0 && x - width / 2 > -1e-5 && y - height / 2 > -1e-5);
        QVERIFY(x + width / 2 < 1 + 1e-5 && y + height / 2 < 1 + 1e-5);
      }
    }
    QVERIFY(boxes > 20);
    QCOMPARE(kindNamed("objects").extra().at(0).path, std::string("data.yaml"));
  }

  void anOutlineIsAroundWhatWasPainted() {
    Canvas canvas({40, 30}, tiles());
    canvas.startOutline();
    QCOMPARE(canvas.outlined().width, 0);
    canvas.paint(Shape::box(5, 6, 15, 12), Paint{});
    canvas.paint(Shape::box(10, 10, 20, 14), Paint{});
    QVERIFY((canvas.outlined() == Rect{5, 6, 15, 8}));
    canvas.startOutline();
    canvas.paint(Shape::box(30, 20, 60, 60), Paint{});
    QVERIFY((canvas.outlined() == Rect{30, 20, 10, 10}));
  }

  void classesShareThePicturesEvenlyInTrainAndVal() {
    std::map<std::string, int> counts;
    for (const auto& files : drawSome("cats-vs-dogs", 20))
      ++counts[files.at(0).path.substr(0, files[0].path.rfind('/'))];
    const std::map<std::string, int> expected = {
        {"train/cats", 8}, {"train/dogs", 8}, {"val/cats", 2}, {"val/dogs", 2}};
    QVERIFY(counts == expected);
  }

  void picturesAreNeitherNoiseNorFlat() {
    for (const char* name : {"imagenet", "cats-vs-dogs", "pairs984", "deblurring", "camvid"})
      for (const auto& files : drawSome(name, 6)) {
        const double rough = roughness(decoded(files.at(0)));
        QVERIFY2(rough > 0.03 && rough < 0.8,
                 qPrintable(QString("%1 %2").arg(files[0].path.c_str()).arg(rough)));
      }
  }

  void pairs984HasARatioOfFour() {
    double bytes = 0;
    for (const auto& files : drawSome("pairs984", 4)) {
      QCOMPARE(files.size(), std::size_t{2});
      const Picture high = decoded(files[0]);
      const Picture low = decoded(files[1]);
      QCOMPARE(high.size, (Size{984, 796}));
      QCOMPARE(low.size, (Size{246, 199}));
      QCOMPARE(files[0].path.substr(5), files[1].path.substr(4));
      bytes += static_cast<double>(files[0].bytes.size()) / 4;
      QVERIFY(lowIsTheMeanOfHigh(high, low));
    }
    QVERIFY2(bytes > 0.8e6 && bytes < 1.5e6, qPrintable(QString::number(bytes)));
  }

  void blurredPicturesAreSmootherThanSharpOnes() {
    for (const auto& files : drawSome("deblurring", 4)) {
      const Picture sharp = decoded(files.at(0));
      const Picture unpromising = decoded(files.at(1));
      QCOMPARE(sharp.size, (Size{640, 360}));
      QCOMPARE(unpromising.size, sharp.size);
      QVERIFY(roughness(unpromising) < roughness(sharp));
    }
  }

  void masksHoldTheTwelveClassesInBothForms() {
    std::set<int> seen;
    for (const auto& files : drawSome("camvid", 8)) {
      QCOMPARE(files.size(), std::size_t{3});
      const Picture image = decoded(files[0]);
      const Picture mask = decoded(files[1]);
      const Picture colours = decoded(files[2]);
      QCOMPARE(image.size, (Size{480, 360}));
      QCOMPARE(mask.size, image.size);
      QCOMPARE(mask.channels, 1);
      for (std::size_t i = 0; i < mask.pixels.size(); ++i) {
        const std::size_t label = mask.pixels[i];
        QVERIFY(label < streetClasses().size());
        seen.insert(static_cast<int>(label));
        const StreetClass& entry = streetClasses()[label];
        const bool same = colours.pixels[3 * i] == entry.r &&
                          colours.pixels[3 * i + 1] == entry.g &&
                          colours.pixels[3 * i + 2] == entry.b;
        if (!same) QFAIL("the colour mask and the index mask differ");
      }
    }
    QCOMPARE(seen.size(), std::size_t{12});
  }

  void theClassTableNamesEveryColour() {
    const auto extra = kindNamed("camvid").extra();
    QCOMPARE(extra.at(0).path, std::string("classes.csv"));
    const std::string text(reinterpret_cast<const char*>(extra[0].bytes.data()),
                           extra[0].bytes.size());
    QVERIFY(text.starts_with("name,r,g,b\nsky,128,128,128\nbuilding,128,0,0\n"));
    QCOMPARE(std::count(text.begin(), text.end(), '\n'), std::ptrdiff_t{13});
  }

 private:
  /// A simple box mean replaces the cubic: similar, and independent of it.
  static bool lowIsTheMeanOfHigh(const Picture& high, const Picture& low) {
    double difference = 0;
    for (int y = 0; y < low.size.height; ++y)
      for (int x = 0; x < low.size.width; ++x) {
        double sum = 0;
        for (int dy = 0; dy < 4; ++dy)
          for (int dx = 0; dx < 4; ++dx)
            sum += high.pixels[static_cast<std::size_t>(((4 * y + dy) * 984 + 4 * x + dx) * 3)];
        difference += std::abs(sum / 16 - low.pixels[static_cast<std::size_t>((y * 246 + x) * 3)]);
      }
    return difference / (246.0 * 199.0) < 4.0;
  }
};

}  // namespace millrace::samples

using millrace::samples::TestSampleKinds;
MILLRACE_TEST_CASE(TestSampleKinds)
#include "tst_sample_kinds.moc"
