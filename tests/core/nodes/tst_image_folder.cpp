// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/nodes/open_source.h"
#include "tests/core/nodes/source_text.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::openSource;
using tests::readAll;
using tests::samplesOf;
using tests::says;
using tests::TemporaryFolder;
using tests::warns;
using Texts = std::vector<std::string>;

}  // namespace

class TestImageFolder : public QObject {
  Q_OBJECT
 private slots:
  void imageFolderLabelsByTheFirstFolderLevel() {
    const TemporaryFolder folder;
    folder.write("dog/2.jpg", "dog two");
    folder.write("cat/deep/1.jpg", "cat one");
    folder.write("cat/b.jpg");
    folder.makeFolder("emu");
    const auto source = openSource("image_folder", {{"paths", TextList{folder.path()}}});
    VERIFY_OK(source);
    QCOMPARE((*source)->classes(), (Texts{"cat", "dog", "emu"}));
    QCOMPARE(samplesOf(**source), (Texts{"cat/b.jpg=0", "cat/deep/1.jpg=0", "dog/2.jpg=1"}));
    QCOMPARE(readAll(**source, 2), (Texts{"dog two", "1"}));
    QCOMPARE((*source)->file(1), (folder.path() / "cat/deep/1.jpg").native());
    QCOMPARE((*source)->fields()[1].classes, 3);
    QVERIFY((*source)->warnings().empty());
  }

