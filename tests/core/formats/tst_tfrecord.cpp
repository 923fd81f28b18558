// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tfrecord/tfrecord.h"

#include "core/formats/io/open_file.h"
#include "core/formats/io/unpacked_file.h"
#include "core/formats/shard_files.h"
#include "tests/support/real_data.h"
#include "tests/support/record_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::tfRecord;
using Texts = std::vector<std::string>;

/// The result of scanning a file: each payload, or why it cannot be read, then the damage.
Texts recordsOf(const std::filesystem::path& path, bool check = true, std::size_t step = 1000) {
  const auto file = openForReading(path);
  if (!file) return {file.error().message};
  TfRecordScan scan(file->fd.get(), file->size);
  TfRecordIndex index;
  while (!scan.done())
    if (!scan.advance(step, index)) return {"cannot be scanned"};
  Texts texts;
  RangeReader reader;
  ReadCounters counters;
  for (std::size_t i = 0; i < index.size(); ++i) {
    const auto record = readTfRecord(reader, file->fd.get(), index.at(i), check, counters);
    texts.push_back(record
                        ? std::string(reinterpret_cast<const char*>(record->data()), record->size())
                        : "error: " + record.error().message);
  }
  for (const std::string& damage : scan.damage()) texts.push_back("damage: " + damage);
  return texts;
}

Texts recordsIn(const std::string& bytes, bool check = true, std::size_t step = 1000) {
  const tests::TemporaryFolder folder;
  folder.write("a.tfrecord", bytes);
  return recordsOf(folder.path() / "a.tfrecord", check, step);
}

}  // namespace

class TestTfRecord : public QObject {
  Q_OBJECT
 private slots:
  void findsRecordsOfAnyLength() {
    std::string bytes;
    Texts payloads;
    for (std::size_t i = 0; i < 300; ++i) {
      payloads.push_back(
          std::string(i % 7 == 0 ? 40000 + i : i % 5, static_cast<char>('a' + i % 26)));
      bytes += tfRecord(payloads.back());
    }
    QCOMPARE(recordsIn(bytes), payloads);
    QCOMPARE(recordsIn(bytes, true, 1), payloads);
    QCOMPARE(recordsIn(""), Texts{});
  }

  void passesDamageOverAndNamesIt() {
    const std::string head = tfRecord("first") + "XX" + tfRecord("second");
    QCOMPARE(recordsIn(head + tfRecord("third")),
             (Texts{"first", "second", "third",
                    "damage: no record header at byte 21: 2 bytes left out, up to the next one"}));
    std::string flipped = tfRecord("first") + tfRecord("second") + tfRecord("third");
    flipped[21] ^= 1;  // in the length of the second record
    QCOMPARE(recordsIn(flipped),
             (Texts{"first", "third",
                    "damage: no record header at byte 21: 22 bytes left out, up to the next one"}));
    QCOMPARE(recordsIn("no TFRecord at all, but longer than a head").back(),
             std::string("damage: no record header at byte 0 or after it: the rest, 42 "
                         "bytes, is left out"));
  }

  void checksTheSumOfThePayloadWhenAsked() {
    std::string bytes = tfRecord("first") + tfRecord("second");
    bytes[14] = 'X';
    QCOMPARE(recordsIn(bytes),
             (Texts{"error: the record at byte 0 is damaged: its checksum is wrong", "second"}));
    QCOMPARE(recordsIn(bytes, false), (Texts{"fiXst", "second"}));
  }

  void namesWhereAFileIsCutShort() {
    const std::string whole = tfRecord("first") + tfRecord("second");
    for (std::size_t cut = 22; cut < whole.size(); ++cut) {
      const Texts found = recordsIn(whole.substr(0, cut));
      QCOMPARE(found.size(), std::size_t{2});
      QCOMPARE(found.front(), std::string("first"));
      QVERIFY2(found.back().find("at byte 21") != std::string::npos, found.back().c_str());
    }
  }

  void refusesALengthThatTheFileCannotHold() {
    const std::string length = tests::littleEndian(std::uint64_t{1} << 60U, 8);
    const std::uint32_t crc = tests::plainCrc32c(length);
    const std::string head =
        length + tests::littleEndian((crc >> 15U | crc << 17U) + 0xa282ead8U, 4);
    const Texts found = recordsIn(head + std::string(40, 'x'));
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY(found.front().find("ends within the record at byte 0") != std::string::npos);
  }

  void aFileThatShrankIsAnErrorOfItsRecord() {
    const tests::TemporaryFolder folder;
    folder.write("a", tfRecord("first") + tfRecord("second"));
    const auto file = openForReading(folder.path() / "a");
    VERIFY_OK(file);
    TfRecordScan scan(file->fd.get(), file->size);
    TfRecordIndex index;
    VERIFY_OK(scan.advance(10, index));
    std::filesystem::resize_file(folder.path() / "a", 25);
    RangeReader reader;
    ReadCounters counters;
    const auto record = readTfRecord(reader, file->fd.get(), index.at(1), true, counters);
    QVERIFY(!record.ok());
    QVERIFY(record.error().message.find("ends at byte 25") != std::string::npos);
  }

