// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The descriptions of folders that are read in part, or not at all.
#include <filesystem>

#include "core/inspect/data_survey.h"
#include "core/inspect/pipeline_proposal.h"
#include "core/nodes/builtin.h"
#include "tests/core/inspect/odd_folder.h"
#include "tests/support/tar_bytes.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::contains;
using tests::OddFolder;
using Texts = std::vector<std::string>;

/// The notes of the proposed source and of its samples.
std::string notesOf(const OddFolder& folder) {
  const auto proposal = proposePipeline(folder.detect(), builtinCatalog());
  if (!proposal) return proposal.error().message;
  const auto source = openSourceOf(proposal->graph, builtinCatalog());
  if (!source) return source.error().message;
  std::string notes;
  for (const std::string& note : surveyData(**source).warnings) notes += note + "\n";
  return notes;
}

}  // namespace

class TestNamedFolders : public QObject {
  Q_OBJECT
 private slots:
  void theOnlyFolderWithPicturesIsEntered() {
    OddFolder folder;
    folder.write("data/README.md");
    folder.write("code/train.py");
    for (const char* name : {"data/images/cat/1.png", "data/images/dog/1.png"})
      folder.picture(name);
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Classes);
    QCOMPARE(found.classes, (Texts{"cat", "dog"}));
    QCOMPARE(found.paths.front(), folder.path() / "data" / "images");
    // An empty class folder keeps its number.
    OddFolder classes;
    classes.picture("cat/1.png");
    classes.write("dog/README");
    QCOMPARE(classes.detect().classes, (Texts{"cat", "dog"}));
  }

  void knownFormatsThatAreNotReadAreNamed_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("said");
    QTest::newRow("dicom") << "cat/1.dcm" << QByteArray("x")
                           << "`1.dcm` is DICOM, which is not read";
    QTest::newRow("dicom without a name's ending")
        << "IM001" << QByteArray(128, '\0') + "DICM" << "`IM001` is DICOM";
    QTest::newRow("film") << "cat/a.MP4" << QByteArray("x") << "write its frames as pictures";
    QTest::newRow("sound") << "no/a.wav" << QByteArray("x") << "is sound, which is not read";
    QTest::newRow("compressed table")
        << "labels.csv.gz" << QByteArray("x") << "is a compressed table, which is not read: unpack";
    QTest::newRow("mnist") << "train-images-idx3-ubyte.gz" << QByteArray("x") << "MNIST's IDX";
    QTest::newRow("cifar") << "data_batch_1" << QByteArray("\x80\x04x") << "Python's pickle";
    QTest::newRow("no files") << "cat/.hidden" << QByteArray("x") << "1 folder without files.";
    QTest::newRow("header only") << "labels.csv" << QByteArray("file,label\n")
                                 << "`labels.csv` has a header row and no other row";
    QTest::newRow("addresses") << "labels.csv" << QByteArray("url,label\nftp://x.org/a.jpg,1\n")
                               << "lists addresses such as ftp://x.org/a.jpg";
    QTest::newRow("no pictures") << "labels.csv" << QByteArray("file,label\na.jpg,1\n")
                                 << "but its picture a.jpg does not exist";
  }
  void knownFormatsThatAreNotReadAreNamed() {
    QFETCH(QString, file);
    QFETCH(QByteArray, bytes);
    QFETCH(QString, said);
    OddFolder folder;
    folder.write(file.toStdString(), bytes.toStdString());
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Unknown);
    QVERIFY2(contains(found.description, said.toStdString()), found.description.c_str());
  }

  void pathsDoNotStartInFoldersOfOtherData() {
    OddFolder folder;
    folder.write("one/labels.csv", "file,label\na.png,1\n");
    folder.picture("two/a.png");
    QVERIFY(detectContent(folder.path() / "one").layout == DataLayout::Unknown);
    // But a folder of lists is about those next to it.
    folder.write("labels/train.csv", "file,label\na.png,1\n");
    QCOMPARE(detectContent(folder.path() / "labels").layout, DataLayout::Manifest);
  }

  void picturesWithoutEndingsAreClasses() {
    OddFolder folder;
    for (const char* name : {"cat/a1.png", "cat/a2.png", "dog/b1.png"}) {
      folder.picture(name);
      const auto file = folder.path() / name;
      std::filesystem::rename(file, file.parent_path() / file.stem());
    }
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Classes);
    QCOMPARE(found.files, 3U);
    QVERIFY(found.least.width > 0);
  }

  void namesThatMayBeClassesAreNoted() {
    OddFolder folder;
    for (const char* name :
         {"train/cat.0.png", "train/cat.1.png", "train/dog.0.png", "train/dog.1.png"})
      folder.picture(name);
    QVERIFY(
        contains(folder.detect().description, "Names begin with `cat` and `dog`, which may be"));
    OddFolder numbers;
    for (const char* name : {"a/img_1.png", "a/img_2.png", "a/x.png"}) numbers.picture(name);
    QVERIFY(!contains(numbers.detect().description, "Names begin"));
  }

  void splitsWithOtherNamesThanTrainAreNoClasses() {
    OddFolder people;
    for (const char* name : {"bounding_box_train/0002_c1.png", "bounding_box_train/0007_c1.png",
                             "bounding_box_test/0003_c1.png", "query/0003_c2.png"})
      people.picture(name);
    const FolderContent flat = people.detect();
    QCOMPARE(flat.layout, DataLayout::Pictures);
    QCOMPARE(flat.files, 2U);
    QVERIFY(contains(flat.details, "Only `bounding_box_train` is read; the other folders are"));

    OddFolder cars;
    for (const char* split : {"training", "testing"}) {
      cars.picture(std::string(split) + "/image_2/1.png");
      cars.picture(std::string(split) + "/image_2/2.png");
      cars.write(std::string(split) + "/calib/1.txt", "P0: 1 0 0\n");
    }
    const FolderContent lone = cars.detect();
    QCOMPARE(lone.layout, DataLayout::Pictures);
    QCOMPARE(lone.files, 2U);
    QVERIFY(contains(lone.details, "only `image_2` has pictures"));
  }

  void tablesThatDoNotNameThePicturesAreMentioned() {
    OddFolder folder;
    for (const char* name : {"train/1_red.png", "train/2_red.png"}) folder.picture(name);
    folder.write("train.csv", "Id,Target\n1,5\n2,3 4\n");
    const FolderContent found = folder.detect();
    QVERIFY(
        contains(found.details, "`train.csv` is a table, but its rows do not name the pictures"));
  }

  void aTableNamesThePicturesOfTheFolderWithItsName() {
    OddFolder folder;
    for (const char* name : {"m_test/0.png", "m_test/1.png", "m_train/0.png", "m_train/1.png"})
      folder.picture(name);
    folder.write("m_train_labels.txt", "0.png 5\n1.png 3\n");
    QVERIFY(contains(folder.detect().details, "paths start in `m_train`"));
  }

  void tablesOfBoxesSaySo() {
    OddFolder folder;
    for (const char* name : {"1.png", "2.png"}) folder.picture(name);
    folder.write("train.csv",
                 "image_id,bbox\n1,\"[1.0, 2.0, 5.0, 6.0]\"\n2,\"[3.0, 2.0, 5.0, 6.0]\"\n");
    const FolderContent found = folder.detect();
    QVERIFY(
        contains(found.details, "Not read: column `bbox`. Boxes are not read from such a table"));
  }

  void columnsThatAreNotReadAreNamed() {
    OddFolder folder;
    for (const char* name : {"1.png", "2.png", "3.png", "4.png"}) folder.picture(name);
    folder.write("ages.csv", "id,boneage,male\n1,180,True\n2,12,False\n3,94,True\n4,7,False\n");
    QVERIFY(contains(folder.detect().details, "Not read: column `boneage`."));
  }

  void dataSetsInAFolderNextToListsAreEntered() {
    OddFolder folder;
    for (const char* name :
         {"ILSVRC/Data/train/n01/a.png", "ILSVRC/Data/train/n02/b.png", "ILSVRC/Data/val/c.png"})
      folder.picture(name);
    folder.write("LOC_sample_submission.csv", "ImageId,PredictionString\nc9,n01 1\n");
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Classes);
    QCOMPARE(found.classFolders, 2U);
  }

  void classesNextToAnEmptyClassFolderStayClasses() {
    OddFolder folder;
    folder.picture("cat/a.png");
    folder.makeFolder("dog");
    QCOMPARE(folder.detect().layout, DataLayout::Classes);
  }

  void colourAndDepthArePairs() {
    OddFolder folder;
    for (const char* name : {"rgb/1.png", "rgb/2.png", "depth/1.png", "depth/2.png"})
      folder.picture(name);
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Pairs);
    QCOMPARE(found.paths.front().filename().native(), std::string("rgb"));
  }

  void tablesAmongTrainingPicturesAreFound() {
    OddFolder folder;
    for (const char* name : {"train/a.png", "train/b.png", "test/c.png"}) folder.picture(name);
    folder.write("train/metadata.csv", "file_name,label\na.png,0\nb.png,1\n");
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Manifest);
    QCOMPARE(found.files, 2U);
  }

  void classFoldersThatLookTheSameAreNoted() {
    OddFolder folder;
    for (const char* name : {"Cat/a.png", "cat/b.png", "dog/c.png"}) folder.picture(name);
    QVERIFY(contains(notesOf(folder), "`Cat` and `cat` differ only in case or spaces"));
  }

  void otherContainersAndSplitsAreLeftOutBySaying() {
    OddFolder folder;
    folder.write("a.tfrecord");
    folder.write("b.tfrecord");
    folder.write("c.tar");
    QVERIFY(
        contains(folder.detect().description, "1 file of WebDataset is left out: give it alone."));
    OddFolder splits;
    splits.write("mnist-train.tfrecord-00000-of-00001");
    splits.write("mnist-test.tfrecord-00000-of-00001");
    QVERIFY(contains(splits.detect().description,
                     "1 file of TFRecord of the split `train`; 1 of other splits is left out."));
  }

  void masksInAFolderOfTheFolderArePairs() {
    OddFolder folder;
    for (const char* name : {"images/a_1.png", "images/b_2.png"}) folder.picture(name);
    for (const char* name : {"annotations/trimaps/a_1.png", "annotations/trimaps/b_2.png"})
      folder.picture(name);
    folder.write("annotations/list.txt", "a_1 1 1\n");
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Masks);
    QCOMPARE(found.paths.back(), folder.path() / "annotations" / "trimaps");
    QVERIFY(contains(found.description, "The folders are `images` and `annotations/trimaps`."));
  }

  void heldOutSetsWithOtherClassesAreNoted() {
    OddFolder folder;
    for (const char* name : {"train/a/1.png", "train/b/2.png", "val/a/3.png", "val/c/4.png"})
      folder.picture(name);
    const std::string notes = notesOf(folder);
    QVERIFY2(
        contains(notes, "the folder `val` has no class `b`, which is trained; `subset=validation`"),
        notes.c_str());
    QVERIFY2(contains(notes, "the folder `val` has a class `c`, which is not trained"),
             notes.c_str());
    OddFolder equal;
    for (const char* name : {"train/a/1.png", "train/b/2.png", "val/a/3.png", "val/b/4.png"})
      equal.picture(name);
    QCOMPARE(notesOf(equal), std::string());
  }

  void setsThatAreNoClassesAreListed() {
    for (const Texts& names :
         {Texts{"trainA/1.png", "trainB/2.png", "testA/3.png", "testB/4.png"},
          Texts{"train/s1/blur/1.png", "train/s1/sharp/1.png", "train/s2/blur/1.png",
                "train/s2/sharp/1.png", "test/s3/blur/1.png", "test/s3/sharp/1.png"}}) {
      OddFolder folder;
      for (const std::string& name : names) folder.picture(name);
      const FolderContent found = folder.detect();
      QCOMPARE(found.layout, DataLayout::Unknown);
      QVERIFY(found.below.size() > 2);
    }
  }

  void wrappersAreEnteredToTheClasses() {
    OddFolder deep;
    for (const char* name : {"a/b/c/d/e/f/g/h/i/cat/1.png", "a/b/c/d/e/f/g/h/i/dog/2.png"})
      deep.picture(name);
    QCOMPARE(deep.detect().classes, (Texts{"cat", "dog"}));
    // Next to a list that is not read, as LFW has it.
    OddFolder lists;
    for (const char* name : {"lfw/Ann_A/Ann_A_1.png", "lfw/Bob_B/Bob_B_1.png"}) lists.picture(name);
    lists.write("pairs.txt", "10\t300\nAnn_A\t1\t4\n");
    QCOMPARE(lists.detect().classes, (Texts{"Ann_A", "Bob_B"}));
    OddFolder shards;
    shards.write("README.md");
    shards.write("data/train-00000-of-00001.tfrecord");
    QCOMPARE(shards.detect().layout, DataLayout::Container);
  }

  void splitsInsidePairsAreNotMixed() {
    OddFolder folder;
    for (const char* split : {"training", "validation"})
      for (const char* side : {"images", "annotations"})
        folder.picture(std::string(side) + "/" + split + "/" + split + "_1.png");
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Masks);
    QCOMPARE(found.files, 1U);
    QVERIFY(contains(found.description,
                     "The folders are `images/training` and `annotations/training`."));
  }

  void numbersOfRowsAreNoClasses() {
    OddFolder folder;
    std::string list;
    for (int i = 1; i <= 5; ++i) {
      const std::string name = (i < 3 ? "images/cat/" : "images/dog/") + std::to_string(i) + ".png";
      folder.picture(name);
      list += std::to_string(i) + " " + name + "\n";
    }
    folder.write("images.txt", list);
    QCOMPARE(folder.detect().classes, (Texts{"cat", "dog"}));
  }

  void rowsThatContradictEachOtherAreCounted() {
    OddFolder folder;
    for (const char* name : {"a.png", "b.png"}) folder.picture(name);
    folder.write("labels.csv", "file,label\na.png,1\na.png,0\nb.png,1\nb.png,1\n");
    const std::string notes = notesOf(folder);
    QVERIFY2(contains(notes,
                      "labels.csv: 1 row lists a picture again with another label; first: "
                      "line 3, a.png"),
             notes.c_str());
  }

  void foldersInAnArchiveAreNoted() {
    OddFolder folder;
    const std::string jpeg = "\xff\xd8\xff\xe0 and so on";
    folder.write("a.tar", tests::tarMember("set/cat/1.jpg", jpeg) +
                              tests::tarMember("set/dog/2.jpg", jpeg) + tests::tarEnd());
    QVERIFY2(contains(notesOf(folder), "samples lie in folders such as `cat` and `dog`"),
             notesOf(folder).c_str());
    folder.write("a.tar", tests::tarMember("cat/1.jpg", jpeg) + tests::tarMember("cat/1.cls", "0") +
                              tests::tarMember("dog/2.jpg", jpeg) +
                              tests::tarMember("dog/2.cls", "1") + tests::tarEnd());
    QVERIFY2(!contains(notesOf(folder), "samples lie"), notesOf(folder).c_str());
  }

  void masksOfAnotherSizeAreCounted() {
    OddFolder folder;
    for (const char* name : {"images/1.png", "images/2.png"}) folder.picture(name);
    folder.mask("masks/1.png", {0}, {1});
    folder.mask("masks/2.png", {0}, {1}, 32, 24);
    std::string notes = notesOf(folder);
    QVERIFY2(
        contains(notes,
                 "1 of 2 masks has another size than its picture, a whole number of times "
                 "larger or smaller: batches keep this ratio; first: 2.png has 64x48, its mask "
                 "32x24"),
        notes.c_str());
    folder.mask("masks/1.png", {0}, {1}, 32, 20);
    notes = notesOf(folder);
    QVERIFY2(contains(notes,
                      "1 of 2 masks has another size than its picture, and will fail; "
                      "first: 1.png has 64x48, its mask 32x20"),
             notes.c_str());
  }

  void foldersThatMayNotBeTheClassesAreNamed() {
    OddFolder deep;
    for (const char* name : {"animal/cat/1.png", "animal/dog/2.png", "plant/oak/1.png"})
      deep.picture(name);
    QVERIFY2(contains(deep.detect().description,
                      "They hold 3 more folders, such as `animal/cat`. If those are the classes, "
                      "list the 2 folders in `image_folder.paths`"),
             deep.detect().description.c_str());
    OddFolder stereo;
    for (const char* side : {"left/", "right/"})
      for (const char* name : {"01.png", "02.png", "03.png", "04.png"})
        stereo.picture(std::string(side) + name);
    QVERIFY2(contains(stereo.detect().description,
                      "the same names in each folder, such as 01. If they belong together"),
             stereo.detect().description.c_str());
    stereo.picture("right/05.png");
    QVERIFY(!contains(stereo.detect().description, "same names"));
    QVERIFY(!contains(stereo.detect().description, "more folders"));
  }

  void foldersBelowTheOnlyFolderOfADomainMayBeTheClasses() {
    OddFolder office;
    for (const char* name : {"amazon/images/bike/1.png", "amazon/images/mug/1.png",
                             "dslr/images/bike/1.png", "dslr/images/mug/1.png"})
      office.picture(name);
    QVERIFY2(contains(office.detect().description,
                      "They hold 4 more folders, such as `amazon/images/bike`"),
             office.detect().description.c_str());
  }

  void filesThatBelongTogetherByTheirNamesAreNamed() {
    OddFolder fewShot;
    for (const char* name : {"abacus/1.jpg", "abacus/1.png", "abacus/12.jpg", "abacus/12.png",
                             "bat/1.jpg", "bat/1.png", "bat/2.jpg", "bat/2.png"})
      fewShot.picture(name);
    QVERIFY2(contains(fewShot.detect().description,
                      "belong together by their names, such as `1.jpg` and `1.png`"),
             fewShot.detect().description.c_str());
    OddFolder flat;
    for (const char* name : {"a.jpg", "a_superpixels.png", "b.jpg", "b_superpixels.png"})
      flat.picture(name);
    QVERIFY2(contains(flat.detect().description, "such as `a.jpg` and `a_superpixels.png`"),
             flat.detect().description.c_str());
    OddFolder numbered;
    for (const char* name : {"x/1.png", "x/10.png", "x/11.png", "y/2.png", "y/20.png"})
      numbered.picture(name);
    QVERIFY2(!contains(numbered.detect().description, "belong together"),
             numbered.detect().description.c_str());
  }

  void masksOfNothingBut255AreExplained() {
    OddFolder folder;
    folder.picture("images/1.png");
    folder.mask("masks/1.png", {0}, {255});
    QVERIFY(contains(folder.detect().description, "`object,255,255,255`"));
  }
};

}  // namespace millrace

using millrace::TestNamedFolders;
MILLRACE_TEST_CASE(TestNamedFolders)
#include "tst_named_folders.moc"