  void eachPageIsASampleOnRequest() {
    const std::string tiff = tests::pagesOfTiff(2);
    const TemporaryFolder folder;
    folder.write("a/1.jpg", "no tiff");
    folder.write("a/scan.tif", tiff);
    folder.write("b/scan.tif", tiff.substr(0, 22) + std::string(4, '\0'));
    const TextList paths{folder.path()};
    auto source = openSource("image_folder", {{"paths", paths}});
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 3U);
    source = openSource("image_folder", {{"paths", paths}, {"pages", std::string("each")}});
    VERIFY_OK(source);
    QCOMPARE(samplesOf(**source),
             (Texts{"a/1.jpg=0", "a/scan.tif#0=0", "a/scan.tif#1=0", "b/scan.tif=1"}));
    QVERIFY(warns(**source, "1 of 3 files has several pages or frames: 4 samples in all"));
    QCOMPARE(readAll(**source, 0)[0], std::string("no tiff"));
    QCOMPARE(readAll(**source, 1)[0], tiff.substr(0, 22) + std::string(4, '\0') + tiff.substr(26));
    QCOMPARE(readAll(**source, 2)[0], std::string("II*\0\x1a\0\0\0", 8) + tiff.substr(8));
    folder.write("a/scan.tif", "II*");
    QVERIFY(readAll(**source, 2)[0].find("page 1 is missing") != std::string::npos);
  }

  void imageFolderNumbersClassesInByteOrderOfTheirNames() {
    const TemporaryFolder folder;
    folder.write("a/1");
    folder.write("a-b/2");  // before a/1 in byte order of paths
    const auto source = openSource("image_folder", {{"paths", TextList{folder.path()}}});
    VERIFY_OK(source);
    QCOMPARE(samplesOf(**source), (Texts{"a-b/2=1", "a/1=0"}));
  }

  void classesThatLookLikeTrainedOnesAreTheSame() {
    const TemporaryFolder folder;
    for (const char* file : {"train/caf\u00e9/1.jpg", "train/dog/1.jpg", "train/th\u00e9/1.jpg",
                             "val/cafe\u0301/2.jpg", "val/Dog/2.jpg", "val/the\u0301/2.jpg"})
      folder.write(file);
    const Values validation{{"paths", TextList{folder.path()}},
                            {"subset", std::string("validation")}};
    const auto source = openSource("image_folder", validation);
    VERIFY_OK(source);
    QCOMPARE((*source)->classes(), (Texts{"caf\u00e9", "dog", "th\u00e9"}));
    QCOMPARE(samplesOf(**source),
             (Texts{"val/Dog/2.jpg=1", "val/cafe\u0301/2.jpg=0", "val/the\u0301/2.jpg=2"}));
    QVERIFY(warns(**source,
                  "3 class names are stored with another case or Unicode form than in the "
                  "training set: `Dog` is class `dog`"));
    // Two folders that could be the class are separate classes.
    folder.write("val/dOg/3.jpg");
    const auto unsure = openSource("image_folder", validation);
    VERIFY_OK(unsure);
    QCOMPARE((*unsure)->classes(), (Texts{"caf\u00e9", "dog", "th\u00e9", "Dog", "dOg"}));
  }

  void imageFolderTakesAFlatFolderAsOneClass() {
    const TemporaryFolder folder;
    folder.write("1.jpg");
    folder.write("\xFF\xFE.jpg");
    const auto source = openSource("image_folder", {{"paths", TextList{folder.path()}}});
    VERIFY_OK(source);
    QCOMPARE((*source)->classes(), Texts{"."});
    QCOMPARE(samplesOf(**source), (Texts{"1.jpg=0", "\xFF\xFE.jpg=0"}));
    QVERIFY(warns(**source, "has no class folders: all of its files get one class"));
  }

  void imageFolderLeavesOutFilesBesideClassFolders() {
    const TemporaryFolder folder;
    folder.write("README");
    folder.write("cat/1", "one");
    folder.write("cover.jpg");
    folder.write("logo.png");
    folder.write("notes.txt");
    folder.write("zebra/2", "two");
    const auto source = openSource("image_folder", {{"paths", TextList{folder.path()}}});
    VERIFY_OK(source);
    QCOMPARE(samplesOf(**source), (Texts{"cat/1=0", "zebra/2=1"}));
    QCOMPARE(readAll(**source, 1), (Texts{"two", "1"}));
    QVERIFY(warns(**source, "2 files outside the class folders are left out; first: cover.jpg"));
    QVERIFY(warns(**source, "2 left out, because they are not data by their name: README"));
  }

  void imageFolderJoinsSeveralFoldersIntoOneSet() {
    const TemporaryFolder one;
    one.write("dog/1", "1");
    const TemporaryFolder two;
    two.write("cat/2", "2");
    two.write("dog/3", "3");
    const auto source = openSource("image_folder", {{"paths", TextList{one.path(), two.path()}}});
    VERIFY_OK(source);
    QCOMPARE(samplesOf(**source), (Texts{"dog/1=1", "cat/2=0", "dog/3=1"}));
    QCOMPARE(readAll(**source, 2), (Texts{"3", "1"}));
    QCOMPARE((*source)->file(2), (two.path() / "dog/3").native());
  }

  void imageFolderKnowsTrainAndValidation() {
    const TemporaryFolder folder;
    folder.write("train/ant/1");
    folder.write("train/cat/2");
    folder.write("val/cat/3");
    folder.write("val/bee/4");
    const TextList paths{folder.path()};
    const auto samples = [&](const char* subset) {
      const auto source =
          openSource("image_folder", {{"paths", paths}, {"subset", std::string(subset)}});
      return source ? samplesOf(**source) : Texts{source.error().message};
    };
    QCOMPARE(samples("train"), (Texts{"train/ant/1=0", "train/cat/2=1"}));
    QCOMPARE(samples("validation"), (Texts{"val/bee/4=2", "val/cat/3=1"}));
    QCOMPARE(samples("all"),
             (Texts{"train/ant/1=0", "train/cat/2=1", "val/bee/4=2", "val/cat/3=1"}));
    const auto apart =
        openSource("image_folder", {{"paths", TextList{folder.path() / "val"}},
                                    {"classes_from", (folder.path() / "train").native()}});
    VERIFY_OK(apart);
    QCOMPARE(samplesOf(**apart), (Texts{"bee/4=2", "cat/3=1"}));
    QVERIFY(warns(**apart, "1 class folder is not among the training classes; first: bee"));
    QVERIFY(says(openSource("image_folder", {{"paths", TextList{folder.path() / "val"}},
                                             {"subset", std::string("validation")}}),
                 "split node"));
  }

  void imageFolderSaysWhichClassANumberGets() {
    const TemporaryFolder folder;
    for (const char* name : {"1/x", "2/x", "10/x", "100/x"}) folder.write(name);
    const TextList paths{folder.path()};
    auto source = openSource("image_folder", {{"paths", paths}});
    VERIFY_OK(source);
    QCOMPARE((*source)->classes(), (Texts{"1", "10", "100", "2"}));
    QVERIFY(warns(**source, "class 2 is folder 100"));
    QVERIFY(warns(**source, "use `class_order=numeric`"));
    source =
        openSource("image_folder", {{"paths", paths}, {"class_order", std::string("numeric")}});
    VERIFY_OK(source);
    QCOMPARE((*source)->classes(), (Texts{"1", "2", "10", "100"}));
    QVERIFY(!warns(**source, "class_order"));
  }

  void imageFolderNamesNumbersNextToAnotherName() {
    const TemporaryFolder folder;
    for (const char* name : {"0/x", "1/x", "2/x", "10/x", "cat/x"}) folder.write(name);
    const auto source = openSource("image_folder", {{"paths", TextList{folder.path()}}});
    VERIFY_OK(source);
    QVERIFY(warns(**source,
                  "numbers except cat, but not the numbers of the classes: class 0 is "
                  "folder 0, class 1 is folder 1, class 2 is folder 10, class 3 is "
                  "folder 2; to sort them by value, use `class_order=numeric`"));
  }

  void imageFolderIsSilentAboutNumbersThatAreTheClasses() {
    const TemporaryFolder folder;
    for (const char* name : {"0/x", "1/x", "02/x"}) folder.write(name);
    const auto source = openSource("image_folder", {{"paths", TextList{folder.path()}},
                                                    {"class_order", std::string("numeric")}});
    VERIFY_OK(source);
    QVERIFY((*source)->warnings().empty());
  }

  void imageFolderLeavesJunkOutUnlessItIsKept() {
    const TemporaryFolder folder;
    for (const char* name : {"cat/1.jpg", "cat/.DS_Store", "__MACOSX/cat/._1.jpg", "README.md"})
      folder.write(name);
    const TextList paths{folder.path()};
    auto source = openSource("image_folder", {{"paths", paths}});
    VERIFY_OK(source);
    QCOMPARE(samplesOf(**source), (Texts{"cat/1.jpg=0"}));
    QVERIFY(warns(**source, "3 left out"));
    source = openSource("image_folder", {{"paths", paths}, {"junk", std::string("keep")}});
    VERIFY_OK(source);
    QCOMPARE(samplesOf(**source),
             (Texts{"__MACOSX/cat/._1.jpg=0", "cat/.DS_Store=1", "cat/1.jpg=1"}));
  }
};

}  // namespace millrace

using millrace::TestImageFolder;
MILLRACE_TEST_CASE(TestImageFolder)
#include "tst_image_folder.moc"
