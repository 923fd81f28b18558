// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/data/field_text.h"

#include "tests/support/test_case.h"

namespace millrace {

namespace {

FieldDescription taken(std::initializer_list<const char*> words) {
  FieldDescription field;
  for (const char* word : words)
    if (!field.take(word)) return {};
  return field;
}

}  // namespace

class TestFieldText : public QObject {
  Q_OBJECT
 private slots:
  void wordsComeInAnyOrder() {
    for (const FieldDescription& field :
         {taken({"u8", "8x8x24", "mask", "chw"}), taken({"chw", "mask", "8x8x24", "u8"})}) {
      QVERIFY(field.dtype == DType::U8);
      QVERIFY(field.shape == Shape({8, 8, 24}));
      QVERIFY(field.role == Role::Mask);
      QVERIFY(field.layout == Layout::Chw);
    }
  }

  void whatIsNotSaidIsAbsent() {
    const FieldDescription field = taken({"f32"});
    QVERIFY(field.dtype && !field.shape && !field.role && !field.layout);
    QVERIFY(taken({"hwc"}).layout == Layout::Hwc);
  }

  void shapesMayLeaveSizesOpen() {
    QVERIFY(taken({"scalar"}).shape == Shape());
    QVERIFY(taken({"194"}).shape == Shape({194}));
    QVERIFY(taken({"?"}).shape == Shape({Shape::kUnknown}));
    QVERIFY(taken({"?x3"}).shape == Shape({Shape::kUnknown, 3}));
    QVERIFY(taken({"1x2x3x4x5x6"}).shape == Shape({1, 2, 3, 4, 5, 6}));
    QVERIFY(taken({"268435456"}).shape == Shape({1 << 28}));
  }

  void aWordOfNoMeaningTakesNothing() {
    FieldDescription field;
    for (const char* word :
         {"", "x", "8x", "x8", "0", "-1", "8x0", "8 x8", "+8", "3.5", "268435457", "65536x65536",
          "1x2x3x4x5x6x7", "99999999999999999999", "float32", "Image", "nhwc", "plain"})
      QVERIFY2(!field.take(word), word);
    QVERIFY(!field.dtype && !field.shape && !field.role && !field.layout);
  }

  void everyRoleIsFoundByItsName() {
    for (const Role role : {Role::Image, Role::Target, Role::Mask, Role::Label, Role::Features})
      QVERIFY(roleNamed(nameOf(role)) == role);
    QVERIFY(!roleNamed("picture"));
  }

  void theOpenSizeFollowsFromTheElements() {
    QVERIFY(fitted({2, Shape::kUnknown, 4}, 24) == Shape({2, 3, 4}));
    QVERIFY(fitted({Shape::kUnknown}, 0) == Shape({0}));
    QVERIFY(fitted({2, 3}, 6) == Shape({2, 3}));
    QVERIFY(fitted({}, 1) == Shape());
  }

  void aShapeThatCannotHoldTheElementsDoesNotFit() {
    QVERIFY(!fitted({2, 3}, 7));
    QVERIFY(!fitted({2, Shape::kUnknown}, 7));
    QVERIFY(!fitted({0, Shape::kUnknown}, 0));
    QVERIFY(!fitted({}, 2));
    QVERIFY2(!fitted({Shape::kUnknown, Shape::kUnknown}, 6), "two open sizes have no one answer");
  }

  void namesOfFieldsAreSmallLettersDigitsAndLines() {
    for (const char* name : {"a", "image", "image_2", "x1_"}) QVERIFY2(isFieldName(name), name);
    for (const char* name : {"", "2d", "_x", "Image", "a-b", "a b", "a.b", "caf\xc3\xa9", "a/b"})
      QVERIFY2(!isFieldName(name), name);
  }
};

}  // namespace millrace

using millrace::TestFieldText;
MILLRACE_TEST_CASE(TestFieldText)
#include "tst_field_text.moc"
