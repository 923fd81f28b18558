// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/io/compressed_file.h"

#include <map>
#include <string>

#include "core/base/text/text.h"
#include "tests/support/needs_part.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::TemporaryFolder;

/// The digits 0 to 9, repeated, compressed by Python's bz2, brotli and snappy and by zstd.
struct Digits {
  Compression compression;
  std::size_t times;
  const char* packed;
};
const std::map<std::string, Digits> kDigits = {
    {"bzip2",
     {Compression::Bzip2, 30000,
      "425a68393141592653594ade53f9003a9788007fe0200091100300a550c26702892bc0a24af42892be0a24ac"
      "05125642892b414495b0a24afc2892b814494c5dc914e142412b794fe4"}},
    {"brotli", {Compression::Brotli, 30000, "5bdf93845fdc606c5ed28803430120170940399dbd07"}},
    {"snappy",
     {Compression::Snappy, 30, "ac022430313233343536373839fe0a00fe0a00fe0a00fe0a00860a00"}},
    {"zstd", {Compression::Zstd, 1, "28b52ffd200a51000030313233343536373839"}},
};

std::string digits(std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += "0123456789";
  return text;
}

/// The decompressed content of the file, or the error.
std::string contentOfCompressed(const TemporaryFolder& folder, const std::string& packed,
                                Compression compression, std::uint64_t most) {
  folder.write("packed", packed);
  const auto file = openForReading(folder.path() / "packed");
  if (!file) return "error: " + file.error().message;
  const auto whole = uncompressed(*file, compression, most);
  if (!whole) return "error: " + whole.error().message;
  std::string text(whole->size, '\0');
  const auto got =
      readAt(whole->fd.get(), 0, reinterpret_cast<std::byte*>(text.data()), text.size());
  return got && *got == text.size() ? text : "error: the file is shorter than it says";
}

}  // namespace

class TestCompressedFile : public QObject {
  Q_OBJECT
 private slots:
  void contentIsWhatWasPacked_data() { everyKind(); }
  void contentIsWhatWasPacked() {
    const TemporaryFolder folder;
    MILLRACE_NEEDS_PART(QTest::currentDataTag());
    const auto [compression, times, packed] = digitsAtHand();
    QCOMPARE(contentOfCompressed(folder, packed, compression, times * 10), digits(times));
  }

  void moreThanThereShouldBeIsAnError_data() { everyKind(); }
  void moreThanThereShouldBeIsAnError() {
    const TemporaryFolder folder;
    MILLRACE_NEEDS_PART(QTest::currentDataTag());
    const auto [compression, times, packed] = digitsAtHand();
    const std::string said = contentOfCompressed(folder, packed, compression, times * 10 - 1);
    const std::string most = grouped(times * 10 - 1);
    QVERIFY2(said.ends_with("longer than the expected " + most + " bytes"), said.c_str());
  }

  void whatIsCutShortIsAnError_data() { everyKind(); }
  void whatIsCutShortIsAnError() {
    const TemporaryFolder folder;
    MILLRACE_NEEDS_PART(QTest::currentDataTag());
    const auto [compression, times, packed] = digitsAtHand();
    for (std::size_t bytes = 0; bytes < packed.size(); ++bytes) {
      const std::string said =
          contentOfCompressed(folder, packed.substr(0, bytes), compression, times * 10);
      QVERIFY2(said.starts_with("error: the compressed content is "), said.c_str());
    }
  }

  void whatIsNoSuchContentIsAnError_data() { everyKind(); }
  void whatIsNoSuchContentIsAnError() {
    const TemporaryFolder folder;
    MILLRACE_NEEDS_PART(QTest::currentDataTag());
    const auto [compression, times, packed] = digitsAtHand();
    const std::string said =
        contentOfCompressed(folder, std::string(40, '\xff'), compression, times * 10);
    QVERIFY2(said.starts_with("error: the compressed content is damaged"), said.c_str());
  }

  void bzip2StreamsBehindEachOtherAreOneContent() {
    const TemporaryFolder folder;
    MILLRACE_NEEDS_PART("bzip2");
    const Digits& known = kDigits.at("bzip2");
    const std::string packed = QByteArray::fromHex(known.packed).toStdString();
    QCOMPARE(contentOfCompressed(folder, packed + packed, known.compression, 600000),
             digits(60000));
    QVERIFY(contentOfCompressed(folder, packed + "rest", known.compression, 600000)
                .ends_with("damaged before byte 73: no bzip2 stream starts there"));
  }

  void bytesBehindABrotliStreamAreDamage() {
    const TemporaryFolder folder;
    MILLRACE_NEEDS_PART("brotli");
    const Digits& known = kDigits.at("brotli");
    const std::string packed = QByteArray::fromHex(known.packed).toStdString();
    QVERIFY(contentOfCompressed(folder, packed + "rest", known.compression, 600000)
                .ends_with("damaged before byte 22: there are bytes after its end"));
  }

 private:
  struct AtHand {
    Compression compression;
    std::size_t times;
    std::string packed;
  };
  static void everyKind() {
    QTest::addColumn<std::string>("kind");
    for (const auto& [kind, known] : kDigits) QTest::newRow(kind.c_str()) << kind;
  }
  static AtHand digitsAtHand() {
    QFETCH(std::string, kind);
    const Digits& known = kDigits.at(kind);
    return {known.compression, known.times, QByteArray::fromHex(known.packed).toStdString()};
  }
};

}  // namespace millrace

using millrace::TestCompressedFile;
MILLRACE_TEST_CASE(TestCompressedFile)
#include "tst_compressed_file.moc"
