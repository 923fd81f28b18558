// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/architectures.h"

#include "tests/support/test_case.h"

namespace millrace {

class TestArchitectures : public QObject {
  Q_OBJECT
 private slots:
  void codeRunsOnItsMajorNumberAndPtxOnAllThatIsNewer() {
    QVERIFY(kernelsRunOn("90", 9, 0));
    QVERIFY(kernelsRunOn("90", 10, 3));
    QVERIFY(!kernelsRunOn("90", 8, 9));
    QVERIFY(kernelsRunOn("90-real", 9, 0));
    QVERIFY(!kernelsRunOn("90-real", 10, 0));
    constexpr const char* kFat = "75-real,80-real,86-real,90-real,100-real,120";
    QVERIFY(kernelsRunOn(kFat, 7, 5));
    QVERIFY(kernelsRunOn(kFat, 8, 9));
    QVERIFY(kernelsRunOn(kFat, 12, 1));
    QVERIFY(kernelsRunOn(kFat, 13, 0));
    QVERIFY(!kernelsRunOn(kFat, 7, 0));
    QVERIFY(!kernelsRunOn(kFat, 11, 0));
    QVERIFY(!kernelsRunOn("", 9, 0));
    QVERIFY(kernelsRunOn("80-virtual", 8, 0));
  }
};

}  // namespace millrace

using millrace::TestArchitectures;
MILLRACE_TEST_CASE(TestArchitectures)
#include "tst_architectures.moc"
