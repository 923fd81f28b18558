// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Folders as people really have them: what is found, and that the proposal opens.
#include "tests/core/inspect/odd_folder.h"
#include "tests/core/inspect/opened_proposal.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::contains;
using tests::OddFolder;
using tests::opened;
using Texts = std::vector<std::string>;

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
    const auto warns = [](const Source& of, const char* part, const char* numbers) {
      return std::ranges::any_of(of.warnings(), [&](const std::string& warning) {
        return contains(warning, part) && contains(warning, numbers) &&
               contains(warning, "give `classes_from=");
      });
    };
    QVERIFY(warns(*source, "`180` is not among the 2 here", "another number there"));
    folder.picture("fewer/0/x.png");
    folder.picture("fewer/180/x.png");
    const auto fewer = opened(folder.detect("fewer"));
    QVERIFY(fewer != nullptr);
    QVERIFY(warns(*fewer, "`90` is not among the 2 here", "have the same number"));
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

}  // namespace millrace

using millrace::TestOddFolders;
MILLRACE_TEST_CASE(TestOddFolders)
#include "tst_odd_folders.moc"
