// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The source of Parquet files, with files made by pyarrow (core/formats/parquet/make_files.py).
#include <filesystem>

#include "core/spec/stored_names.h"
#include "tests/core/nodes/open_source.h"
#include "tests/core/nodes/source_text.h"
#include "tests/support/needs_part.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;
using tests::fieldsOf;
using tests::Opened;
using tests::openSource;
using tests::sampleText;
using tests::says;
using tests::TemporaryFolder;
using tests::warns;
using Texts = std::vector<std::string>;

const std::string kParquetFolder = "tests/core/formats/parquet";

Opened openParquet(const TextList& paths, const TextList& columns = {}, const Values& more = {}) {
  Values values = more;
  values["paths"] = paths;
  values["columns"] = columns;
  return openSource("parquet", values, tests::sourcePath(kParquetFolder));
}

/// A field's numbers, each followed by a space.
template <class T>
std::string numbersText(const TensorView& view) {
  std::string text;
  for (std::size_t i = 0; i < view.bytes / sizeof(T); ++i)
    text += std::to_string(view.as<T>()[i]) + " ";
  return text;
}

}  // namespace

class TestParquet : public QObject {
  Q_OBJECT
 private slots:
  void picturesAndLabelsOfSeveralFilesAreFoundWithTheirClasses() {
    MILLRACE_NEEDS_PART("snappy");
    for (const char* path : {"pictures", "pictures/train-{00000..00001}-of-00002.parquet"}) {
      const auto source = openParquet({path});
      VERIFY_OK(source);
      QCOMPARE(fieldsOf(**source), (Texts{"image encoded", "label i64 scalar of 2 classes"}));
      QCOMPARE((*source)->classes(), (Texts{"cat", "dog"}));
      QCOMPARE((*source)->size(), 6U);
      const std::string head = "\xff\xd8\xff\xe0 picture ";
      QCOMPARE(sampleText(**source, 0), "train-00000-of-00002.parquet#0: " + head + "0|0");
      QCOMPARE(sampleText(**source, 5), "train-00001-of-00002.parquet#2: " + head + "5|1");
      // The paths are the names of the samples.
      QVERIFY(warns(**source, "unused columns: title (string); select"));
    }
  }

  void aNullFailsItsSampleAndNamesTheColumn() {
    MILLRACE_NEEDS_PART("snappy");
    const auto source = openParquet({"pictures"});
    VERIFY_OK(source);
    QCOMPARE(sampleText(**source, 4),
             std::string("train-00001-of-00002.parquet#1: error: column `label`: it is null"));
    const auto without = openParquet({"pictures"}, {"image", "text=title"});
    VERIFY_OK(without);
    QVERIFY(sampleText(**without, 4).ends_with(" picture 4|title 4"));
  }

  void thePathsOfPicturesAreTheirNames() {
    MILLRACE_NEEDS_PART("snappy");
    const auto source = openParquet({"pictures"});
    VERIFY_OK(source);
    const auto* keeps = dynamic_cast<const KeepsNames*>(source->get());
    QVERIFY(keeps != nullptr);
    const auto names = keeps->storedNames();
    QVERIFY(names != nullptr);
    QCOMPARE(names->name(4), std::string("4.jpg"));
    QCOMPARE(names->name(1), std::string("1.jpg"));
  }

