// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Folders of pictures that have no colours: the proposal decodes their numbers, and runs.
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "core/graph/graph_check.h"
#include "core/inspect/data_survey.h"
#include "core/inspect/folder_probe.h"
#include "core/inspect/pipeline_proposal.h"
#include "core/inspect/report/sample_examiner.h"
#include "core/nodes/builtin.h"
#include "tests/core/codecs/plain_numbers.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::vector<std::byte>& bytes) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
}

/// Floats in two class folders, `channels` each, 20 x 16 pixels.
void writeFloats(const fs::path& folder, int channels) {
  const std::vector<float> numbers(std::size_t(20 * 16 * channels), 0.25F);
  const auto bytes = tests::writeNumbers(numbers, {20, 16}, channels, {});
  for (const char* name : {"one/a.tif", "one/b.tif", "two/c.tif"}) write(folder / name, bytes);
}

const GraphNode* nodeOf(const Graph& graph, const char* kind) {
  for (const GraphNode& node : graph.nodes)
    if (node.kind == kind) return &node;
  return nullptr;
}

DataSurvey surveyed(const fs::path& folder) {
  const auto proposal = proposePipeline(detectContent(folder), builtinCatalog());
  if (!proposal) return {};
  const auto source = openSourceOf(proposal->graph, builtinCatalog(), {});
  return source ? surveyData(**source) : DataSurvey();
}

}  // namespace

class TestNumbersProposal : public QObject {
  Q_OBJECT
 private slots:
  void floatsAreDecodedAsStored() {
    const tests::TemporaryFolder folder;
    writeFloats(folder.path(), 5);
    const FolderContent content = detectContent(folder.path());
    QCOMPARE(content.storedChannels, 5);
    const auto proposal = proposePipeline(content, builtinCatalog());
    VERIFY_OK(proposal);
    const GraphNode* decode = nodeOf(proposal->graph, "decode");
    QVERIFY(decode != nullptr);
    QCOMPARE(std::get<std::string>(std::get<Value>(decode->params.at("form"))),
             std::string("stored"));
    QCOMPARE(std::get<std::int64_t>(std::get<Value>(decode->params.at("channels"))),
             std::int64_t{5});
    const GraphNode* normalise = nodeOf(proposal->graph, "normalise");
    QVERIFY(normalise != nullptr && normalise->state == NodeState::Bypass);
    QVERIFY2(proposal->notes.find("decoded to the numbers in their files (5 channels)") !=
                 std::string::npos,
             proposal->notes.c_str());
    const CheckResult check = checkGraph(proposal->graph, builtinCatalog(), {});
    QVERIFY2(!check.problems.anyError(),
             check.problems.all().empty() ? "" : check.problems.all().front().message.c_str());
  }

  /// Also those whose further channels are fewer than a colour with alpha has.
  void channelsBesidesTheColoursAreDecodedAsStored() {
    for (const int channels : {2, 4}) {
      const tests::TemporaryFolder folder;
      const std::vector<std::uint16_t> numbers(std::size_t(20 * 16 * channels), 900);
      for (const char* name : {"one/a.tif", "two/b.tif"})
        write(folder.path() / name, tests::writeNumbers(numbers, {20, 16}, channels, {}));
      const FolderContent content = detectContent(folder.path());
      QCOMPARE(content.storedChannels, channels);
      const auto proposal = proposePipeline(content, builtinCatalog());
      VERIFY_OK(proposal);
      QVERIFY(!checkGraph(proposal->graph, builtinCatalog(), {}).problems.anyError());
      QVERIFY(surveyed(folder.path()).warnings.empty());
    }
  }

  void filesWithOtherChannelsThanThePipelineDemandsFail() {
    const tests::TemporaryFolder folder;
    writeFloats(folder.path(), 5);
    const auto proposal = proposePipeline(detectContent(folder.path()), builtinCatalog());
    VERIFY_OK(proposal);
    const std::vector<std::uint16_t> numbers(20 * 16 * 4, 900);
    write(folder.path() / "two/d.tif", tests::writeNumbers(numbers, {20, 16}, 4, {}));
    const auto source = openSourceOf(proposal->graph, builtinCatalog(), {});
    VERIFY_OK(source);
    SurveyLimits limits;
    limits.storedChannels = 5;
    const DataSurvey survey = surveyData(**source, limits);
    QCOMPARE(survey.broken, std::uint64_t{1});
    QCOMPARE(survey.brokenSamples.front().second,
             std::string("it has 4 channels, but decode.channels is 5"));
    QVERIFY(survey.warnings.empty());
  }

