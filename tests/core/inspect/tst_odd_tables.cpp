// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Tables of pictures as people really have them.
#include "tests/core/inspect/odd_folder.h"
#include "tests/core/inspect/opened_proposal.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::contains;
using tests::OddFolder;
using tests::opened;
using Texts = std::vector<std::string>;

}  // namespace

class TestOddTables : public QObject {
  Q_OBJECT
 private slots:
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

  void aTableOfNamesFindsPicturesInSeveralFolders_data() {
    QTest::addColumn<QStringList>("folders");
    QTest::addColumn<QString>("table");
    QTest::addColumn<QString>("ending");
    QTest::newRow("parts") << QStringList{"part_1", "part_2"} << "meta.csv" << "";
    QTest::newRow("one level down")
        << QStringList{"images_001/images", "images_002/images"} << "meta.csv" << ".png";
    QTest::newRow("tables next to the folders")
        << QStringList{"part_1", "part_2"} << "labels/train.csv" << ".png";
  }
  void aTableOfNamesFindsPicturesInSeveralFolders() {
    QFETCH(QStringList, folders);
    QFETCH(QString, table);
    QFETCH(QString, ending);
    // More rows of the first folder than are examined at the beginning.
    constexpr int kEach = 300;
    OddFolder folder;
    std::string rows = "image,label\n";
    for (int part = 0; part < 2; ++part)
      for (int i = 0; i < kEach; ++i) {
        const QString name = QString("p%1_%2").arg(part).arg(i);
        folder.picture((folders[part] + "/" + name + ".png").toStdString(), 8, 8);
        rows += (name + ending + (i % 2 == 0 ? ",cat\n" : ",dog\n")).toStdString();
      }
    folder.write(table.toStdString(), rows);
    const FolderContent found = folder.detect();
    QVERIFY2(found.layout == DataLayout::Manifest, found.description.c_str());
    QVERIFY2(contains(found.description, "found by their names in the folders below"),
             found.description.c_str());
    QVERIFY2(!contains(found.description, "not exist"), found.description.c_str());
    const auto source = opened(found);
    QVERIFY(source != nullptr);
    QCOMPARE(source->size(), 2U * kEach);
    QCOMPARE(QString::fromStdString(source->name(kEach)), folders[1] + "/p1_0.png");
    Sample sample(source->fields().size());
    ReadCounters counters;
    const auto reader = source->reader();
    for (const std::uint32_t index : {0U, 2U * kEach - 1})
      QVERIFY(reader->read(index, sample, counters));
  }

  void namesOfSeveralFilesAreLeftOut() {
    OddFolder folder;
    for (const char* name : {"a/1.png", "b/1.png", "a/2.png", "b/3.png"}) folder.picture(name);
    folder.write("x.csv", "image,label\n1.png,cat\n2.png,dog\n3.png,cat\n");
    const auto proposal = proposePipeline(folder.detect(), builtinCatalog());
    QVERIFY2(proposal.ok(), proposal ? "" : proposal.error().message.c_str());
    const auto source = openSourceOf(proposal->graph, builtinCatalog());
    QVERIFY2(source.ok(), source ? "" : source.error().message.c_str());
    QCOMPARE((*source)->size(), 2U);
    QCOMPARE((*source)->name(1), std::string("b/3.png"));
    QCOMPARE((*source)->labelOf(0), 1);
    QVERIFY2(contains((*source)->warnings().front(),
                      "line 2 left out: column `image`: several files are called `1.png`"),
             (*source)->warnings().front().c_str());
  }

  void numbersWithDecimalCommasAreNoClasses() {
    OddFolder folder;
    for (const char* name : {"a.png", "b.png"}) folder.picture(name);
    folder.write("x.csv", "image;score\na.png;0,5\nb.png;1,25\n");
    const FolderContent found = folder.detect();
    QVERIFY2(contains(found.description, "numbers in column `score`"), found.description.c_str());
  }

  void textInAnUnknownEncodingIsNotStatedAsWindows1252() {
    OddFolder folder;
    for (const char* name : {"a.png", "b.png"}) folder.picture(name);
    // In Windows-1251 and in Windows-1252.
    folder.write("x.csv", "image,label\na.png,\xea\xee\xf2\nb.png,\xf1\xee\xe1\xe0\xea\xe0\n");
    QVERIFY2(
        contains(folder.detect().description,
                 "read as Windows-1252, which it does not seem to be (save the table as UTF-8)"),
        folder.detect().description.c_str());
    folder.write("x.csv", "image,label\na.png,K\xe4tzchen\nb.png,H\xfcndchen\n");
    QVERIFY2(contains(folder.detect().description, "encoded in Windows-1252"),
             folder.detect().description.c_str());
  }

