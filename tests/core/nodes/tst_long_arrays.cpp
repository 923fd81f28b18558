// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Long arrays in records are read directly to the sample's destination.
#include <cstring>

#include "tests/core/nodes/open_source.h"
#include "tests/support/mds_bytes.h"
#include "tests/support/record_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::bytesFeature;
using tests::example;
using tests::intFeature;
using tests::littleEndian;
using tests::mdsEntry;
using tests::mdsIndex;
using tests::mdsShard;
using tests::openSource;
using tests::TemporaryFolder;
using tests::tfRecord;
using Texts = std::vector<std::string>;

constexpr std::size_t kLongBytes = 40'000;

/// 200 x 200 bytes, different for each number.
std::string longArray(int number) {
  std::string bytes(kLongBytes, '\0');
  for (std::size_t i = 0; i < kLongBytes; ++i)
    bytes[i] = static_cast<char>(i * 7 + i / 200 + static_cast<std::size_t>(number) * 91);
  return bytes;
}

/// A record; `labelFirst` moves the array by the label's length without changing that of the
/// record.
std::string longRecord(int number, std::int64_t label, bool labelFirst) {
  const std::string image = bytesFeature("image/raw", {longArray(number)});
  const std::string last = intFeature("label", {label});
  return tfRecord(example(labelFirst ? last + image : image + last));
}

/// Reads samples in succession, like a worker that reuses a row.
class LongRow {
 public:
  explicit LongRow(const Source& source) : m_reader(source.reader()), m_place(kLongBytes) {}

  Status read(std::uint32_t index) {
    m_sample.reset({0, index, 0}, 2);
    m_sample.offer(0, m_place.data(), kLongBytes);
    return m_reader->read(index, m_sample, m_counters);
  }
  std::string image() const {
    return {reinterpret_cast<const char*>(m_sample[0].data), m_sample[0].bytes};
  }
  std::int64_t label() const { return *m_sample[1].as<std::int64_t>(); }
  /// Whether the array need not be copied any more.
  bool inPlace() const { return m_sample[0].data == m_place.data(); }
  Shape shape() const { return m_sample[0].shape; }

 private:
  std::unique_ptr<SourceReader> m_reader;
  std::vector<std::byte> m_place;
  Sample m_sample{2};
  ReadCounters m_counters;
};

auto openLongRecords(const TemporaryFolder& folder, bool checked, const char* by = "cache") {
  return openSource("tfrecord", {{"paths", Texts{folder.path()}},
                                 {"keys", Texts{"image=image/raw:u8:200x200", "label=label"}},
                                 {"check_sums", checked},
                                 {"read_by", std::string(by)}});
}

}  // namespace

class TestLongArrays : public QObject {
  Q_OBJECT
 private slots:
  void arraysOfExamplesLieInTheirPlace_data() {
    QTest::addColumn<bool>("checked");
    QTest::addColumn<QByteArray>("by");
    for (const char* by : {"cache", "direct"})
      for (const bool checked : {false, true})
        QTest::addRow("%s%s", by, checked ? ", sums checked" : "") << checked << QByteArray(by);
  }
  void arraysOfExamplesLieInTheirPlace() {
    QFETCH(bool, checked);
    QFETCH(QByteArray, by);
    const TemporaryFolder folder;
    // The position of the label changes at 3; its length, and that of the record, at 5 and again at
    // 6.
    const std::vector<std::pair<std::int64_t, bool>> samples = {
        {5, false},  {6, false}, {7, false}, {8, true},  {9, true},
        {300, true}, {10, true}, {11, true}, {301, true}};
    std::string file;
    for (std::size_t i = 0; i < samples.size(); ++i)
      file += longRecord(static_cast<int>(i), samples[i].first, samples[i].second);
    folder.write("a.tfrecord", file);
    const auto source = openLongRecords(folder, checked, by.constData());
    VERIFY_OK(source);
    LongRow row(**source);
    std::string places;
    for (std::uint32_t i = 0; i < samples.size(); ++i) {
      VERIFY_OK(row.read(i));
      QVERIFY2(row.image() == longArray(static_cast<int>(i)), std::to_string(i).c_str());
      QCOMPARE(row.label(), samples[i].first);
      QCOMPARE(row.shape(), (Shape{200, 200}));
      places += row.inPlace() ? 'y' : 'n';
    }
    // The first of a kind is learned; 3 refutes what was known, and is known from 4 on.
    QCOMPARE(places, std::string("nyynnnyyy"));
  }

