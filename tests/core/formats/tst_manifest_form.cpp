// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/manifest_form.h"

#include "core/formats/folder/csv.h"
#include "core/formats/folder/label_lists.h"
#include "core/formats/folder/manifest_table.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using Texts = std::vector<std::string>;

/// A folder with pictures and one table, whose rows are shown as `path=label`.
class Table : public tests::TemporaryFolder {
 public:
  explicit Table(const Texts& pictures) {
    for (const std::string& name : pictures) write(name);
  }

  Result<ManifestForm> form(const std::string& bytes, const ManifestHints& hints = {}) const {
    return findManifestForm(bytes, path() / "t.csv", hints);
  }

  Texts rows(const std::string& bytes, const ManifestHints& hints = {}) const {
    auto found = form(bytes, hints);
    if (!found) return {"error: " + found.error().message};
    ManifestColumns columns;
    columns.paths = {found->image};
    columns.labels = found->oneHot;
    if (columns.labels.empty() && !found->label.empty()) columns.labels = {found->label};
    columns.form = found.take();
    const auto table = ManifestTable::parse(utf8Text(bytes, columns.form.encoding), columns);
    if (!table) return {"error: " + table.error().message};
    Texts shown;
    for (std::size_t row = 0; row < table->rows(); ++row) {
      shown.emplace_back(table->path(row, 0));
      if (!columns.labels.empty()) shown.back() += "=" + table->labelTexts()[table->label(row)];
    }
    for (const std::string& problem : table->problems()) shown.push_back("! " + problem);
    return shown;
  }
};

std::string utf16(const std::string& ascii, bool big, bool mark) {
  std::string bytes;
  if (mark) bytes += big ? "\xFE\xFF" : "\xFF\xFE";
  for (const char c : ascii) bytes += big ? std::string{'\0', c} : std::string{c, '\0'};
  return bytes;
}

}  // namespace

class TestManifestForm : public QObject {
  Q_OBJECT
 private slots:
  void separatorsAreFound() {
    const Table table({"a.jpg", "b c.jpg"});
    for (const char separator : {',', ';', '\t', '|'}) {
      const std::string s(1, separator);
      const std::string text =
          "image" + s + "label\r\na.jpg" + s + "1\r\n\"b c.jpg\"" + s + "0\r\n";
      QCOMPARE(table.rows(text), (Texts{"a.jpg=1", "b c.jpg=0"}));
      QCOMPARE(table.form(text)->separator, separator);
    }
  }

  void spacesSeparateOnlyListsOfPictures() {
    const Table table({"a.jpg", "b.jpg", "my cat.jpg"});
    const std::string list = "a.jpg 1\nb.jpg 0\n";
    QCOMPARE(table.rows(list), (Texts{"a.jpg=1", "b.jpg=0"}));
    QCOMPARE(table.form(list)->separator, ' ');
    QVERIFY(!table.form(list)->header);
    QCOMPARE(table.rows(" a.jpg   1 \n b.jpg  0\n"), (Texts{"a.jpg=1", "b.jpg=0"}));
    QCOMPARE(table.rows("1 a.jpg\n0 b.jpg\n"), (Texts{"a.jpg=1", "b.jpg=0"}));
    QCOMPARE(table.rows("image,label\nmy cat.jpg,a cat\n"), Texts{"my cat.jpg=a cat"});
    QVERIFY(!table.form("some words\nmore words\n"));
  }

  void whatIsNoTableIsNamedInAFewWords() {
    const Table table({"a.jpg"});
    const auto error = [&](const std::string& text) {
      const auto form = table.form(text);
      return form ? std::string("a table") : form.error().message;
    };
    const std::string binary = error(
        "im\x01"
        "age,label\nx,y\n");
    QVERIFY2(binary.starts_with("row 1, column 1: it has the control character \\x01"),
             binary.c_str());
    QCOMPARE(error("x,y\n1,2.5\n3,4\n"),
             std::string("it is a table of numbers, which is not read: save it with `numpy.save`, "
                         "or as Parquet"));
    std::string wide;
    for (int i = 0; i < 5000; ++i) wide += "a,";
    QCOMPARE(error(wide), std::string("line 1: more than 1 024 cells in the first row"));
    QCOMPARE(error("\n\n"), std::string("the file is empty; it needs a header row"));
    std::string names = std::string(100, 'n');
    std::string cells = "x";
    for (int i = 0; i < 50; ++i) {
      names += ",c" + std::to_string(i);
      cells += ",x";
    }
    const std::string many = error(names + "\n" + cells + "\n");
    QVERIFY2(many.size() < 300 && many.ends_with(" and 39 more"), many.c_str());
  }

