// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Datasets of HDF5 files as fields, in files that libhdf5 has written. How their rows are stored:
// tst_hdf5_chunks.cpp.
#include <array>
#include <filesystem>

#include "tests/core/nodes/hdf5_source.h"
#include "tests/core/nodes/source_text.h"
#include "tests/support/real_data.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;
using tests::contentOf;
using tests::fieldsOf;
using tests::hasNote;
using tests::hasRows;
using tests::Hdf5Written;
using tests::kJpeg;
using tests::kPictures;
using tests::numbersTo;
using tests::openHdf5;
using tests::openSource;
using tests::pictureBytes;
using tests::sampleText;
using tests::says;
using tests::TemporaryFolder;
using Texts = std::vector<std::string>;

}  // namespace

class TestHdf5 : public QObject {
  Q_OBJECT
 private slots:
  void datasetsBecomeFieldsByNameAndShape() {
    const TemporaryFolder folder;
    const std::string bytes = pictureBytes();
    const auto numbers = numbersTo(10);
    const std::vector<double> shares(10, 0.5);
    {
      const Hdf5Written file(folder.path() / "a.h5");
      QVERIFY(file.add("train/data", H5T_STD_U8LE, kPictures, bytes.data()));
      QVERIFY(file.add("train/labels", H5T_STD_U16BE, H5T_NATIVE_INT64, {10}, numbers.data()));
      QVERIFY(file.add("train/weight", H5T_IEEE_F32LE, H5T_NATIVE_INT64, {10}, numbers.data()));
      QVERIFY(file.add("train/share", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {10}, shares.data()));
      QVERIFY(file.addRuns("train/word", Texts(10, "word")));
      QVERIFY(file.add("test/data", H5T_STD_U8LE, {2, 5, 4, 3}, bytes.data()));
    }
    const auto source = openHdf5(folder, {"a.h5"});
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 10U);
    QCOMPARE(fieldsOf(**source), (Texts{"image u8 5x4x3 hwc", "label i64 scalar",
                                        "share f64 scalar", "weight f32 scalar"}));
    QCOMPARE((*source)->name(3), std::string("a.h5#3"));
    QCOMPARE((*source)->labelOf(7), 7);
    QCOMPARE((*source)->file(3), (folder.path() / "a.h5").native());
    QVERIFY(sampleText(**source, 4).find("|4|") != std::string::npos);
    QVERIFY(hasNote(**source, "train/word (encoded of any length, 10 samples)"));
    QVERIFY(hasNote(**source, "test/data (u8 5x4x3, 2 samples)"));
    const auto chosen =
        openHdf5(folder, {"a.h5"}, {"word=/train/word:encoded", "image=train/data"});
    VERIFY_OK(chosen);
    QCOMPARE(fieldsOf(**chosen), (Texts{"word encoded", "image u8 5x4x3 hwc"}));
    QVERIFY(sampleText(**chosen, 0).starts_with("a.h5#0: word|"));
    const auto plain = openHdf5(folder, {"a.h5"}, {"x=test/data"}, "features");
    QCOMPARE(fieldsOf(**plain), (Texts{"x u8 5x4x3"}));
    QVERIFY(says(openHdf5(folder, {"a.h5"}, {"x=y"}), "no dataset `y`; the file has test/data"));
    QVERIFY(says(openHdf5(folder, {"a.h5"}, {"label=train/word"}), "not one class number"));
    const auto whole = openHdf5(folder, {"a.h5"}, {"label=train/weight"});
    VERIFY_OK(whole);
    QCOMPARE((*whole)->labelOf(7), 7);
    const auto quantity = openHdf5(folder, {"a.h5"}, {"label=train/share"});
    VERIFY_OK(quantity);
    QCOMPARE(fieldsOf(**quantity), (Texts{"label f64 scalar"}));
    QVERIFY(says(openHdf5(folder, {"a.h5"}, {"image=train/weight"}), "which axis is the channels"));
    QVERIFY(says(openHdf5(folder, {"a.h5"}, {"x=train/data:f32:3"}), "holds u8 5x4x3, not f32"));
    QVERIFY(says(openHdf5(folder, {"a.h5"}, {"a=train/data", "b=test/data"}),
                 "`train/data` has 10 samples, but `test/data` has 2"));
  }

  void splitsOfEqualLengthAreNotMixed() {
    const TemporaryFolder folder;
    const std::string bytes = pictureBytes();
    const auto numbers = numbersTo(10);
    {
      const Hdf5Written file(folder.path() / "a.h5");
      for (const char* split : {"test", "train"}) {
        const std::string name = split;
        QVERIFY(file.add(name + "/images", H5T_STD_U8LE, kPictures, bytes.data()));
        QVERIFY(file.add(name + "/labels", H5T_STD_U8LE, H5T_NATIVE_INT64, {10}, numbers.data()));
      }
    }
    const auto source = openHdf5(folder, {"a.h5"});
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source), (Texts{"image u8 5x4x3 hwc", "label i64 scalar"}));
    QVERIFY(hasNote(**source, "unused datasets: test/images"));
  }

  void aGroupForEachSampleIsRefused() {
    const TemporaryFolder folder;
    {
      const Hdf5Written file(folder.path() / "a.h5");
      for (int i = 0; i < 4; ++i)
        QVERIFY(file.add("img_" + std::to_string(i) + "/image", H5T_STD_U8LE, kPictures,
                         pictureBytes().data()));
    }
    QVERIFY(says(openHdf5(folder, {"a.h5"}),
                 "4 groups have a dataset `image`, such as `img_0/image`: if each group"));
  }

  void classesHaveTheNamesThatTheirDatasetHas() {
    const TemporaryFolder folder;
    const auto numbers = numbersTo(3);
    const auto write = [&](const char* name, const std::string& classes) {
      const Hdf5Written file(folder.path() / name);
      return file.add("y", H5T_STD_I64LE, {3}, numbers.data()) &&
             file.describe("y", "classes", 3, classes);
    };
    QVERIFY(write("a.h5", std::string("apebeeox\0dog", 12)));
    QVERIFY(write("other.h5", "dogbeecatape"));
    QVERIFY(write("few.h5", "apebee"));
    const Texts wanted{"label=y"};
    const auto one = openHdf5(folder, {"a.h5"}, wanted);
    VERIFY_OK(one);
    QVERIFY((*one)->classes() == (Texts{"ape", "bee", "ox", "dog"}));
    QCOMPARE((*one)->fields().front().classes, 4);
    const auto two = openHdf5(folder, {"a.h5", "other.h5"}, wanted);
    VERIFY_OK(two);
    QVERIFY((*two)->classes().empty());
    QCOMPARE((*two)->fields().front().classes, 0);
    QVERIFY(hasNote(**two, "differ between files"));
    // Names of something else: some labels have no name.
    const auto few = openHdf5(folder, {"few.h5"}, wanted);
    VERIFY_OK(few);
    QVERIFY((*few)->classes().empty());
  }

  void picturesOfAnyLengthAreFiles() {
    const TemporaryFolder folder;
    const Texts files = {kJpeg + "1", kJpeg + std::string(5000, 'x'), kJpeg};
    const auto numbers = numbersTo(3);
    {
      const Hdf5Written file(folder.path() / "a.h5");
      QVERIFY(file.addRuns("x", files));
      QVERIFY(file.add("y", H5T_STD_I8LE, H5T_NATIVE_INT64, {3}, numbers.data()));
    }
    const auto source = openHdf5(folder, {"a.h5"});
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source), (Texts{"image encoded", "label i64 scalar"}));
    for (std::uint32_t i = 0; i < 3; ++i)
      QCOMPARE(sampleText(**source, i),
               "a.h5#" + std::to_string(i) + ": " + files[i] + "|" + std::to_string(i));
    QVERIFY(!hasNote(**source, "read by libhdf5"));
    std::string damaged = contentOf(folder.path() / "a.h5");
    const std::size_t heap = damaged.find("GCOL");
    damaged[heap] = 'X';
    damaged[heap + 16] = 'X';  // The first object's number.
    folder.write("a.h5", damaged);
    const auto broken = openHdf5(folder, {"a.h5"}, {"image=x:encoded"});
    VERIFY_OK(broken);
    QVERIFY(sampleText(**broken, 0).find("error: dataset `x`: the heap at byte ") !=
            std::string::npos);
  }

  void wordsAndBytesOfFixedLengthAreRead() {
    const TemporaryFolder folder;
    const std::array<const char*, 2> words = {"first", "the second"};
    {
      const Hdf5Written file(folder.path() / "a.h5");
      const Hdf5Id run(H5Tcopy(H5T_C_S1), H5Tclose);
      H5Tset_size(run.get(), H5T_VARIABLE);
      const Hdf5Id opaque(H5Tcreate(H5T_OPAQUE, 3), H5Tclose);
      QVERIFY(file.add("words", run.get(), {2}, words.data()));
      QVERIFY(file.add("bytes", opaque.get(), {2}, "abcdef"));
    }
    const auto source = openHdf5(folder, {"a.h5"}, {"words:encoded", "bytes:u8:3"});
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source), (Texts{"words encoded", "bytes u8 3"}));
    QCOMPARE(sampleText(**source, 0), std::string("a.h5#0: first|abc"));
    QCOMPARE(sampleText(**source, 1), std::string("a.h5#1: the second|def"));
  }

  void unsignedNumbersAreWholeNumbersAsFarAsTheyFit() {
    const TemporaryFolder folder;
    const std::array<std::uint64_t, 2> numbers = {4000000000U, ~std::uint64_t{0}};
    {
      const Hdf5Written file(folder.path() / "a.h5");
      QVERIFY(file.add("a", H5T_STD_U32LE, H5T_NATIVE_UINT64, {2}, numbers.data()));
      QVERIFY(file.add("b", H5T_STD_U64LE, H5T_NATIVE_UINT64, {2}, numbers.data()));
    }
    const auto source = openHdf5(folder, {"a.h5"});
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source), (Texts{"a i64 scalar", "b i64 scalar"}));
    QCOMPARE(sampleText(**source, 0), std::string("a.h5#0: 4000000000|4000000000"));
    QVERIFY(sampleText(**source, 1).find("dataset `b`: it has a number that exceeds the range") !=
            std::string::npos);
  }

  void filesAreOneSetWhoseSamplesAreAlike() {
    const TemporaryFolder folder;
    const std::string bytes = pictureBytes();
    for (const char* name : {"s/0.h5", "s/1.hdf5"}) {
      folder.write(name);
      QVERIFY(Hdf5Written(folder.path() / name).add("x", H5T_STD_U8LE, kPictures, bytes.data()));
    }
    const auto source = openHdf5(folder, {"s"});
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 20U);
    QCOMPARE((*source)->name(13), std::string("1.hdf5#3"));
    QVERIFY(hasRows(**source, bytes + bytes, 13));
    QVERIFY(
        Hdf5Written(folder.path() / "s/2.h5").add("x", H5T_STD_U8LE, {2, 3, 4, 3}, bytes.data()));
    QVERIFY(
        says(openHdf5(folder, {"s"}), "are u8 3x4x3, but those of the first file are u8 5x4x3"));
    QVERIFY(Hdf5Written(folder.path() / "s/2.h5").add("y", H5T_STD_U8LE, {2}, bytes.data()));
    QVERIFY(says(openHdf5(folder, {"s"}), "no dataset `x`, unlike the first file"));
  }

  void aBadFileAmongGoodOnesIsLeftOutWithANote() {
    const TemporaryFolder folder;
    const std::string bytes = pictureBytes();
    folder.write("s/0.h5", "half of a download");
    QVERIFY(says(openHdf5(folder, {"s"}), "0.h5"));
    folder.write("s/1.h5");
    QVERIFY(Hdf5Written(folder.path() / "s/1.h5").add("x", H5T_STD_U8LE, kPictures, bytes.data()));
    const auto source = openHdf5(folder, {"s"});
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 10U);
    QCOMPARE((*source)->name(0), std::string("1.h5#0"));
    const std::vector<std::string> notes = (*source)->warnings();
    QVERIFY(notes.size() == 1 && notes[0].find("0.h5") != std::string::npos);
    QVERIFY2(notes[0].ends_with("; the file is left out"), notes[0].c_str());
  }

  void aUserBlockMovesNothing() {
    const TemporaryFolder folder;
    const std::string bytes = pictureBytes();
    QVERIFY(
        Hdf5Written(folder.path() / "a.h5", 512).add("x", H5T_STD_U8LE, kPictures, bytes.data()));
    const auto source = openHdf5(folder, {"a.h5"});
    VERIFY_OK(source);
    QVERIFY(hasRows(**source, bytes, 1));
  }

  void readsWhatOthersWrote_data() {
    QTest::addColumn<QString>("file");
    QTest::newRow("shuffle and gzip") << "h5/img_shuffle_gzip.h5";
    QTest::newRow("many datasets") << "h5_cat/datasets/test_catvnoncat.h5";
  }
  void readsWhatOthersWrote() {
    QFETCH(QString, file);
    const auto data = tests::realData();
    if (!data) QSKIP("no real data");
    const fs::path path = *data / "containers" / file.toStdString();
    const auto source = openSource("hdf5", {{"paths", TextList{path.native()}}});
    VERIFY_OK(source);
    for (std::uint32_t i = 0; i < (*source)->size(); ++i)
      QVERIFY2(sampleText(**source, i).find("error") == std::string::npos,
               sampleText(**source, i).c_str());
    if (file.contains("cat")) {
      QCOMPARE((*source)->size(), 50U);
      QCOMPARE(fieldsOf(**source), (Texts{"image u8 64x64x3 hwc", "label i64 scalar"}));
      QCOMPARE((*source)->labelOf(0), 1);
    }
  }
};

}  // namespace millrace

using millrace::TestHdf5;
MILLRACE_TEST_CASE(TestHdf5)
#include "tst_hdf5.moc"
