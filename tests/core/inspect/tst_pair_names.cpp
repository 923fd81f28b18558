// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Pairs in two folders whose file names differ by an end.
#include "core/inspect/pair_names.h"
#include "core/inspect/pipeline_proposal.h"
#include "core/nodes/builtin.h"
#include "tests/core/inspect/odd_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::contains;
using tests::OddFolder;
using Texts = std::vector<std::string>;

/// The samples that the proposed pipeline's source has; -1 and a warning if there is no source.
int proposedSamples(const FolderContent& content) {
  const auto proposal = proposePipeline(content, builtinCatalog());
  if (!proposal) return qWarning("%s", proposal.error().message.c_str()), -1;
  const auto source = openSourceOf(proposal->graph, builtinCatalog());
  if (!source) return qWarning("%s", source.error().message.c_str()), -1;
  return static_cast<int>((*source)->size());
}

std::string textOf(const FolderContent& content, const char* param) {
  const auto at = content.params.find(param);
  return at == content.params.end() ? "none" : std::get<std::string>(at->second);
}

}  // namespace

class TestPairNames : public QObject {
  Q_OBJECT
 private slots:
  void masksOfSeveralKindsBesideEachOther() {
    OddFolder folder;  // As Cityscapes has them.
    for (const char* split : {"train/aachen/aachen_", "val/bonn/bonn_"})
      for (const char* frame : {"000000_000019", "000001_000019", "000002_000027"}) {
        const std::string name = std::string(split) + frame;
        folder.picture("leftImg8bit/" + name + "_leftImg8bit.png");
        folder.mask("gtFine/" + name + "_gtFine_color.png", {128, 64, 128}, {0, 0, 0});
        folder.mask("gtFine/" + name + "_gtFine_instanceIds.png", {7}, {11});
        folder.mask("gtFine/" + name + "_gtFine_labelIds.png", {7}, {11});
        folder.write("gtFine/" + name + "_gtFine_polygons.json", "{}");
      }
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Masks);
    QCOMPARE(found.files, std::size_t{3});
    QCOMPARE(textOf(found, "input_suffix"), std::string("_leftImg8bit"));
    QCOMPARE(textOf(found, "target_suffix"), std::string("_gtFine_labelIds"));
    QVERIFY2(contains(found.description,
                      "The names end with `_leftImg8bit` and `_gtFine_labelIds`. There are targets "
                      "with `_gtFine_color`, `_gtFine_instanceIds`, too"),
             found.description.c_str());
    QVERIFY2(contains(found.description, "class indices 7 and 11"), found.description.c_str());
    QCOMPARE(proposedSamples(found), 3);
  }

  void smallPicturesWithTheirScaleInTheName() {
    OddFolder folder;  // As DIV2K has them.
    for (const char* name : {"0001", "0002", "0010", "0801"}) {
      folder.picture("DIV2K_train_HR/" + std::string(name) + ".png", 64, 48);
      folder.picture("DIV2K_train_LR_bicubic/X2/" + std::string(name) + "x2.png", 32, 24);
    }
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Pairs);
    QCOMPARE(found.scale, 2);
    QCOMPARE(textOf(found, "input_suffix"), std::string("x2"));
    QCOMPARE(textOf(found, "target_suffix"), std::string());
    QVERIFY2(contains(found.description, "The names of the inputs end with `x2`."),
             found.description.c_str());
    QCOMPARE(proposedSamples(found), 4);
  }

  void equalNamesNeedNoEnds() {
    OddFolder folder;
    for (const char* name : {"a", "b"}) {
      folder.picture("images/" + std::string(name) + ".png");
      folder.mask("masks/" + std::string(name) + ".png", {1}, {2});
    }
    QVERIFY(folder.detect().params.empty());
  }

  void foldersForTrainingArePairedFirst() {
    const auto found = pairFolders({"imgs_test", "imgs_train", "masks_train"});
    QVERIFY(found.has_value());
    QCOMPARE(found->input, std::string("imgs_train"));
    QCOMPARE(pairFolders({"masks", "test_images", "train_images"})->input,
             std::string("train_images"));
    QCOMPARE(pairFolders({"images", "masks", "test"})->input, std::string("images"));
  }

  void namesThatShareNoEndsAreNotPaired() {
    const Texts inputs = {"a1", "a2", "a3", "a4"};
    QVERIFY(pairEnds(inputs, {"a1_x", "a2_y", "a3_z", "a4_w"}, true).empty());
    QVERIFY(pairEnds(inputs, {"b1_m", "b2_m", "b3_m", "b4_m"}, true).empty());
    QVERIFY(pairEnds(inputs, {"x/a1_m", "x/a2_m", "x/a3_m", "x/a4_m"}, true).empty());
    // One input of four has a target: chance.
    QVERIFY(pairEnds(inputs, {"a1_m"}, true).empty());
    QVERIFY(pairEnds({"a1"}, {"a1_m"}, true).empty());
    // A number that another one begins with.
    QVERIFY(pairEnds({"1", "2", "3"}, {"10", "25", "31"}, true).empty());
  }

  void numbersWithoutZerosBeforeThemArePaired() {
    // `1` begins the names of many targets.
    Texts inputs;
    Texts targets;
    for (int i = 1; i <= 3000; ++i) {
      inputs.push_back(std::to_string(i) + ".png");
      targets.push_back(std::to_string(i) + "_m.png");
    }
    const auto ends = pairEnds(inputs, targets, true);
    QCOMPARE(ends.size(), std::size_t{1});
    QCOMPARE(ends.front().target, std::string("_m"));
  }

  void aListThatIsCutOffIsEnough() {
    const Texts inputs = {"c/a1", "c/a2", "c/a3", "c/a4"};
    const Texts targets = {"c/a1_colour.png", "c/a1_m.png", "c/a2_colour.png", "c/a2_m.png"};
    QVERIFY(pairEnds(inputs, targets, true).empty());
    const auto ends = pairEnds(inputs, targets, false);
    QCOMPARE(ends.size(), std::size_t{2});
    QCOMPARE(ends.front().target, std::string("_m"));  // Not the colours.
    QCOMPARE(pairsByEnds(inputs, targets, ends.front(), 9).size(), std::size_t{2});
    QCOMPARE(pairsByEnds(inputs, targets, ends.front(), 1).size(), std::size_t{1});
  }
};

}  // namespace millrace

using millrace::TestPairNames;
MILLRACE_TEST_CASE(TestPairNames)
#include "tst_pair_names.moc"
