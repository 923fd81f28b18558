// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/lmdb/lmdb_file.h"

#include <cstring>
#include <map>
#include <random>

#include "core/formats/io/open_file.h"
#include "core/formats/lmdb/caffe_datum.h"
#include "core/formats/lmdb/lmdb_database.h"
#include "tests/support/lmdb_values.h"
#include "tests/support/needs_part.h"
#include "tests/support/real_data.h"
#include "tests/support/record_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;
using tests::contentOf;
using tests::put;
using Stored = tests::LmdbValues;

/// Values of many sizes: within a page, with their own pages, empty.
Stored someValues(int count) {
  Stored values;
  for (int i = 0; i < count; ++i)
    values["key/" + std::to_string(i * 7919 % 100003)] =
        std::string(static_cast<std::size_t>(i * i) % 9001, static_cast<char>('a' + i % 26));
  return values;
}

struct Read {
  Stored values;
  std::vector<std::string> notes;
  std::string error;
};

Read readAll(const fs::path& file, ReadBy by = ReadBy::Cache) {
  Read all;
  const auto opened = openForReading(file);
  const auto snapshot = openLmdb(opened->fd.get(), opened->size);
  if (!snapshot) return {{}, {}, snapshot.error().message};
  const auto listing = listLmdb(opened->fd.get(), opened->size, *snapshot);
  if (!listing) return {{}, {}, listing.error().message};
  all.notes = listing->notes();
  RangeReader reader(by);
  ReadCounters counters;
  for (std::size_t i = 0; i < listing->size(); ++i) {
    const auto& place = listing->place(i);
    const auto value = readLmdbValue(reader, opened->fd.get(), *snapshot, place, counters);
    if (!value) {
      all.error = value.error().message;
      continue;
    }
    std::string copy(place.size, ' ');
    const Status same = readLmdbValueTo(reader, opened->fd.get(), *snapshot, place,
                                        reinterpret_cast<std::byte*>(copy.data()), counters);
    if (same) all.values.emplace(listing->key(i), copy);
  }
  return all;
}

}  // namespace

