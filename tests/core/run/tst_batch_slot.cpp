// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/batch_slot.h"

#include <cstring>

#include "tests/support/test_case.h"

namespace millrace {

class TestBatchSlot : public QObject {
  Q_OBJECT

  static PlanStage stage(std::vector<FieldSpec> fields, std::size_t segments = 1) {
    PlanStage stage;
    for (std::size_t p = 0; p < segments; ++p) {
      StageSegment segment;
      segment.out.fields = fields;
      stage.segments.push_back(std::move(segment));
    }
    return stage;
  }
  static FieldSpec bytes() {
    return {"text", DType::Encoded, {Shape::kUnknown}, Layout::Plain, Role::Features};
  }
  static FieldSpec number() { return {"number", DType::U8, {2}, Layout::Plain, Role::Features}; }
  static Sample words(std::uint32_t index, const std::string& text) {
    Sample sample;
    sample.reset({0, index, 0}, 1);
    const TensorView to = sample.replaceBytes(0, text.size());
    if (!text.empty()) std::memcpy(to.data, text.data(), text.size());
    return sample;
  }
  static Sample numbers(std::uint32_t index) {
    Sample sample;
    sample.reset({0, index, 0}, 1);
    const TensorView to = sample.replace(0, DType::U8, {2}, Layout::Plain);
    to.data[0] = to.data[1] = std::byte{static_cast<unsigned char>(index)};
    return sample;
  }
  static std::string textOf(const TensorView& view) {
    return {reinterpret_cast<const char*>(view.data), view.bytes};
  }
  static std::vector<int> indices(const Batch& batch) {
    std::vector<int> all;
    for (std::size_t r = 0; r < batch.rows; ++r) {
      // A row's memory belongs to its own sample; its view points to its own place.
      if (batch.fields[0].rows[r].data != batch.fields[0].memory.data() + 2 * r) return {-1};
      if (int(batch.fields[0].rows[r].data[1]) != int(batch.keys[r].index)) return {-2};
      all.push_back(static_cast<int>(batch.keys[r].index));
    }
    return all;
  }
  static BatchSlot& filled(BatchSlot& slot, std::size_t rows, const std::vector<std::size_t>& bad) {
    slot.begin(0, 0, 0, rows);
    for (std::size_t r = 0; r < rows; ++r) {
      const bool failed = std::find(bad.begin(), bad.end(), r) != bad.end();
      if (failed)
        slot.markFailed(r);
      else
        (void)slot.putRow(0, r, numbers(static_cast<std::uint32_t>(r)));
    }
    return slot;
  }

 private slots:
  void theCallerOfTheLastRowIsTold() {
    BatchSlot slot(stage({number()}), 3);
    slot.begin(0, 0, 0, 3);
    QVERIFY(!slot.completeRow());
    QVERIFY(!slot.completeRow());
    QVERIFY(slot.completeRow());
  }

  void rowsOfAnyLengthKeepTheirContentWhenTheArenaIsTooSmall() {
    BatchSlot slot(stage({bytes()}), 3);
    const std::string longText(1000, 'x');
    for (int round = 0; round < 4; ++round) {
      slot.begin(static_cast<std::uint64_t>(round), 0, 0, 3);
      const std::vector<std::string> texts = {
          std::string(static_cast<std::size_t>(round * 300), 'a'), "", longText};
      for (std::size_t r = 0; r < 3; ++r)
        VERIFY_OK(slot.putRow(0, r, words(static_cast<std::uint32_t>(r), texts[r])));
      for (std::size_t r = 0; r < 3; ++r)
        QCOMPARE(textOf(slot.segment(0).fields[0].rows[r]), texts[r]);
    }
  }

  void theArenaGrowsToWhatABatchNeeds() {
    BatchSlot slot(stage({bytes()}), 2);
    for (std::uint64_t round = 0; round < 2; ++round) {
      slot.begin(round, 0, 0, 2);
      VERIFY_OK(slot.putRow(0, 0, words(0, std::string(500, 'a'))));
      VERIFY_OK(slot.putRow(0, 1, words(1, std::string(500, 'b'))));
    }
    const BatchField& field = slot.segment(0).fields[0];
    const std::byte* from = field.memory.data();
    QVERIFY(field.memory.capacity() >= 1024);
    for (const TensorView& row : field.rows)
      QVERIFY(row.data >= from && row.data + row.bytes <= from + field.memory.capacity());
  }

