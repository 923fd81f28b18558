// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/export/line_diff.h"

#include "tests/support/test_case.h"

namespace millrace {

using tests::lineDiff;
using tests::patched;

class TestLineDiff : public QObject {
  Q_OBJECT
 private slots:
  void aDiffIsAsPatchReadsIt() {
    const std::string before = "a\nb\nc\nd\ne\nf\ng\n";
    const std::string after = "a\nB\nc\nd\ne\nf\ng\n\nh\n";
    QCOMPARE(lineDiff(before, after, {"one", "two"}), std::string("--- one\n"
                                                                  "+++ two\n"
                                                                  "@@ -1,3 +1,3 @@\n"
                                                                  " a\n"
                                                                  "-b\n"
                                                                  "+B\n"
                                                                  " c\n"
                                                                  "@@ -7,1 +7,3 @@\n"
                                                                  " g\n"
                                                                  "+\n"
                                                                  "+h\n"));
  }

  void nearChangesShareAHunk() {
    const std::string diff = lineDiff("a\n\nb\nc\n", "A\n\nb\nC\n", {"1", "2"});
    QCOMPARE(diff, std::string("--- 1\n+++ 2\n@@ -1,4 +1,4 @@\n-a\n+A\n\n b\n-c\n+C\n"));
  }

  void equalTextsHaveNone() { QVERIFY(lineDiff("a\nb\n", "a\nb\n", {"1", "2"}).empty()); }

  void aPatchedTextIsTheOther_data() {
    QTest::addColumn<std::string>("before");
    QTest::addColumn<std::string>("after");
    const std::string text = "a\nb\nc\nd\ne\nf\ng\nh\n";
    QTest::newRow("equal") << text << text;
    QTest::newRow("from nothing") << std::string() << text;
    QTest::newRow("to nothing") << text << std::string();
    QTest::newRow("lines at both ends") << text << "x\n" + text + "y\n";
    QTest::newRow("ends removed") << text << std::string("b\nc\nd\ne\nf\ng\n");
    QTest::newRow("one in the middle") << text << std::string("a\nb\nc\nX\ne\nf\ng\nh\n");
    QTest::newRow("many") << text << std::string("b\na\nc\n-d\n+e\n\ng\n\nh\n@@ -1,1 +1,1 @@\n");
  }
  void aPatchedTextIsTheOther() {
    QFETCH(std::string, before);
    QFETCH(std::string, after);
    const auto found = patched(before, lineDiff(before, after, {"1", "2"}));
    QVERIFY(found.has_value());
    QCOMPARE(*found, after);
  }

  void aDiffOfAnotherTextDoesNotFit() {
    const std::string diff = lineDiff("a\nb\nc\n", "a\nx\nc\n", {"1", "2"});
    QVERIFY(!patched("a\ny\nc\n", diff));
    QVERIFY(!patched("a\n", diff));
  }
};

}  // namespace millrace

using millrace::TestLineDiff;
MILLRACE_TEST_CASE(TestLineDiff)
#include "tst_line_diff.moc"
