// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Folders as people really have them: what is found, and that the proposal opens.
#include "core/graph/graph_check.h"
#include "core/inspect/folder_content.h"
#include "core/inspect/pipeline_proposal.h"
#include "core/nodes/builtin.h"
#include "tests/core/inspect/odd_folder.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::contains;
using tests::OddFolder;
using Texts = std::vector<std::string>;

/// The problems of the proposed pipeline with its data open; "" if it has none.
std::string faultOf(const FolderContent& content, const PipelineProposal& proposal) {
  CheckOptions options;
  options.openData = true;
  const CheckResult checked = checkGraph(proposal.graph, builtinCatalog(), options);
  for (const Problem& problem : checked.problems.all())
    if (problem.severity == Severity::Error) return problem.text();
  return content.description.empty() ? "no description" : "";
}

/// The source of the proposal, after comparing its counts with the description.
std::shared_ptr<const Source> opened(FolderContent content) {
  const auto proposal = proposePipeline(content, builtinCatalog());
  if (!proposal || !faultOf(content, *proposal).empty()) {
    qWarning("%s",
             proposal ? faultOf(content, *proposal).c_str() : proposal.error().message.c_str());
    return nullptr;
  }
  auto source = openSourceOf(proposal->graph, builtinCatalog());
  if (!source) return nullptr;
  const std::string before = content.description;
  takeCounts(content, **source);
  if (before != content.description) {
    qWarning("%s, then %s", before.c_str(), content.description.c_str());
    return nullptr;
  }
  return source.take();
}

}  // namespace

class TestOddFolders : public QObject {
  Q_OBJECT
 private slots:
  void junkIsNeitherAClassNorASample() {
    OddFolder folder;
    folder.picture("cat/1.jpg");
    folder.picture("dog/1.jpg");
    for (const char* name :
         {".DS_Store", "cat/._1.jpg", "cat/Thumbs.db", "cat/desktop.ini", "__MACOSX/cat/._1.jpg",
          ".ipynb_checkpoints/1-checkpoint.jpg", "README.txt", "dog/2.jpg.part", "SHA256SUMS",
          "@eaDir/1.jpg/SYNOFILE_THUMB_M.jpg", "LICENSE"})
      folder.write(name);
    const FolderContent found = folder.detect();
    QCOMPARE(found.description, std::string("2 class folders, 2 pictures."));
    const auto source = opened(found);
    QVERIFY(source != nullptr);
    QCOMPARE(source->size(), 2U);
    QCOMPARE(source->classes(), (Texts{"cat", "dog"}));
    QVERIFY2(source->warnings().size() == 1 && contains(source->warnings()[0], "11 left out"),
             source->warnings()[0].c_str());
  }

