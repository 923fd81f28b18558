// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "core/spec/label_sets.h"
#include "tests/core/nodes/open_source.h"
#include "tests/core/nodes/source_text.h"
#include "tests/support/real_data.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::openSource;
using tests::readAll;
using tests::samplesOf;
using tests::says;
using tests::TemporaryFolder;
using tests::vectorOf;
using tests::warns;
using Texts = std::vector<std::string>;

}  // namespace

class TestSources : public QObject {
  Q_OBJECT
 private slots:
  void relativePathsStartAtTheBase() {
    const TemporaryFolder folder;
    folder.write("data/cat/1");
    VERIFY_OK(openSource("image_folder", {{"paths", TextList{"data"}}}, folder.path()));
    QVERIFY(says(openSource("image_folder", {{"paths", TextList{"elsewhere"}}}, folder.path()),
                 "there is no folder"));
    QVERIFY(says(openSource("image_folder", {}), "the setting `data`"));
  }

  void aVanishedFileIsTheFailureOfItsSample() {
    const TemporaryFolder folder;
    folder.write("cat/1");
    const auto source = openSource("image_folder", {{"paths", TextList{folder.path()}}});
    VERIFY_OK(source);
    std::filesystem::remove(folder.path() / "cat/1");
    QVERIFY(readAll(**source, 0)[0].starts_with("error: no such file"));
  }

  void pairedFoldersMatchByName() {
    const TemporaryFolder folder;
    folder.write("in/a.jpg", "in a");
    folder.write("in/sub/b.jpg", "in b");
    folder.write("in/alone.jpg");
    folder.write("out/a.png", "out a");
    folder.write("out/sub/b.png", "out b");
    folder.write("out/spare.png");
    const auto source =
        openSource("paired_folders", {{"input", std::string("in")}, {"target", std::string("out")}},
                   folder.path());
    VERIFY_OK(source);
    QCOMPARE(samplesOf(**source), (Texts{"a.jpg", "sub/b.jpg"}));
    QCOMPARE(readAll(**source, 1), (Texts{"in b", "out b"}));
    QCOMPARE((*source)->fields()[1].role, Role::Target);
    QVERIFY(warns(**source, "1 input without a target is left out; first: alone.jpg"));
    QVERIFY(warns(**source, "1 target without an input is left out; first: spare.png"));
    std::filesystem::remove(folder.path() / "out/a.png");
    QVERIFY(readAll(**source, 0)[0].starts_with("error: target a.png: no such file"));
  }

  void pairedFoldersTellTwoSuffixesInOneFolderApart() {
    const TemporaryFolder folder;
    folder.write("1_small.png", "low");
    folder.write("1_large.png", "high");
    folder.write("2_small.png");
    const auto open = [&](const char* input, const char* target) {
      return openSource("paired_folders", {{"input", folder.path().native()},
                                           {"pair", std::string("mask")},
                                           {"input_suffix", std::string(input)},
                                           {"target_suffix", std::string(target)}});
    };
    for (const auto& source : {open("_small", "_large"), open("_small.png", "_large.png")}) {
      VERIFY_OK(source);
      QCOMPARE(samplesOf(**source), Texts{"1_small.png"});
      QCOMPARE(readAll(**source, 0), (Texts{"low", "high"}));
      QCOMPARE((*source)->fields()[1].role, Role::Mask);
      QVERIFY(warns(**source, "2_small.png"));
    }
    QVERIFY(says(open("_lo", "_hi"), "no pair in"));
    QVERIFY(says(open("", ""), "cannot be distinguished"));
  }

  void pairedFoldersKnowTheUsualSuffixes() {
    const TemporaryFolder folder;
    folder.write("x.jpg", "picture");
    folder.write("x_mask.png", "mask");
    const auto source = openSource("paired_folders", {{"input", folder.path().native()}});
    VERIFY_OK(source);
    QCOMPARE(readAll(**source, 0), (Texts{"picture", "mask"}));
    QVERIFY((*source)->warnings().empty());
  }

  void pairedFoldersSayWhyNothingMatches() {
    const TemporaryFolder folder;
    folder.write("in/a.jpg");
    folder.write("out/a_gt.png");
    const Values values{{"input", std::string("in")}, {"target", std::string("out")}};
    QVERIFY(says(openSource("paired_folders", values, folder.path()), "a.jpg and a_gt.png"));
    Values better = values;
    better["target_suffix"] = std::string("_gt");
    VERIFY_OK(openSource("paired_folders", better, folder.path()));
  }

