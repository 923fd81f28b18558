// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cache/cache_record.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "core/base/crc32c.h"
#include "tests/core/cache/kept_samples.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// The record of a sample's first `fields` fields, in memory as a cache reads it.
struct Record {
  Record(const Sample& sample, std::size_t fields) : bytes(recordBytes(sample, fields)) {
    writeRecord(sample, fields, memory.reserve(bytes));
  }
  std::span<std::byte> all() { return {memory.data(), bytes}; }
  void correctSum() {
    const std::uint32_t sum = crc32c({memory.data() + 8, bytes - 8});
    std::memcpy(memory.data() + 4, &sum, sizeof sum);
  }

  std::size_t bytes;
  Buffer memory;
};

Sample emptySample(std::uint32_t index, std::size_t fields = 2) {
  Sample sample;
  sample.reset({1, index, 0}, fields);
  return sample;
}

bool same(const TensorView& a, const TensorView& b) {
  return a.dtype == b.dtype && a.layout == b.layout && a.shape == b.shape && a.bytes == b.bytes &&
         (a.bytes == 0 || std::memcmp(a.data, b.data, a.bytes) == 0);
}

/// Index 7, a grey picture of 2x3 pixels and a label: the example of cache_record.h.
Record exampleRecord() {
  Sample sample = emptySample(7);
  const TensorView pixels = sample.replace(0, DType::U8, {2, 3, 1}, Layout::Hwc);
  std::memset(pixels.data, 9, pixels.bytes);
  *sample.replace(1, DType::I64, {}, Layout::Plain).as<std::int64_t>() = 5;
  return Record(sample, 2);
}

}  // namespace

class TestCacheRecord : public QObject {
  Q_OBJECT
 private slots:
  void everyElementTypeAndShapeComesBack() {
    for (int type = 0; type < static_cast<int>(DType::Encoded); ++type)
      for (const Shape& shape :
           {Shape{}, Shape{0}, Shape{5}, Shape{3, 1, 7}, Shape{0, 4}, Shape{1, 2, 1, 2, 1, 3}}) {
        Sample sample = emptySample(3);
        const auto layout = shape.rank() == 3 ? Layout::Chw : Layout::Plain;
        const TensorView view = sample.replace(0, static_cast<DType>(type), shape, layout);
        for (std::size_t i = 0; i < view.bytes; ++i) view.data[i] = static_cast<std::byte>(i + 1);
        sample.replaceBytes(1, 0);
        Record record(sample, 2);
        Sample lent = emptySample(3);
        QVERIFY(lendRecord(record.all(), 2, lent));
        QVERIFY2(same(lent[0], sample[0]), shape.text().c_str());
        QVERIFY(same(lent[1], sample[1]));
        QCOMPARE(reinterpret_cast<std::uintptr_t>(lent[0].data) % 64, 0U);
      }
  }

  void theExampleIsAsThePageSays() {
    Record record = exampleRecord();
    QCOMPARE(record.bytes, std::size_t{320});
    const std::byte* bytes = record.memory.data();
    QCOMPARE(std::memcmp(bytes, "MRC1", 4), 0);
    QCOMPARE(int(bytes[8]), 7);
    QCOMPARE(int(bytes[12]), 2);
    QCOMPARE(int(bytes[64 + 1]), 1);
    QCOMPARE(int(bytes[64 + 2]), 3);
    QCOMPARE(int(bytes[64 + 8]), 6);
    QCOMPARE(int(bytes[64 + 24]), 3);
    QCOMPARE(int(bytes[128]), 5);
    QCOMPARE(int(bytes[192 + 5]), 9);
    QCOMPARE(int(bytes[192 + 6]), 0);
    QCOMPARE(int(bytes[256]), 5);
  }

  void anyFlippedBitIsNoticedAndLeavesTheSampleAlone() {
    Record record = exampleRecord();
    for (std::size_t bit = 0; bit < record.bytes * 8; ++bit) {
      std::byte& byte = record.memory.data()[bit / 8];
      const std::byte before = byte;
      byte ^= std::byte{1} << static_cast<int>(bit % 8);
      Sample sample = emptySample(7);
      QVERIFY2(!lendRecord(record.all(), 2, sample), std::to_string(bit).c_str());
      QVERIFY(sample[0].data == nullptr && sample[1].data == nullptr);
      byte = before;
    }
    Sample sample = emptySample(7);
    QVERIFY(lendRecord(record.all(), 2, sample));
  }

  void whatIsCutOffIsNoticed() {
    Record record = exampleRecord();
    Sample sample = emptySample(7);
    for (std::size_t bytes = 0; bytes < record.bytes; ++bytes)
      QVERIFY(!lendRecord(record.all().first(bytes), 2, sample));
  }

  void anotherSampleOrOtherFieldsAreRefused() {
    Record record = exampleRecord();
    Sample other = emptySample(8);
    QVERIFY(!lendRecord(record.all(), 2, other));
    Sample sample = emptySample(7, 9);
    QVERIFY(!lendRecord(record.all(), 1, sample));
    QVERIFY(!lendRecord(record.all(), 3, sample));
    QVERIFY(!lendRecord(record.all(), 9, sample));
  }

  /// Offsets in the header of the first field, and values that are invalid there.
  void impossibleValuesAreRefusedThoughTheCrcIsCorrect() {
    const std::vector<std::pair<std::size_t, std::byte>> wrong = {
        {64, std::byte{200}},          // element type
        {65, std::byte{3}},            // layout
        {66, std::byte{7}},            // rank
        {64 + 8, std::byte{7}},        // bytes, more than the shape has
        {64 + 15, std::byte{0x80}},    // bytes, far outside
        {64 + 23, std::byte{0xff}},    // a negative size
        {64 + 16 + 5, std::byte{1}},   // a size whose product is too large
        {128 + 8 + 1, std::byte{1}}};  // the last field, beyond the record
    for (const auto& [place, byte] : wrong) {
      Record record = exampleRecord();
      record.memory.data()[place] = byte;
      record.correctSum();
      Sample sample = emptySample(7);
      QVERIFY2(!lendRecord(record.all(), 2, sample), std::to_string(place).c_str());
      QVERIFY(sample[0].data == nullptr);
    }
  }

  void aValueWithOtherBytesThanItsShapeIsNotKept() {
    Sample sample = emptySample(1);
    sample.replaceBytes(1, 4);
    sample.replace(0, DType::F32, {2, 2}, Layout::Plain);
    QVERIFY(recordBytes(sample, 2) > 0);
    sample[0].bytes -= 4;
    QCOMPARE(recordBytes(sample, 2), std::size_t{0});
    sample[0].bytes = std::size_t{1} << 62U;
    sample[0].dtype = DType::Encoded;
    QCOMPARE(recordBytes(sample, 2), std::size_t{0});
  }
};

}  // namespace millrace

using millrace::TestCacheRecord;
MILLRACE_TEST_CASE(TestCacheRecord)
#include "tst_cache_record.moc"