  void pathsInListsMayHaveSpaces() {
    const Table table({"my cat.jpg", "my dog.JPG", "c.jpg", "été 1.png"});
    for (const char* list :
         {"my cat.jpg 1\nmy dog.JPG 0\n", "my cat.jpg   1\r\nmy dog.JPG   0\r\n",
          "'my cat.jpg' 1\n'my dog.JPG' 0\n", "# by hand\nmy cat.jpg 1\nmy dog.JPG 0\n",
          "path label\nmy cat.jpg 1\nmy dog.JPG 0\n", "1 my cat.jpg\n0 my dog.JPG\n",
          "label path\n1 my cat.jpg\n0 my dog.JPG\n"})
      QCOMPARE(table.rows(list), (Texts{"my cat.jpg=1", "my dog.JPG=0"}));
    // Names without spaces among them, and classes with spaces.
    QCOMPARE(table.rows("my cat.jpg a cat\nc.jpg cat\nété 1.png a big cat\n"),
             (Texts{"my cat.jpg=a cat", "c.jpg=cat", "été 1.png=a big cat"}));
    QCOMPARE(table.form("my cat.jpg 1\nc.jpg 1\n")->separator, kAfterPath);
    QCOMPARE(table.form("1 my cat.jpg\n1 c.jpg\n")->separator, kFirstSpace);
    const auto prose = table.form("a picture of my cat.jpg here\n");
    QVERIFY(!prose || prose->foundFiles == 0);
    ManifestHints hints;
    hints.separator = kAfterPath;
    QCOMPARE(table.rows("my cat.jpg 1\nc.jpg 0\n", hints), (Texts{"my cat.jpg=1", "c.jpg=0"}));
  }

  void listsOfNamesWithoutEndingsAreFound() {
    const Table table({"a1.jpg", "b2.jpg", "c3.jpg"});
    QCOMPARE(table.rows("a1 0\nb2 1\nc3 0\n"), (Texts{"a1.jpg=0", "b2.jpg=1", "c3.jpg=0"}));
    QVERIFY(!table.form("x1 0\ny2 1\n"));
  }

  void theOnlyMeasurementIsTheLabel() {
    const Table table({"a.jpg", "b.jpg"});
    for (const char* text :
         {"file,score\na.jpg,0.25\nb.jpg,1.5\n", "file;score\na.jpg;0,25\nb.jpg;1,5\n",
          "file,sex,label\na.jpg,f,0.25\nb.jpg,f,1.5\n", "file,score\na.jpg,1\nb.jpg,1.5\n",
          "file;score\na.jpg;1,0\nb.jpg;1,5\n"}) {
      const auto form = table.form(text);
      VERIFY_OK(form);
      QVERIFY2(form->label == "score" || form->label == "label", text);
      QVERIFY2(form->quantities, text);
    }
    const auto form = table.form("file,label,score\na.jpg,1,0.25\nb.jpg,0,1.5\n");
    QCOMPARE(form->label, std::string("label"));
    QVERIFY(!form->quantities && form->fractions.empty());
    QVERIFY(!table.form("file,label\na.jpg,1.0\nb.jpg,0.0\n")->quantities);
  }

  void severalMeasurementsAreNamedAndNotRead() {
    const Table table({"a.jpg", "b.jpg"});
    const auto form = table.form("file,x,y\na.jpg,0.25,0.5\nb.jpg,1.5,0.1\n");
    VERIFY_OK(form);
    QVERIFY(form->label.empty());
    QCOMPARE(form->fractions, (Texts{"x", "y"}));
  }