  void aLinkToAFolderAboveIsNoClass() {
    OddFolder folder;
    folder.picture("a/1.png");
    std::filesystem::create_directory_symlink("..", folder.path() / "a/up");
    const FolderContent found = folder.detect();
    QCOMPARE(found.description, std::string("1 class folder, 1 picture."));
    const auto source = opened(found);
    QVERIFY(source != nullptr);
    QCOMPARE(source->classes(), Texts{"a"});
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

  void dataNextToContainersIsListed() {
    OddFolder folder;
    folder.picture("pets/cat/1.png");
    folder.picture("pets/dog/1.png");
    folder.write("x.npy", tests::npyBytes("'<f4'", "(2, 2)", std::string(16, '\0')));
    folder.picture("1.png");
    folder.write("list.csv", "image,label\n1.png,a\n1.png,b\n");
    FolderContent found = folder.detect();
    QVERIFY(found.layout == DataLayout::Unknown);
    Texts below;
    for (const DataBelow& data : found.below)
      below.push_back(data.path.filename().native() + ": " + data.kind);
    QCOMPARE(below, (Texts{"x.npy: NumPy", "list.csv: table of pictures", "pets: class folders"}));
    for (const char* name : {"y.npy", "z.npy"})
      folder.write(name, tests::npyBytes("'<f4'", "(2, 2)", std::string(16, '\0')));
    found = folder.detect();
    QVERIFY2(contains(found.description,
                      "Other data here: `list.csv` (table of pictures) and "
                      "`pets` (class folders)."),
             found.description.c_str());
  }

  void aFolderOfJunkAloneNamesItsJunk() {
    OddFolder folder;
    folder.write("Thumbs.db");
    folder.write("README.md");
    folder.picture(".hidden/1.png");
    const FolderContent found = folder.detect();
    QVERIFY(found.layout == DataLayout::Unknown);
    QVERIFY2(contains(found.description, "contains no data: 3 left out") &&
                 contains(found.description, "Thumbs.db") &&
                 contains(found.description, "`junk=keep` includes them"),
             found.description.c_str());
  }

  void anIndexWithoutItsShardsIsNamed() {
    OddFolder cut;
    cut.write("index.json", R"({"version":2,"shards":[)");
    QVERIFY2(contains(cut.detect().description, "is not JSON, or truncated"),
             cut.detect().description.c_str());
    OddFolder foreign;
    foreign.write(
        "index.json",
        R"({"version":2,"shards":[{"version":2,"samples":1,"format":"mds","column_names":["x"],)"
        R"("column_encodings":["int"],"column_sizes":[8],"zip_data":null,)"
        R"("raw_data":{"basename":"../x","bytes":10,"hashes":{}}}]})");
    QVERIFY2(contains(foreign.detect().description, "not a file within the data set's folder"),
             foreign.detect().description.c_str());
    OddFolder alone;
    alone.write(
        "index.json",
        R"({"version":2,"shards":[{"version":2,"samples":1,"format":"mds","column_names":["x"],)"
        R"("column_encodings":["int"],"column_sizes":[8],"zip_data":null,)"
        R"("compression":null,"hashes":[],)"
        R"("raw_data":{"basename":"shard.00000.mds","bytes":10,"hashes":{}}}]})");
    QVERIFY2(contains(alone.detect().description, "the first is `shard.00000.mds`"),
             alone.detect().description.c_str());
    OddFolder other;
    other.write("index.json", R"({"pages":[]})");
    QVERIFY(contains(other.detect().description, "Unknown layout"));
  }

  void emptyClassesAndDeeperFoldersAreCountedAsTheSourceDoes() {
    OddFolder folder;
    folder.picture("a/images/1.png");
    folder.picture("a/more/2.png");
    folder.makeFolder("b");
    folder.picture("c/noext");
    folder.picture("c/1.png");
    const FolderContent found = folder.detect();
    QCOMPARE(found.description, std::string("3 class folders, 4 pictures."));
    QVERIFY(opened(found) != nullptr);
  }

  void arraysOfSamplesAndLabelsAreOneDataSet() {
    const auto npy = [](const std::string& type, const std::string& shape, std::size_t bytes) {
      std::string head =
          "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
      head.resize(117, ' ');
      head += '\n';
      return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + head + std::string(bytes, '\x01');
    };
    OddFolder folder;
    for (const char* part : {"test", "train"}) {
      folder.write(std::string("X_") + part + ".npy", npy("|u1", "(2, 8, 8, 3)", 384));
      folder.write(std::string("y_") + part + ".npy", npy("<i8", "(2,)", 16));
    }
    const FolderContent found = folder.detect();
    QCOMPARE(found.description, std::string("4 files of NumPy. Samples in `X_train.npy`, labels in "
                                            "`y_train.npy`. 2 files are not used."));
    const auto source = opened(found);
    QVERIFY(source != nullptr);
    QCOMPARE(source->size(), 2U);
    QCOMPARE(source->fields().back().name, std::string("label"));
  }

  void aListInATextIsATable() {
    OddFolder folder;
    folder.picture("a/1.png");
    folder.picture("b/2.png");
    folder.write("train.txt", "a/1.png  3\nb/2.png  0 \n");
    folder.write("notes.txt", "two pictures\n");
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Manifest);
    QVERIFY2(contains(found.description, "separated by spaces, no header row"),
             found.description.c_str());
    const auto source = opened(found);
    QVERIFY(source != nullptr);
    QCOMPARE(source->size(), 2U);
    QCOMPARE(source->labelOf(0), 3);
  }

