// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/data_survey.h"
#include "core/inspect/report/sample_examiner.h"

#include <cmath>
#include <limits>

#include "core/codecs/encode.h"
#include "tests/core/inspect/listed_source.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::ListedSource;

std::string textOf(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A picture of three channels with the value of `value(x, y)`.
template <class Value>
std::vector<std::uint8_t> pixels(int width, int height, Value value) {
  std::vector<std::uint8_t> made;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      made.insert(made.end(), 3, static_cast<std::uint8_t>(value(x, y)));
  return made;
}

std::string png(int width, int height, const std::vector<std::uint8_t>& values) {
  return textOf(encodePng({values.data(), width, height, 3, std::ptrdiff_t{width} * 3}).take());
}
std::string jpeg(int width, int height, const std::vector<std::uint8_t>& values) {
  return textOf(encodeJpeg({values.data(), width, height, 3, std::ptrdiff_t{width} * 3}).take());
}

std::vector<std::uint8_t> ramp(int width, int height) {
  return pixels(width, height, [](int x, int y) { return 2 * x + y; });
}

template <class T>
std::string rawBytes(std::initializer_list<T> values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), std::data(values), bytes.size());
  return bytes;
}

ExaminedBlock examined(const ListedSource& source) {
  SampleExaminer examiner(std::make_shared<const ListedSource>(source));
  ExaminedBlock block;
  for (std::uint32_t i = 0; i < source.size(); ++i) examiner.examine(i, block);
  return block;
}

SampleRecord recordOf(const std::string& file) {
  ListedSource source;
  source.entries = {{{file}}};
  return examined(source).records.front();
}

}  // namespace

class TestSampleExaminer : public QObject {
  Q_OBJECT
 private slots:
  void aSoundPictureHasItsFiguresAndNoFinding() {
    ListedSource source;
    source.entries = {{{png(64, 40, ramp(64, 40))}, 2}};
    const ExaminedBlock block = examined(source);
    const SampleRecord& record = block.records.front();
    QCOMPARE(record.findings, std::uint16_t{0});
    QVERIFY(record.examined == 1 && record.hasLook == 1);
    QVERIFY(record.width == 64 && record.height == 40 && record.channels == 3 && record.bits == 8);
    QVERIFY(record.formatName() == "PNG" && record.label == 2);
    QCOMPARE(record.look, ~std::uint64_t{0});
    QCOMPARE(block.sums.pictures, std::uint64_t{1});
    // The mean of 2 x + y over x below 64 and y below 40.
    QVERIFY(std::abs(block.sums.mean[0] - (63 + 19.5) / 255) < 1e-9);
  }

  void whatCannotBeDecodedIsBrokenAndWhatEndsEarlyIsTruncated() {
    const std::string whole = jpeg(100, 80, ramp(100, 80));
    QVERIFY(recordOf(whole.substr(0, whole.size() / 2)).has(Finding::Truncated));
    const std::string lossless = png(100, 80, ramp(100, 80));
    QVERIFY(recordOf(lossless.substr(0, lossless.size() / 2)).has(Finding::Truncated));
    QVERIFY(recordOf("").has(Finding::Broken));
    QVERIFY(recordOf("nor is this one").has(Finding::Broken));
    ListedSource source;
    source.entries = {{{"no picture"}}};
    const ExaminedBlock block = examined(source);
    QVERIFY(block.reasons.front().second.find("not an image") != std::string::npos);
    QCOMPARE(block.sums.pictures, std::uint64_t{0});
  }

  void flatPicturesAreConstantOrBlankAndHaveNoLook() {
    const SampleRecord constant = recordOf(png(50, 50, pixels(50, 50, [](int, int) { return 9; })));
    QVERIFY(constant.has(Finding::Constant) && !constant.has(Finding::Blank));
    const SampleRecord blank =
        recordOf(png(50, 50, pixels(50, 50, [](int x, int y) { return 9 + (x + y) % 2; })));
    QVERIFY(blank.has(Finding::Blank) && !blank.has(Finding::Constant));
    QVERIFY(constant.hasLook == 0 && blank.hasLook == 0);
  }