  void captionsAreNamedAndNotRead() {
    const Table table({"a.jpg", "b.jpg", "c.jpg"});
    const auto form =
        table.form("file,caption\na.jpg,a dog on the beach\nb.jpg,two cats in a box\nc.jpg,rain\n");
    VERIFY_OK(form);
    QVERIFY(form->label.empty());
    QCOMPARE(form->sentences, std::string("caption"));
    // Names of classes may have several words, but repeat.
    const auto names = table.form(
        "file,species\na.jpg,great white egret of Europe\nb.jpg,great white egret of Europe\n");
    VERIFY_OK(names);
    QCOMPARE(names->label, std::string("species"));
    QVERIFY(names->sentences.empty());
  }

  void linesBeforeTheTableArePassed() {
    const Table table({"a.jpg", "#1.jpg"});
    QCOMPARE(table.rows("sep=;\r\nimage;label\r\na.jpg;cat\r\n"), Texts{"a.jpg=cat"});
    QCOMPARE(table.rows("# by hand\n#\nimage,label\na.jpg,cat\n"), Texts{"a.jpg=cat"});
    QCOMPARE(table.rows("image,label\n#1.jpg,cat\n"), Texts{"#1.jpg=cat"});
    QCOMPARE(table.rows("#image,label\na.jpg,cat\n"), Texts{"a.jpg=cat"});
    QCOMPARE(table.rows("# old\rimage,label\ra.jpg,\"a\rcat\"\r"), Texts{"a.jpg=a\rcat"});
  }

  void encodingsAreFound() {
    const Table table({"a.jpg", "ni\xC3\xB1o.jpg", "\xE9t\xE9.jpg"});
    QCOMPARE(table.rows("\xEF\xBB\xBFimage,label\na.jpg,cat\n"), Texts{"a.jpg=cat"});
    QCOMPARE(table.rows("image,label\na.jpg,ni\xF1o \x80\n"), Texts{"a.jpg=niño €"});
    for (const bool big : {false, true})
      for (const bool mark : {false, true})
        QCOMPARE(table.rows(utf16("image\tlabel\r\na.jpg\tcat\r\n", big, mark)),
                 Texts{"a.jpg=cat"});
    // A name on disk is UTF-8 or in the table's own bytes.
    QCOMPARE(table.rows("image,label\nni\xF1o.jpg,1\n"), Texts{"ni\xC3\xB1o.jpg=1"});
    QCOMPARE(table.rows("image,label\n\xE9t\xE9.jpg,1\n"), Texts{"\xE9t\xE9.jpg=1"});
  }

  void aHeaderRowIsToldFromData() {
    const Table table({"a.jpg", "b.jpg"});
    QCOMPARE(table.rows("a.jpg,cat\nb.jpg,dog\n"), (Texts{"a.jpg=cat", "b.jpg=dog"}));
    QCOMPARE(table.rows("a.jpg\nb.jpg\n"), (Texts{"a.jpg", "b.jpg"}));
    for (const char* header :
         {"Image,Label", "filename,class", "file_name, Category", "Path,TARGET", "img,breed"})
      QCOMPARE(table.rows(std::string(header) + "\na.jpg,cat\nb.jpg,dog\n"),
               (Texts{"a.jpg=cat", "b.jpg=dog"}));
    ManifestHints hints;
    hints.header = true;
    hints.image = "a.jpg";
    QCOMPARE(table.form("a.jpg,cat\nb.jpg,dog\n", hints)->columns, (Texts{"a.jpg", "cat"}));
  }

  void columnsAreFoundAmongOthers() {
    const Table table({"a.jpg", "b.jpg", "c.jpg", "d.jpg"});
    const std::string text =
        "index,width,photo_file,species,confidence\n0,64,a.jpg,cat,0.5\n1,64,b.jpg,dog,0.25\n"
        "2,32,c.jpg,cat,0.75\n3,32,d.jpg,dog,0.125\n";
    QCOMPARE(table.rows(text), (Texts{"a.jpg=cat", "b.jpg=dog", "c.jpg=cat", "d.jpg=dog"}));
    ManifestHints hints;
    hints.label = "width";
    QCOMPARE(table.rows(text, hints).front(), std::string("a.jpg=64"));
    hints.label = "size";
    QVERIFY(table.rows(text, hints).front().find("no column `size`") != std::string::npos);
    hints.label.clear();
    QCOMPARE(table.rows(text, hints).front(), std::string("a.jpg"));
  }

