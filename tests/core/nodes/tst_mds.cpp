// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The source of MosaicML's MDS shards.
#include <cstring>
#include <filesystem>

#include "tests/core/nodes/usual_mds.h"
#include "tests/support/real_data.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;
using tests::fieldsOf;
using tests::has;
using tests::kJpeg;
using tests::kUsualMds;
using tests::littleEndian;
using tests::mdsEntry;
using tests::mdsIndex;
using tests::mdsShard;
using tests::openMds;
using tests::openSource;
using tests::sampleText;
using tests::says;
using tests::TemporaryFolder;
using tests::usualMds;
using tests::withHashes;
using Columns = std::vector<tests::MdsColumnText>;
using Texts = std::vector<std::string>;

}  // namespace

class TestMds : public QObject {
  Q_OBJECT
 private slots:
  void anIndexNumbersTheSamplesOfItsShards() {
    const TemporaryFolder folder;
    const std::string first = mdsShard(kUsualMds, {usualMds(1), usualMds(2)});
    const std::string second = mdsShard(kUsualMds, {usualMds(3)});
    folder.write("a/shard.00000.mds", first);
    folder.write("a/shard.00001.mds", second);
    folder.write("a/index.json",
                 mdsIndex(mdsEntry(kUsualMds, "shard.00000.mds", first.size(), 2) + "," +
                          mdsEntry(kUsualMds, "shard.00001.mds", second.size(), 1)));
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

  void labelsMayBeTextsAndRealNumbers() {
    const TemporaryFolder folder;
    const Columns texts = {{"img", "jpeg"}, {"label", "str"}};
    folder.write("s.mds", mdsShard(texts, {{kJpeg, "fox"}, {kJpeg, "cat"}, {kJpeg, "fox"}}));
    const auto named = openMds(folder, {"s.mds"});
    VERIFY_OK(named);
    QCOMPARE(fieldsOf(**named), (Texts{"image encoded", "label i64 scalar of 2 classes"}));
    QCOMPARE((*named)->classes(), (Texts{"cat", "fox"}));
    QCOMPARE(sampleText(**named, 2), "s.mds#2: " + kJpeg + "|1");
    folder.write("n.mds", mdsShard(texts, {{kJpeg, "10"}, {kJpeg, "9"}}));
    const auto numbers = openMds(folder, {"n.mds"});
    VERIFY_OK(numbers);
    QVERIFY((*numbers)->classes().empty() && (*numbers)->warnings().empty());
    QCOMPARE(sampleText(**numbers, 0), "n.mds#0: " + kJpeg + "|10");
    const Columns reals = {{"img", "jpeg"}, {"label", "str_float"}};
    folder.write("r.mds", mdsShard(reals, {{kJpeg, "3.0"}, {kJpeg, "1"}}));
    const auto numbered = openMds(folder, {"r.mds"});
    VERIFY_OK(numbered);
    QCOMPARE(fieldsOf(**numbered), (Texts{"image encoded", "label i64 scalar"}));
    QCOMPARE(sampleText(**numbered, 0), "r.mds#0: " + kJpeg + "|3");
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
    std::string shard = mdsShard(kUsualMds, {usualMds(1), usualMds(2), usualMds(3)});
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
    const std::string shard = mdsShard(kUsualMds, {usualMds(1), usualMds(2)});
    folder.write("a.mds", shard);
    const std::string there = mdsEntry(kUsualMds, "a.mds", shard.size(), 2);
    folder.write("index.json", mdsIndex(there + "," + mdsEntry(kUsualMds, "gone.mds", 100, 3)));
    const auto source = openMds(folder, {folder.path()});
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 2U);
    QVERIFY((*source)->warnings().front().find("gone.mds") != std::string::npos);
    fs::remove(folder.path() / "a.mds");
    QVERIFY(says(openMds(folder, {folder.path()}), "2 of its 2 shards are missing"));
  }

