// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The source of MosaicML's MDS shards.
#include <cstring>
#include <filesystem>

#include "tests/core/nodes/open_source.h"
#include "tests/core/nodes/source_text.h"
#include "tests/support/mds_bytes.h"
#include "tests/support/needs_part.h"
#include "tests/support/real_data.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;
using tests::fieldsOf;
using tests::kJpeg;
using tests::littleEndian;
using tests::mdsEntry;
using tests::mdsIndex;
using tests::mdsShard;
using tests::Opened;
using tests::openSource;
using tests::sampleText;
using tests::says;
using tests::TemporaryFolder;
using tests::withHashes;
using Columns = std::vector<tests::MdsColumnText>;
using Texts = std::vector<std::string>;

const Columns kUsual = {{"img", "jpeg"}, {"y", "int", 8}};

std::vector<std::string> usual(int label) {
  return {kJpeg + std::to_string(label), littleEndian(static_cast<unsigned>(label), 8)};
}

Opened openMds(const TemporaryFolder& folder, const Texts& paths, const Texts& columns = {}) {
  return openSource("mds", {{"paths", paths}, {"columns", columns}}, folder.path());
}

/// Opens the folder's data set with hashes checked.
Opened openChecked(const TemporaryFolder& folder, const char* readBy = "cache") {
  return openSource(
      "mds",
      {{"paths", Texts{folder.path()}}, {"check_hashes", true}, {"read_by", std::string(readBy)}},
      folder.path());
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
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

class TestMds : public QObject {
  Q_OBJECT
 private slots:
  void anIndexNumbersTheSamplesOfItsShards() {
    const TemporaryFolder folder;
    const std::string first = mdsShard(kUsual, {usual(1), usual(2)});
    const std::string second = mdsShard(kUsual, {usual(3)});
    folder.write("a/shard.00000.mds", first);
    folder.write("a/shard.00001.mds", second);
    folder.write("a/index.json",
                 mdsIndex(mdsEntry(kUsual, "shard.00000.mds", first.size(), 2) + "," +
                          mdsEntry(kUsual, "shard.00001.mds", second.size(), 1)));
    for (const char* path : {"a", "a/index.json", "a/shard.0000{0,1}.mds"}) {
      const auto source = openMds(folder, {path});
      VERIFY_OK(source);
      QCOMPARE((*source)->size(), 3U);
      QCOMPARE(fieldsOf(**source), (Texts{"image encoded", "label i64 scalar"}));
      QCOMPARE(sampleText(**source, 1), "shard.00000.mds#1: " + kJpeg + "2|2");
      QCOMPARE(sampleText(**source, 2), "shard.00001.mds#0: " + kJpeg + "3|3");
      QCOMPARE((*source)->file(2), (folder.path() / "a/shard.00001.mds").native());
      QVERIFY((*source)->warnings().empty());
    }
  }

  void columnsBecomeFieldsOfTheirTypes() {
    const TemporaryFolder folder;
    const Columns columns = {{"_id", "uint32", 4},
                             {"a", "ndarray"},
                             {"b", "ndarray:float64"},
                             {"c", "ndarray:uint8:2,3", 6},
                             {"d", "str_int"},
                             {"e", "str"},
                             {"f", "pkl"}};
    // Type 33 is int32; two axes of one byte each, with sizes 1 and 1.
    const std::string array = std::string("\x21") + "\x08\x01\x01" + littleEndian(7, 4);
    const double number = 2.5;
    std::string real("\x04\x01", 2);
    real.append(reinterpret_cast<const char*>(&number), sizeof number);
    folder.write("s.mds", mdsShard(columns, {{littleEndian(4000000000U, 4), array, real, "abcdef",
                                              "-12", "words", "object"}}));
    const auto source = openMds(folder, {"s.mds"});
    VERIFY_OK(source);
    QCOMPARE(fieldsOf(**source), (Texts{"id i64 scalar", "a i32 1x1", "b f64 1", "c u8 2x3",
                                        "d i64 scalar", "e u8 5"}));
    QCOMPARE(sampleText(**source, 0),
             std::string("s.mds#0: 4000000000|7|2.500000|abcdef|-12|words"));
    const auto chosen = openMds(folder, {"s.mds"}, {"word=e:encoded", "class=_id:label"});
    VERIFY_OK(chosen);
    QCOMPARE(fieldsOf(**chosen), (Texts{"word encoded", "class i64 scalar"}));
    QVERIFY(says(openMds(folder, {"s.mds"}, {"x"}), "there is no column `x`; there are _id"));
    QVERIFY(says(openMds(folder, {"s.mds"}, {"f"}), "Python objects"));
    QVERIFY(says(openMds(folder, {"s.mds"}, {"a:f32:1x1"}), "holds ndarray, not f32"));
  }

  void damageFailsItsSamplesAndNoOthers() {
    const TemporaryFolder folder;
    std::string shard = mdsShard(kUsual, {usual(1), usual(2), usual(3)});
    const std::string whole = shard;
    shard.replace(8, 4, littleEndian(0xfffffff0U, 4));  // where the second begins
    folder.write("s.mds", shard);
    const auto source = openMds(folder, {"s.mds"});
    VERIFY_OK(source);
    QVERIFY(sampleText(**source, 0).find("error: it should be at bytes") != std::string::npos);
    QVERIFY(sampleText(**source, 1).find("of a file of") != std::string::npos);
    QCOMPARE(sampleText(**source, 2), "s.mds#2: " + kJpeg + "3|3");
    shard = whole;
    shard.replace(shard.size() - 8 - kJpeg.size() - 5, 4,
                  littleEndian(1000, 4));  // the size of its JPEG
    folder.write("s.mds", shard);
    QVERIFY(sampleText(**openMds(folder, {"s.mds"}), 2).find("fewer than its columns need") !=
            std::string::npos);
    for (std::size_t cut = 0; cut < whole.size() - 2 * kJpeg.size(); cut += 7) {
      folder.write("s.mds", whole.substr(0, cut));
      const auto less = openMds(folder, {"s.mds"});
      if (less) (void)sampleText(**less, (*less)->size() - 1);
    }
  }

  void whatIsNotThereIsLeftOutAndNamed() {
    const TemporaryFolder folder;
    const std::string shard = mdsShard(kUsual, {usual(1), usual(2)});
    folder.write("a.mds", shard);
    const std::string there = mdsEntry(kUsual, "a.mds", shard.size(), 2);
    folder.write("index.json", mdsIndex(there + "," + mdsEntry(kUsual, "gone.mds", 100, 3)));
    const auto source = openMds(folder, {folder.path()});
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 2U);
    QVERIFY((*source)->warnings().front().find("gone.mds") != std::string::npos);
    fs::remove(folder.path() / "a.mds");
    QVERIFY(says(openMds(folder, {folder.path()}), "2 of its 2 shards are missing"));
    folder.write("a.mds", mdsShard(kUsual, {usual(1)}));
    QVERIFY(sampleText(**openMds(folder, {folder.path()}, {"y"}), 0).find("the index says 2") !=
            std::string::npos);
  }

  void aShardWithAnotherHashFailsItsSamplesAndNoOthers() {
    const TemporaryFolder folder;
    const std::string first = mdsShard(kUsual, {usual(1), usual(2)});
    std::string second = mdsShard(kUsual, {usual(3)});
    const auto entry = [](const char* name, const std::string& shard, int samples,
                          const std::string& hash) {
      return withHashes(mdsEntry(kUsual, name, shard.size(), samples), "raw_data", xxh64(hash));
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
    const std::string shard = mdsShard(kUsual, {usual(1), usual(2)});
    folder.write("a.mds.zstd", storedZstd(shard));
    const auto read = [&](const std::string& packed, const std::string& raw) {
      const std::string entry = mdsEntry(kUsual, "a.mds", shard.size(), 2, "zstd:3");
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
    const std::size_t bytes = mdsShard(kUsual, {usual(1), usual(2)}).size();
    folder.write("index.json", mdsIndex(mdsEntry(kUsual, "a.mds", bytes, 2, end)));
    for (const std::string& path : {folder.path().native(), "a.mds." + end}) {
      const auto source = openMds(folder, {path});
      VERIFY_OK(source);
      QCOMPARE(sampleText(**source, 1), "a.mds." + end + "#1: " + kJpeg + "2|2");
    }
  }

  void aCheckThatCannotBeMadeIsSaid() {
    const TemporaryFolder folder;
    const std::string shard = mdsShard(kUsual, {usual(1)});
    for (const char* name : {"a.mds", "b.mds", "c.mds"}) folder.write(name, shard);
    const auto entry = [&](const char* name) { return mdsEntry(kUsual, name, shard.size(), 1); };
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

  void anInvalidIndexIsRefused_data() {
    QTest::addColumn<QString>("entry");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* name, const std::string& entry, const char* part) {
      QTest::newRow(name) << QString::fromStdString(entry) << part;
    };
    row("no JSON", "{", "not JSON");
    row("out of the folder", mdsEntry(kUsual, "../x.mds", 100, 1), "within the data set's folder");
    row("absolute", mdsEntry(kUsual, "/etc/passwd", 100, 1), "within the data set's folder");
    row("too many samples", mdsEntry(kUsual, "x.mds", 100, 1000), "are impossible");
    row("another format", "{\"format\":\"csv\",\"version\":2}", "its format is `csv`");
    row("an encoding", mdsEntry({{"a", "tiff"}}, "x.mds", 100, 1), "unknown encoding `tiff`");
    row("a size", mdsEntry({{"a", "int", 4}}, "x.mds", 100, 1), "4 bytes, but 8");
    row("an axis", mdsEntry({{"a", "ndarray:uint8:0"}}, "x.mds", 100, 1), "axes from 1 on");
    row("other columns",
        mdsEntry(kUsual, "x.mds", 100, 1) + "," + mdsEntry({{"a", "int", 8}}, "y.mds", 100, 1),
        "shard 1: its columns are a int");
    row("a hash", withHashes(mdsEntry(kUsual, "x.mds", 100, 1), "raw_data", R"("xxh64":7)"),
        "its hash `xxh64` is not a string");
    row("compression", mdsEntry(kUsual, "b.mds", 100, 1, "xz:3"), "compressed with xz");
  }
  void anInvalidIndexIsRefused() {
    QFETCH(QString, entry);
    QFETCH(QString, part);
    const TemporaryFolder folder;
    folder.write("index.json", mdsIndex(entry.toStdString()));
    folder.write("b.mds.xz");
    const auto source = openMds(folder, {folder.path()});
    QVERIFY(!source.ok());
    QVERIFY2(QString::fromStdString(source.error().message).contains(part),
             source.error().message.c_str());
  }

  void readsWhatMosaicmlWrote_data() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<int>("samples");
    QTest::addColumn<QString>("fields");
    QTest::newRow("plain") << "mds/jpeg_plain" << 24 << "image encoded, label i64 scalar";
    QTest::newRow("zstd") << "mds/jpeg_zstd" << 8 << "image encoded, label i64 scalar";
    QTest::newRow("pixels") << "mds/pil_png_small" << 8
                            << "image encoded, target u8 48x64x3 hwc, label i64 scalar";
    QTest::newRow("arrays") << "mds_v2022/scripts/joining/sample_dataset/x" << 100
                            << "id i32 scalar, x f64 3";
  }
  void readsWhatMosaicmlWrote() {
    QFETCH(QString, folder);
    QFETCH(int, samples);
    QFETCH(QString, fields);
    const auto data = tests::realData();
    if (!data) QSKIP("no real data");
    const fs::path path = *data / "containers" / folder.toStdString();
    const auto source = openSource("mds", {{"paths", TextList{path.native()}}});
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), static_cast<std::uint32_t>(samples));
    QString found;
    for (const std::string& text : fieldsOf(**source))
      found += (found.isEmpty() ? "" : ", ") + QString::fromStdString(text);
    QCOMPARE(found, fields);
    for (std::uint32_t i = 0; i < (*source)->size(); ++i)
      QVERIFY(sampleText(**source, i).find("error") == std::string::npos);
    if (fields.contains("label"))
      QVERIFY(sampleText(**source, 5).ends_with("|5"));  // labels were numbered through
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

using millrace::TestMds;
MILLRACE_TEST_CASE(TestMds)
#include "tst_mds.moc"
