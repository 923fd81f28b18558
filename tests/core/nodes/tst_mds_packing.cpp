// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Compressed MDS shards, and hashes of shards.
#include <filesystem>

#include "tests/core/nodes/usual_mds.h"
#include "tests/support/needs_part.h"
#include "tests/support/real_data.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;
using tests::has;
using tests::kJpeg;
using tests::kUsualMds;
using tests::littleEndian;
using tests::mdsEntry;
using tests::mdsIndex;
using tests::mdsShard;
using tests::Opened;
using tests::openMds;
using tests::openSource;
using tests::sampleText;
using tests::says;
using tests::TemporaryFolder;
using tests::usualMds;
using tests::withHashes;
using Texts = std::vector<std::string>;

/// Opens the folder's data set with hashes checked.
Opened openChecked(const TemporaryFolder& folder, const char* readBy = "cache") {
  return openSource(
      "mds",
      {{"paths", Texts{folder.path()}}, {"check_hashes", true}, {"read_by", std::string(readBy)}},
      folder.path());
}

/// A Zstandard frame with one uncompressed block.
std::string storedZstd(const std::string& content) {
  return std::string("\x28\xb5\x2f\xfd\xa0") + littleEndian(content.size(), 4) +
         littleEndian(content.size() << 3U | 1U, 3) + content;
}

/// Hashes of shards with samples 1 and 2, with 3, and of the first in storedZstd(), by Python's
/// xxhash.
const std::string kFirstHash = "f92aeb7feb7d965e";
const std::string kSecondHash = "3b3777efc7296e92";
const std::string kPackedHash = "c169a9bc61ab7f5a";

std::string xxh64(const std::string& digits) { return R"("xxh64":")" + digits + R"(")"; }

}  // namespace