  void aSmallerPictureIsPaddedWithZeros() {
    for (const Layout layout : {Layout::Hwc, Layout::Chw}) {
      FieldSpec field{"image", DType::U8, pictureShape(3, 4, 2, layout), layout, Role::Image};
      BatchSlot slot(stage({field}), 1);
      slot.begin(0, 0, 0, 1);
      Sample sample;
      sample.reset({}, 1);
      const TensorView to = sample.replace(0, DType::U8, pictureShape(2, 3, 2, layout), layout);
      std::memset(to.data, 7, to.bytes);
      VERIFY_OK(slot.putRow(0, 0, sample));
      const TensorView row = slot.segment(0).fields[0].rows[0];
      QVERIFY(row.shape == field.shape);
      for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 4; ++x)
          for (int c = 0; c < 2; ++c) {
            const int at = layout == Layout::Hwc ? (y * 4 + x) * 2 + c : (c * 3 + y) * 4 + x;
            QCOMPARE(int(row.data[at]), y < 2 && x < 3 ? 7 : 0);
          }
    }
  }

  void aShapeThatDoesNotFitIsTheSamplesError() {
    FieldSpec field{"image", DType::U8, {2, 2, 3}, Layout::Hwc, Role::Image};
    BatchSlot slot(stage({field}), 1);
    slot.begin(0, 0, 0, 1);
    Sample sample;
    sample.reset({}, 1);
    (void)sample.replace(0, DType::U8, {4, 2, 3}, Layout::Hwc);
    const Status put = slot.putRow(0, 0, sample);
    QVERIFY(!put);
    QCOMPARE(put.error().message,
             std::string("image is u8 4x2x3, but a row of the batch is u8 2x2x3"));
    (void)sample.replace(0, DType::F32, {2, 2, 3}, Layout::Hwc);
    QVERIFY(!slot.putRow(0, 0, sample));
  }

  void failedRowsShortenTheBatch() {
    BatchSlot slot(stage({number()}), 5);
    filled(slot, 5, {0, 3}).closeGaps(0, OnFailure::Shorten);
    QCOMPARE(indices(slot.segment(0)), (std::vector<int>{1, 2, 4}));
  }

  void failedRowsAreFilledWithTheNearestGoodOneBeforeElseTheFirst() {
    BatchSlot slot(stage({number()}), 6);
    filled(slot, 6, {0, 1, 4}).closeGaps(0, OnFailure::Fill);
    QCOMPARE(indices(slot.segment(0)), (std::vector<int>{2, 2, 2, 3, 3, 5}));
  }

  void aBatchWithoutAGoodRowIsEmpty() {
    for (const OnFailure what : {OnFailure::Shorten, OnFailure::Fill}) {
      BatchSlot slot(stage({number()}), 2);
      filled(slot, 2, {0, 1}).closeGaps(0, what);
      QCOMPARE(slot.segment(0).rows, std::size_t{0});
    }
  }

  void failuresOfOneBatchAreForgottenInTheNext() {
    BatchSlot slot(stage({number()}), 3);
    filled(slot, 3, {1}).closeGaps(0, OnFailure::Shorten);
    filled(slot, 3, {}).closeGaps(0, OnFailure::Shorten);
    QCOMPARE(indices(slot.segment(0)), (std::vector<int>{0, 1, 2}));
  }

  void aLaterPhaseHasMemoryOfItsOwn() {
    BatchSlot slot(stage({number()}, 2), 2);
    filled(slot, 2, {});
    slot.beginSegment(1, slot.segment(0));
    VERIFY_OK(slot.putRow(1, 0, numbers(9)));
    slot.markFailed(1);
    slot.closeGaps(1, OnFailure::Shorten);
    QCOMPARE(indices(slot.segment(1)), (std::vector<int>{9}));
    QCOMPARE(indices(slot.segment(0)), (std::vector<int>{0, 1}));
  }

  void aCopyOutlivesItsOriginal() {
    BatchSlot from(stage({number()}), 3);
    filled(from, 3, {0}).closeGaps(0, OnFailure::Shorten);
    BatchSlot to(stage({number()}), 3);
    to.begin(0, 0, 0, 2);
    to.copyFrom(from.segment(0));
    filled(from, 3, {2});
    QCOMPARE(indices(to.segment(0)), (std::vector<int>{1, 2}));
  }
};

}  // namespace millrace

using millrace::TestBatchSlot;
MILLRACE_TEST_CASE(TestBatchSlot)
#include "tst_batch_slot.moc"
