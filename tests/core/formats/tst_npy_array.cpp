// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/npy/npy_array.h"

#include <cstring>

#include "tests/support/npy_bytes.h"
#include "tests/support/real_data.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::npyBytes;
using Texts = std::vector<std::string>;

/// Arrays as `name: type row, rows from offset`, then notes, or the error.
Texts arraysOf(const std::filesystem::path& path) {
  const auto file = openForReading(path);
  if (!file) return {file.error().message};
  Texts notes;
  const auto arrays = openNpyArrays(*file, notes);
  if (!arrays) return {"error: " + arrays.error().message};
  Texts texts;
  for (const NpyArray& array : *arrays)
    texts.push_back(array.name + ": " + std::string(nameOf(array.head.dtype)) + " " +
                    array.head.row.text() + ", " + std::to_string(array.head.rows) +
                    (array.note.empty() ? "" : "; " + array.note));
  for (const std::string& note : notes) texts.push_back("note: " + note);
  return texts;
}

Texts arraysIn(const std::string& bytes) {
  const tests::TemporaryFolder folder;
  folder.write("a.npy", bytes);
  return arraysOf(folder.path() / "a.npy");
}

bool refuses(const std::string& bytes, const char* part) {
  const Texts found = arraysIn(bytes);
  return found.size() == 1 && found[0].starts_with("error") &&
         found[0].find(part) != std::string::npos;
}

}  // namespace

class TestNpyArray : public QObject {
  Q_OBJECT
 private slots:
  void readsHeadsOfEveryVersion() {
    const std::string data(24, 'x');
    QCOMPARE(arraysIn(npyBytes("'<i2'", "(2, 2, 3)", data)), Texts{": i16 2x3, 2"});
    QCOMPARE(arraysIn(npyBytes("'|b1'", "(24,)", data, 2)), Texts{": u8 scalar, 24"});
    QCOMPARE(arraysIn(npyBytes("'<f8'", "(3, 1)", data, 3)), Texts{": f64 1, 3"});
  }

  void saysWhyAnArrayIsNotRead() {
    const std::string data(24, 'x');
    QVERIFY(refuses(npyBytes("'>f4'", "(6,)", data), "astype('<f4')"));
    QVERIFY(refuses(npyBytes("'|O'", "(6,)", data), "Python objects"));
    QVERIFY(refuses(npyBytes("[('a', '<i4')]", "(6,)", data), "named fields"));
    QVERIFY(refuses(npyBytes("'<f4'", "(2, 3)", data, 1, "True"),
                    "in Fortran order, which scatters each sample over the whole array; "
                    "save it in C order with np.ascontiguousarray(x)"));
    // A single axis has the same layout in either order.
    QCOMPARE(arraysIn(npyBytes("'<f4'", "(6,)", data, 1, "True")), Texts{": f32 scalar, 6"});
    QVERIFY(refuses(npyBytes("'<f4'", "()", data), "single number"));
    QVERIFY(refuses(npyBytes("'<f4'", "(1, 2, 3, 4, 5, 6, 7, 8)", data), "axes"));
    QVERIFY(refuses(npyBytes("'<f4'", "(2, 99999999999, 99999999999)", data), "1 GiB"));
    QVERIFY(refuses(npyBytes("'<f4'", "(2, 0)", data), "empty"));
    QVERIFY(refuses(npyBytes("'<f4'", "(2, -1)", data), "damaged"));
    QVERIFY(refuses("\x93NUMPY\x09 and so on", "version 9"));
    QVERIFY(refuses("no array", "signature is missing"));
    const std::string whole = npyBytes("'<f4'", "(6,)", data);
    for (std::size_t cut = 0; cut < whole.size() - 24; ++cut)
      QVERIFY(arraysIn(whole.substr(0, cut))[0].starts_with("error"));
  }

  void takesTheRowsThatAreThere() {
    const std::string whole = npyBytes("'<f4'", "(6,)", std::string(24, 'x'));
    QCOMPARE(arraysIn(whole.substr(0, whole.size() - 5)),
             Texts{": f32 scalar, 4; truncated: 4 of its 6 samples are there"});
  }

  void readsMembersOfAnArchive() {
    const std::string x = npyBytes("'|u1'", "(3, 2)", "abcdef");
    const std::string y = npyBytes("'<i8'", "(3,)", std::string(24, '\0'));
    const std::string zip = tests::zipBytes({{"x.npy", x}, {"notes.txt", "hi"}, {"y.npy", y}});
    QCOMPARE(arraysIn(zip), (Texts{"x: u8 2, 3", "y: i64 scalar, 3"}));
    QCOMPARE(arraysIn(zip + "a comment"), (Texts{"x: u8 2, 3", "y: i64 scalar, 3"}));
    for (std::size_t cut = 2; cut < zip.size(); cut += 7)
      QVERIFY(arraysIn(zip.substr(0, cut))[0].starts_with("error"));
    QCOMPARE(
        arraysIn(tests::zipBytes({{"x.npy", x}, {"o.npy", npyBytes("'|O'", "(3,)", "")}})),
        (Texts{"x: u8 2, 3",
               "note: o left out: Python objects are not supported: save an array of numbers"}));
    const std::string f = npyBytes("'|u1'", "(3, 2)", "abcdef", 1, "True");
    const Texts found = arraysIn(tests::zipBytes({{"x.npy", x}, {"f.npy", f}}));
    QCOMPARE(found.size(), std::size_t{2});
    QVERIFY(found[1].starts_with("note: f left out: the array is in Fortran order, "));
    QVERIFY(refuses(tests::zipBytes({{"notes.txt", "hi"}}), "no array"));
  }

  void unpacksDeflatedMembers() {
    // A deflate stream with one stored block.
    const std::string plain = npyBytes("'|u1'", "(2, 3)", "abcdef");
    const std::string stored = std::string("\x01", 1) + tests::twoBytes(plain.size()) +
                               tests::twoBytes(~plain.size()) + plain;
    const std::string zip = tests::zipBytes({{"x.npy", plain, stored}});
    const Texts found = arraysIn(zip);
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY2(found[0].starts_with("x: u8 3, 2; compressed: its "), found[0].c_str());
    std::string damaged = zip;
    damaged[damaged.find("abcdef") + 2] ^= 1;
    QVERIFY(refuses(damaged, "checksum"));
  }

  void readsFilesThatOthersWrote() {
    const auto data = tests::realData();
    if (!data) QSKIP("no real data here");
    const auto folder = *data / "containers/npy";
    QCOMPARE(arraysOf(folder / "xy.npz"), (Texts{"x: u8 96x96x3, 8", "y: i64 scalar, 8"}));
    QVERIFY(arraysOf(folder / "u8_nchw_fortran.npy")[0].find("Fortran") != std::string::npos);
    QVERIFY(arraysOf(folder / "v2_fields.npy")[0].find("named fields") != std::string::npos);
    QCOMPARE(arraysOf(folder / "u8_nhwc.npy"), Texts{": u8 96x96x3, 16"});
  }
};

}  // namespace millrace

using millrace::TestNpyArray;
MILLRACE_TEST_CASE(TestNpyArray)
#include "tst_npy_array.moc"