class TestMdsPacking : public QObject {
  Q_OBJECT
 private slots:
  void aShardAndItsCompressedCopyAreReadOnce() {
    MILLRACE_NEEDS_PART("zstd");
    const TemporaryFolder folder;
    const std::string shard = mdsShard(kUsualMds, {usualMds(1)});
    folder.write("a.mds", shard);
    folder.write("a.mds.zstd", storedZstd(shard));
    const auto source = openMds(folder, {folder.path()});
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 1U);
  }

  void aShardWithAnotherHashFailsItsSamplesAndNoOthers() {
    const TemporaryFolder folder;
    const std::string first = mdsShard(kUsualMds, {usualMds(1), usualMds(2)});
    std::string second = mdsShard(kUsualMds, {usualMds(3)});
    const auto entry = [](const char* name, const std::string& shard, int samples,
                          const std::string& hash) {
      return withHashes(mdsEntry(kUsualMds, name, shard.size(), samples), "raw_data", xxh64(hash));
    };
    folder.write("index.json", mdsIndex(entry("a.mds", first, 2, kFirstHash) + "," +
                                        entry("b.mds", second, 1, kSecondHash)));
    folder.write("a.mds", first);
    folder.write("b.mds", second);
    for (const char* by : {"cache", "direct"}) {
      const auto source = openChecked(folder, by);
      VERIFY_OK(source);
      QVERIFY((*source)->warnings().empty());
      QCOMPARE(sampleText(**source, 1), "a.mds#1: " + kJpeg + "2|2");
      QCOMPARE(sampleText(**source, 2), "b.mds#0: " + kJpeg + "3|3");
    }
    second.back() = 'x';  // of its label, which nothing else would notice
    folder.write("b.mds", second);
    const auto source = openChecked(folder);
    QCOMPARE(sampleText(**source, 0), "a.mds#0: " + kJpeg + "1|1");
    const std::string said = sampleText(**source, 2);
    QVERIFY2(said.starts_with("b.mds#0: error: its xxh64 is "), said.c_str());
    QVERIFY2(has(said, "but the index says " + kSecondHash), said.c_str());
    QVERIFY(!has(sampleText(**openMds(folder, {folder.path()}), 2), "error"));
  }

  void aCompressedShardIsComparedPackedAndUnpacked() {
    MILLRACE_NEEDS_PART("zstd");
    const TemporaryFolder folder;
    const std::string shard = mdsShard(kUsualMds, {usualMds(1), usualMds(2)});
    folder.write("a.mds.zstd", storedZstd(shard));
    const auto read = [&](const std::string& packed, const std::string& raw) {
      const std::string entry = mdsEntry(kUsualMds, "a.mds", shard.size(), 2, "zstd:3");
      folder.write("index.json", mdsIndex(withHashes(withHashes(entry, "zip_data", xxh64(packed)),
                                                     "raw_data", xxh64(raw))));
      const auto source = openChecked(folder);
      return source ? sampleText(**source, 1) : source.error().message;
    };
    QCOMPARE(read(kPackedHash, kFirstHash), "a.mds.zstd#1: " + kJpeg + "2|2");
    QVERIFY(has(read(kFirstHash, kFirstHash), ": its xxh64 is " + kPackedHash));
    QVERIFY(has(read(kPackedHash, kPackedHash), ": decompressed, its xxh64 is " + kFirstHash));
    folder.write("a.mds", shard);  // which is used instead
    QCOMPARE(read("0", kFirstHash), "a.mds#1: " + kJpeg + "2|2");
  }

  void shardsOfEveryCompressionAreRead_data() {
    QTest::addColumn<QByteArray>("packed");
    QTest::newRow("bz2") << QByteArray(
        "425a6839314159265359a1624ad50000065be8500010040010000aaeb7ce3820000004008020005434a32604"
        "c980020953d50340d1a0186a35956b80fa22293cd94125b100d8449c274e9cb5649ef928ac8af9e1289ac38d"
        "01b30b78ee17aac01f8bb9229c284850b1256a80425a6839314159265359932cd57400000edb83f800d00430"
        "50000a27279f02004040000000a0005435403403134d31a4fd404aa794cd468034d034022a8e100ae0a7757a"
        "70449f536ca2928f2c3deea165226c278d7409c997204503c83a17ef98d97c4aa020a8b0bb9229c284849966"
        "aba0");
    QTest::newRow("br") << QByteArray(
        "1bb600181c85711bbde95f1469fd413811e8e0d6890ee251e289471a461688db525f687f3275118b22177e05"
        "2d069b45e7a1eb1bc7e70b0ca25fcb3acd03aed3222b8dbe9e2c7d8a992c888a8c9209252201050de3496835"
        "3d28633ec0e3acde111f73776c8b4bdc669645990aea9df076c0fc4ffa07fcfef96b285e21811a0455");
    QTest::newRow("snappy") << QByteArray(
        "b701b002000000810000009c000000b70000007b22636f6c756d6e5f6e616d6573223a5b22696d67222c2279"
        "225d2c220d1b1c656e636f64696e67051f246a706567222c22696e741d220873697a053de06e756c6c2c385d"
        "2c22666f726d6174223a226d6473222c2276657273696f6e223a327d0f000000ffd8ffe020616e6420736f20"
        "6f6e310100000502461b0020320200000000000000");
  }
  /// Two samples, compressed by the Python packages that mosaicml-streaming uses.
  void shardsOfEveryCompressionAreRead() {
    QFETCH(QByteArray, packed);
    const std::string end = QTest::currentDataTag();
    MILLRACE_NEEDS_PART(end == "br" ? "brotli" : end == "bz2" ? "bzip2" : end);
    const TemporaryFolder folder;
    folder.write("a.mds." + end, QByteArray::fromHex(packed).toStdString());
    const std::size_t bytes = mdsShard(kUsualMds, {usualMds(1), usualMds(2)}).size();
    folder.write("index.json", mdsIndex(mdsEntry(kUsualMds, "a.mds", bytes, 2, end)));
    for (const std::string& path : {folder.path().native(), "a.mds." + end}) {
      const auto source = openMds(folder, {path});
      VERIFY_OK(source);
      QCOMPARE(sampleText(**source, 1), "a.mds." + end + "#1: " + kJpeg + "2|2");
    }
  }

  void aCheckThatCannotBeMadeIsSaid() {
    const TemporaryFolder folder;
    const std::string shard = mdsShard(kUsualMds, {usualMds(1)});
    for (const char* name : {"a.mds", "b.mds", "c.mds"}) folder.write(name, shard);
    const auto entry = [&](const char* name) { return mdsEntry(kUsualMds, name, shard.size(), 1); };
    folder.write(
        "index.json",
        mdsIndex(withHashes(entry("a.mds"), "raw_data", R"("sha1":"0","md5":"0")") + "," +
                 withHashes(entry("b.mds"), "raw_data", xxh64("0")) + "," + entry("c.mds")));
    const auto source = openChecked(folder);
    VERIFY_OK(source);
    QCOMPARE(
        (*source)->warnings(),
        (Texts{"hashes of kind md5, sha1 are not checked; only xxh32, xxh64, xxh3_64 and xxh128 "
               "are",
               "2 of 3 shards have no hash that can be checked"}));
    QCOMPARE(sampleText(**source, 0), "a.mds#0: " + kJpeg + "1|1");
    QVERIFY(openMds(folder, {folder.path()}).value()->warnings().empty());
  }

  void packedDamageIsNamedByItsPlace() {
    MILLRACE_NEEDS_PART("zstd");
    const auto data = tests::realData();
    if (!data) QSKIP("no real data");
    const TemporaryFolder folder;
    const fs::path from = *data / "containers/mds/jpeg_zstd/shard.00001.mds.zstd";
    fs::copy_file(from, folder.path() / "cut.mds.zstd");
    fs::permissions(folder.path() / "cut.mds.zstd", fs::perms::owner_all);
    fs::resize_file(folder.path() / "cut.mds.zstd", 50000);
    QVERIFY(says(openMds(folder, {"cut.mds.zstd"}), "truncated at byte 50 000"));
    folder.write("bad.mds.zstd", std::string("\x28\xb5\x2f\xfd\x20\x01\x07\x00\x00", 9));
    QVERIFY(says(openMds(folder, {"bad.mds.zstd"}), "damaged before byte"));
  }
};

}  // namespace millrace

using millrace::TestMdsPacking;
MILLRACE_TEST_CASE(TestMdsPacking)
#include "tst_mds_packing.moc"
