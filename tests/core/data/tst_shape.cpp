// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/data/shape.h"

#include "tests/support/test_case.h"

namespace millrace {

class TestShape : public QObject {
  Q_OBJECT
 private slots:
  void aShapeCountsItsElements() {
    QCOMPARE(Shape({224, 224, 3}).elements(), std::int64_t{150528});
    QCOMPARE(Shape().elements(), std::int64_t{1});
    QCOMPARE(Shape({4, 0}).elements(), std::int64_t{0});
  }

  void anUnknownSizeMakesTheCountUnknown() {
    const Shape shape{Shape::kUnknown, 3};
    QVERIFY(!shape.known());
    QCOMPARE(shape.elements(), Shape::kUnknown);
    QVERIFY(Shape({2, 3}).known());
  }

  void aBatchHasOneMoreDimensionOutermost() {
    const Shape batch = Shape({5, 7}).batched(32);
    QVERIFY(batch == Shape({32, 5, 7}));
    QVERIFY(batch != Shape({5, 7, 32}));
    QVERIFY(batch != Shape({32, 5}));
  }

  void aShapeIsShownBySizes() {
    QCOMPARE(Shape().text(), std::string("scalar"));
    QCOMPARE(Shape({Shape::kUnknown, 12, 3}).text(), std::string("?x12x3"));
  }
};

MILLRACE_TEST_CASE(TestShape)

}  // namespace millrace

#include "tst_shape.moc"
