// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Arrays in LMDB, uncompressed and compressed with LZ4.
#include <string>
#include <utility>
#include <vector>

#include "core/formats/lmdb/lz4_value.h"
#include "tests/core/nodes/open_source.h"
#include "tests/core/nodes/source_text.h"
#include "tests/support/lmdb_values.h"
#include "tests/support/needs_part.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

constexpr std::size_t kBytes = 300;

/// 'a' 295 times, then "bcdef": a literal, a match and five literals.
std::string block() {
  std::string made("\x1f\x61\x01\x00", 4);  // one literal, a match at distance 1 of 4 + 15 + ...
  made += '\xff';
  made += static_cast<char>(294 - 4 - 15 - 255);
  return made + std::string("\x50", 1) + "bcdef";
}

std::string unpackedBlock() { return std::string(295, 'a') + "bcdef"; }

std::string sized(std::uint32_t size, const std::string& content) {
  std::string made;
  for (unsigned shift = 0; shift < 32; shift += 8) made += static_cast<char>(size >> shift & 0xFFU);
  return made + content;
}

/// A frame with one block; `stored`: uncompressed.
std::string frame(const std::string& content, bool stored) {
  const auto size = static_cast<std::uint32_t>(content.size()) | (stored ? 0x80000000U : 0U);
  return std::string("\x04\x22\x4d\x18\x60\x40\x82", 7) + sized(size, content) + sized(0, "");
}

std::span<const std::byte> bytesOf(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

}  // namespace

class TestLmdbValues : public QObject {
  Q_OBJECT
 private slots:
  void labelsUnderKeysOfTheirOwnAreFound() {
    MILLRACE_NEEDS_PART("lmdb");
    const std::vector<std::pair<const char*, const char*>> forms = {
        {"image-00%d", "label-00%d"}, {"%d.jpg", "%d.cls"}, {"data/%d", "label/%d"}};
    for (const auto& [picture, label] : forms) {
      const tests::TemporaryFolder folder;
      tests::LmdbValues values;
      // Enough for a distance of two between the values examined.
      for (int i = 0; i < 64; ++i) {
        const auto named = [&](const char* form) {
          return QString::asprintf(form, 100 + i).toStdString();
        };
        values[named(picture)] = tests::kJpeg + std::to_string(i);
        if (i != 63) values[named(label)] = std::to_string(i % 3) + "\n";
      }
      QVERIFY(tests::put(folder.path(), values) != nullptr);
      const auto source = tests::openSource("lmdb", {{"paths", TextList{"x.mdb"}}}, folder.path());
      VERIFY_OK(source);
      QCOMPARE((*source)->size(), 64U);
      QCOMPARE(tests::fieldsOf(**source),
               (std::vector<std::string>{"image encoded", "label i64 scalar"}));
      QCOMPARE(tests::readAll(**source, 5), (std::vector<std::string>{tests::kJpeg + "5", "2"}));
      const auto last = tests::readAll(**source, 63);
      QVERIFY2(last[0].starts_with("error: it has no label: its key has no partner with `"),
               last[0].c_str());
      const auto none = tests::openSource(
          "lmdb", {{"paths", TextList{"x.mdb"}}, {"labels", std::string()}}, folder.path());
      VERIFY_OK(none);
      QCOMPARE((*none)->size(), 127U);
    }
  }

  void labelsThatAreTextsStayTexts() {
    MILLRACE_NEEDS_PART("lmdb");
    const tests::TemporaryFolder folder;
    QVERIFY(tests::put(folder.path(), {{"image-1", tests::kJpeg},
                                       {"image-2", tests::kJpeg},
                                       {"label-1", "a word"},
                                       {"label-2", "3"},
                                       {"num-samples", "2"}}) != nullptr);
    const auto open = [&](const std::string& labels) {
      return tests::openSource("lmdb", {{"paths", TextList{"x.mdb"}}, {"labels", labels}},
                               folder.path());
    };
    const auto source = open("auto");
    VERIFY_OK(source);
    QCOMPARE(tests::fieldsOf(**source),
             (std::vector<std::string>{"image encoded", "text encoded"}));
    QCOMPARE(tests::readAll(**source, 0), (std::vector<std::string>{tests::kJpeg, "a word"}));
    QCOMPARE((*open("image=label"))->size(), 2U);
    QVERIFY(tests::says(open("label"), "as image=label"));
  }

  void objectsAreRefusedWithWhatToDo() {
    MILLRACE_NEEDS_PART("lmdb");
    const std::vector<std::pair<std::string, const char*>> objects = {
        {R"({"image": "aGk=", "label": 1})", "its values are JSON objects"},
        {std::string("\x80\x04\x95", 3) + "K.", "its values are Python objects (pickle)"},
        {std::string("\x93NUMPY\x01\x00", 8), "its values are NumPy files (.npy)"}};
    for (const auto& [object, said] : objects) {
      const tests::TemporaryFolder folder;
      QVERIFY(tests::put(folder.path(), {{"1", object}, {"2", object}}) != nullptr);
      const auto open = [&](const std::string& content) {
        return tests::openSource("lmdb", {{"paths", TextList{"x.mdb"}}, {"content", content}},
                                 folder.path());
      };
      QVERIFY(tests::says(open("auto"), said));
      VERIFY_OK(open("bytes"));
    }
  }

