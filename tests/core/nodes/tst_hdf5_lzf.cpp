// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Datasets compressed by h5py with LZF, as libhdf5 writes them if it has that filter.
#include <array>
#include <tuple>

#include "tests/core/nodes/hdf5_source.h"
#include "tests/core/nodes/source_text.h"
#include "tests/support/hdf5_lzf.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::contentOf;
using tests::fieldsOf;
using tests::hasNote;
using tests::hasRows;
using tests::Hdf5LzfWriting;
using tests::Hdf5Sizes;
using tests::Hdf5Written;
using tests::numbersTo;
using tests::openHdf5;
using tests::sampleText;
using tests::says;
using tests::TemporaryFolder;
using Texts = std::vector<std::string>;

/// Rows of 60 with many repetitions, and three at the end without.
std::array<std::int32_t, 720> lzfNumbers() {
  std::array<std::int32_t, 720> numbers{};
  std::uint32_t noise = 1;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    noise = noise * 1664525U + 1013904223U;
    const std::uint32_t mixed = noise ^ noise >> 15U;
    numbers[i] = static_cast<std::int32_t>(i < 540 ? i / 9 : mixed * 2246822519U);
  }
  return numbers;
}

/// Chunks of `samples` samples of one number each, in LZF.
Hdf5Written::Setup inChunksOf(hsize_t samples) {
  return [samples](hid_t creation) {
    H5Pset_chunk(creation, 1, &samples);
    Hdf5LzfWriting::set(creation);
  };
}

}  // namespace

class TestHdf5Lzf : public QObject {
  Q_OBJECT
 private slots:
  void chunksOfLzfAreUnpacked_data() {
    QTest::addColumn<QString>("filters");  // in the order of application
    QTest::addColumn<bool>("cut");         // a chunk holds part of each sample
    for (const char* filters : {"l", "sl", "slf", "sfl", "lf", "fl"})
      for (const bool cut : {false, true})
        QTest::addRow("%s%s", filters, cut ? ", parts" : "") << filters << cut;
  }
  void chunksOfLzfAreUnpacked() {
    QFETCH(QString, filters);
    QFETCH(bool, cut);
    const TemporaryFolder folder;
    const auto numbers = lzfNumbers();
    {
      const Hdf5LzfWriting lzf;
      QVERIFY(Hdf5Written(folder.path() / "a.h5")
                  .add("x", H5T_STD_I32LE, {12, 60}, numbers.data(), [&](hid_t creation) {
                    const Hdf5Sizes chunk = {3, cut ? 30U : 60U};
                    H5Pset_chunk(creation, 2, chunk.data());
                    for (const QChar filter : filters) {
                      if (filter == 'l') Hdf5LzfWriting::set(creation);
                      if (filter == 's') H5Pset_shuffle(creation);
                      if (filter == 'f') H5Pset_fletcher32(creation);
                    }
                  }));
      // All except noise, which stays uncompressed.
      QCOMPARE(Hdf5LzfWriting::packed(), cut ? 6 : 3);
    }
    const auto source = openHdf5(folder, {"a.h5"});
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source), (Texts{"x i32 60"}));
    const std::string rows(reinterpret_cast<const char*>(numbers.data()), sizeof numbers);
    QVERIFY(hasRows(**source, rows, 1));
    QVERIFY(hasRows(**source, rows, 7));
    QVERIFY(!hasNote(**source, "read by libhdf5"));
  }

  void labelsInLzfAreRead() {
    const TemporaryFolder folder;
    const auto numbers = numbersTo(100);
    {
      const Hdf5LzfWriting lzf;
      for (const auto& [name, type] : {std::pair("i8.h5", H5T_STD_I64LE), {"u2.h5", H5T_STD_U16LE}})
        QVERIFY(Hdf5Written(folder.path() / name)
                    .add("y", type, H5T_NATIVE_INT64, {100}, numbers.data(), inChunksOf(40)));
      QVERIFY(Hdf5LzfWriting::packed() > 0);
    }
    for (const char* name : {"i8.h5", "u2.h5"}) {
      const auto source = openHdf5(folder, {name}, {"label=y"});
      VERIFY_OK(source);
      for (const std::uint32_t i : {0U, 39U, 40U, 99U})
        QCOMPARE((*source)->labelOf(i), static_cast<std::int64_t>(i));
      QVERIFY(sampleText(**source, 77).ends_with(": 77"));
    }
  }

  void whereTheLibraryHasToReadItLzfIsNamed() {
    const TemporaryFolder folder;
    const auto numbers = numbersTo(100);
    {
      const Hdf5LzfWriting lzf;
      QVERIFY(
          Hdf5Written(folder.path() / "big.h5")
              .add("x", H5T_STD_I64BE, H5T_NATIVE_INT64, {100}, numbers.data(), inChunksOf(40)));
      QVERIFY(Hdf5Written(folder.path() / "empty.h5")
                  .addEmpty("x", H5T_STD_I64LE, {100}, inChunksOf(40)));
    }
    for (const char* name : {"big.h5", "empty.h5"}) {
      const auto source = openHdf5(folder, {name}, {"x=x"});
      QVERIFY(says(source,
                   "dataset `x`: its filter LZF (number 32000) is supported only if all chunks"));
      QVERIFY(says(source,
                   "HDF5_PLUGIN_PATH, or write the dataset again with gzip or without a filter"));
    }
  }

  void damageInLzfIsTheSamplesOfItsChunk() {
    const TemporaryFolder folder;
    const auto numbers = numbersTo(100);
    {
      const Hdf5LzfWriting lzf;
      QVERIFY(Hdf5Written(folder.path() / "a.h5")
                  .add("x", H5T_STD_I64LE, {100}, numbers.data(), inChunksOf(40)));
    }
    const std::string whole = contentOf(folder.path() / "a.h5");
    // Ends with a literal of one byte, 79, and a reference to the seven zeros of 78.
    const std::string chunk =
        tests::lzfPacked({reinterpret_cast<const char*>(numbers.data() + 40), 320});
    const std::size_t at = whole.find(chunk);
    QVERIFY(at != std::string::npos);
    const std::string place = "error: dataset `x`: the chunk at byte ";
    for (const auto& [byte, value, reason] :
         {std::tuple(std::size_t{0}, '\xff', ": its LZF stream is damaged at byte 0: it refers "),
          {chunk.size() - 2, '\xbf', ": its LZF stream is damaged at byte "},
          {chunk.size() - 4, '\x1f', ": its LZF stream is truncated at byte "}}) {
      std::string damaged = whole;
      damaged[at + byte] = value;
      folder.write("a.h5", damaged);
      const auto source = openHdf5(folder, {"a.h5"}, {"x=x"});
      VERIFY_OK(source);
      for (std::uint32_t i = 0; i < 100; ++i) {
        const std::string text = sampleText(**source, i);
        const bool failed =
            text.find(place) != std::string::npos && text.find(reason) != std::string::npos;
        QVERIFY2(failed == (i >= 40 && i < 80), text.c_str());
      }
    }
  }
};

}  // namespace millrace

using millrace::TestHdf5Lzf;
MILLRACE_TEST_CASE(TestHdf5Lzf)
#include "tst_hdf5_lzf.moc"