  void oneMissingPictureDoesNotMakeATableOfNames() {
    OddFolder folder;
    // The test pictures have the names of those for training, of which one is missing.
    std::string rows = "image,label\n";
    for (int i = 0; i < 8; ++i) {
      const std::string name = std::to_string(i) + ".png";
      if (i != 3) folder.picture("train/" + name);
      folder.picture("test/" + name);
      rows += name + (i % 2 == 0 ? ",dog\n" : ",cat\n");
    }
    folder.write("train.csv", rows);
    const FolderContent found = folder.detect();
    QVERIFY2(contains(found.description, "paths start in `train`") &&
                 contains(found.description, "1 does not exist, such as 3.png"),
             found.description.c_str());
  }

  void rowsThatAreLeftOutAreNotMissingPictures() {
    OddFolder folder;
    folder.picture("a.png");
    folder.write("x.csv", "image,label\na.png,cat\ngone.png,dog,3\n");
    const FolderContent found = folder.detect();
    QVERIFY2(found.layout == DataLayout::Manifest && !contains(found.description, "not exist"),
             found.description.c_str());
  }

  void aTableOfPicturesIsAManifest_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("text");
    QTest::newRow("plain") << "labels.csv" << "image,label\na.png,cat\nb.png,dog\n";
    QTest::newRow("semicolons") << "labels.csv" << "Image;Label\na.png;1\nb.png;0\n";
    QTest::newRow("no header") << "train.tsv" << "a.png\tcat\nb.png\tdog\n";
    QTest::newRow("ids") << "x.csv" << "id,breed\na,pug\nb,boxer\n";
    QTest::newRow("names under another header") << "x.csv" << "id_code,diagnosis\na,1\nb,0\n";
    QTest::newRow("spaces beside separators")
        << "x.csv" << "\"image\" , \"label\"\n a.png , cat\n \"b.png\" , dog \n";
    QTest::newRow("a word of a longer name")
        << "x.csv" << "Image Index,Finding Labels,Age\na.png,cat,41\nb.png,dog,50\n";
    QTest::newRow("a folder of tables") << "meta/train.csv" << "file,label\na.png,cat\nb.png,dog\n";
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

  void aSemicolonInTheNameOfOneClassDividesNoLists() {
    OddFolder folder;
    for (const char* name : {"a.png", "b.png", "c.png"}) folder.picture(name);
    folder.write("x.csv", "image,label\na.png,dog\nb.png,\"bird; large\"\nc.png,dog\n");
    const auto source = opened(folder.detect());
    QVERIFY(source != nullptr);
    QCOMPARE(source->classes(), (Texts{"bird; large", "dog"}));
  }

  void aMissingNumberIsNoClass() {
    OddFolder folder;
    for (const char* name : {"a.png", "b.png", "c.png"}) folder.picture(name);
    folder.write("x.csv", "image,label\na.png,0.0\nb.png,NaN\nc.png,1.0\n");
    // A row that is left out is counted by the source alone, so `opened` is not used.
    const auto proposal = proposePipeline(folder.detect(), builtinCatalog());
    VERIFY_OK(proposal);
    const auto opens = openSourceOf(proposal->graph, builtinCatalog());
    VERIFY_OK(opens);
    const auto& source = *opens;
    QCOMPARE(source->size(), 2U);
    QCOMPARE(source->classes(), (Texts{"0", "1"}));
    QVERIFY2(contains(source->warnings().front(), "the label is missing (NaN)"),
             source->warnings().front().c_str());
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

  void aTableWhosePicturesAreElsewhereSaysWhatToSet() {
    OddFolder folder;
    folder.write("labels.csv", "image,label\na.png,cat\n");
    const FolderContent found = folder.detect("labels.csv");
    QCOMPARE(found.layout, DataLayout::Unknown);
    QVERIFY2(contains(found.description, "a.png") && contains(found.description, "`root=FOLDER`"),
             found.description.c_str());
  }
};

}  // namespace millrace

using millrace::TestOddTables;
MILLRACE_TEST_CASE(TestOddTables)
#include "tst_odd_tables.moc"