  /// As in the ground truth of ISIC and many Kaggle sets.
  void aColumnForEachClassIsOneHot() {
    const Table table({"a.jpg", "b.jpg", "c.jpg"});
    const std::string text = "image,MEL,NV,BCC\na,0.0,1.0,0.0\nb,1.0,0.0,0.0\nc,0.0,1.0,0.0\n";
    QCOMPARE(table.rows(text), (Texts{"a.jpg=NV", "b.jpg=MEL", "c.jpg=NV"}));
    QCOMPARE(table.form(text)->oneHot, (Texts{"MEL", "NV", "BCC"}));
    QVERIFY(table.form(text)->label.empty());
    QCOMPARE(table.rows("image;MEL;NV\na.jpg;0,0;1,0\nb.jpg;True;False\n"),
             (Texts{"a.jpg=NV", "b.jpg=MEL"}));
    // A column of classes is preferred, and flags of a split are no classes.
    QVERIFY(table.form("image,x,y,dx\na.jpg,1,0,nv\nb.jpg,0,1,mel\n")->oneHot.empty());
    QVERIFY(table.form("image,train,test\na.jpg,1,0\nb.jpg,0,1\n")->oneHot.empty());
  }

  void rowsThatAreNotOneHotAreLeftOut() {
    const Table table({"a.jpg", "b.jpg", "c.jpg", "d.jpg"});
    ManifestHints hints;
    hints.oneHot = {"cat", "dog"};
    QCOMPARE(table.rows("image,cat,dog\na.jpg,1,0\nb.jpg,1,1\nc.jpg,0,\nd.jpg,0.5,1\n", hints),
             (Texts{"a.jpg=cat",
                    "! line 3 left out: 2 label columns are 1, `cat` and `dog`, but a sample has "
                    "one class unless `multi_label` is set",
                    "! line 5 left out: column `cat`: `0.5` is neither 0 nor 1",
                    "! line 4 left out: no label column is 1"}));
    hints.oneHot = {"cat", "fish"};
    QVERIFY(table.rows("image,cat,dog\na.jpg,1,0\n", hints).front().find("no column `fish`") !=
            std::string::npos);
  }

  void severalOnesInARowAreNoClasses() {
    const Table table({"a.jpg", "b.jpg", "c.jpg"});
    const auto form = table.form("image,sky,sea,dog\na.jpg,1,1,0\nb.jpg,0,0,0\nc.jpg,1,0,1\n");
    VERIFY_OK(form);
    QCOMPARE(form->several, (Texts{"sky", "sea", "dog"}));
    QVERIFY(form->label.empty() && form->oneHot.empty());
    QVERIFY(!form->minusOnes);
  }

  void attributesMayBeMinusOne() {
    const Table table({"a.jpg", "b.jpg", "c.jpg"});
    const std::string text = "image_id,Bald,Young,Male\na,-1,1,1\nb,-1,-1,1\nc,1,1,-1.0\n";
    const auto form = table.form(text);  // As CelebA has them.
    VERIFY_OK(form);
    QCOMPARE(form->several, (Texts{"Bald", "Young", "Male"}));
    QVERIFY(form->minusOnes);
    QVERIFY(form->text(table.path()).find("-1 counts as 0") != std::string::npos);
    ManifestHints hints;
    hints.oneHot = {"Bald", "Young"};
    QCOMPARE(table.rows("image,Bald,Young\na.jpg,-1,1\nb.jpg,1.0,-1.0\nc.jpg,-2,1\n", hints),
             (Texts{"a.jpg=Young", "b.jpg=Bald",
                    "! line 4 left out: column `Bald`: `-2` is neither 0 nor 1"}));
  }

