// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/formula.h"

#include <cmath>

#include "tests/support/test_case.h"

namespace millrace {

using nodes::Formula;

namespace {

std::string whyNot(const char* text) {
  const auto formula = Formula::make(text, {"x", "y"});
  return formula ? "it was made" : formula.error().message;
}

}  // namespace

class TestFormula : public QObject {
  Q_OBJECT
 private slots:
  void aFormulaIsEvaluatedWithTheVariablesOfTheMoment() {
    auto formula = Formula::make("x > 0 && y != 2 ? tanh(x / 400) + y ^ 2 : -1", {"x", "y", "z"});
    VERIFY_OK(formula);
    QCOMPARE(formula->uses(), (std::vector<std::size_t>{0, 1}));
    for (const double x : {-3.0, 0.0, 100.0, 4000.0})
      for (const double y : {0.5, 2.0}) {
        formula->variable(0) = x;
        formula->variable(1) = y;
        QCOMPARE(formula->value(), x > 0 && y != 2 ? std::tanh(x / 400) + y * y : -1.0);
      }
  }

  void theVariablesThatItUsesComeInTheirOrder() {
    const auto formula = Formula::make("d + b + d", {"a", "b", "c", "d"});
    VERIFY_OK(formula);
    QCOMPARE(formula->uses(), (std::vector<std::size_t>{1, 3}));
    const auto none = Formula::make("1 + 2", {"a"});
    VERIFY_OK(none);
    QVERIFY(none->uses().empty());
    QCOMPARE(none->value(), 3.0);
  }

  void aFormulaKeepsItsVariablesWhenItIsMoved() {
    auto made = Formula::make("x * 2", {"x"});
    VERIFY_OK(made);
    std::vector<Formula> kept;
    kept.push_back(made.take());
    kept.push_back(Formula::make("x * 3", {"x"}).take());
    kept[0].variable(0) = 5;
    kept[1].variable(0) = 7;
    QCOMPARE(kept[0].value(), 10.0);
    QCOMPARE(kept[1].value(), 21.0);
    kept[0] = std::move(kept[1]);
    QCOMPARE(kept[0].value(), 21.0);
  }

  void comparisonsAreNoAssignments() {
    for (const char* text : {"x == 1", "x != y", "x >= 1", "x <= 1", "(x == y) == 1"})
      VERIFY_OK(Formula::make(text, {"x", "y"}));
    for (const char* text : {"x = 1", "=x", "x ="})
      QCOMPARE(whyNot(text), std::string("write comparisons with two equals signs"));
  }

  void aFormulaThatIsWrongSaysWhy() {
    QCOMPARE(whyNot("x + speed"), std::string("`speed` is neither a numeric field nor a function"));
    QCOMPARE(whyNot("x, y"), std::string("it has several values separated by commas"));
    for (const char* text : {"", "x +", "(x", "tanh(", "tanh(x, y)", "x y", "1 +* 2", "\"x\""}) {
      const std::string why = whyNot(text);
      QVERIFY2(why != "it was made" && !why.empty() && !why.ends_with('.'), why.c_str());
    }
  }
};

}  // namespace millrace

using millrace::TestFormula;
MILLRACE_TEST_CASE(TestFormula)
#include "tst_formula.moc"