class TestLmdbFile : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { MILLRACE_NEEDS_PART("lmdb"); }

  void readsWhatTheLibraryWrote() {
    const tests::TemporaryFolder folder;
    const Stored values = someValues(1500);
    QVERIFY(put(folder.path(), values));
    for (const ReadBy by : {ReadBy::Cache, ReadBy::Direct}) {
      const Read read = readAll(folder.path() / "x.mdb", by);
      QVERIFY2(read.error.empty(), read.error.c_str());
      QVERIFY(read.notes.empty());
      QVERIFY(read.values == values);
    }
  }

  void oneSoundHeadIsEnough() {
    const tests::TemporaryFolder folder;
    const Stored values = someValues(20);
    QVERIFY(put(folder.path(), values));
    const std::string whole = contentOf(folder.path() / "x.mdb");
    // The state before the only commit, in the other meta page, is empty.
    std::string first = whole;
    first.replace(0, 200, 200, '\0');
    folder.write("first", first);
    std::string second = whole;
    second.replace(4096, 200, 200, '\0');
    folder.write("second", second);
    const Read a = readAll(folder.path() / "first");
    const Read b = readAll(folder.path() / "second");
    QVERIFY(a.values == values || b.values == values);
    QVERIFY(a.error.empty() && b.error.empty());
    first.replace(4096, 200, 200, '\0');
    folder.write("none", first);
    QVERIFY(readAll(folder.path() / "none").error.find("neither") != std::string::npos);
    folder.write("empty", "");
    QVERIFY(!readAll(folder.path() / "empty").error.empty());
  }

  void aTreeThatBitesItsTailIsLeftOut() {
    const tests::TemporaryFolder folder;
    QVERIFY(put(folder.path(), someValues(800)));
    std::string bytes = contentOf(folder.path() / "x.mdb");
    const auto snapshot = [&] {
      const auto file = openForReading(folder.path() / "x.mdb");
      return *openLmdb(file->fd.get(), file->size);
    }();
    // The root is a branch; make its first child the root itself.
    char* root = bytes.data() + snapshot.root * 4096;
    std::uint16_t node = 0;
    std::memcpy(&node, root + 16, sizeof node);
    const auto self = static_cast<std::uint32_t>(snapshot.root);
    std::memcpy(root + node, &self, sizeof self);
    folder.write("cycle", bytes);
    const Read read = readAll(folder.path() / "cycle");
    QVERIFY(!read.notes.empty());
    QVERIFY2(read.notes[0].find("twice") != std::string::npos, read.notes[0].c_str());
    QVERIFY(!read.values.empty() && read.values.size() < 800);
  }

  /// Whatever is damaged, the reader does not crash and returns only values that were written or
  /// changed in place.
  void damageIsLeftOut() {
    const tests::TemporaryFolder folder;
    const Stored values = someValues(60);
    QVERIFY(put(folder.path(), values));
    const std::string whole = contentOf(folder.path() / "x.mdb");
    std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same damage each time
    std::size_t kept = 0;
    for (int round = 0; round < 150; ++round) {
      std::string bytes = whole;
      if (round % 3 == 0) bytes.resize(random() % whole.size());
      for (int i = 0; i < 1 + round % 8 && !bytes.empty(); ++i)
        bytes[random() % bytes.size()] = static_cast<char>(random());
      folder.write("damaged", bytes);
      const Read cached = readAll(folder.path() / "damaged");
      for (const auto& [key, value] : cached.values) kept += values.count(key);
      QVERIFY(readAll(folder.path() / "damaged", ReadBy::Direct).values == cached.values);
    }
    QVERIFY(kept > values.size() * 50);
  }

  void aWriterAtWorkIsNoticed() {
    const tests::TemporaryFolder folder;
    QVERIFY(put(folder.path(), someValues(20)));
    const auto file = openForReading(folder.path() / "x.mdb");
    const auto snapshot = openLmdb(file->fd.get(), file->size);
    const auto listing = listLmdb(file->fd.get(), file->size, *snapshot);
    RangeReader reader;
    ReadCounters counters;
    QVERIFY(readLmdbValue(reader, file->fd.get(), *snapshot, listing->place(0), counters));
    QVERIFY(put(folder.path(), {{"new", "value"}}));
    const auto value =
        readLmdbValue(reader, file->fd.get(), *snapshot, listing->place(0), counters);
    QVERIFY(!value);
    QVERIFY2(value.error().message.find("writer") != std::string::npos,
             value.error().message.c_str());
    QCOMPARE(readAll(folder.path() / "x.mdb").values.size(), std::size_t{21});
  }

  void aDatumIsWhatCaffeSays() {
    const auto number = [](unsigned field, std::uint64_t value) {
      return tests::varint(field << 3U) + tests::varint(value);
    };
    const std::string planes = "BbGgRr";  // two pixels
    const std::string datum = number(1, 3) + number(2, 1) + number(3, 2) +
                              tests::protoField(4, planes) + number(5, 7) + number(7, 0);
    const auto bytes = std::as_bytes(std::span(datum.data(), datum.size()));
    const auto parsed = parseDatum(bytes);
    QVERIFY(parsed);
    QCOMPARE(parsed->label, std::int64_t{7});
    std::string pixels(6, ' ');
    datumPixels(*parsed, reinterpret_cast<std::byte*>(pixels.data()));
    QCOMPARE(pixels, std::string("RGBrgb"));
    const ImageView image{reinterpret_cast<const std::uint8_t*>(pixels.data()), 2, 1, 3, 6};
    QCOMPARE(rawDatum(image, 7), datum);
    for (std::size_t cut = 0; cut < datum.size() - 4; ++cut) QVERIFY(!parseDatum(bytes.first(cut)));
    const std::string wrong =
        number(1, 3) + number(2, 9) + number(3, 2) + tests::protoField(4, planes);
    QVERIFY(!parseDatum(std::as_bytes(std::span(wrong.data(), wrong.size()))));
  }

  void readsFilesThatOthersWrote() {
    const auto data = tests::realData();
    if (!data) QSKIP("no real data here");
    std::vector<std::string> notes;
    const auto pictures = openLmdbDatabase(*data / "containers/lmdb_py/nosubdir.mdb", {}, notes);
    QVERIFY(pictures);
    QCOMPARE(pictures->records.size(), std::size_t{8});
    QCOMPARE(probeLmdb(*pictures).pictures, 8U);
    const auto pairs =
        openLmdbDatabase(*data / "containers/lmdb_basicsr/tests/data/gt.lmdb/data.mdb", {}, notes);
    QVERIFY(pairs);
    QCOMPARE(pairs->keyText(pairs->records[0]), std::string("baboon"));
    QCOMPARE(pairs->name(), std::string("gt.lmdb"));
    QVERIFY(notes.empty());
  }
};

}  // namespace millrace

using millrace::TestLmdbFile;
MILLRACE_TEST_CASE(TestLmdbFile)
#include "tst_lmdb_file.moc"