  void findingsOutweighFactsAboutThePicture() {
    const Table table({"a.jpg", "b.jpg", "c.jpg", "d.jpg"});
    const std::string facts =
        "Path,Sex,View,Edema,Fracture,Nodule,Mass\na.jpg,Male,AP,1,,0,-1\n"
        "b.jpg,Male,PA,1,1,,\nc.jpg,Female,AP,,1,0,1\nd.jpg,Female,PA,0,0,0,0\n";
    QCOMPARE(table.form(facts)->several, (Texts{"Edema", "Fracture", "Nodule", "Mass"}));
    // A single column of words is the class, however many flags there are.
    const std::string kinds =
        "path,kind,indoor,night,rain\na.jpg,cat,1,1,0\nb.jpg,cat,1,0,0\nc.jpg,dog,0,0,1\n"
        "d.jpg,dog,0,1,1\n";
    QCOMPARE(table.form(kinds)->label, std::string("kind"));
  }

  void cellsAreDividedIntoLabels() {
    QCOMPARE(labelsIn(" cat | dog|", '|'), (Texts{"cat", "dog"}));
    QCOMPARE(labelsIn("cat  dog", ' '), (Texts{"cat", "dog"}));
    QCOMPARE(labelsIn("golden retriever", kNoSeparator), (Texts{"golden retriever"}));
    QCOMPARE(labelsIn("", '|'), Texts{});
    QCOMPARE(labelsIn("[]", kBrackets), Texts{});
    QCOMPARE(labelsIn(R"(["a, b", "c"])", kBrackets), (Texts{"a, b", "c"}));
    QCOMPARE(labelsIn("['it''s', 'c']", kBrackets).back(), std::string("c"));
    QCOMPARE(labelsIn("[1, 2]", ' '), (Texts{"1", "2"}));
    QCOMPARE(labelsIn("{x;y}", ';'), (Texts{"x", "y"}));
    QCOMPARE(labelsIn("\"open", ','), (Texts{"\"open"}));
  }

  /// Spaces and commas also occur in names and numbers.
  void whatDividesLabelsIsFound() {
    const auto found = [](const Texts& cells) { return findLabelSeparator(cells); };
    QCOMPARE(found({"cat dog", "dog", "cat"}), ' ');
    QCOMPARE(
        found({"haze primary", "clear primary water", "clear haze", "water haze", "primary water"}),
        ' ');
    QCOMPARE(found({"cat, dog", "dog"}), ',');
    QCOMPARE(found({"cat|dog", "bird"}), '|');
    QCOMPARE(found({"3;7", "3"}), ';');
    QCOMPARE(found({"[]", "['x']", "['x', 'y']"}), kBrackets);
    QCOMPARE(found({"golden retriever", "black cat"}), kNoSeparator);
    QCOMPARE(found({"1,0", "2,0"}), kNoSeparator);
    QCOMPARE(found({"cat", "dog"}), kNoSeparator);
    QCOMPARE(found({"a man rides a horse on a beach in the sun", "a man", "a horse", "man", "a"}),
             kNoSeparator);
    QCOMPARE(found({}), kNoSeparator);
  }

  void namesWithoutExtensionGetTheOneOnDisk() {
    const Table table({"7.png", "8.png"});
    QCOMPARE(table.rows("id,breed\n7,pug\n8,boxer\n"), (Texts{"7.png=pug", "8.png=boxer"}));
  }

