// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/data/dtype.h"

#include <set>

#include "tests/support/test_case.h"

namespace millrace {

class TestDType : public QObject {
  Q_OBJECT
 private slots:
  void everyElementTypeIsFoundByItsName() {
    for (int i = 0; i <= static_cast<int>(DType::Encoded); ++i) {
      const auto type = static_cast<DType>(i);
      QVERIFY(dtypeNamed(nameOf(type)) == type);
      QVERIFY(sizeOf(type) > 0);
    }
    QVERIFY(!dtypeNamed("float32"));
  }

  void onlyFloatTypesAreFloat() {
    for (const DType type : {DType::F16, DType::BF16, DType::F32, DType::F64})
      QVERIFY(isFloat(type));
    for (const DType type : {DType::U8, DType::I64, DType::Encoded}) QVERIFY(!isFloat(type));
  }

  void sizesAreThoseOfTheTypes() {
    QCOMPARE(sizeOf(DType::U8), std::size_t{1});
    QCOMPARE(sizeOf(DType::BF16), std::size_t{2});
    QCOMPARE(sizeOf(DType::F32), std::size_t{4});
    QCOMPARE(sizeOf(DType::I64), std::size_t{8});
    QCOMPARE(sizeOf(DType::Encoded), std::size_t{1});
  }

  void everyNameIsItsOwn() {
    std::set<std::string_view> names;
    for (int i = 0; i <= static_cast<int>(DType::Encoded); ++i)
      names.insert(nameOf(static_cast<DType>(i)));
    QCOMPARE(names.size(), static_cast<std::size_t>(DType::Encoded) + 1);
    for (const char* name : {"", "U8", "u8 ", "f128"}) QVERIFY2(!dtypeNamed(name), name);
  }
};

}  // namespace millrace

using millrace::TestDType;
MILLRACE_TEST_CASE(TestDType)
#include "tst_dtype.moc"