  void damageWithinAnArrayIsSeenWhereItIsCheckedFor() {
    const TemporaryFolder folder;
    std::string file = longRecord(0, 1, false) + longRecord(1, 2, false) + longRecord(2, 3, false);
    std::string damaged = longArray(1);
    damaged[kLongBytes / 2] ^= 1;
    const std::size_t at = file.find(longArray(1));
    file[at + kLongBytes / 2] ^= 1;
    folder.write("a.tfrecord", file);
    const auto checked = openLongRecords(folder, true);
    VERIFY_OK(checked);
    LongRow row(**checked);
    VERIFY_OK(row.read(0));
    const Status wrong = row.read(1);
    QVERIFY(!wrong.ok() && wrong.error().message.find("checksum") != std::string::npos);
    VERIFY_OK(row.read(2));
    QVERIFY(row.image() == longArray(2) && row.inPlace());
    const auto trusted = openLongRecords(folder, false);
    VERIFY_OK(trusted);
    LongRow other(**trusted);
    VERIFY_OK(other.read(0));
    VERIFY_OK(other.read(1));
    QVERIFY(other.image() == damaged && other.inPlace());
  }

  void anArrayThatIsNoneAnyMoreIsAnErrorOfItsSample() {
    const TemporaryFolder folder;
    const std::string good = longRecord(0, 1, false);
    // As long as the others, but without the key.
    const std::string other =
        tfRecord(example(bytesFeature("image/RAW", {longArray(1)}) + intFeature("label", {2})));
    QCOMPARE(other.size(), good.size());
    folder.write("a.tfrecord", good + good + other + good);
    const auto source = openLongRecords(folder, true);
    VERIFY_OK(source);
    LongRow row(**source);
    VERIFY_OK(row.read(0));
    VERIFY_OK(row.read(1));
    const Status missing = row.read(2);
    QVERIFY(!missing.ok());
    QVERIFY2(missing.error().message.find("image/raw") != std::string::npos,
             missing.error().message.c_str());
    VERIFY_OK(row.read(3));
    QVERIFY(row.image() == longArray(0));
  }

  void anArrayThatMakesTwoFieldsIsReadAsAWhole() {
    const TemporaryFolder folder;
    folder.write("a.tfrecord",
                 longRecord(0, 1, false) + longRecord(1, 2, false) + longRecord(2, 3, false));
    const auto source = openSource(
        "tfrecord", {{"paths", Texts{folder.path()}},
                     {"keys", Texts{"image=image/raw:u8:200x200", "pairs=image/raw:u16:20000"}}});
    VERIFY_OK(source);
    const auto reader = (*source)->reader();
    Sample sample(2);
    ReadCounters counters;
    for (std::uint32_t i = 0; i < 3; ++i) {
      sample.reset({0, i, 0}, 2);
      VERIFY_OK(reader->read(i, sample, counters));
      for (const std::size_t field : {0, 1}) {
        const auto* data = reinterpret_cast<const char*>(sample[field].data);
        QVERIFY(std::string(data, sample[field].bytes) == longArray(static_cast<int>(i)));
      }
    }
  }

  void arraysOfShardsLieInTheirPlace() {
    const TemporaryFolder folder;
    const std::vector<tests::MdsColumnText> columns = {
        {"a", "str"},
        {"arr", "ndarray:uint8:200,200", static_cast<int>(kLongBytes)},
        {"y", "int", 8},
        {"z", "str"}};
    // 2 has its array at another place with the same length; 4 has more bytes.
    const std::vector<std::pair<std::string, std::string>> around = {
        {"", "xx"}, {"", "xx"}, {"xx", ""}, {"xx", ""}, {"xx", "more"}, {"xx", "more"}, {"xx", ""}};
    std::vector<Texts> samples;
    for (std::size_t i = 0; i < around.size(); ++i)
      samples.push_back(
          {around[i].first, longArray(static_cast<int>(i)), littleEndian(i, 8), around[i].second});
    const std::string shard = mdsShard(columns, samples);
    folder.write("shard.0.mds", shard);
    folder.write("index.json",
                 mdsIndex(mdsEntry(columns, "shard.0.mds", shard.size(), samples.size())));
    const auto source =
        openSource("mds", {{"paths", Texts{folder.path()}},
                           {"columns", Texts{"image=arr:u8:200x200", "label=y:i64:scalar"}}});
    VERIFY_OK(source);
    LongRow row(**source);
    std::string places;
    for (std::uint32_t i = 0; i < samples.size(); ++i) {
      VERIFY_OK(row.read(i));
      QVERIFY2(row.image() == longArray(static_cast<int>(i)), std::to_string(i).c_str());
      QCOMPARE(row.label(), std::int64_t{i});
      places += row.inPlace() ? 'y' : 'n';
    }
    QCOMPARE(places, std::string("nynnnyy"));
  }
};

}  // namespace millrace

using millrace::TestLongArrays;
MILLRACE_TEST_CASE(TestLongArrays)
#include "tst_long_arrays.moc"
