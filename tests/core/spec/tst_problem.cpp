// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/problem.h"

#include "tests/support/test_case.h"

namespace millrace {

class TestProblem : public QObject {
  Q_OBJECT
 private slots:
  void aProblemNamesItsPlace() {
    QCOMPARE((Problem{Severity::Error, "decode", "form", "it is square", "make it round"}).text(),
             std::string("error: decode.form: it is square; make it round"));
    QCOMPARE((Problem{Severity::Warning, "decode", "", "it is square", ""}).text(),
             std::string("warning: decode: it is square"));
    QCOMPARE((Problem{Severity::Error, "", "seed", "it is odd", ""}).text(),
             std::string("error: seed: it is odd"));
    QCOMPARE((Problem{Severity::Error, "", "", "it is empty", "add a node"}).text(),
             std::string("error: it is empty; add a node"));
  }

  void warningsAloneAreNoError() {
    Problems problems;
    QVERIFY(!problems.anyError());
    problems.warning("a", "b", "c", "d");
    QVERIFY(!problems.anyError());
    problems.error("e", "f", "g", "h");
    QVERIFY(problems.anyError());
    QCOMPARE(problems.all().size(), std::size_t{2});
    QCOMPARE(problems.all()[0].text(), std::string("warning: a.b: c; d"));
    QCOMPARE(problems.all()[1].text(), std::string("error: e.f: g; h"));
  }
};

}  // namespace millrace

using millrace::TestProblem;
MILLRACE_TEST_CASE(TestProblem)
#include "tst_problem.moc"
