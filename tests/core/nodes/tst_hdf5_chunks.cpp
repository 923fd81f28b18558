// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// How rows of HDF5 datasets are stored and read: layouts, filters, damage, without the page cache.
#include <algorithm>
#include <array>
#include <thread>
#include <tuple>

#include "tests/core/nodes/hdf5_source.h"
#include "tests/core/nodes/source_text.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::contentOf;
using tests::fieldsOf;
using tests::hasNote;
using tests::hasRows;
using tests::Hdf5Sizes;
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

/// Whether the rows of the dataset are `rows` both ways, and whole blocks were read without the
/// page cache.
bool readsMorePastTheCache(const TemporaryFolder& folder, const std::string& rows) {
  std::uint64_t least = 0;
  for (const char* by : {"cache", "direct"}) {
    const auto source = openSource(
        "hdf5", {{"paths", TextList{"a.h5"}}, {"read_by", std::string(by)}}, folder.path());
    ReadCounters counters;
    for (const std::size_t step : {1U, 7U})
      if (!source || !hasRows(**source, rows, step, counters)) return false;
    if (counters.bytes <= least) return false;
    least = counters.bytes;
  }
  return true;
}

constexpr H5Z_filter_t kOwnFilter = 511;

std::size_t sameBytes(unsigned, std::size_t, const unsigned[], std::size_t bytes, std::size_t*,
                      void**) {
  return bytes;
}

const H5Z_class2_t kOwnFilterClass = {H5Z_CLASS_T_VERS, kOwnFilter, 1,       1,
                                      "half and half",  nullptr,    nullptr, sameBytes};

}  // namespace

class TestHdf5Chunks : public QObject {
  Q_OBJECT
 private slots:
  void rowsOfEveryLayoutAreThoseThatWereWritten_data() {
    QTest::addColumn<int>("side");  // samples per chunk; 0: contiguous
    QTest::addColumn<bool>("cut");  // a chunk holds part of each sample
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
    QCOMPARE(hasNote(**source, "read by libhdf5"), library);
    QCOMPARE(hasNote(**source, "has chunks of"), !library && side > 1 && !filters.isEmpty());
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

  void pastThePageCacheTheRowsAreTheSame_data() {
    QTest::addColumn<int>("bytes");  // of one row
    QTest::addColumn<int>("side");   // samples per chunk; 0: contiguous
    QTest::addColumn<bool>("packed");
    for (const int bytes : {60, 20000})
      for (const auto& [name, side, packed] : {std::tuple("contiguous", 0, false),
                                               {"chunks", 3, false},
                                               {"gzip", 3, true},
                                               {"gzip of one sample", 1, true}})
        QTest::addRow("%s, %d bytes", name, bytes) << bytes << side << packed;
  }
  void pastThePageCacheTheRowsAreTheSame() {
    QFETCH(int, bytes);
    QFETCH(int, side);
    QFETCH(bool, packed);
    const TemporaryFolder folder;
    std::string rows;
    for (int i = 0; i < 10 * bytes; ++i) rows += static_cast<char>(i / 7 + i % 5);
    const auto setup = [&](hid_t creation) {
      const Hdf5Sizes chunk = {static_cast<hsize_t>(side), static_cast<hsize_t>(bytes)};
      if (side > 0) H5Pset_chunk(creation, 2, chunk.data());
      if (packed) H5Pset_deflate(creation, 1);
    };
    QVERIFY(Hdf5Written(folder.path() / "a.h5")
                .add("x", H5T_STD_U8LE, {10, static_cast<hsize_t>(bytes)}, rows.data(), setup));
    QVERIFY(readsMorePastTheCache(folder, rows));
  }

  void pastThePageCacheRunsAreTheSame() {
    const TemporaryFolder folder;
    QVERIFY(Hdf5Written(folder.path() / "a.h5").addRuns("x", Texts(10, kJpeg)));
    std::string rows;
    for (int i = 0; i < 10; ++i) rows += kJpeg;
    QVERIFY(readsMorePastTheCache(folder, rows));
  }

  void layoutsWithRowsElsewhereAreNamedWithTheRemedy() {
    const TemporaryFolder folder;
    const std::string bytes = pictureBytes();
    const auto isVirtual = [](hid_t creation) {
      const Hdf5Id space(H5Screate_simple(4, kPictures.data(), nullptr), H5Sclose);
      H5Pset_virtual(creation, space.get(), "gone.h5", "x", space.get());
    };
    const auto isExternal = [&](hid_t creation) {
      H5Pset_external(creation, (folder.path() / "rows").c_str(), 0, bytes.size());
    };
    {
      const Hdf5Written file(folder.path() / "a.h5");
      QVERIFY(file.add("plain", H5T_STD_U8LE, kPictures, bytes.data()));
      QVERIFY(file.addEmpty("v/x", H5T_STD_U8LE, kPictures, isVirtual));
      QVERIFY(file.add("e", H5T_STD_U8LE, kPictures, bytes.data(), isExternal));
    }
    QVERIFY(Hdf5Written(folder.path() / "b.h5").addEmpty("x", H5T_STD_U8LE, kPictures, isVirtual));
    QVERIFY(
        says(openHdf5(folder, {"a.h5"}, {"image=v/x"}),
             "dataset `v/x`: its layout is virtual: its samples are in other datasets, which "
             "are not followed; write it again as a plain dataset, with h5repack -l v/x:CONTI OLD "
             "NEW or with h5py, as new[\"v/x\"] = old[\"v/x\"][()]"));
    QVERIFY(
        says(openHdf5(folder, {"a.h5"}, {"image=e"}),
             "dataset `e`: its layout is external storage: its samples are in other files, "
             "which are not opened; write it again as a plain dataset, with h5repack -l e:CONTI "
             "OLD NEW or with h5py, as new[\"e\"] = old[\"e\"][()]"));
    QVERIFY(
        says(openHdf5(folder, {"b.h5"}), "it has no readable dataset: x (its layout is virtual: "));
    const auto others = openHdf5(folder, {"a.h5"});
    VERIFY_OK(others);
    QVERIFY(hasRows(**others, bytes, 1));
    QVERIFY(hasNote(**others, "e (its layout is external storage: "));
    QVERIFY(hasNote(**others, "v/x (its layout is virtual: "));
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
    QVERIFY(says(source, "its filter half and half (number 511) is not installed"));
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
    QVERIFY(says(openHdf5(folder, {"a.h5"}), "not an HDF5 file: its signature is missing"));
    // Chunks begin like a zlib stream; the last one holds samples 8 and 9.
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
};

}  // namespace millrace

using millrace::TestHdf5Chunks;
MILLRACE_TEST_CASE(TestHdf5Chunks)
#include "tst_hdf5_chunks.moc"
