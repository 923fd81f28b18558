// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Records whose label is a list of classes: the proposal reads it and makes a vector of it.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/graph/graph_check.h"
#include "core/inspect/folder_content.h"
#include "core/inspect/pipeline_proposal.h"
#include "core/nodes/builtin.h"
#include "tests/support/mds_bytes.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/places.h"
#include "tests/support/record_bytes.h"
#include "tests/support/tar_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;
using Lists = std::vector<std::vector<std::int64_t>>;

const std::string kJpeg = "\xff\xd8\xff\xe0 and so on";
const Lists kLists = {{1, 3}, {0}, {}, {2, 4, 1}};

void write(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
}

std::string textOf(const std::vector<std::int64_t>& list, const char* separator) {
  std::string text;
  for (const std::int64_t one : list) text += (text.empty() ? "" : separator) + std::to_string(one);
  return text;
}

Result<PipelineProposal> proposed(const fs::path& data) {
  return proposePipeline(detectContent(data), builtinCatalog());
}

const GraphNode* nodeOf(const PipelineProposal& proposal, const char* kind) {
  for (const GraphNode& node : proposal.graph.nodes)
    if (node.kind == kind) return &node;
  return nullptr;
}

/// The type of a batch's label, if the whole pipeline has no error.
QString labelOf(const PipelineProposal& proposal) {
  CheckOptions options;
  options.openData = true;
  const CheckResult checked = checkGraph(proposal.graph, builtinCatalog(), options);
  for (const Problem& problem : checked.problems.all())
    if (problem.severity == Severity::Error) return QString::fromStdString(problem.text());
  const FieldSpec* label = checked.streams.back().in.field("label");
  return label == nullptr ? QString("none") : QString::fromStdString(label->text());
}

std::int64_t classesOf(const PipelineProposal& proposal) {
  const GraphNode* node = nodeOf(proposal, "one_hot");
  return node == nullptr ? -1 : std::get<std::int64_t>(std::get<Value>(node->params.at("classes")));
}

std::string tarOf(const std::vector<std::string>& labels) {
  std::string tar;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    tar += tests::tarMember(std::to_string(i) + ".jpg", kJpeg);
    tar += tests::tarMember(std::to_string(i) + ".cls", labels[i]);
  }
  return tar + tests::tarEnd();
}

/// mosaicml-streaming's ndarray of int64: type, axes, length, numbers.
std::string mdsArray(const std::vector<std::int64_t>& list) {
  std::string bytes = "\x41\x04" + std::string(1, static_cast<char>(list.size()));
  for (const std::int64_t one : list)
    bytes += tests::littleEndian(static_cast<std::uint64_t>(one), 8);
  return bytes;
}

}  // namespace

class TestClassLists : public QObject {
  Q_OBJECT
 private slots:
  void examplesWithListsOfClassesGetAVector() {
    const tests::TemporaryFolder folder;
    std::string records;
    for (const auto& list : kLists)
      records += tests::tfRecord(tests::example(tests::bytesFeature("image/encoded", {kJpeg}) +
                                                tests::intFeature("image/class/label", list)));
    write(folder.path() / "train.tfrecord", records);
    const auto proposal = proposed(folder.path());
    VERIFY_OK(proposal);
    QCOMPARE(labelOf(*proposal), QString("label f32 5 one-hot"));
    const auto alone = proposePipeline(detectContent(folder.path()), builtinCatalog(), {},
                                       ListsOfClasses::LeaveOut);
    VERIFY_OK(alone);
    QVERIFY(nodeOf(*alone, "one_hot") == nullptr);
    QCOMPARE(labelOf(*alone), QString("none"));
    QVERIFY(proposal->notes.find("has 5 classes, because the highest number in all samples is 4") !=
            std::string::npos);
  }