  void manifestReadsItsColumns() {
    const TemporaryFolder folder;
    folder.write("list/train.csv",
                 "file,class,truth\na.jpg,dog,t/a.png\nb.jpg,cat,t/b.png\n,x,y\n");
    folder.write("list/a.jpg", "picture a");
    folder.write("list/t/a.png", "truth a");
    const auto source = openSource("manifest",
                                   {{"paths", TextList{"list/train.csv"}},
                                    {"image_column", std::string("file")},
                                    {"label_column", std::string("class")},
                                    {"mask_column", std::string("truth")}},
                                   folder.path());
    VERIFY_OK(source);
    QCOMPARE((*source)->classes(), (Texts{"cat", "dog"}));
    QCOMPARE(samplesOf(**source), (Texts{"a.jpg=1", "b.jpg=0"}));
    QCOMPARE(readAll(**source, 0), (Texts{"picture a", "truth a", "1"}));
    QVERIFY(readAll(**source, 1)[0].starts_with("error: no such file"));
    QVERIFY(warns(**source, "train.csv: line 4 left out: column `file`: the path is empty"));
    QCOMPARE((*source)->file(0), (folder.path() / "list/a.jpg").native());
  }

  /// Classes have the order of the columns, also one without samples.
  void manifestTakesOneHotColumns() {
    const TemporaryFolder folder;
    folder.write("a.csv", "image,nv,mel,bkl\n1.jpg,0,1,0\n2.jpg,1,0,0\n");
    auto source = openSource("manifest", {{"paths", TextList{"a.csv"}}}, folder.path());
    VERIFY_OK(source);
    QCOMPARE((*source)->classes(), (Texts{"nv", "mel", "bkl"}));
    QCOMPARE(samplesOf(**source), (Texts{"1.jpg=1", "2.jpg=0"}));
    source = openSource("manifest",
                        {{"paths", TextList{"a.csv"}}, {"label_columns", TextList{"mel", "nv"}}},
                        folder.path());
    VERIFY_OK(source);
    QCOMPARE(samplesOf(**source), (Texts{"1.jpg=0", "2.jpg=1"}));
    folder.write("b.csv", "image,nv,bkl\n3.jpg,0,1\n4.jpg,1,0\n");
    source = openSource("manifest", {{"paths", TextList{"a.csv", "b.csv"}}}, folder.path());
    QVERIFY(!source && source.error().message.find("their columns of labels are not the same") !=
                           std::string::npos);
  }

  void manifestTakesSeveralLabels_data() {
    QTest::addColumn<QString>("table");
    QTest::addColumn<QString>("separator");
    QTest::newRow("columns") << "image,a,b,c\n1.jpg,1,0,1\n2.jpg,0,0,0\n3.jpg,0,1,0\n" << "auto";
    QTest::newRow("bars") << "image,tags\n1.jpg,c|a\n2.jpg,\n3.jpg,b\n" << "auto";
    QTest::newRow("spaces") << "image,tags\n1.jpg,c a\n2.jpg,\n3.jpg,b\n" << "space";
    QTest::newRow("list") << "image,tags\n1.jpg,\"['c', 'a']\"\n2.jpg,[]\n3.jpg,['b']\n" << "auto";
  }

  /// A vector with a 1 for each class; a sample may have none.
  void manifestTakesSeveralLabels() {
    QFETCH(QString, table);
    QFETCH(QString, separator);
    const TemporaryFolder folder;
    folder.write("a.csv", table.toStdString());
    for (const char* name : {"1.jpg", "2.jpg", "3.jpg"}) folder.write(name, name);
    const auto source = openSource("manifest",
                                   {{"paths", TextList{"a.csv"}},
                                    {"multi_label", true},
                                    {"label_separator", separator.toStdString()}},
                                   folder.path());
    VERIFY_OK(source);
    QCOMPARE((*source)->classes(), (Texts{"a", "b", "c"}));
    const FieldSpec label = (*source)->fields().back();
    QVERIFY(label.dtype == DType::F32 && label.role == Role::Label && label.classes == 3);
    QCOMPARE(label.shape, Shape{3});
    QCOMPARE(vectorOf(**source, 0), (std::vector<float>{1, 0, 1}));
    QCOMPARE(vectorOf(**source, 1), (std::vector<float>{0, 0, 0}));
    QCOMPARE(vectorOf(**source, 2), (std::vector<float>{0, 1, 0}));
    const auto& sets = dynamic_cast<const KnowsLabelSets&>(**source);
    QVERIFY(sets.hasLabelSets());
    QCOMPARE(sets.labelsOf(0).size(), std::size_t{2});
    QCOMPARE((*source)->labelOf(0), -1);
  }

