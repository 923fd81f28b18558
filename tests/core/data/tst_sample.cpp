// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/data/sample.h"

#include <array>
#include <cstring>
#include <string>

#include "core/data/left_to_device.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

TensorView viewOf(std::string& bytes) {
  return {DType::U8,
          Layout::Plain,
          {static_cast<std::int64_t>(bytes.size())},
          reinterpret_cast<std::byte*>(bytes.data()),
          bytes.size()};
}

std::string contentOf(const TensorView& view) { return {view.as<const char>(), view.bytes}; }

void fill(const TensorView& view, char c) { std::memset(view.data, c, view.bytes); }

/// A row of a batch with room for 16 bytes of field 1.
class SmallRow : public RowMemory {
 public:
  std::byte* take(std::size_t i, std::size_t bytes) override {
    if (i != 1 || bytes > memory.size()) return nullptr;
    return memory.data();
  }
  std::array<std::byte, 16> memory{};
};

}  // namespace

class TestSample : public QObject {
  Q_OBJECT
 private slots:
  void aReplacedFieldHasTheBytesOfItsShape() {
    Sample sample(2);
    const TensorView view = sample.replace(1, DType::F32, {2, 3, 4}, Layout::Chw);
    QCOMPARE(view.bytes, std::size_t{96});
    QVERIFY(view.dtype == DType::F32);
    QCOMPARE(sample[1].data, view.data);
    QCOMPARE(sample[1].channels(), std::int64_t{2});
    QCOMPARE(sample[1].height(), std::int64_t{3});
    QCOMPARE(sample[1].width(), std::int64_t{4});
    sample[1].layout = Layout::Hwc;
    QCOMPARE(sample[1].height(), std::int64_t{2});
    QCOMPARE(sample[1].width(), std::int64_t{3});
    QCOMPARE(sample[1].channels(), std::int64_t{4});
  }

  void theValueBeforeStaysUntilTheNextReplace() {
    Sample sample(1);
    fill(sample.replaceBytes(0, 8), 'a');
    const TensorView before = sample[0];
    const TensorView after = sample.replaceBytes(0, 8);
    QVERIFY(before.data != after.data);
    fill(after, 'b');
    QCOMPARE(contentOf(before), std::string("aaaaaaaa"));
    QCOMPARE(contentOf(sample[0]), std::string("bbbbbbbb"));
  }

  void memoryIsUsedAgainForTheNextSample() {
    Sample sample(1);
    sample.replaceBytes(0, 100);
    const std::byte* const first = sample.replaceBytes(0, 100).data;
    sample.reset({0, 1, 0}, 1);
    QVERIFY(sample[0].data == nullptr);
    sample.replaceBytes(0, 50);
    QCOMPARE(sample.replaceBytes(0, 100).data, const_cast<std::byte*>(first));
  }

  void aResetSampleHasItsKeyAndFields() {
    Sample sample;
    QCOMPARE(sample.fields(), std::size_t{0});
    sample.reset({3, 7, 1}, 4);
    QCOMPARE(sample.fields(), std::size_t{4});
    QVERIFY(sample.key() == (SampleKey{3, 7, 1}));
    sample.reset({3, 8, 1}, 2);
    QCOMPARE(sample.fields(), std::size_t{2});
  }

  void aBorrowedValueIsCopiedBeforeItIsChanged() {
    std::string others = "kept";
    Sample sample(1);
    sample.borrow(0, viewOf(others));
    QCOMPARE(sample[0].as<char>(), others.data());
    const TensorView own = sample.writable(0);
    QCOMPARE(contentOf(own), std::string("kept"));
    QVERIFY(own.dtype == DType::U8 && own.shape == Shape({4}));
    fill(own, 'x');
    QCOMPARE(others, std::string("kept"));
    QCOMPARE(sample.writable(0).data, own.data);
  }

