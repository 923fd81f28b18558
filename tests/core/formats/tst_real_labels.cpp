// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/real_labels.h"

#include <cmath>
#include <initializer_list>
#include <string_view>

#include "tests/support/test_case.h"

namespace millrace {
namespace {

RealLabels labels(std::initializer_list<double> numbers) {
  RealLabels labels;
  for (const double number : numbers) labels.add(number);
  return labels;
}

RealLabels texts(std::initializer_list<std::string_view> numbers) {
  RealLabels labels;
  for (const std::string_view number : numbers) labels.add(number);
  return labels;
}

}  // namespace

class TestRealLabels : public QObject {
  Q_OBJECT
 private slots:
  void wholeNumbersFromZeroAreClasses() {
    QVERIFY(labels({0, 1, 2}).areClasses());
    QVERIFY(labels({std::nan(""), 1}).areClasses());
    QVERIFY(texts({"0", "1.0", "2,0", "-1"}).areClasses());
  }

  void oneOtherNumberMakesAllQuantities() {
    QVERIFY(labels({0, 1, 2.5}).areQuantities());
    QVERIFY(labels({-1, 1}).areQuantities());
    QVERIFY(labels({1e300}).areQuantities());
    QVERIFY(texts({"1", "2,5"}).areQuantities());
    QVERIFY(!labels({1, 2.5}).areClasses());
  }

  void withoutANumberTheyAreNeither() {
    for (const RealLabels& none : {labels({}), labels({std::nan("")}), texts({"cat", ""})})
      QVERIFY(!none.areClasses() && !none.areQuantities());
  }

  void theFieldOfQuantitiesComesLast() {
    struct Field {
      FieldSpec spec;
    };
    std::vector<Field> fields{{quantityField(DType::F32)},
                              {{"image", DType::U8, {2}, Layout::Plain, Role::Features}}};
    putQuantityLast(fields);
    QVERIFY(isQuantity(fields.back().spec));
    QVERIFY(!isQuantity(fields.front().spec));
  }
};

MILLRACE_TEST_CASE(TestRealLabels)

}  // namespace millrace

#include "tst_real_labels.moc"
