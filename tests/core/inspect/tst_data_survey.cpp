// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/data_survey.h"

#include <algorithm>

#include "core/codecs/encode.h"
#include "core/nodes/builtin.h"
#include "tests/core/nodes/open_source.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

void picture(const tests::TemporaryFolder& folder, const std::string& name, int width, int height) {
  const std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width * height), 90);
  const auto png = encodePng({pixels.data(), width, height, 1, width});
  folder.write(name, std::string(reinterpret_cast<const char*>(png->data()), png->size()));
}

DataSurvey surveyOf(const tests::TemporaryFolder& folder, const SurveyLimits& limits = {}) {
  const NodeSpec* spec = builtinCatalog().find("image_folder");
  Values values = spec->defaults();
  values["paths"] = TextList{folder.path().native()};
  const auto source = spec->source(values, {});
  return source ? surveyData(**source, limits) : DataSurvey{};
}

}  // namespace

class TestDataSurvey : public QObject {
  Q_OBJECT
 private slots:
  void countsSizesAndClasses() {
    const tests::TemporaryFolder folder;
    picture(folder, "cat/1.png", 100, 60);
    picture(folder, "cat/2.png", 20, 63);
    picture(folder, "dog/1.png", 300, 40);
    folder.write("dog/2.png", "no picture");
    const DataSurvey found = surveyOf(folder);
    QCOMPARE(found.samples, 4U);
    QCOMPARE(found.samplesRead, 4U);
    QCOMPARE(found.perClass, (std::vector<std::uint64_t>{2, 2}));
    const PictureSurvey& images = found.pictures.at("image");
    QCOMPARE(images.seen, std::uint64_t{3});
    QCOMPARE(images.byLongerSide[0], std::uint64_t{1});
    QCOMPARE(images.byLongerSide[1], std::uint64_t{1});
    QCOMPARE(images.byLongerSide[3], std::uint64_t{1});
    QCOMPARE(images.least, (Size{20, 40}));
    QCOMPARE(images.most, (Size{300, 63}));
    QCOMPARE(found.broken, std::uint64_t{1});
    QCOMPARE(found.brokenSamples.front().first, std::string("dog/2.png"));
    QVERIFY(!found.brokenSamples.front().second.empty());
    std::uint64_t bytes = 0;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder.path()))
      if (file.is_regular_file()) bytes += file.file_size();
    QCOMPARE(found.bytes, bytes);
    QVERIFY(!found.bytesEstimated);
  }

  void classesThatHardlyOccurAreAWarning() {
    const tests::TemporaryFolder folder;
    std::string numbers = "file,label\n";
    std::string words = "file,word\n";
    for (int i = 0; i < 8; ++i) {
      const std::string name = std::to_string(i) + ".png";
      picture(folder, "img/" + name, 20, 20);
      numbers += name + "," + std::to_string(20 + i % 2) + "\n";
      words += name + ",word" + std::to_string(i) + "\n";
    }
    const auto warning = [&](const std::string& table) {
      folder.write("t.csv", table);
      const auto source =
          tests::openSource("manifest", {{"paths", TextList{(folder.path() / "t.csv").native()}}});
      if (!source) return source.error().message;
      const auto warnings = surveyData(**source).warnings;
      return warnings.empty() ? std::string() : warnings.back();
    };
    QCOMPARE(warning(numbers),
             std::string("2 of the 22 classes have samples: the labels may not be "
                         "numbers of classes"));
    QCOMPARE(warning(words), std::string("each of the 8 classes has one sample: the labels may be "
                                         "names or texts, not classes"));
  }

  void whatPixelsWillLackIsAWarningWithItsCount() {
    const tests::TemporaryFolder folder;
    picture(folder, "cat/1.png", 9, 9);
    const std::vector<std::uint8_t> pixels(4 * 4 * 4, 90);
    const auto clear = encodePng({pixels.data(), 4, 4, 4, 16});
    folder.write("cat/2.png",
                 std::string(reinterpret_cast<const char*>(clear->data()), clear->size()));
    const DataSurvey found = surveyOf(folder);
    QVERIFY(std::ranges::find(
                found.warnings,
                "1 picture of 2 samples has transparency: alpha is dropped, the "
                "colours are kept; decode.background = 255 shows white there, "
                "decode.form = stored keeps alpha in PNG, TIFF and JPEG 2000, if "
                "decode.channels is the number of channels in the files and normalise is "
                "bypassed or has the mean and deviation of those numbers") != found.warnings.end());
  }

  void looksAtAPartOfMuch() {
    const tests::TemporaryFolder folder;
    for (int i = 0; i < 30; ++i) picture(folder, "a/" + std::to_string(i) + ".png", 8, 8);
    SurveyLimits limits;
    limits.samples = 7;
    limits.files = 10;
    const DataSurvey found = surveyOf(folder, limits);
    QCOMPARE(found.samples, 30U);
    QCOMPARE(found.samplesRead, 7U);
    QVERIFY(found.bytesEstimated);
  }
};

}  // namespace millrace

using millrace::TestDataSurvey;
MILLRACE_TEST_CASE(TestDataSurvey)
#include "tst_data_survey.moc"
