// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// What a check says of mask files before the run.
#include "core/graph/rules/mask_rules.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/codecs/encode.h"
#include "core/graph/graph_check.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "tests/core/codecs/plain_png.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

constexpr int kSide = 16;

std::string fileText(const Result<std::vector<std::byte>>& file) {
  return {reinterpret_cast<const char*>(file->data()), file->size()};
}

/// Pictures of one colour, and masks in which the values of `values` take turns.
void writePairs(const tests::TemporaryFolder& folder, const std::vector<std::uint8_t>& values,
                const std::string& extension) {
  std::vector<std::uint8_t> colours(std::size_t{kSide} * kSide * 3, 90);
  std::vector<std::uint8_t> indices(std::size_t{kSide} * kSide);
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = values[i / 8 % values.size()];
  const ImageView picture{colours.data(), kSide, kSide, 3, kSide * 3};
  const ImageView mask{indices.data(), kSide, kSide, 1, kSide};
  for (const char* name : {"a", "b", "c"}) {
    folder.write(std::string("image/") + name + ".png", fileText(encodePng(picture)));
    folder.write(std::string("mask/") + name + extension,
                 fileText(extension == ".jpg" ? encodeJpeg(mask) : encodePng(mask)));
  }
}

/// The warnings of a check that opens the data, each with its node's id and its remedy.
std::vector<std::string> warnings(const tests::TemporaryFolder& folder,
                                  const std::string& oneHot = R"("classes": 3)") {
  const std::string text = R"({"format_version": 1, "nodes": [
    {"id": "pairs", "kind": "paired_folders",
     "params": {"input": "image", "target": "mask", "pair": "mask"}},
    {"id": "decode", "kind": "decode"},
    {"id": "classes", "kind": "one_hot", "params": {)" +
                           oneHot + R"(}},
    {"id": "workers", "kind": "workers", "params": {"count": 1}}, {"id": "batch", "kind": "batch", "params": {"size": 2}},
    {"id": "drain", "kind": "drain"}],
    "wires": [{"from": "pairs", "to": "decode"}, {"from": "decode", "to": "classes"},
    {"from": "classes", "to": "workers"}, {"from": "workers", "to": "batch"},
    {"from": "batch", "to": "drain"}]})";
  const ReadGraph read = parseGraph(text, builtinCatalog());
  if (!read.graph) return {"the document is not a pipeline"};
  CheckOptions options;
  options.base = folder.path();
  options.openData = true;
  const CheckResult checked = checkGraph(*read.graph, builtinCatalog(), options);
  std::vector<std::string> found;
  for (const Problem& problem : checked.problems.all())
    if (problem.severity == Severity::Warning) found.push_back(problem.text());
  return found;
}

bool has(const std::vector<std::string>& texts, const std::string& part) {
  return std::ranges::any_of(
      texts, [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

}  // namespace

class TestMaskRules : public QObject {
  Q_OBJECT
 private slots:
  void masksOfTheClassesGiveNoWarning() {
    const tests::TemporaryFolder folder;
    writePairs(folder, {0, 1, 2}, ".png");
    const std::vector<std::string> found = warnings(folder);
    QVERIFY2(found.empty(), found.empty() ? "" : found.front().c_str());
  }

  void masksStoredAsJpegAreAWarningWithTheirNumberAndValues() {
    const tests::TemporaryFolder folder;
    writePairs(folder, {0, 1, 2}, ".jpg");
    const std::vector<std::string> found = warnings(folder);
    QVERIFY(has(found,
                "warning: pairs: 3 of the 3 files of `mask` examined are JPEG, which changes "
                "class numbers and colours near edges (they hold "));
    QVERIFY(has(found, "; save masks as PNG"));
  }

  void valuesBeyondTheClassesAreAWarningWithTheValuesAndTheRemedy() {
    const tests::TemporaryFolder folder;
    writePairs(folder, {0, 1, 7}, ".png");
    const std::vector<std::string> found = warnings(folder);
    QCOMPARE(found.size(), 1U);
    QVERIFY2(has(found,
                 "classes.classes: the masks examined hold the indices 0, 1 and 7, but there "
                 "are 3 classes; set classes to 8 or more"),
             found.front().c_str());
    QVERIFY(warnings(folder, R"("classes": 8)").empty());
    QVERIFY(warnings(folder, R"("classes": 3, "ignore_index": 7)").empty());
    QVERIFY(warnings(folder, R"("classes": 3, "unknown": "ignore")").empty());
  }

  void valuesThatNoMaskCanHoldAreAWarning() {
    const tests::TemporaryFolder folder;
    writePairs(folder, {0, 1, 2}, ".png");
    const auto wide = tests::writePlainPng(
        {.width = 2, .height = 1, .bitDepth = 16, .rows = {{0, 1, 700 / 256, 700 % 256}}});
    folder.write("mask/b.png", fileText(wide));
    const std::vector<std::string> found = warnings(folder);
    QCOMPARE(found.size(), 1U);
    QVERIFY2(has(found,
                 "pairs: 1 of the 3 files of `mask` examined cannot be read as class numbers: the "
                 "16-bit value 700 does not fit an 8-bit mask; number the classes from 0 to 254"),
             found.front().c_str());
  }

  void index255IsAWarningUnlessItIsIgnored() {
    const tests::TemporaryFolder folder;
    writePairs(folder, {0, 2, 255}, ".png");
    const std::vector<std::string> found = warnings(folder);
    QCOMPARE(found.size(), 1U);
    QVERIFY2(has(found,
                 "the masks examined hold 255, which is not one of the classes; set "
                 "ignore_index to 255"),
             found.front().c_str());
    QVERIFY(warnings(folder, R"("classes": 3, "ignore_index": 255)").empty());
  }
};

}  // namespace millrace

using millrace::TestMaskRules;
MILLRACE_TEST_CASE(TestMaskRules)
#include "tst_mask_rules.moc"
