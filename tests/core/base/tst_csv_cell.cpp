// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/text/csv_cell.h"

#include "tests/support/test_case.h"

namespace millrace {

class TestCsvCell : public QObject {
  Q_OBJECT
 private slots:
  void onlyWhatNeedsQuotesGetsThem() {
    QCOMPARE(csvCell(""), std::string());
    QCOMPARE(csvCell("two words"), std::string("two words"));
    QCOMPARE(csvCell("a,b"), std::string("\"a,b\""));
    QCOMPARE(csvCell("say \"yes\""), std::string("\"say \"\"yes\"\"\""));
    QCOMPARE(csvCell("two\nlines"), std::string("\"two\nlines\""));
    QCOMPARE(csvCell("\x1b]0;x"), std::string("\\x1b]0;x"));
  }

  void aFormulaIsText() {
    QCOMPARE(csvCell("=cmd|\"/C calc\"!A0"), std::string("\"'=cmd|\"\"/C calc\"\"!A0\""));
    QCOMPARE(csvCell("+1+1"), std::string("'+1+1"));
    QCOMPARE(csvCell("-2+3"), std::string("'-2+3"));
    QCOMPARE(csvCell("@sum(a1)"), std::string("'@sum(a1)"));
    QCOMPARE(csvCell("\t=1"), std::string("'\t=1"));
  }

  void numbersStayNumbers() {
    for (const char* number : {"-1", "+2.5", "-1e-9", "12", "-inf"})
      QCOMPARE(csvCell(number), std::string(number));
  }

  void programsGetTheBytes() {
    QCOMPARE(csvBytes("=1\x1b\xe9"), std::string("=1\x1b\xe9"));
    QCOMPARE(csvBytes("a\nb,\"c\""), std::string("\"a\nb,\"\"c\"\"\""));
  }
};

}  // namespace millrace

using millrace::TestCsvCell;
MILLRACE_TEST_CASE(TestCsvCell)
#include "tst_csv_cell.moc"
