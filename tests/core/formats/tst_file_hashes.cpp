// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/io/file_hashes.h"

#include <filesystem>
#include <string>

#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// Bytes that encode their own offset; longer than one read and not a multiple of it.
std::string longContent() {
  std::string text;
  for (std::size_t i = 0; i < 3 * 1048576 + 5; ++i) text += static_cast<char>(i * 31 + i / 251);
  return text;
}

}  // namespace

class TestFileHashes : public QObject {
  Q_OBJECT
 private slots:
  /// Expected values were computed with Python's xxhash.
  void digitsAreThoseOfOthers_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("ofNothing");
    QTest::addColumn<QString>("ofALongFile");
    const auto row = [](const char* kind, const char* nothing, const char* whole) {
      QTest::newRow(kind) << kind << nothing << whole;
    };
    row("xxh32", "02cc5d05", "76789105");
    row("xxh64", "ef46db3751d8e999", "e15ca0ae243a8db1");
    row("xxh3_64", "2d06800538d394c2", "58de85bd7dc19170");
    row("xxh128", "99aa06d3014798d86001c324468d497f", "d6002900cc47364558de85bd7dc19170");
    row("xxh3_128", "99aa06d3014798d86001c324468d497f", "d6002900cc47364558de85bd7dc19170");
  }
  void digitsAreThoseOfOthers() {
    QFETCH(QString, kind);
    QFETCH(QString, ofNothing);
    QFETCH(QString, ofALongFile);
    const tests::TemporaryFolder folder;
    folder.write("empty", "");
    folder.write("long", longContent());
    const auto check = [&](const char* name, const QString& digits, ReadBy by) {
      const auto file = openForReading(folder.path() / name);
      const FileHash hash{kind.toStdString(), digits.toStdString()};
      return compareHashes(*file, std::span(&hash, 1), by);
    };
    QVERIFY(isKnownHash(kind.toStdString()));
    for (const ReadBy by : {ReadBy::Cache, ReadBy::Direct}) {
      VERIFY_OK(check("empty", ofNothing, by));
      VERIFY_OK(check("long", ofALongFile, by));
      const Status other = check("long", ofNothing, by);
      QVERIFY(!other);
      const QString said = QString::fromStdString(other.error().message);
      QVERIFY2(
          said.startsWith(
              QString("its %1 is %2, but the index says %3: ").arg(kind, ofALongFile, ofNothing)),
          qPrintable(said));
    }
  }

  void eachHashOfAFileIsCompared() {
    const tests::TemporaryFolder folder;
    folder.write("empty", "");
    const auto file = openForReading(folder.path() / "empty");
    std::vector<FileHash> hashes{{"xxh32", "02cc5d05"}, {"xxh64", "ef46db3751d8e999"}};
    VERIFY_OK(compareHashes(*file, hashes, ReadBy::Cache));
    hashes[1].digits = "0";
    const Status second = compareHashes(*file, hashes, ReadBy::Cache);
    QVERIFY(!second && second.error().message.starts_with("its xxh64 is ef46"));
  }

  void aFileWithoutAHashOfAKnownKindIsNotRead() {
    OpenFile file;
    file.size = 1000;  // without a descriptor: reading would fail
    const std::vector<FileHash> others{{"sha1", "00"}, {"XXH64", "00"}};
    VERIFY_OK(compareHashes(file, others, ReadBy::Cache));
    VERIFY_OK(compareHashes(file, {}, ReadBy::Cache));
    QVERIFY(!isKnownHash("sha1") && !isKnownHash(""));
  }

  void aFileThatBecameShorterIsAnError() {
    const tests::TemporaryFolder folder;
    folder.write("file", std::string(100, 'x'));
    const auto file = openForReading(folder.path() / "file");
    std::filesystem::resize_file(folder.path() / "file", 60);
    const std::vector<FileHash> hashes{{"xxh64", "00"}};
    const Status cut = compareHashes(*file, hashes, ReadBy::Cache);
    QVERIFY(!cut && cut.error().message.starts_with("the file ends at byte 60"));
  }
};

}  // namespace millrace

using millrace::TestFileHashes;
MILLRACE_TEST_CASE(TestFileHashes)
#include "tst_file_hashes.moc"