  void aSideBelowTheLimitIsTiny() {
    QVERIFY(recordOf(png(31, 64, ramp(31, 64))).has(Finding::Tiny));
    QVERIFY(!recordOf(png(32, 64, ramp(32, 64))).has(Finding::Tiny));
  }

  void anErrorOfTheSourceIsUnreadableAndKeepsTheLabel() {
    ListedSource source;
    source.entries = {{{}, 3, "no permission"}};
    const ExaminedBlock block = examined(source);
    QVERIFY(block.records.front().has(Finding::Unreadable));
    QCOMPARE(block.records.front().label, 3);
    QCOMPARE(block.reasons.front().second, std::string("no permission"));
  }

  void theSameBytesHaveTheSameContentAndOthersDoNot() {
    const std::string one = png(40, 40, ramp(40, 40));
    const std::string other = png(40, 40, pixels(40, 40, [](int x, int y) { return x + 2 * y; }));
    QCOMPARE(recordOf(one).content, recordOf(one).content);
    QVERIFY(recordOf(one).content != recordOf(other).content);
    // XXH3 with seed 0, as the program xxhsum -H3 prints it for no bytes.
    QCOMPARE(recordOf("").content, std::uint64_t{0x2d06800538d394c2});
  }

  void aMaskOfAnotherSizeIsMismatched() {
    ListedSource source;
    source.specs.push_back({"mask", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Mask});
    source.entries = {{{png(64, 64, ramp(64, 64)), png(64, 60, ramp(64, 60))}},
                      {{png(64, 64, ramp(64, 64)), png(64, 64, ramp(64, 64))}}};
    const ExaminedBlock block = examined(source);
    QVERIFY(block.records[0].has(Finding::Mismatched));
    QCOMPARE(block.records[1].findings, std::uint16_t{0});
    QCOMPARE(block.reasons.front().second, std::string("picture 64x64, mask 64x60"));
  }

  void aMaskThatCannotBeReadIsNotBlamedOnItsPicture() {
    ListedSource source;
    source.specs.push_back({"mask", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Mask});
    source.entries = {{{png(64, 64, ramp(64, 64)), "no picture"}}};
    const ExaminedBlock block = examined(source);
    QVERIFY(block.records[0].has(Finding::Broken));
    QVERIFY2(block.reasons.front().second.starts_with("`mask`: not an image"),
             block.reasons.front().second.c_str());
    const DataSurvey survey = surveyData(source);
    QVERIFY2(survey.brokenReasons.front().first.starts_with("`mask`: not an image"),
             survey.brokenReasons.front().first.c_str());
  }

  void rawNumbersCountPerChannelOfTheirLayout() {
    ListedSource source;
    source.specs = {{"image", DType::F32, {2, 1, 2}, Layout::Chw, Role::Image}};
    source.entries = {{{rawBytes<float>({0.0F, 1.0F, 4.0F, 4.0F})}}};
    const ExaminedBlock block = examined(source);
    QCOMPARE(block.sums.channels, std::uint64_t{2});
    QCOMPARE(block.sums.mean[0], 0.5);
    QCOMPARE(block.sums.meanSquare[0], 0.5);
    QCOMPARE(block.sums.mean[1], 4.0);
    source.entries = {{{rawBytes<float>({0.0F, NAN, 4.0F, 4.0F})}}};
    QVERIFY(examined(source).records.front().has(Finding::NotFinite));
    QCOMPARE(examined(source).sums.pictures, std::uint64_t{0});
  }

  void samplesWithoutPicturesHaveAContentAndALabel() {
    ListedSource source;
    source.specs = {{"x", DType::F32, {2}, Layout::Plain, Role::Features},
                    {"label", DType::I64, {}, Layout::Plain, Role::Label}};
    source.entries = {{{rawBytes<float>({1, 2}), rawBytes<std::int64_t>({4})}},
                      {{rawBytes<float>({1, 2}), rawBytes<std::int64_t>({5})}}};
    const ExaminedBlock block = examined(source);
    QCOMPARE(block.records[0].label, 4);
    QVERIFY(block.records[0].content != block.records[1].content);
    QCOMPARE(block.records[0].findings, std::uint16_t{0});
  }
};

}  // namespace millrace

using millrace::TestSampleExaminer;
MILLRACE_TEST_CASE(TestSampleExaminer)
#include "tst_sample_examiner.moc"