  void expandsBracesAsAShellDoes() {
    const auto names = expandBraces("d/{a,b}-{08..10}.tar");
    VERIFY_OK(names);
    QCOMPARE(*names, (Texts{"d/a-08.tar", "d/a-09.tar", "d/a-10.tar", "d/b-08.tar", "d/b-09.tar",
                            "d/b-10.tar"}));
    QCOMPARE(*expandBraces("plain"), Texts{"plain"});
    for (const char* wrong : {"{", "{a{b}}", "{2..1}", "{0..99999999}", "{a..b}"})
      QVERIFY2(!expandBraces(wrong).ok(), wrong);
  }

  void aFileWhoseNameHasBracesIsTakenAsItIs() {
    const tests::TemporaryFolder folder;
    folder.write("{a,b}.tfrecord", "");
    const auto files = [&] {
      std::vector<std::string> notes;
      std::vector<std::filesystem::path> paths;
      const auto files = shardFiles(
          {"{a,b}.tfrecord"}, folder.path(), [](std::string_view) { return true; }, notes);
      for (const ShardFile& file : *files) paths.push_back(file.path);
      return paths;
    };
    using Paths = std::vector<std::filesystem::path>;
    QCOMPARE(files(), Paths{folder.path() / "{a,b}.tfrecord"});
    std::filesystem::remove(folder.path() / "{a,b}.tfrecord");
    QCOMPARE(files(), (Paths{folder.path() / "a.tfrecord", folder.path() / "b.tfrecord"}));
  }

  void unpacksGzipOfSeveralMembers() {
    // `printf hello | gzip -n` and `printf ' you' | gzip -n`.
    const std::string hello(
        "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\x07\x00\x86\xa6\x10\x36\x05"
        "\x00\x00\x00",
        25);
    const tests::TemporaryFolder folder;
    folder.write("a.gz", hello + hello);
    const auto packed = openForReading(folder.path() / "a.gz");
    VERIFY_OK(packed);
    const auto plain = unpacked(*packed, Packing::Gzip);
    VERIFY_OK(plain);
    char text[16] = {};
    QCOMPARE(*readAt(plain->fd.get(), 0, text, sizeof text), std::size_t{10});
    QCOMPARE(std::string(text), std::string("hellohello"));
    for (const std::size_t cut : {5UL, 15UL, 24UL, 30UL}) {
      folder.write("cut.gz", (hello + hello).substr(0, cut));
      const auto file = openForReading(folder.path() / "cut.gz");
      VERIFY_OK(file);
      const auto content = unpacked(*file, Packing::Gzip);
      QVERIFY(!content.ok());
      QVERIFY2(content.error().message.find("byte") != std::string::npos,
               content.error().message.c_str());
    }
  }

  void keepsWhatComesBeforeDamageOnRequest() {
    const std::string hello(
        "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\x07\x00\x86\xa6\x10\x36\x05"
        "\x00\x00\x00",
        25);
    std::string wrong = hello;
    wrong[18] = '\0';
    const tests::TemporaryFolder folder;
    const std::pair<std::string, std::string> cases[] = {
        {hello + hello.substr(0, 15), "the compressed content is truncated at byte 40"},
        {hello + wrong, "the checksum of the compressed content before byte 50 is wrong"},
        {hello + hello.substr(0, 10) + "\xff\xff\xff\xff\xff\xff\xff",
         "the compressed content is damaged before byte "},
    };
    for (const auto& [bytes, reason] : cases) {
      folder.write("a.gz", bytes);
      const auto file = openForReading(folder.path() / "a.gz");
      VERIFY_OK(file);
      std::string damage;
      const auto content = unpacked(*file, Packing::Gzip, &damage);
      VERIFY_OK(content);
      QVERIFY2(damage.starts_with(reason), damage.c_str());
      char text[16] = {};
      QVERIFY(*readAt(content->fd.get(), 0, text, sizeof text) >= 5);
      QVERIFY(std::string(text).starts_with("hello"));
    }
  }

  void readsFilesThatOthersWrote() {
    const auto data = tests::realData();
    if (!data) QSKIP("no real data here");
    const auto folder = *data / "containers";
    QCOMPARE(recordsOf(folder / "tfrecord_raw_bytes/grain/_src/python/testdata/"
                                "morris_sequence_first_5.tfrecord"),
             (Texts{"1", "1 1", "2 1", "1 2 1 1", "1 1 1 2 2 1"}));
    const Texts pets = recordsOf(folder /
                                 "tfrecord_cow/object_detection/test_data/"
                                 "pets_examples.record");
    QVERIFY(!pets.empty());
    for (const std::string& pet : pets)
      QVERIFY(!pet.starts_with("error") && !pet.starts_with("dam"));
  }
};

}  // namespace millrace

using millrace::TestTfRecord;
MILLRACE_TEST_CASE(TestTfRecord)
#include "tst_tfrecord.moc"
