// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Pairs and masks as people really have them.
#include "core/inspect/data_survey.h"
#include "tests/core/inspect/odd_folder.h"
#include "tests/core/inspect/opened_proposal.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::contains;
using tests::OddFolder;
using tests::opened;

}  // namespace

class TestOddPairs : public QObject {
  Q_OBJECT
 private slots:
  void pairsInFoldersOfOneScaleAreOneSetOfPairs() {
    OddFolder folder;
    for (const char* set : {"a", "b"})
      for (const char* name : {"1", "2"}) {
        folder.picture(std::string(set) + "/" + name + "_LR.png", 64, 64);
        folder.picture(std::string(set) + "/" + name + "_HR.png", 128, 128);
      }
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Pairs);
    QCOMPARE(found.scale, 2);
    const auto source = opened(found);
    QVERIFY(source != nullptr);
    QCOMPARE(source->size(), 4U);
  }

  void onePairOfAnotherScaleDoesNotDecideTheScale() {
    OddFolder folder;
    for (const char* name : {"1", "2", "3", "4"}) {
      const bool odd = std::string_view(name) == "1";
      folder.picture(std::string("LR/") + name + ".png", odd ? 64 : 96, odd ? 96 : 64);
      folder.picture(std::string("HR/") + name + ".png", 192, 128);
    }
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Pairs);
    QCOMPARE(found.scale, 2);
    const auto source = opened(found);
    QVERIFY(source != nullptr);
    const DataSurvey survey = surveyData(*source, {});
    QCOMPARE(survey.warnings.size(), std::size_t{1});
    QVERIFY(
        contains(survey.warnings[0], "1 of 4 targets has another size than its picture, not a"));
    QVERIFY(contains(survey.warnings[0], "first: 1.png has 64x96, its target 192x128"));
  }

  void pairsInFoldersOfSeveralScalesAreSeveralSets() {
    OddFolder folder;
    folder.picture("x2/1_LR.png", 64, 64);
    folder.picture("x2/1_HR.png", 128, 128);
    folder.picture("x4/1_LR.png", 64, 64);
    folder.picture("x4/1_HR.png", 256, 256);
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Unknown);
    QCOMPARE(found.below.size(), 2U);
    QCOMPARE(found.below[0].kind, std::string("pairs"));
  }

  void pairsAreFoundWhereAReaderSeesTheSameName() {
    OddFolder folder;
    folder.picture("images/\xC3\xA9.jpg");         // é composed
    folder.mask("masks/e\xCC\x81.png", {0}, {1});  // é with a separate accent
    folder.picture("images/IMG_1.JPG");
    folder.mask("masks/img_1.png", {0}, {2});
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Masks);
    const auto source = opened(found);
    QVERIFY(source != nullptr);
    QCOMPARE(source->size(), 2U);
    QVERIFY(contains(source->warnings()[0], "look alike"));
  }

  void namesThatDifferByCaseAreNotPairedIfThereAreTwo() {
    OddFolder folder;
    folder.picture("images/a.png");
    folder.picture("images/A.png");
    folder.picture("images/b.png");
    folder.mask("masks/A.png", {0}, {1});
    folder.mask("masks/b.png", {0}, {1});
    const auto source = opened(folder.detect());
    QVERIFY(source == nullptr || source->size() == 2U);
  }

  void masksOfColoursGetTheirTable_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("text");
    QTest::newRow("csv") << "classes.csv" << "name,r,g,b\nsky,0,0,255\nroad,128,64,128\n";
    QTest::newRow("CamVid") << "label_colors.txt" << "0 0 255\tSky\n128 64 128\tRoad\n";
    QTest::newRow("CVAT") << "labelmap.txt"
                          << "# label:color_rgb:parts:actions\nsky:0,0,255::\nroad:128,64,128::\n";
    QTest::newRow("semicolons") << "class_dict.csv" << "name;r;g;b\nsky;0;0;255\nroad;128;64;128\n";
  }
  void masksOfColoursGetTheirTable() {
    QFETCH(QString, name);
    QFETCH(QString, text);
    OddFolder folder;
    folder.picture("images/1.png");
    folder.mask("masks/1.png", {0, 0, 255}, {128, 64, 128});
    folder.write(name.toStdString(), text.toStdString());
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Masks);
    QVERIFY2(contains(found.description, "gives their 2 classes"), found.description.c_str());
    QVERIFY(opened(found) != nullptr);
    const auto proposal = proposePipeline(found, builtinCatalog());
    QVERIFY(proposal->graph.node("one_hot")->state == NodeState::On);
    QVERIFY(proposal->notes.find("(B)") == std::string::npos);
  }

  void masksOfColoursWithoutATableStayColours() {
    OddFolder folder;
    folder.picture("images/1.png");
    folder.mask("masks/1.png", {0, 0, 255}, {128, 64, 128});
    const FolderContent found = folder.detect();
    QVERIFY2(contains(found.description, "masks are colours (2 found)"), found.description.c_str());
    QVERIFY(opened(found) != nullptr);
    const auto proposal = proposePipeline(found, builtinCatalog());
    QVERIFY(proposal->graph.node("one_hot")->state == NodeState::Bypass);
    QVERIFY2(contains(proposal->notes, "`one_hot.colours`"), proposal->notes.c_str());
  }

  void theValuesOfIndexMasksAreNamed() {
    OddFolder folder;
    folder.picture("images/1.png");
    folder.mask("masks/1.png", {20}, {255});
    const FolderContent found = folder.detect();
    QVERIFY2(contains(found.description, "class indices 20 and 255"), found.description.c_str());
    const auto proposal = proposePipeline(found, builtinCatalog());
    QVERIFY2(contains(proposal->notes, "at least 21"), proposal->notes.c_str());
    QVERIFY(opened(found) != nullptr);
  }

  void greyMasksInThreeChannelsAreNamedByTheirValues() {
    OddFolder folder;
    folder.picture("images/1.png");
    folder.mask("masks/1.png", {0, 0, 0}, {2, 2, 2});
    const FolderContent found = folder.detect();
    QVERIFY2(contains(found.description, "grey values 0 and 2 in each of three channels"),
             found.description.c_str());
  }

  void lossyMasksDoNotCountTheClasses() {
    const std::vector<std::uint8_t> flat(48, 90);
    const auto jpeg = encodeJpeg({flat.data(), 4, 4, 3, 12});
    QVERIFY(jpeg);
    OddFolder folder;
    folder.picture("images/1.png", 4, 4);
    folder.write("masks/1.jpg",
                 std::string(reinterpret_cast<const char*>(jpeg->data()), jpeg->size()));
    const FolderContent found = folder.detect();
    QVERIFY2(contains(found.description, "1 of the 1 masks examined is JPEG, which changes"),
             found.description.c_str());
    QCOMPARE(found.highestIndex, -1);
  }

  void masksOfATableAreExaminedLikeOthers() {
    OddFolder folder;
    folder.picture("i/1.png");
    folder.mask("m/1.png", {0}, {2});
    folder.write("pairs.csv", "image,mask\ni/1.png,m/1.png\n");
    const FolderContent found = folder.detect();
    QVERIFY2(contains(found.description, "class indices 0 and 2"), found.description.c_str());
    const auto proposal = proposePipeline(found, builtinCatalog());
    QVERIFY2(contains(proposal->notes, "at least 3"), proposal->notes.c_str());
  }

  void foldersNamedAfterAnotherHoldItsMasks() {
    OddFolder folder;
    for (const char* set : {"train", "val"})
      for (const char* number : {"0", "1", "2"}) {
        folder.picture(std::string(set) + "/" + set + number + ".png");
        folder.mask(std::string(set) + "_labels/" + set + number + "_L.png", {0, 0, 0},
                    {128, 64, 0});
      }
    folder.write("class_dict.csv", "name,r,g,b\nvoid,0,0,0\nroad,128,64,0\n");
    const FolderContent found = folder.detect();
    QVERIFY2(found.layout == DataLayout::Masks && contains(found.description, "3 pictures") &&
                 contains(found.description, "`class_dict.csv` gives their 2 classes"),
             found.description.c_str());
    QVERIFY(opened(found) != nullptr);
  }

  void masksAreFoundByWhatTheyHold_data() {
    QTest::addColumn<QString>("input");
    QTest::addColumn<QString>("target");
    for (const auto& [input, target] :
         {std::pair("frames", "masks"),
          {"imgs", "masks_png"},
          {"PNGImages", "PedMasks"},
          {"RGB", "GT"},
          {"Original", "Ground truth"},
          {"data", "label"},
          {"img", "gt"},
          {"ISIC-2017_Training_Data", "ISIC-2017_Training_Part1_GroundTruth"},
          {"x", "y"}})
      QTest::newRow(input) << input << target;
  }

  void masksAreFoundByWhatTheyHold() {
    QFETCH(QString, input);
    QFETCH(QString, target);
    OddFolder folder;
    for (const char* name : {"0", "1", "2"}) {
      folder.mask((input + '/').toStdString() + name + ".png", {90, 80, 70}, {10, 20, 30});
      folder.mask((target + '/').toStdString() + name + ".png", {0}, {2});
    }
    const FolderContent found = folder.detect();
    QVERIFY2(found.layout == DataLayout::Masks, found.description.c_str());
    QCOMPARE(found.paths.front().filename().native(), input.toStdString());
    QCOMPARE(found.files, 3U);
    QVERIFY(opened(found) != nullptr);
  }

  void classesWhosePicturesHaveEqualNamesAndSizesStayClasses() {
    OddFolder folder;
    for (const char* name : {"0", "1", "2"}) {
      folder.mask("cat/" + std::string(name) + ".png", {90, 80, 70}, {10, 20, 30});
      folder.mask("dog/" + std::string(name) + ".png", {1, 2, 3}, {10, 20, 30});
    }
    QVERIFY(folder.detect().layout == DataLayout::Classes);
    OddFolder digits;
    for (const char* name : {"0", "1", "2"})
      for (const char* digit : {"3/", "8/"})
        digits.mask(std::string(digit) + name + ".png", {0}, {255});
    QVERIFY(digits.detect().layout == DataLayout::Classes);
  }

  void classesOfPairsAreNamed() {
    OddFolder folder;
    for (const char* name : {"benign", "malig"})
      for (const char* number : {"0", "1"}) {
        folder.picture(std::string(name) + "/" + number + ".png");
        folder.mask(std::string(name) + "/" + number + "_mask.png", {0}, {1});
      }
    const FolderContent found = folder.detect();
    QVERIFY2(found.layout == DataLayout::Masks &&
                 contains(found.description,
                          "The 2 folders, such as `benign` and `malig`, may be "
                          "classes"),
             found.description.c_str());
  }

  void masksInAnotherFormatLieNextToTheirPictures() {
    for (const char* below : {"", "ab_wheel/"}) {
      OddFolder folder;
      for (const char* name : {"1", "2"}) {
        folder.mask(below + std::string(name) + ".bmp.jpg", {9, 8, 7}, {3, 2, 1});
        folder.mask(below + std::string(name) + ".bmp.png", {0}, {255});
      }
      if (*below != 0)
        for (const char* name : {"abacus/1", "abacus/2"}) {
          folder.mask(name + std::string(".jpg"), {9, 8, 7}, {3, 2, 1});
          folder.mask(name + std::string(".png"), {0}, {255});
        }
      const FolderContent found = folder.detect();
      QVERIFY2(found.layout == DataLayout::Masks, found.description.c_str());
      const auto source = opened(found);
      QVERIFY(source != nullptr);
      QCOMPARE(source->size(), *below == 0 ? 2U : 4U);
      QVERIFY(source->name(0).ends_with("1.bmp.jpg"));
    }
    OddFolder copies;  // The same pictures in two formats.
    for (const char* name : {"cat/1.jpg", "cat/1.png", "dog/2.jpg", "dog/2.png"})
      copies.picture(name);
    QVERIFY(copies.detect().layout == DataLayout::Classes);
  }

  void aFolderForEachSubjectHoldsAPair() {
    for (const char* below : {"", "train/"}) {
      OddFolder folder;
      for (const char* subject : {"s1", "s2", "s3"}) {
        folder.picture(below + std::string(subject) + "/image.jpg");
        folder.mask(below + std::string(subject) + "/mask.png", {0}, {1});
      }
      if (*below != 0) folder.picture("val/s4/image.jpg");
      const FolderContent found = folder.detect();
      QVERIFY2(found.layout == DataLayout::Masks, found.description.c_str());
      QCOMPARE(found.files, 3U);
      const auto source = opened(found);
      QVERIFY(source != nullptr);
      QCOMPARE(source->size(), 3U);
    }
    OddFolder classes;
    classes.picture("cat/image.jpg");
    classes.picture("dog/mask.png");
    QVERIFY(classes.detect().layout == DataLayout::Classes);
  }
};

}  // namespace millrace

using millrace::TestOddPairs;
MILLRACE_TEST_CASE(TestOddPairs)
#include "tst_odd_pairs.moc"