  void anIndexThatPromisesMoreFailsOnlyWhatIsNotThere() {
    const TemporaryFolder folder;
    const std::string shard = mdsShard(kUsualMds, {usualMds(1)});
    folder.write("a.mds", shard);
    folder.write("index.json", mdsIndex(mdsEntry(kUsualMds, "a.mds", shard.size() + 50, 3)));
    const auto source = openMds(folder, {folder.path()});
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 3U);
    QCOMPARE(sampleText(**source, 0), "a.mds#0: " + kJpeg + "1|1");
    for (const std::uint32_t more : {1U, 2U})
      QVERIFY(
          has(sampleText(**source, more), "the shard has only 1 sample, but the index says more"));
    const std::string note = (*source)->warnings().front();
    QVERIFY2(has(note, "1 of its 1 shards is not as large as it says (first: a.mds)"),
             note.c_str());
  }

  void anIndexThatListsNothingIsReplacedByTheShards_data() {
    QTest::addColumn<QByteArray>("index");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("cut off") << QByteArray("{\"version\": 2, \"shards\": [{\"col");
    QTest::newRow("no shard") << QByteArray("{\"version\": 2, \"shards\": []}");
    QTest::newRow("something else") << QByteArray("{\"version\": 2}");
  }
  void anIndexThatListsNothingIsReplacedByTheShards() {
    QFETCH(QByteArray, index);
    const TemporaryFolder folder;
    folder.write("a.mds", mdsShard(kUsualMds, {usualMds(1)}));
    folder.write("b.mds", mdsShard(kUsualMds, {usualMds(2), usualMds(3)}));
    folder.write("index.json", index.toStdString());
    for (const char* path : {".", "index.json"}) {
      const auto source = openMds(folder, {path});
      VERIFY_OK(source);
      QCOMPARE((*source)->size(), 3U);
      QCOMPARE(sampleText(**source, 2), "b.mds#1: " + kJpeg + "3|3");
      const std::string note = (*source)->warnings().front();
      QVERIFY2(has(note, "the 2 shards next to it are read without an index"), note.c_str());
    }
    fs::remove(folder.path() / "a.mds");
    fs::remove(folder.path() / "b.mds");
    QVERIFY(says(openMds(folder, {"index.json"}), "there is no shard next to it"));
  }

  void oneDamagedShardIsLeftOutOfAFolder() {
    const TemporaryFolder folder;
    folder.write("a.mds", std::string(100, '\xff'));
    folder.write("b.mds", mdsShard(kUsualMds, {usualMds(2)}));
    const auto source = openMds(folder, {folder.path()});
    VERIFY_OK(source);
    QCOMPARE((*source)->size(), 1U);
    const std::string note = (*source)->warnings().front();
    QVERIFY2(
        has(note, "1 of 2 shards cannot be read and is left out; first: `") && has(note, "a.mds`"),
        note.c_str());
  }

  void anInvalidIndexIsRefused_data() {
    QTest::addColumn<QString>("entry");
    QTest::addColumn<QString>("part");
    const auto row = [](const char* name, const std::string& entry, const char* part) {
      QTest::newRow(name) << QString::fromStdString(entry) << part;
    };
    row("no JSON", "{", "not JSON");
    row("out of the folder", mdsEntry(kUsualMds, "../x.mds", 100, 1),
        "within the data set's folder");
    row("absolute", mdsEntry(kUsualMds, "/etc/passwd", 100, 1), "within the data set's folder");
    row("too many samples", mdsEntry(kUsualMds, "x.mds", 100, 1000), "are impossible");
    row("another format", "{\"format\":\"csv\",\"version\":2}", "its format is `csv`");
    row("an encoding", mdsEntry({{"a", "tiff"}}, "x.mds", 100, 1), "unknown encoding `tiff`");
    row("a size", mdsEntry({{"a", "int", 4}}, "x.mds", 100, 1), "4 bytes, but 8");
    row("an axis", mdsEntry({{"a", "ndarray:uint8:0"}}, "x.mds", 100, 1), "axes from 1 on");
    row("other columns",
        mdsEntry(kUsualMds, "x.mds", 100, 1) + "," + mdsEntry({{"a", "int", 8}}, "y.mds", 100, 1),
        "shard 1: its columns are a int");
    row("a hash", withHashes(mdsEntry(kUsualMds, "x.mds", 100, 1), "raw_data", R"("xxh64":7)"),
        "its hash `xxh64` is not a string");
    row("compression", mdsEntry(kUsualMds, "b.mds", 100, 1, "xz:3"), "compressed with xz");
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
};

}  // namespace millrace

using millrace::TestMds;
MILLRACE_TEST_CASE(TestMds)
#include "tst_mds.moc"