  void whatFormStoredLosesTooIsSaid() {
    const tests::TemporaryFolder folder;
    writeFloats(folder.path(), 1);
    QVERIFY(surveyed(folder.path()).warnings.empty());
    // A second page: a copy of the first directory at the end.
    std::ifstream in(folder.path() / "one/a.tif", std::ios::binary);
    std::string file{std::istreambuf_iterator<char>(in), {}};
    std::uint32_t directory = 0;
    std::memcpy(&directory, file.data() + 4, 4);
    std::uint16_t entries = 0;
    std::memcpy(&entries, file.data() + directory, 2);
    const std::size_t next = directory + 2 + 12U * entries;
    file.resize(file.size() + file.size() % 2);
    const auto copy = std::uint32_t(file.size());
    file += file.substr(directory, next + 4 - directory);
    std::memcpy(file.data() + next, &copy, 4);
    folder.write("one/a.tif", file);
    const DataSurvey survey = surveyed(folder.path());
    QCOMPARE(survey.warnings.size(), std::size_t{1});
    QVERIFY2(survey.warnings.front().starts_with("1 picture of 3 samples has several pages"),
             survey.warnings.front().c_str());
  }

  void everyPictureCountsOnce() {
    const tests::TemporaryFolder folder;
    writeFloats(folder.path(), 5);
    const std::vector<std::uint8_t> bytes(20 * 16, 9);
    write(folder.path() / "two/d.tif", tests::writeNumbers(bytes, {20, 16}, 1, {}));
    const DataSurvey survey = surveyed(folder.path());
    QCOMPARE(survey.broken, std::uint64_t{3});
    const PictureSurvey& images = survey.pictures.at("image");
    QCOMPARE(images.seen, std::uint64_t{1});
    QCOMPARE(images.formats.at("TIFF"), std::uint64_t{1});
    QCOMPARE(images.byLongerSide[0], std::uint64_t{1});
  }

  void aReportHasTheFiguresOfTheNumbers() {
    const tests::TemporaryFolder folder;
    std::vector<std::uint16_t> numbers(std::size_t(20 * 16 * 8));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = std::uint16_t(100 * (i % 8) + 7);
    std::vector<float> holed(numbers.begin(), numbers.end());
    holed[30] = std::numeric_limits<float>::quiet_NaN();
    write(folder.path() / "one/a.tif", tests::writeNumbers(numbers, {20, 16}, 8, {}));
    write(folder.path() / "one/b.tif", tests::writeNumbers(holed, {20, 16}, 8, {}));
    const auto proposal = proposePipeline(detectContent(folder.path()), builtinCatalog());
    VERIFY_OK(proposal);
    const auto source = openSourceOf(proposal->graph, builtinCatalog(), {});
    VERIFY_OK(source);
    SampleExaminer examiner(*source);
    ExaminedBlock block;
    for (std::uint32_t i = 0; i < 2; ++i) examiner.examine(i, block);
    QCOMPARE(block.sums.pictures, std::uint64_t{1});
    QCOMPARE(block.sums.channels, std::uint64_t{8});
    QCOMPARE(block.sums.mean[3], 307.0);
    QVERIFY(!block.records[0].has(Finding::NotFinite));
    QVERIFY(block.records[1].has(Finding::NotFinite));
  }

  void differentPicturesAreLeftToThePerson() {
    const tests::TemporaryFolder folder;
    writeFloats(folder.path(), 5);
    const std::vector<float> numbers(20 * 16 * 3, 0.25F);
    write(folder.path() / "one/0.tif", tests::writeNumbers(numbers, {20, 16}, 3, {}));
    QCOMPARE(detectContent(folder.path()).storedChannels, 0);
  }

  void theSurveySaysWhatTheProposalMeets() {
    const tests::TemporaryFolder folder;
    writeFloats(folder.path(), 5);
    DataSurvey survey = surveyed(folder.path());
    QCOMPARE(survey.samplesRead, 3U);
    QCOMPARE(survey.broken, std::uint64_t{0});
    QCOMPARE(survey.warnings.size(), std::size_t{0});
    const std::vector<std::uint8_t> bytes(20 * 16, 9);
    write(folder.path() / "two/d.tif", tests::writeNumbers(bytes, {20, 16}, 1, {}));
    survey = surveyed(folder.path());
    QCOMPARE(survey.broken, std::uint64_t{3});
    QCOMPARE(survey.brokenSamples.front().first, std::string("one/a.tif"));
    QCOMPARE(survey.brokenSamples.front().second,
             std::string("it holds floating-point numbers of 32 bits, which have no colours"));
  }

  void aDirectoryBehindThePixelsIsFound() {
    const tests::TemporaryFolder folder;
    const std::vector<std::uint16_t> numbers(600 * 400, 9);  // 480 kB before the directory
    write(folder.path() / "a.tif", tests::writeNumbers(numbers, {600, 400}, 1, {}));
    const auto head = pictureHead(folder.path() / "a.tif");
    QVERIFY(head.has_value());
    QCOMPARE(head->size.width, 600);
    QCOMPARE(head->bitDepth, 16);
    QCOMPARE(storedChannelsOf(*head), 0);
  }
};

}  // namespace millrace

using millrace::TestNumbersProposal;
MILLRACE_TEST_CASE(TestNumbersProposal)
#include "tst_numbers_proposal.moc"