  void foldersOfAnnotationsAreNotClasses_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("second");
    QTest::addColumn<QString>("who");
    QTest::newRow("COCO") << "annotations/instances.json"
                          << "train2017/1.png"
                          << "val2017/1.png"
                          << "COCO";
    QTest::newRow("VOC") << "Annotations/1.xml"
                         << "JPEGImages/1.png"
                         << "ImageSets/Main/train.txt"
                         << "Pascal VOC";
    QTest::newRow("YOLO") << "labels/train/1.txt"
                          << "images/train/1.png"
                          << "images/val/2.png"
                          << "YOLO";
  }
  void foldersOfAnnotationsAreNotClasses() {
    QFETCH(QString, file);
    QFETCH(QString, first);
    QFETCH(QString, second);
    QFETCH(QString, who);
    const OddFolder folder;
    folder.write(file.toStdString(), "{}");
    for (const QString& name : {first, second})
      if (name.endsWith(".png"))
        folder.picture(name.toStdString());
      else
        folder.write(name.toStdString(), "1");
    const FolderContent content = folder.detect();
    QVERIFY2(content.layout != DataLayout::Classes, content.description.c_str());
    QVERIFY2(content.description.find(who.toStdString()) != std::string::npos,
             content.description.c_str());
    QVERIFY(!content.below.empty());
  }

  void dataOneLevelDownIsListed() {
    OddFolder folder;
    folder.write("LICENSE");
    folder.write("docs/notes.txt");
    folder.write("arrays/x.npy");
    folder.picture("photos/cat/1.png");
    folder.picture("photos/dog/1.png");
    folder.write("deep/er/still/a.tar");
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Unknown);
    Texts below;
    for (const DataBelow& data : found.below)
      below.push_back(data.path.lexically_relative(folder.path()).native() + ": " + data.kind);
    QCOMPARE(below, (Texts{"arrays: NumPy", "deep: WebDataset", "photos: class folders"}));
  }

  void containersInFoldersOfAFolderAreNotAClass() {
    OddFolder folder;
    folder.picture("photos/cat/1.png");
    folder.picture("photos/dog/1.png");
    folder.write("downloads/shards/a.tar");
    const FolderContent found = folder.detect();
    QCOMPARE(found.layout, DataLayout::Unknown);
    QCOMPARE(found.below.size(), 2U);
  }

  void setsWithTheSameClassesAreNotClasses() {
    OddFolder folder;
    for (const char* name : {"train/0/x.png", "train/90/x.png", "train/180/x.png",
                             "elsewhere/0/x.png", "elsewhere/90/x.png"})
      folder.picture(name);
    QCOMPARE(folder.detect().below.size(), 2U);
    const auto source = opened(folder.detect("elsewhere"));
    QVERIFY(source != nullptr);
    bool warned = false;
    for (const std::string& warning : source->warnings())
      warned = warned || (contains(warning, "`180` is not among the 2 here") &&
                          contains(warning, "give `classes_from="));
    QVERIFY(warned);
  }

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

  void rowsThatAreLeftOutAreNotMissingPictures() {
    OddFolder folder;
    folder.picture("a.png");
    folder.write("x.csv", "image,label\na.png,cat\ngone.png,dog,3\n");
    const FolderContent found = folder.detect();
    QVERIFY2(found.layout == DataLayout::Manifest && !contains(found.description, "not exist"),
             found.description.c_str());
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

  void aTableOfPicturesIsAManifest_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("text");
    QTest::newRow("plain") << "labels.csv" << "image,label\na.png,cat\nb.png,dog\n";
    QTest::newRow("semicolons") << "labels.csv" << "Image;Label\na.png;1\nb.png;0\n";
    QTest::newRow("no header") << "train.tsv" << "a.png\tcat\nb.png\tdog\n";
    QTest::newRow("ids") << "x.csv" << "id,breed\na,pug\nb,boxer\n";
  }
  void aTableOfPicturesIsAManifest() {
    QFETCH(QString, name);
    QFETCH(QString, text);
    for (const char* below : {"", "images/"}) {
      OddFolder folder;
      folder.picture(std::string(below) + "a.png");
      folder.picture(std::string(below) + "b.png");
      folder.write(name.toStdString(), text.toStdString());
      for (const std::string& path : {std::string(), name.toStdString()}) {
        const FolderContent found = folder.detect(path);
        QVERIFY2(found.layout == DataLayout::Manifest, found.description.c_str());
        const auto source = opened(found);
        QVERIFY(source != nullptr);
        QCOMPARE(source->size(), 2U);
        QCOMPARE(source->fields().size(), 2U);
      }
    }
  }

  void aColumnThatDividesTheTableIsNamed() {
    OddFolder folder;
    folder.picture("a.png");
    folder.picture("b.png");
    folder.write("x.csv", "image,label,split\na.png,cat,train\nb.png,dog,val\n");
    const FolderContent found = folder.detect();
    QVERIFY2(contains(found.description, "Column `split` divides the rows (train, val), but all"),
             found.description.c_str());
    QVERIFY(opened(found) != nullptr);
  }

  void numbersThatAreNamesAreNamed() {
    OddFolder folder;
    folder.picture("a.png");
    folder.write("x.csv", "image,label\na.png,-1\na.png,5\na.png,7\n");
    auto source = opened(folder.detect());
    QVERIFY(source != nullptr);
    QCOMPARE(source->classes(), (Texts{"-1", "5", "7"}));
    const auto warns = [&](std::string_view part) {
      return std::ranges::any_of(
          source->warnings(), [&](const std::string& warning) { return contains(warning, part); });
    };
    QVERIFY(warns("such as `-1`, so all are names in the order of their bytes: `5` is class 1"));
    folder.write("x.csv", "image,label\na.png,cat\na.png,dog\na.png,7\n");
    source = opened(folder.detect());
    QVERIFY(source != nullptr && !warns("names in the order"));
  }

  void aColumnForEachClassIsProposedAsLabels() {
    const OddFolder folder;
    std::string table = "image,MEL,NV,BCC\n";
    for (int i = 0; i < 6; ++i) {
      folder.picture("images/ISIC_" + std::to_string(i) + ".png");
      table += "ISIC_" + std::to_string(i) + (i % 2 == 0 ? ",0.0,1.0,0.0\n" : ",1.0,0.0,0.0\n");
    }
    folder.write("GroundTruth.csv", table);
    const FolderContent content = folder.detect();
    QVERIFY(content.layout == DataLayout::Manifest);
    QVERIFY2(contains(content.description, "one-hot classes in the 3 columns `MEL` to `BCC`"),
             content.description.c_str());
    const auto source = opened(content);
    QVERIFY(source);
    QCOMPARE(source->classes(), (Texts{"MEL", "NV", "BCC"}));
    QVERIFY(source->labelOf(0) == 1 && source->labelOf(1) == 0);

    folder.write("GroundTruth.csv", "image,sky,sea,dog\nISIC_0,1,1,0\nISIC_1,1,0,1\n");
    const FolderContent several = folder.detect();
    QVERIFY2(contains(several.description, "several classes a sample in the 3 columns `sky` to"),
             several.description.c_str());
    QVERIFY(opened(several));
    QCOMPARE(opened(several)->fields().back().shape, Shape{3});

    folder.write("GroundTruth.csv", "image,tags\nISIC_0,sky|sea\nISIC_1,sky\n");
    const FolderContent tags = folder.detect();
    QVERIFY2(contains(tags.description, "in column `tags`, divided by `|`"),
             tags.description.c_str());
    QCOMPARE(opened(tags)->classes(), (Texts{"sea", "sky"}));
  }

  /// A clone without `git lfs pull`.
  void pointersOfGitLfsAreNoData() {
    const OddFolder folder;
    const std::string pointer =
        "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";
    for (const char* name : {"a/1.jpg", "a/2.jpg", "b/1.jpg", "b/2.jpg"})
      folder.write(name, pointer);
    FolderContent content = folder.detect();
    QVERIFY(!isReadable(content) && content.paths.empty());
    QCOMPARE(content.description,
             std::string("The first 2 files are pointers of Git LFS instead of the data: run `git "
                         "lfs pull` in the repository."));
    folder.picture("c/1.png");
    content = folder.detect();
    QVERIFY(content.layout == DataLayout::Classes);
    QVERIFY2(contains(content.description, "2 of the first 3 files are pointers of Git LFS"),
             content.description.c_str());
    folder.write("shards/x-0000.tar", pointer);
    folder.write("train.tfrecord", pointer);
    for (const char* below : {"shards", "train.tfrecord"}) {
      const FolderContent container = folder.detect(below);
      QVERIFY(!isReadable(container));
      QVERIFY2(contains(container.description, "git lfs pull"), container.description.c_str());
    }
  }

  void aTableWhosePicturesAreElsewhereSaysWhatToSet() {
    OddFolder folder;
    folder.write("labels.csv", "image,label\na.png,cat\n");
    const FolderContent found = folder.detect("labels.csv");
    QCOMPARE(found.layout, DataLayout::Unknown);
    QVERIFY2(contains(found.description, "a.png") && contains(found.description, "`root=FOLDER`"),
             found.description.c_str());
  }

  void noTextNamesAFrontEndsGesture() {
    OddFolder folder;
    folder.write("notes.txt");
    for (const char* name : {"notes.txt", "", "gone"}) {
      const std::string text = folder.detect(name).description;
      QVERIFY2(!contains(text, "Drop") && !contains(text, "drop") && !contains(text, "(B)"),
               text.c_str());
    }
  }
};

MILLRACE_TEST_CASE(TestOddFolders)

}  // namespace millrace

#include "tst_odd_folders.moc"
