// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Where rows are placed in the device's block, and the number of copies.
#include "core/transfer/transfer_layout.h"

#include <cstring>

#include "core/data/left_to_device.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestTransferLayout : public QObject {
  Q_OBJECT

  /// Adjacent rows of `rowBytes` bytes each.
  static BatchField fieldOf(std::size_t rows, std::size_t rowBytes, std::uint8_t value) {
    BatchField field;
    field.spec.dtype = DType::U8;
    field.rowBytes = rowBytes;
    std::byte* const memory = field.memory.reserve(rows * rowBytes + 1);
    std::memset(memory, value, rows * rowBytes);
    for (std::size_t r = 0; r < rows; ++r) {
      TensorView row;
      row.data = memory + r * rowBytes;
      row.bytes = rowBytes;
      field.rows.push_back(row);
    }
    return field;
  }

  /// The device's memory after all copies.
  static std::vector<std::byte> copied(const TransferLayout& layout) {
    std::vector<std::byte> block(layout.bytes(), std::byte{0xee});
    for (const TransferLayout::Piece& piece : layout.pieces())
      std::memcpy(block.data() + piece.at, piece.host, piece.bytes);
    layout.gather(block.data() + layout.tail());
    return block;
  }

  static bool holds(const TransferLayout& layout, std::size_t f, const BatchField& field) {
    const std::vector<std::byte> block = copied(layout);
    for (std::size_t r = 0; r < field.rows.size(); ++r)
      if (std::memcmp(block.data() + layout.offset(f, r), field.rows[r].data,
                      field.rows[r].bytes) != 0)
        return false;
    return true;
  }

 private slots:
  void fieldsOfFewBytesGoTogetherBehindTheOthers() {
    const BatchField image = fieldOf(4, 5000, 1);
    const BatchField label = fieldOf(4, 8, 2);
    const BatchField weight = fieldOf(4, 4, 3);
    TransferLayout layout;
    for (int again = 0; again < 2; ++again) {
      layout.clear();
      layout.add(label, 4);
      layout.add(image, 4);
      layout.add(weight, 4);
      QCOMPARE(layout.pieces().size(), std::size_t{1});
      QCOMPARE(layout.pieces()[0].bytes, std::size_t{20000});
      QCOMPARE(layout.tail(), deviceAligned(20000));
      QCOMPARE(layout.tailBytes(), deviceAligned(32) + 16);
      QCOMPARE(layout.copied(), std::size_t{20000 + 32 + 16});
      QVERIFY(holds(layout, 0, label) && holds(layout, 1, image) && holds(layout, 2, weight));
    }
  }

  void aFieldIsGatheredUpToItsBoundAndNotBeyond() {
    const BatchField most = fieldOf(2, TransferLayout::kGathered / 2, 1);
    const BatchField more = fieldOf(2, TransferLayout::kGathered / 2 + 1, 2);
    TransferLayout layout;
    layout.add(most, 2);
    QVERIFY(layout.pieces().empty());
    layout.add(more, 2);
    QCOMPARE(layout.pieces().size(), std::size_t{1});
    QVERIFY(holds(layout, 0, most) && holds(layout, 1, more));
  }

  void rowsThatLieApartAreCopiesOfTheirOwn() {
    BatchField field = fieldOf(3, 40000, 1);
    const BatchField other = fieldOf(1, 40000, 2);
    field.rows[1] = other.rows[0];
    TransferLayout layout;
    layout.add(field, 3);
    QCOMPARE(layout.pieces().size(), std::size_t{3});
    QVERIFY(holds(layout, 0, field));
  }

  void filesThatAreLeftToTheDeviceGetRoomForTheirPixelsAndNoCopy() {
    BatchField field = fieldOf(3, 100, 1);
    field.rows[1].dtype = DType::Encoded;
    leaveToDevice(field.rows[1], {7, 9, 3});
    TransferLayout layout;
    layout.add(field, 3);
    QCOMPARE(layout.copied(), std::size_t{200});
    QVERIFY(layout.bytes() >= 200 + 7 * 9 * 3);
    QVERIFY(layout.offset(0, 2) >= layout.offset(0, 1) + 7 * 9 * 3 ||
            layout.offset(0, 1) >= layout.offset(0, 2) + 100);
  }

  void anEmptyBatchTakesNothing() {
    const BatchField field = fieldOf(3, 100, 1);
    TransferLayout layout;
    layout.add(field, 0);
    QCOMPARE(layout.bytes(), std::size_t{0});
  }
};

}  // namespace millrace

using millrace::TestTransferLayout;
MILLRACE_TEST_CASE(TestTransferLayout)
#include "tst_transfer_layout.moc"