  void pathsStartWhereTheFilesAre_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("cell");
    QTest::newRow("next to it") << "a.jpg" << "a.jpg";
    QTest::newRow("in a folder") << "images/a.jpg" << "a.jpg";
    QTest::newRow("from the root") << "train/cat/a.jpg" << "train/cat/a.jpg";
    QTest::newRow("in train") << "train/cat/a.jpg" << "cat/a.jpg";
    QTest::newRow("backslashes") << "sub/a.jpg" << "sub\\a.jpg";
    QTest::newRow("dot") << "sub/a.jpg" << ".\\sub\\a.jpg";
    QTest::newRow("spaces") << "a.jpg" << " a.jpg ";
    QTest::newRow("of another machine") << "img/a.jpg" << "/home/alice/data/img/a.jpg";
    QTest::newRow("of another drive") << "img/a.jpg" << "C:\\Users\\alice\\img\\a.jpg";
    QTest::newRow("in another case") << "Img/A.JPG" << "img/a.jpg";
    QTest::newRow("with an accent in two parts") << "img/e\u0301.jpg" << "img/\u00e9.jpg";
    QTest::newRow("from an old root") << "images/a.jpg" << "old/train/a.jpg";
  }
  void pathsStartWhereTheFilesAre() {
    QFETCH(QString, file);
    QFETCH(QString, cell);
    const Table table({file.toStdString()});
    const auto form = table.form("image,label\n" + cell.toStdString() + ",1\n");
    VERIFY_OK(form);
    QCOMPARE(form->foundFiles, 1U);
    QCOMPARE((form->root / form->examples.front()).native(),
             (table.path() / file.toStdString()).native());
  }

  void theBeginningOfAnotherMachineIsShown() {
    const Table table({"img/a.jpg", "img/b.jpg"});
    const auto form = table.form(
        "image,label\n/home/alice/data/img/none.jpg,0\n/home/alice/data/img/a.jpg,1\n"
        "/home/alice/data/img/b.jpg,1\n");
    VERIFY_OK(form);
    QCOMPARE(form->prefix, std::string("/home/alice/data/"));
    QCOMPARE(form->foundFiles, 2U);
    QCOMPARE(form->firstMissing, std::string("/home/alice/data/img/none.jpg"));
    QCOMPARE(form->text(table.path()), std::string("`/home/alice/data/` left out of paths"));
  }

  void namesThatOnlyLookTheSameAreReadAndShown() {
    const Table table({"Img/A.JPG", "Img/b.jpg", "Img/C.jpg", "Img/c.JPG"});
    const std::string text = "image,label\nimg/a.jpg,0\nImg/b.jpg,1\nimg/c.jpg,1\n";
    const auto form = table.form(text);
    VERIFY_OK(form);
    QCOMPARE(form->foundFiles, 2U);
    QCOMPARE(form->text(table.path()),
             std::string("files with another case or Unicode form of the names"));
    ManifestColumns columns;
    columns.paths = {"image"};
    columns.labels = {"label"};
    columns.form = *form;
    const auto rows = ManifestTable::parse(text, columns);
    VERIFY_OK(rows);
    QCOMPARE(std::string(rows->path(0, 0)), std::string("Img/A.JPG"));
    QCOMPARE(std::string(rows->path(1, 0)), std::string("Img/b.jpg"));
    QCOMPARE(std::string(rows->path(2, 0)), std::string("img/c.jpg"));  // Two files look so.
  }

  void rowsThatAreLeftOutAreNotExamined() {
    const Table table({"a.jpg", "b.jpg"});
    const auto form = table.form("image,label\na.jpg,1\nb.jpg,0,more\nc.jpg,0\nb.jpg\n");
    VERIFY_OK(form);
    QCOMPARE(form->rows, std::size_t{2});
    QCOMPARE(form->foundFiles, std::size_t{1});
    QCOMPARE(form->firstMissing, std::string("c.jpg"));
  }

  void whatIsMissingIsNamed() {
    const Table table({"a.jpg"});
    const auto form = table.form("image,label\na.jpg,1\nz.jpg,2\n");
    QCOMPARE(form->foundFiles, 1U);
    QCOMPARE(form->firstMissing, std::string("z.jpg"));
    QCOMPARE(table.rows("image,label\na.jpg,1,,\n,2\na.jpg,\n"),
             (Texts{"a.jpg=1", "! line 3 left out: column `image`: the path is empty",
                    "! line 4 left out: column `label`: the label is empty"}));
    QVERIFY(!table.form(""));
    QVERIFY(!table.form("width,height\n1,2\n3,4\n"));
  }

  void whatWasFoundIsShown() {
    const Table table({"images/a.jpg"});
    const auto form = table.form("image;label\na;ni\xF1o\n");
    QCOMPARE(form->text(table.path()),
             std::string("separated by `;`, encoded in Windows-1252, `.jpg` added to names, paths "
                         "start in `images`"));
  }

  void numbersMayBeWrittenAsWholeDecimals() {
    QCOMPARE(classNumber("1.0"), std::optional<std::int64_t>(1));
    QCOMPARE(classNumber("12.000"), std::optional<std::int64_t>(12));
    QVERIFY(!classNumber("1.5"));
    QVERIFY(!classNumber("1."));
    QVERIFY(!classNumber(".0"));
  }
};

MILLRACE_TEST_CASE(TestManifestForm)

}  // namespace millrace

#include "tst_manifest_form.moc"