  void aBorrowedFileIsCopiedAsBytes() {
    std::string file = "JPEG...";
    TensorView view = viewOf(file);
    view.dtype = DType::Encoded;
    Sample sample(1);
    sample.borrow(0, view);
    const TensorView own = sample.writable(0);
    QVERIFY(own.dtype == DType::Encoded);
    QVERIFY(own.as<char>() != file.data());
    QCOMPARE(contentOf(own), file);
  }

  void anOfferedPlaceIsTakenOnceAndOnlyIfItFits() {
    std::array<std::byte, 12> row{};
    Sample sample(1);
    sample.offer(0, row.data(), row.size());
    QVERIFY(sample.replace(0, DType::U8, {13}, Layout::Plain).data != row.data());
    QCOMPARE(sample.replace(0, DType::F32, {3}, Layout::Plain).data, row.data());
    QVERIFY(sample.replace(0, DType::F32, {3}, Layout::Plain).data != row.data());
    sample.offer(0, row.data(), row.size());
    sample.offer(0, nullptr, 0);
    QVERIFY(sample.replace(0, DType::F32, {3}, Layout::Plain).data != row.data());
  }

  void fieldsChangePlacesButOffersStay() {
    std::array<std::byte, 4> place{};
    Sample sample(2);
    fill(sample.replaceBytes(0, 2), 'a');
    fill(sample.replaceBytes(1, 3), 'b');
    sample.offer(0, place.data(), place.size());
    sample.swapFields(0, 1);
    QCOMPARE(contentOf(sample[0]), std::string("bbb"));
    QCOMPARE(contentOf(sample[1]), std::string("aa"));
    sample.swapFields(1, 1);
    QCOMPARE(contentOf(sample[1]), std::string("aa"));
    QVERIFY(sample.replaceBytes(1, 4).data != place.data());
    QCOMPARE(sample.replaceBytes(0, 4).data, place.data());
  }

  void aSourceReadsIntoTheRowOfTheBatch() {
    SmallRow row;
    Sample sample(2);
    QVERIFY(sample.room(1).take(8) == nullptr);
    sample.offer(row);
    QVERIFY(sample.room(0).take(8) == nullptr);
    QVERIFY(sample.recordRoom().take(8) == nullptr);
    QVERIFY(Sample::Room().take(8) == nullptr);
    QCOMPARE(sample.room(1).take(8), row.memory.data());
    sample.borrow(1, {DType::Encoded, Layout::Plain, {6}, row.memory.data() + 2, 6});
    QVERIFY(sample.isInRow(1));
    QVERIFY(!sample.isInRow(0));
    sample.borrow(1, {DType::Encoded, Layout::Plain, {7}, row.memory.data() + 2, 7});
    QVERIFY2(!sample.isInRow(1), "it ends after what was taken");
    sample.borrow(1, {DType::Encoded, Layout::Plain, {6}, row.memory.data() + 2, 6});
    sample.reset({}, 2);
    QVERIFY(!sample.isInRow(1));
    QVERIFY(sample.room(1).take(8) == nullptr);
  }

  void aFileThatADeviceWillDecodeHasTheShapeOfItsPixels() {
    const FieldSpec field{"image", DType::U8, {4, 5, 3}, Layout::Hwc, Role::Image};
    std::string file = "JPEG";
    TensorView view = viewOf(file);
    QVERIFY(!isLeftToDevice(field, view));
    view.dtype = DType::Encoded;
    leaveToDevice(view, {4, 5, 3});
    QVERIFY(isLeftToDevice(field, view));
    FieldSpec files = field;
    files.dtype = DType::Encoded;
    QVERIFY(!isLeftToDevice(files, view));
    const TensorView pixels = pixelsOfFile(view);
    QVERIFY(pixels.dtype == DType::U8 && pixels.layout == Layout::Hwc);
    QVERIFY(pixels.shape == Shape({4, 5, 3}));
    QCOMPARE(pixels.bytes, std::size_t{60});
    QVERIFY(pixels.data == nullptr);
  }
};

}  // namespace millrace

using millrace::TestSample;
MILLRACE_TEST_CASE(TestSample)
#include "tst_sample.moc"