  void severalLabelsAreNumbersOrAmongTheClasses() {
    const TemporaryFolder folder;
    folder.write("a.csv", "image,tags\n1.jpg,3|1\n2.jpg,2\n3.jpg,x|1\n");
    for (const char* name : {"1.jpg", "2.jpg", "3.jpg"}) folder.write(name, name);
    Values values{
        {"paths", TextList{"a.csv"}}, {"multi_label", true}, {"labels", std::string("one_based")}};
    auto source = openSource("manifest", values, folder.path());
    VERIFY_OK(source);
    QCOMPARE((*source)->classes(), (Texts{"1", "2", "3"}));
    QCOMPARE(vectorOf(**source, 0), (std::vector<float>{1, 0, 1}));
    QVERIFY(warns(**source, "line 4 left out: column `tags`: the label `x` is not a number"));
    values["classes"] = TextList{"x", "1"};
    values.erase("labels");
    source = openSource("manifest", values, folder.path());
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 1U);
    QCOMPARE(vectorOf(**source, 0), (std::vector<float>{1, 1}));
    QVERIFY(warns(**source, "the label `3` is not among `classes`"));
  }

  /// Two pages each in `a`, two and one in `b`.
  void pagesOfPartnersArePaired() {
    const TemporaryFolder folder;
    const std::string two = tests::pagesOfTiff(2);
    for (const char* name : {"in/a.tif", "out/a.tif", "in/b.tif"}) folder.write(name, two);
    folder.write("out/b.tif", tests::pagesOfTiff(1));
    folder.write("t.csv", "image,mask\nin/a.tif,out/a.tif\nin/b.tif,out/b.tif\n");
    for (const auto& [kind, values] :
         {std::pair<const char*, Values>{
              "paired_folders", {{"input", std::string("in")}, {"target", std::string("out")}}},
          {"manifest",
           {{"paths", TextList{"t.csv"}},
            {"mask_column", std::string("mask")},
            {"label_column", std::string()}}}}) {
      Values each = values;
      each["pages"] = std::string("each");
      const auto source = openSource(kind, each, folder.path());
      VERIFY_OK(source);
      QCOMPARE((*source)->size(), 3U);
      QVERIFY((*source)->name(1).ends_with("a.tif#1") && (*source)->name(2).ends_with("b.tif"));
      const Texts second = readAll(**source, 1);
      QVERIFY(second[0] == second[1] && second[0] != readAll(**source, 0)[0]);
      const std::string wrong = readAll(**source, 2)[0];
      QVERIFY2(wrong.starts_with("error: it has 2 pages, but `") && wrong.ends_with("has 1 page"),
               wrong.c_str());
      QVERIFY(warns(**source, "1 of 2 files has several pages or frames: 3 samples in all"));
      QVERIFY(warns(**source, "1 file cannot be divided"));
    }
  }

  void manifestTakesNumbersAsClassNumbers() {
    const TemporaryFolder folder;
    folder.write("a.csv", "image,label\n1.jpg,2\n2.jpg,10\n");
    folder.write("b.csv", "image,label\n3.jpg,0\n");
    const TextList paths{"a.csv", "b.csv"};
    auto source = openSource("manifest", {{"paths", paths}}, folder.path());
    VERIFY_OK(source);
    QCOMPARE(samplesOf(**source), (Texts{"1.jpg=2", "2.jpg=10", "3.jpg=0"}));
    QCOMPARE((*source)->classes().size(), 11U);
    source =
        openSource("manifest", {{"paths", paths}, {"labels", std::string("text")}}, folder.path());
    VERIFY_OK(source);
    QCOMPARE((*source)->classes(), (Texts{"0", "10", "2"}));
    QCOMPARE(samplesOf(**source), (Texts{"1.jpg=2", "2.jpg=1", "3.jpg=0"}));
    source = openSource("manifest", {{"paths", paths}, {"classes", TextList{"2", "10", "0"}}},
                        folder.path());
    VERIFY_OK(source);
    QCOMPARE(samplesOf(**source), (Texts{"1.jpg=0", "2.jpg=1", "3.jpg=2"}));
  }

  void manifestDoesWithoutLabelsAndWithAnotherRoot() {
    const TemporaryFolder folder;
    folder.write("a.csv", "image\n1.jpg\n");
    folder.write("photos/1.jpg", "photo");
    const auto source = openSource("manifest",
                                   {{"paths", TextList{"a.csv"}},
                                    {"label_column", std::string()},
                                    {"root", std::string("photos")}},
                                   folder.path());
    VERIFY_OK(source);
    QCOMPARE(readAll(**source, 0), Texts{"photo"});
    const auto found = openSource("manifest", {{"paths", TextList{"a.csv"}}}, folder.path());
    VERIFY_OK(found);
    QCOMPARE((*found)->fields().size(), 1U);
    QCOMPARE((*found)->file(0), (folder.path() / "photos/1.jpg").native());
    QVERIFY(says(openSource("manifest",
                            {{"paths", TextList{"a.csv"}}, {"label_column", std::string("label")}},
                            folder.path()),
                 "no column `label`"));
    QVERIFY(says(openSource("manifest", {{"paths", TextList{"b.csv"}}}, folder.path()),
                 "no such file"));
  }

  void manifestOffersLabelsThatCountFromOne() {
    const TemporaryFolder folder;
    folder.write("a.csv", "Image;Label\n1.jpg;1.0\n2.jpg;3.0\n");
    folder.write("1.jpg");
    const Values paths{{"paths", TextList{"a.csv"}}};
    auto source = openSource("manifest", paths, folder.path());
    VERIFY_OK(source);
    QCOMPARE(samplesOf(**source), (Texts{"1.jpg=1", "2.jpg=3"}));
    QVERIFY(warns(**source, "labels are numbers from 1 to 3"));
    Values fromOne = paths;
    fromOne["labels"] = std::string("one_based");
    source = openSource("manifest", fromOne, folder.path());
    VERIFY_OK(source);
    QCOMPARE(samplesOf(**source), (Texts{"1.jpg=0", "2.jpg=2"}));
    QCOMPARE((*source)->classes(), (Texts{"1", "2", "3"}));
    QVERIFY((*source)->warnings().empty());
    QVERIFY2(readAll(**source, 1)[0].find("(a.csv, line 3, column `Image`)") != std::string::npos,
             readAll(**source, 1)[0].c_str());
  }

  void syntheticSamplesAreTheSameEveryTimeAndDiffer() {
    for (const char* element : {"u8", "f32"}) {
      const auto source = openSource("synthetic", {{"count", std::int64_t{1000}},
                                                   {"element", std::string(element)},
                                                   {"classes", std::int64_t{7}}});
      VERIFY_OK(source);
      std::set<std::string> contents;
      for (std::uint32_t i = 0; i < 1000; ++i) {
        const Texts values = readAll(**source, i);
        QCOMPARE(values, readAll(**source, i));
        QCOMPARE(values[1], std::to_string(i % 7));
        contents.insert(values[0]);
      }
      QCOMPARE(contents.size(), 1000U);
    }
  }

  void syntheticFloatsLieBetweenZeroAndOne() {
    const auto source =
        openSource("synthetic", {{"element", std::string("f32")}, {"length", std::int64_t{10000}}});
    VERIFY_OK(source);
    const std::string bytes = readAll(**source, 3)[0];
    std::vector<float> values(10000);
    std::memcpy(values.data(), bytes.data(), bytes.size());
    double sum = 0;
    for (const float value : values) {
      QVERIFY(value >= 0 && value < 1);
      sum += value;
    }
    // Uniform: the standard deviation of the mean is 0.0029; the sequence is more even than random,
    // allow five.
    QVERIFY(std::abs(sum / 10000 - 0.5) < 0.0145);
  }

  void syntheticPicturesHaveTheirShape() {
    const auto source = openSource("synthetic", {{"content", std::string("image")},
                                                 {"height", std::int64_t{5}},
                                                 {"width", std::int64_t{7}},
                                                 {"classes", std::int64_t{0}}});
    VERIFY_OK(source);
    QCOMPARE((*source)->fields().size(), 1U);
    QCOMPARE((*source)->fields()[0].text(), std::string("image u8 5x7x3 hwc"));
    QCOMPARE(readAll(**source, 0)[0].size(), 105U);
  }

  void opensTheRealData() {
    const auto data = tests::realData();
    if (!data) QSKIP("no real data here");
    const auto photos = openSource("image_folder", {{"paths", TextList{*data / "photos_cc0"}}});
    VERIFY_OK(photos);
    QCOMPARE((*photos)->classes().size(), 17U);
    QVERIFY((*photos)->size() >= 17U);
    const auto pairs =
        openSource("paired_folders", {{"input", (*data / "sr_pairs/Set5_x2").native()}});
    VERIFY_OK(pairs);
    QCOMPARE((*pairs)->size(), 5U);
    const auto masks =
        openSource("paired_folders", {{"input", (*data / "seg_coco/images").native()},
                                      {"target", (*data / "seg_coco/masks").native()}});
    VERIFY_OK(masks);
    QCOMPARE((*masks)->size(), 20U);
  }
};

}  // namespace millrace

using millrace::TestSources;
MILLRACE_TEST_CASE(TestSources)
#include "tst_sources.moc"
