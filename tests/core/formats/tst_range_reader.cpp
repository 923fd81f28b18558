// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>

#include "core/formats/io/range_reader.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// A row of a batch with memory for one field.
class OneRow final : public RowMemory {
 public:
  std::byte* take(std::size_t, std::size_t bytes) override { return memory.reserve(bytes); }
  Buffer memory;
};

std::string content(std::size_t bytes) {
  std::string text(bytes, '\0');
  for (std::size_t i = 0; i < bytes; ++i) text[i] = static_cast<char>(i * 31 + i / 251);
  return text;
}

std::string textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

constexpr std::size_t kPicture = 100'000;

/// A file, a sample whose row has memory, and a reader.
class Ranges {
 public:
  explicit Ranges(std::size_t bytes, ReadBy by = ReadBy::Cache) : all(content(bytes)), reader(by) {
    folder.write("ranges", all);
    fd = UniqueFd(::open((folder.path() / "ranges").c_str(), O_RDONLY | O_CLOEXEC));
    sample.reset({}, 1);
    sample.offer(row);
  }
  auto read(std::size_t bytes, std::size_t behind) {
    return reader.read(fd.get(), 512, bytes, counters, sample.room(0), behind);
  }

  tests::TemporaryFolder folder;
  std::string all;
  UniqueFd fd;
  RangeReader reader;
  OneRow row;
  Sample sample{1};
  ReadCounters counters;
};

}  // namespace

class TestRangeReader : public QObject {
  Q_OBJECT
 private slots:
  void whatLiesBehindALongRangeComesWithIt() {
    Ranges ranges(kPicture + 5000);
    const auto picture = ranges.read(kPicture, 1000);
    VERIFY_OK(picture);
    QCOMPARE(picture->data(), ranges.row.memory.data());
    QVERIFY(textOf(*picture) == ranges.all.substr(512, kPicture));
    QCOMPARE(ranges.counters.reads.load(), 1U);
    QCOMPARE(ranges.counters.bytes.load(), kPicture + 1000);
    const auto label = ranges.reader.held(ranges.fd.get(), 512 + kPicture + 900, 100);
    QVERIFY(textOf(label) == ranges.all.substr(512 + kPicture + 900, 100));
    QVERIFY(ranges.reader.held(ranges.fd.get(), 512 + kPicture + 900, 101).empty());
    QVERIFY(ranges.reader.held(ranges.fd.get(), 512 + kPicture - 1, 2).empty());
    QVERIFY(ranges.reader.held(ranges.fd.get() + 1, 512 + kPicture + 900, 100).empty());
  }

  void theFileMayEndBehindTheRange() {
    Ranges ranges(512 + kPicture + 10);
    VERIFY_OK(ranges.read(kPicture, 1000));
    QCOMPARE(ranges.reader.held(ranges.fd.get(), 512 + kPicture, 10).size(), std::size_t{10});
    QVERIFY(ranges.reader.held(ranges.fd.get(), 512 + kPicture, 11).empty());
    const auto beyond = ranges.read(kPicture + 11, 1000);
    QVERIFY(!beyond.ok());
    QVERIFY2(beyond.error().message.find("100 522") != std::string::npos,
             beyond.error().message.c_str());
    QVERIFY2(ranges.reader.held(ranges.fd.get(), 512 + kPicture, 10).empty(), "it is of before");
  }

  void aRangeInRoomWithNothingBehindHoldsNothing() {
    Ranges ranges(kPicture + 5000);
    VERIFY_OK(ranges.read(kPicture, 0));
    QCOMPARE(ranges.counters.bytes.load(), std::uint64_t{kPicture});
    QVERIFY(ranges.reader.held(ranges.fd.get(), 512 + kPicture, 1).empty());
  }

  void pastThePageCacheNothingIsBroughtAlong() {
    Ranges ranges(kPicture + 5000, ReadBy::Direct);
    const auto picture = ranges.read(kPicture, 1000);
    VERIFY_OK(picture);
    QVERIFY(textOf(*picture) == ranges.all.substr(512, kPicture));
    QVERIFY(ranges.reader.held(ranges.fd.get(), 512 + kPicture, 10).empty());
  }
};

}  // namespace millrace

using millrace::TestRangeReader;
MILLRACE_TEST_CASE(TestRangeReader)
#include "tst_range_reader.moc"