  void textsOfArchivesAreListsOrVectors() {
    const tests::TemporaryFolder folder;
    std::vector<std::string> texts;
    for (const auto& list : kLists) texts.push_back("[" + textOf(list, ", ") + "]");
    write(folder.path() / "train.tar", tarOf(texts));
    auto proposal = proposed(folder.path());
    VERIFY_OK(proposal);
    QCOMPARE(classesOf(*proposal), std::int64_t{5});
    QCOMPARE(labelOf(*proposal), QString("label f32 5 one-hot"));
    write(folder.path() / "classes.txt", "a\nb\nc\nd\ne\nf\ng\n");
    proposal = proposed(folder.path());
    VERIFY_OK(proposal);
    QCOMPARE(classesOf(*proposal), std::int64_t{0});
    QCOMPARE(labelOf(*proposal), QString("label f32 7 one-hot"));
    fs::remove(folder.path() / "classes.txt");
    write(folder.path() / "train.tar", tarOf({"0 1 0", "1 1 0", "0 0 0"}));
    proposal = proposed(folder.path());
    VERIFY_OK(proposal);
    QVERIFY(nodeOf(*proposal, "one_hot") == nullptr);
    QCOMPARE(labelOf(*proposal), QString("label i64 3"));
  }

  void columnsOfMdsAreArraysOrTexts() {
    for (const char* encoding : {"ndarray", "ndarray:int64", "json", "str"}) {
      const tests::TemporaryFolder folder;
      const std::vector<tests::MdsColumnText> columns = {{"image", "jpeg"}, {"labels", encoding}};
      std::vector<std::vector<std::string>> samples;
      for (const auto& list : kLists) {
        const std::string array = mdsArray(list);
        samples.push_back({kJpeg, std::string_view(encoding) == "ndarray" ? array
                                  : std::string_view(encoding) == "ndarray:int64"
                                      ? array.substr(1)
                                      : "[" + textOf(list, ",") + "]"});
      }
      const std::string shard = tests::mdsShard(columns, samples);
      write(folder.path() / "shard.00000.mds", shard);
      write(folder.path() / "index.json",
            tests::mdsIndex(tests::mdsEntry(columns, "shard.00000.mds", shard.size(), 4)));
      const auto proposal = proposed(folder.path());
      VERIFY_OK(proposal);
      QCOMPARE(labelOf(*proposal), QString("label f32 5 one-hot"));
    }
  }

  void columnsOfParquetAreListsOrTexts() {
    for (const char* file : {"list", "text"}) {
      const auto proposal = proposed(tests::sourcePath(
          std::string("tests/core/formats/parquet/classes/") + file + ".parquet"));
      VERIFY_OK(proposal);
      QCOMPARE(labelOf(*proposal), QString("label f32 5 one-hot"));
    }
  }

  void arraysThatSuitNoNodeAreReadAsTheyAre() {
    const tests::TemporaryFolder folder;
    const auto save = [&](const char* type, const char* shape, std::size_t bytes) {
      write(folder.path() / "x_train.npy", tests::npyBytes(type, shape, std::string(bytes, '\1')));
    };
    save("'<u2'", "(2, 32, 32, 3)", std::size_t{2 * 32 * 32 * 3 * 2});
    auto proposal = proposed(folder.path());
    VERIFY_OK(proposal);
    QCOMPARE(labelOf(*proposal), QString("none"));
    QVERIFY(nodeOf(*proposal, "random_resized_crop") == nullptr);
    QVERIFY(proposal->notes.find("u16 hwc here") != std::string::npos);
    save("'|u1'", "(2, 32, 32, 1)", std::size_t{2 * 32 * 32});
    proposal = proposed(folder.path());
    VERIFY_OK(proposal);
    QCOMPARE(labelOf(*proposal), QString("none"));
    QVERIFY(nodeOf(*proposal, "random_resized_crop") != nullptr);
    QVERIFY(nodeOf(*proposal, "normalise")->state == NodeState::Bypass);
  }
};

}  // namespace millrace

using millrace::TestClassLists;
MILLRACE_TEST_CASE(TestClassLists)
#include "tst_class_lists.moc"