  void listsOfClassesMayHaveIntegersOfAnyType() {
    const auto source = openParquet({"classes/list.parquet"}, {"label=labels:?"});
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source), (Texts{"label i32 ?"}));
    QCOMPARE(sampleText(**source, 3, numbersText<std::int32_t>),
             std::string("list.parquet#3: 2 4 1 "));
    QCOMPARE(sampleText(**source, 2, numbersText<std::int32_t>), std::string("list.parquet#2: "));
    const auto texts = openParquet({"classes/text.parquet"}, {"label=labels:?"});
    VERIFY_OK(texts);
    QCOMPARE(sampleText(**texts, 0, numbersText<std::int64_t>),
             std::string("text.parquet#0: 1 3 "));
    QVERIFY(says(openParquet({"full-split-2.parquet"}, {"label=triple"}), "not classes"));
  }

  void aNumberForEachClassIsTheLabel() {
    const auto source = openParquet({"classes/weights.parquet"});
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source), (Texts{"image encoded", "label f32 5"}));
  }

  void labelsThatAreTextsAreNumberedAlphabetically() {
    const auto source = openParquet({"classes/names.parquet"});
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source), (Texts{"image encoded", "label i64 scalar of 2 classes"}));
    QCOMPARE((*source)->classes(), (Texts{"cat", "fox"}));
    const auto label = [&](std::uint32_t sample) {
      const std::string text = sampleText(**source, sample);
      return text.substr(text.size() - 2);
    };
    QCOMPARE(label(0), std::string("|1"));
    QCOMPARE(label(1), std::string("|0"));
    QVERIFY(sampleText(**source, 2).ends_with("column `labels`: its text is empty, not a class"));
    QVERIFY(warns(**source, "numbered in alphabetical order: cat is 0, fox is 1; a file"));
  }

  void aListOfClassesNumbersTheTexts() {
    const TemporaryFolder folder;
    const fs::path data = tests::sourcePath(kParquetFolder + "/classes/names.parquet");
    fs::copy_file(data, folder.path() / "names.parquet");
    folder.write("classes.txt", "fox\nowl\n");
    const auto source =
        openSource("parquet", {{"paths", TextList{"names.parquet"}}}, folder.path());
    VERIFY_OK(source);
    QCOMPARE((*source)->classes(), (Texts{"fox", "owl"}));
    QVERIFY(sampleText(**source, 0).ends_with("|0"));
    QVERIFY(sampleText(**source, 1).ends_with("`cat` is not one of the 2 classes"));
    QVERIFY((*source)->warnings().empty());
  }

  void textsThatDescribeSingleSamplesAreNoClasses() {
    const auto source = openParquet({"classes/captions.parquet"});
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source), Texts{"image encoded"});
    QVERIFY(warns(**source, "column `labels` holds texts, not classes: a text has 300 bytes"));
    QVERIFY(says(openParquet({"classes/captions.parquet"}, {"image", "label=labels"}),
                 "column `labels` holds texts, not classes"));
  }

  void wholeRealNumbersAreClasses() {
    const auto source = openParquet({"classes/reals.parquet"});
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source), (Texts{"image encoded", "label i64 scalar"}));
    QVERIFY(sampleText(**source, 0).ends_with("|2"));
    QVERIFY(sampleText(**source, 2).ends_with("column `labels`: it is null"));
  }

  void numbersHaveTheTypesOfTheirColumns() {
    const auto source =
        openParquet({"full-split-2.parquet"},
                    {"a=i8", "b=u32", "c=f16", "d=flag", "e=triple", "f=four", "g=list", "h=day",
                     "label=u8", "i=four:u8:2x2", "deep=deep.a.b", "raw=data"});
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source),
             (Texts{"a i8 scalar", "b i64 scalar", "c f16 scalar", "d u8 scalar", "e f32 3",
                    "f u8 4", "g i32 ?", "h i32 scalar", "label i64 scalar", "i u8 2x2",
                    "deep i16 scalar", "raw encoded"}));
    const auto triple = openParquet({"full-split-2.parquet"}, {"e=triple", "x=list"});
    VERIFY_OK(triple);
    QCOMPARE(sampleText(**triple, 7,
                        [](const TensorView& view) {
                          return view.dtype == DType::F32
                                     ? numbersText<float>(view)
                                     : numbersText<std::int32_t>(view).substr(0, 0);
                        }),
             std::string("full-split-2.parquet#7: 7.000000 3.500000 -1.500000 |"));
    QCOMPARE(sampleText(**openParquet({"full-split-2.parquet"}, {"deep=deep.a.b"}), 29,
                        numbersText<std::int16_t>),
             std::string("full-split-2.parquet#29: 29 "));
  }

  void withoutPicturesEverythingOfAFixedSizeIsTaken() {
    const auto source = openParquet({"null-plain-1.parquet"});
    VERIFY_OK(source);
    const Texts fields = fieldsOf(**source);
    QVERIFY(std::ranges::find(fields, "i32 i32 scalar") != fields.end());
    QVERIFY(std::ranges::find(fields, "triple f32 3") == fields.end());  // with nulls, 1 or 3
    QVERIFY(warns(**source, "text (string)"));
  }

  void aListWithANullFailsAlone() {
    const auto source = openParquet({"null-plain-1.parquet"}, {"x=bytes_list"});
    VERIFY_OK(source);
    QCOMPARE(
        sampleText(**source, 4),
        std::string("null-plain-1.parquet#4: error: column `bytes_list`: its list has a null"));
    QCOMPARE(sampleText(**source, 3, numbersText<std::uint8_t>),
             std::string("null-plain-1.parquet#3: 0 1 2 "));
  }

  void anUnsignedNumberThatDoesNotFitFails() {
    const auto source = openParquet({"full-split-2.parquet"}, {"x=u64"});
    VERIFY_OK(source);
    std::size_t failed = 0;
    std::size_t read = 0;
    for (std::uint32_t i = 0; i < (*source)->size(); ++i) {
      const std::string text = sampleText(**source, i);
      if (text.find("column `u64`: its number does not fit into i64") != std::string::npos)
        ++failed;
      else if (text.find(": -") == std::string::npos)
        ++read;
    }
    QVERIFY(failed > 0 && read > 0);
    QCOMPARE(failed + read, std::size_t{30});
  }

  void whatCannotBeReadIsNamed() {
    const TextList file{"full-split-2.parquet"};
    QVERIFY(says(openParquet(file, {"x=map.key_value.key"}),
                 "column `map.key_value.key` cannot be read: it is a map"));
    QVERIFY(says(openParquet(file, {"x=money"}), "it holds decimals"));
    QVERIFY(says(openParquet(file, {"x=nothing"}), "there is no column `nothing`; there are i8"));
    QVERIFY(says(openParquet(file, {"label=text"}), "column `text` holds texts, not classes"));
    QVERIFY(says(openParquet(file, {"image=i8"}), "column `i8` holds int8, not picture files"));
    QVERIFY(says(openParquet(file, {"x=i8:f32"}), "column `i8` holds int8, not f32"));
  }

  void filesMustHaveTheSameColumns() {
    MILLRACE_NEEDS_PART("snappy");
    QVERIFY(says(openParquet({"full-split-2.parquet", "pictures"}, {"x=i8"}),
                 "column `i8`: it is missing, unlike in the first file"));
  }

  void anUnreadableFileIsLeftOutWithANote() {
    const TemporaryFolder folder;
    const fs::path whole = tests::sourcePath(kParquetFolder + "/null-plain-1.parquet");
    folder.write("a.parquet", tests::contentOf(whole).substr(0, 900));
    const auto none = openParquet({folder.path().native()});
    QVERIFY(says(none, "it does not end with PAR1: it is cut off, or not a Parquet file"));
    folder.write("b.parquet", tests::contentOf(whole));
    const auto source = openParquet({folder.path().native()}, {"x=i32"});
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 30U);
    QVERIFY(warns(**source, "a.parquet`: it does not end with PAR1"));
    QVERIFY(warns(**source, "the file is left out"));
  }

  void withoutACacheTheValuesAreTheSame() {
    MILLRACE_NEEDS_PART("snappy");
    const auto cached = openParquet({"pictures"});
    const auto uncached = openParquet({"pictures"}, {}, {{"page_cache", std::int64_t{0}}});
    VERIFY_OK(cached);
    VERIFY_OK(uncached);
    for (const std::uint32_t index : {5U, 0U, 3U, 1U, 2U})
      QCOMPARE(sampleText(**uncached, index), sampleText(**cached, index));
  }
};

MILLRACE_TEST_CASE(TestParquet)

}  // namespace millrace

#include "tst_parquet.moc"
