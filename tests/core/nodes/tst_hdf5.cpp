// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The source of HDF5 files, of files that libhdf5 itself wrote.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <thread>

#include "tests/core/nodes/open_source.h"
#include "tests/core/nodes/source_text.h"
#include "tests/support/hdf5_written.h"
#include "tests/support/real_data.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;
using tests::contentOf;
using tests::fieldsOf;
using tests::Hdf5Sizes;
using tests::Hdf5Written;
using tests::kJpeg;
using tests::Opened;
using tests::openSource;
using tests::sampleText;
using tests::says;
using tests::TemporaryFolder;
using Texts = std::vector<std::string>;

const Hdf5Sizes kPictures = {10, 5, 4, 3};

/// Bytes that look alike nowhere, yet can be packed.
std::string pictureBytes() {
  std::string bytes(std::size_t{10} * 5 * 4 * 3, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<char>(i * i / 7 + (i % 3 == 0 ? i : 0));
  return bytes;
}

std::vector<std::int64_t> numbersTo(std::int64_t end) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(end));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

Opened openHdf5(const TemporaryFolder& folder, const Texts& paths, const Texts& datasets = {},
                const char* content = "auto") {
  return openSource("hdf5",
                    {{"paths", paths}, {"datasets", datasets}, {"content", std::string(content)}},
                    folder.path());
}

bool warns(const Source& source, const char* part) {
  const auto notes = source.warnings();
  return std::any_of(notes.begin(), notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

std::string bytesText(const TensorView& view) { return {view.as<const char>(), view.bytes}; }

/// The rows of `source` in the given order are those of `bytes`.
bool hasRows(const Source& source, const std::string& bytes, std::size_t step) {
  const std::size_t row = bytes.size() / source.size();
  const auto reader = source.reader();
  Sample sample;
  ReadCounters counters;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::size_t index = i * step % source.size();
    sample.reset({0, static_cast<std::uint32_t>(index), 0}, source.fields().size());
    if (!reader->read(static_cast<std::uint32_t>(index), sample, counters)) return false;
    if (bytesText(sample[0]) != bytes.substr(index * row, row)) return false;
  }
  return counters.bytes > 0;
}

constexpr H5Z_filter_t kOwnFilter = 511;

std::size_t sameBytes(unsigned, std::size_t, const unsigned[], std::size_t bytes, std::size_t*,
                      void**) {
  return bytes;
}

const H5Z_class2_t kOwnFilterClass = {H5Z_CLASS_T_VERS, kOwnFilter, 1,       1,
                                      "half and half",  nullptr,    nullptr, sameBytes};

}  // namespace