  void arraysAreReadPlainAndPackedSideBySide() {
    MILLRACE_NEEDS_PART("lmdb");
    MILLRACE_NEEDS_PART("lz4");
    const tests::TemporaryFolder folder;
    const std::string plain(kBytes, 'p');
    const auto written =
        tests::put(folder.path(), {{"1 plain", plain},
                                   {"2 block", sized(kBytes, block())},
                                   {"3 frame", frame(block(), false)},
                                   {"4 stored frame", frame(unpackedBlock(), true)},
                                   {"5 of another size", "short"},
                                   {"6 a frame of less", frame("bcdef", true)}});
    QVERIFY(written != nullptr);
    const auto source =
        tests::openSource("lmdb", {{"paths", TextList{(folder.path() / "x.mdb").string()}},
                                   {"value", std::string("a:u8:300")}});
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 6U);
    const auto reader = (*source)->reader();
    ReadCounters counters;
    const auto read = [&](std::uint32_t index) -> std::string {
      Sample sample(1);
      sample.reset({0, index, 0}, 1);
      const Status done = reader->read(index, sample, counters);
      if (!done) return "error: " + done.error().message;
      const TensorView& view = sample[0];
      return {reinterpret_cast<const char*>(view.data), view.bytes};
    };
    QCOMPARE(read(0), plain);
    QCOMPARE(read(1), unpackedBlock());
    QCOMPARE(read(2), unpackedBlock());
    QCOMPARE(read(3), unpackedBlock());
    QCOMPARE(read(4), std::string("error: it has 5 bytes, but 300 u8 have 300"));
    QCOMPARE(read(5), std::string("error: decompressed, it has 5 bytes instead of 300"));
    QCOMPARE(read(1), unpackedBlock());  // after an error as before
  }

  void valuesOfAnotherKindAreCountedAndFailAlone() {
    MILLRACE_NEEDS_PART("lmdb");
    const std::string jpeg = "\xff\xd8\xff\xe0 and so on";
    const tests::TemporaryFolder folder;
    tests::LmdbValues values;
    for (char number = 'a'; number <= 't'; ++number) {
      values[std::string("image-") + number] = jpeg;
      if (number > 'j') values[std::string("label-") + number] = "a word";
    }
    QVERIFY(tests::put(folder.path(), values) != nullptr);
    const auto source =
        tests::openSource("lmdb", {{"paths", TextList{(folder.path() / "x.mdb").string()}}});
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 30U);
    QCOMPARE((*source)->fields().front().name, std::string("image"));
    QCOMPARE((*source)->warnings(),
             (TextList{"x.mdb: 10 of the 30 values examined are not pictures and will fail; first: "
                       "label-k"}));
  }

  void whatIsDamagedIsSaidSoAndNeverWrittenBehind_data() {
    QTest::addColumn<QByteArray>("packed");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const std::string& packed, const char* says) {
      QTest::newRow(name) << QByteArray::fromStdString(packed) << says;
    };
    row("cut block", sized(kBytes, block().substr(0, 6)), "LZ4 block is damaged");
    row("block of more", sized(kBytes, block() + block()), "LZ4 block is damaged");
    row("cut frame", frame(block(), false).substr(0, 20), "is truncated");
    row("frame without its end", frame(block(), false).substr(0, 7 + 4 + 12), "is truncated");
    row("frame of more", frame(std::string(kBytes + 1, 'x'), true), "more bytes than expected");
    std::string wrongHead = frame(block(), false);
    wrongHead[6] = '\x00';
    row("sum of the head", wrongHead, "LZ4 frame is damaged");
  }
  void whatIsDamagedIsSaidSoAndNeverWrittenBehind() {
    MILLRACE_NEEDS_PART("lz4");
    QFETCH(QByteArray, packed);
    QFETCH(QString, says);
    std::string to(kBytes + 16, '#');
    Lz4Unpacker unpacker;
    const Status done =
        unpacker.unpack(bytesOf(packed.toStdString()),
                        std::as_writable_bytes(std::span(to.data(), to.size())).first(kBytes));
    QVERIFY(!done);
    QVERIFY2(QString::fromStdString(done.error().message).contains(says),
             done.error().message.c_str());
    QCOMPARE(to.substr(kBytes), std::string(16, '#'));
  }

  void nothingElseIsTakenForPacked() {
    QVERIFY(!Lz4Unpacker::isPacked(bytesOf(""), 0));
    QVERIFY(!Lz4Unpacker::isPacked(bytesOf(sized(7, "")), 7));
    QVERIFY(!Lz4Unpacker::isPacked(bytesOf(sized(7, "abc")), 8));
    QVERIFY(Lz4Unpacker::isPacked(bytesOf(sized(7, "abc")), 7));
  }
};

}  // namespace millrace

using millrace::TestLmdbValues;
MILLRACE_TEST_CASE(TestLmdbValues)
#include "tst_lmdb_values.moc"