class TestHdf5 : public QObject {
  Q_OBJECT
 private slots:
  void rowsOfEveryLayoutAreThoseThatWereWritten_data() {
    QTest::addColumn<int>("side");  // of a chunk along the samples; 0: contiguous
    QTest::addColumn<bool>("cut");  // chunks hold a part of each sample
    QTest::addColumn<QString>("filters");
    QTest::addColumn<bool>("library");
    QTest::newRow("contiguous") << 0 << false << "" << false;
    QTest::newRow("compact") << -1 << false << "" << true;
    QTest::newRow("chunks") << 3 << false << "" << false;
    QTest::newRow("chunks of a part") << 3 << true << "" << false;
    QTest::newRow("gzip") << 3 << false << "g" << false;
    QTest::newRow("gzip of one sample") << 1 << false << "g" << false;
    QTest::newRow("shuffle") << 3 << true << "s" << false;
    QTest::newRow("shuffle, gzip") << 3 << true << "sg" << false;
    QTest::newRow("shuffle, gzip, sum") << 4 << true << "sgf" << false;
    QTest::newRow("sum within gzip") << 4 << false << "fg" << false;
    QTest::newRow("scale-offset") << 3 << false << "o" << true;
  }
  void rowsOfEveryLayoutAreThoseThatWereWritten() {
    QFETCH(int, side);
    QFETCH(bool, cut);
    QFETCH(QString, filters);
    QFETCH(bool, library);
    const TemporaryFolder folder;
    const std::string bytes = pictureBytes();
    const auto setup = [&](hid_t creation) {
      const Hdf5Sizes chunk = {static_cast<hsize_t>(std::max(side, 1)), cut ? 2U : 5U,
                               cut ? 3U : 4U, 3};
      if (side > 0) H5Pset_chunk(creation, 4, chunk.data());
      if (side < 0) H5Pset_layout(creation, H5D_COMPACT);
      for (const QChar filter : filters) {
        if (filter == 'g') H5Pset_deflate(creation, 6);
        if (filter == 's') H5Pset_shuffle(creation);
        if (filter == 'f') H5Pset_fletcher32(creation);
        if (filter == 'o') H5Pset_scaleoffset(creation, H5Z_SO_INT, 0);
      }
    };
    QVERIFY(Hdf5Written(folder.path() / "a.h5")
                .add("images", H5T_STD_U8LE, kPictures, bytes.data(), setup));
    const auto source = openHdf5(folder, {"a.h5"});
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source), (Texts{"image u8 5x4x3 hwc"}));
    QVERIFY(hasRows(**source, bytes, 1));
    QVERIFY(hasRows(**source, bytes, 7));
    QCOMPARE(warns(**source, "read by libhdf5"), library);
    QCOMPARE(warns(**source, "has chunks of"), !library && side > 1 && !filters.isEmpty());
  }

  void widerElementsAreUnshuffled() {
    const TemporaryFolder folder;
    const auto numbers = numbersTo(100);
    const std::vector<double> reals(numbers.begin(), numbers.end());
    const auto setup = [](hid_t creation) {
      const Hdf5Sizes chunk = {4, 7};
      H5Pset_chunk(creation, 2, chunk.data());
      H5Pset_shuffle(creation);
      H5Pset_deflate(creation, 1);
    };
    for (const auto& [name, type] : {std::pair("f8", H5T_IEEE_F64LE),
                                     {"f4", H5T_IEEE_F32LE},
                                     {"i2", H5T_STD_I16LE},
                                     {"big", H5T_IEEE_F64BE}})
      QVERIFY(Hdf5Written(folder.path() / (std::string(name) + ".h5"))
                  .add("x", type, H5T_NATIVE_DOUBLE, {10, 10}, reals.data(), setup));
    for (const char* name : {"f8.h5", "big.h5"}) {
      const auto source = openHdf5(folder, {name});
      VERIFY_OK(source);
      QCOMPARE(fieldsOf(**source), (Texts{"x f64 10"}));
      const std::string text(reinterpret_cast<const char*>(reals.data()), 800);
      QVERIFY(hasRows(**source, text, 3));
    }
    std::vector<float> floats(numbers.begin(), numbers.end());
    std::vector<std::int16_t> shorts(numbers.begin(), numbers.end());
    QVERIFY(hasRows(**openHdf5(folder, {"f4.h5"}),
                    {reinterpret_cast<const char*>(floats.data()), 400}, 3));
    QVERIFY(hasRows(**openHdf5(folder, {"i2.h5"}),
                    {reinterpret_cast<const char*>(shorts.data()), 200}, 3));
  }

  void datasetsBecomeFieldsByNameAndShape() {
    const TemporaryFolder folder;
    const std::string bytes = pictureBytes();
    const auto numbers = numbersTo(10);
    {
      const Hdf5Written file(folder.path() / "a.h5");
      QVERIFY(file.add("train/data", H5T_STD_U8LE, kPictures, bytes.data()));
      QVERIFY(file.add("train/labels", H5T_STD_U16BE, H5T_NATIVE_INT64, {10}, numbers.data()));
      QVERIFY(file.add("train/weight", H5T_IEEE_F32LE, H5T_NATIVE_INT64, {10}, numbers.data()));
      QVERIFY(file.addRuns("train/word", Texts(10, "word")));
      QVERIFY(file.add("test/data", H5T_STD_U8LE, {2, 5, 4, 3}, bytes.data()));
    }
    const auto source = openHdf5(folder, {"a.h5"});
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 10U);
    QCOMPARE(fieldsOf(**source),
             (Texts{"image u8 5x4x3 hwc", "label i64 scalar", "weight f32 scalar"}));
    QCOMPARE((*source)->name(3), std::string("a.h5#3"));
    QCOMPARE((*source)->labelOf(7), 7);
    QCOMPARE((*source)->file(3), (folder.path() / "a.h5").native());
    QVERIFY(sampleText(**source, 4).find("|4|") != std::string::npos);
    QVERIFY(warns(**source, "train/word (encoded of any length, 10 samples)"));
    QVERIFY(warns(**source, "test/data (u8 5x4x3, 2 samples)"));
    const auto chosen =
        openHdf5(folder, {"a.h5"}, {"word=/train/word:encoded", "image=train/data"});
    VERIFY_OK(chosen);
    QCOMPARE(fieldsOf(**chosen), (Texts{"word encoded", "image u8 5x4x3 hwc"}));
    QVERIFY(sampleText(**chosen, 0).starts_with("a.h5#0: word|"));
    const auto plain = openHdf5(folder, {"a.h5"}, {"x=test/data"}, "features");
    QCOMPARE(fieldsOf(**plain), (Texts{"x u8 5x4x3"}));
    QVERIFY(says(openHdf5(folder, {"a.h5"}, {"x=y"}), "no dataset `y`; there are test/data"));
    QVERIFY(says(openHdf5(folder, {"a.h5"}, {"label=train/weight"}), "not one whole number"));
    QVERIFY(says(openHdf5(folder, {"a.h5"}, {"image=train/weight"}), "where its channels are"));
    QVERIFY(says(openHdf5(folder, {"a.h5"}, {"x=train/data:f32:3"}), "holds u8 5x4x3, not f32"));
    QVERIFY(says(openHdf5(folder, {"a.h5"}, {"a=train/data", "b=test/data"}),
                 "`train/data` has 10 samples and `test/data` 2"));
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
    QVERIFY(warns(**two, "have other names"));
    // Names of something else: there are labels beyond them.
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
    QVERIFY(!warns(**source, "read by libhdf5"));
    std::string damaged = contentOf(folder.path() / "a.h5");
    damaged[damaged.find("GCOL")] = 'X';
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
    QVERIFY(sampleText(**source, 1).find("dataset `b`: it has a number that is too large") !=
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
    QVERIFY(says(openHdf5(folder, {"s"}), "samples u8 3x4x3, that of the first file u8 5x4x3"));
    QVERIFY(Hdf5Written(folder.path() / "s/2.h5").add("y", H5T_STD_U8LE, {2}, bytes.data()));
    QVERIFY(says(openHdf5(folder, {"s"}), "no dataset `x`, as the first file has"));
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

  void aFilterThatIsNotThereIsNamed() {
    const TemporaryFolder folder;
    H5Zregister(&kOwnFilterClass);
    QVERIFY(Hdf5Written(folder.path() / "a.h5")
                .add("x", H5T_STD_U8LE, kPictures, pictureBytes().data(), [](hid_t creation) {
                  H5Pset_chunk(creation, 4, kPictures.data());
                  H5Pset_filter(creation, kOwnFilter, 0, 0, nullptr);
                }));
    QVERIFY(H5Zunregister(kOwnFilter) >= 0);
    const auto source = openHdf5(folder, {"a.h5"});
    QVERIFY(says(source, "its filter half and half (number 511) is not there"));
    QVERIFY(says(source, "HDF5_PLUGIN_PATH"));
  }

  void workersReadOneFileAtOnce() {
    const TemporaryFolder folder;
    const std::string bytes = pictureBytes();
    {
      const Hdf5Written file(folder.path() / "a.h5");
      QVERIFY(file.add("x", H5T_STD_U8LE, kPictures, bytes.data(), [](hid_t creation) {
        const Hdf5Sizes chunk = {2, 5, 4, 3};
        H5Pset_chunk(creation, 4, chunk.data());
        H5Pset_deflate(creation, 1);
      }));
      QVERIFY(file.addRuns("files", Texts(10, kJpeg)));
    }
    const auto source = openHdf5(folder, {"a.h5"}, {"image=x", "target=files"});
    VERIFY_OK(source);
    std::array<bool, 4> right{};
    {
      std::vector<std::jthread> threads;
      for (std::size_t t = 0; t < right.size(); ++t)
        threads.emplace_back([&, t] {
          right[t] = true;
          for (int i = 0; i < 50; ++i) right[t] = right[t] && hasRows(**source, bytes, 3);
        });
    }
    QVERIFY(std::all_of(right.begin(), right.end(), [](bool r) { return r; }));
  }

  void damageIsASentence() {
    const TemporaryFolder folder;
    const std::string bytes = pictureBytes();
    QVERIFY(Hdf5Written(folder.path() / "a.h5")
                .add("x", H5T_STD_U8LE, kPictures, bytes.data(), [](hid_t creation) {
                  const Hdf5Sizes chunk = {2, 5, 4, 3};
                  H5Pset_chunk(creation, 4, chunk.data());
                  H5Pset_deflate(creation, 1);
                  H5Pset_fletcher32(creation);
                }));
    const std::string whole = contentOf(folder.path() / "a.h5");
    for (const std::size_t bytesLeft : {0, 4, 50, 500, 2000}) {
      folder.write("a.h5", whole.substr(0, bytesLeft));
      QVERIFY(!openHdf5(folder, {"a.h5"}));
    }
    QVERIFY(says(openHdf5(folder, {"a.h5"}), "libhdf5 cannot open it: "));
    folder.write("a.h5", "no such file at all");
    QVERIFY(says(openHdf5(folder, {"a.h5"}), "no HDF5 file: it does not begin as one"));
    // Chunks begin as a zlib stream does; the last one is that of samples 8 and 9.
    std::string damaged = whole;
    const std::size_t chunk = damaged.rfind("\x78\x01");
    QVERIFY(chunk != std::string::npos);
    damaged[chunk + 20] = static_cast<char>(damaged[chunk + 20] ^ 4);
    folder.write("a.h5", damaged);
    const auto source = openHdf5(folder, {"a.h5"});
    VERIFY_OK(source);
    int failed = 0;
    for (std::uint32_t i = 0; i < 10; ++i)
      failed += sampleText(**source, i).find("error: dataset `x`: the chunk at byte ") !=
                std::string::npos;
    QCOMPARE(failed, 2);
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
