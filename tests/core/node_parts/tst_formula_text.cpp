// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/node_parts/formula_text.h"

#include <string>

#include "tests/support/test_case.h"

namespace millrace::nodes {

class TestFormulaText : public QObject {
  Q_OBJECT
 private slots:
  void operatorsKeepTheirRank_data() {
    QTest::addColumn<QString>("formula");
    QTest::addColumn<QString>("expected");
    const QString a = "real(sample[\"a\"])";
    const QString b = "real(sample[\"b\"])";
    const auto row = [](const char* formula, const QString& expected) {
      QTest::newRow(formula) << QString(formula) << expected;
    };
    row("a + b*2", QString("%1 + %2 * 2.0").arg(a, b));
    row("(a + b) * 2", QString("(%1 + %2) * 2.0").arg(a, b));
    row("a - (b - 1)", QString("%1 - (%2 - 1.0)").arg(a, b));
    row("a / b / 4", QString("%1 / %2 / 4.0").arg(a, b));
    row("a / (b / 4)", QString("%1 / (%2 / 4.0)").arg(a, b));
    row("-a^2", QString("-%1 ** 2.0").arg(a));
    row("(-a)^2", QString("(-%1) ** 2.0").arg(a));
    row("2^-a^b", QString("2.0 ** -%1 ** %2").arg(a, b));
    row("(a^2)^b", QString("(%1 ** 2.0) ** %2").arg(a, b));
    row("--a", QString("%1").arg(a));
    row("_pi * a", QString("3.141592653589793 * %1").arg(a));
    row(".5*a+1e3", QString("0.5 * %1 + 1000.0").arg(a));
  }
  void operatorsKeepTheirRank() {
    QFETCH(QString, formula);
    QFETCH(QString, expected);
    const auto text = formulaText(formula.toStdString(), "pytorch");
    QVERIFY(text.has_value());
    QCOMPARE(QString::fromStdString(*text), expected);
  }

  /// Python reads `a < b < 1` as two comparisons of b.
  void comparisonsAreNumbers() {
    QCOMPARE(*formulaText("a < b < 1", "pytorch"),
             std::string("((real(sample[\"a\"]) < real(sample[\"b\"])).double() < 1.0).double()"));
    QCOMPARE(*formulaText("(a > 0) * a", "tfdata"),
             std::string("tf.cast(real(sample[\"a\"]) > 0.0, tf.float64) * real(sample[\"a\"])"));
  }

  void choicesAndLogicTakeWholeTensors() {
    QCOMPARE(
        *formulaText("a && b > 1 ? 1 : tanh(a)", "pytorch"),
        std::string("torch.where((real(sample[\"a\"]) != 0) & (real(sample[\"b\"]) > 1.0), "
                    "torch.tensor(1.0, dtype=torch.float64), torch.tanh(real(sample[\"a\"])))"));
    QCOMPARE(*formulaText("max(a, 0, b)", "tfdata"),
             std::string("tf.math.maximum(tf.math.maximum(real(sample[\"a\"]), "
                         "tf.constant(0.0, tf.float64)), real(sample[\"b\"]))"));
  }

  void librariesHaveTheirOwnNames() {
    QCOMPARE(*formulaText("asin(a) > 0 ? min(a, 1) : ln(a)", "numpy"),
             std::string("np.where(np.arcsin(real(sample[\"a\"])) > 0.0, "
                         "np.minimum(real(sample[\"a\"]), 1.0), np.log(real(sample[\"a\"])))"));
    QCOMPARE(*formulaText("(a > 0) + acosh(a)", "numpy"),
             std::string("(real(sample[\"a\"]) > 0.0).astype(float) + "
                         "np.arccosh(real(sample[\"a\"]))"));
    QCOMPARE(*formulaText("log(acosh(a))", "tfdata"),
             std::string("tf.math.log(tf.math.acosh(real(sample[\"a\"])))"));
    QCOMPARE(*formulaText("ln(atan(a))", "pytorch"),
             std::string("torch.log(torch.atan(real(sample[\"a\"])))"));
  }

  void whatHasNoFormIsNotWritten() {
    for (const char* formula :
         {"rint(a)", "1 + 2", "1 < 2", "1 ? a : 2", "a +", "f(a)", "sin(a, a)", "", "a)", "(a"})
      QVERIFY2(!formulaText(formula, "pytorch"), formula);
  }

  void bracketsWithoutEndAreRefused() {
    const std::string many(100000, '(');
    QVERIFY(!formulaText(many + "a" + std::string(many.size(), ')'), "pytorch"));
    std::string powers = "a";
    for (int i = 0; i < 100000; ++i) powers += "^a";
    QVERIFY(!formulaText(powers, "pytorch"));
  }
};

}  // namespace millrace::nodes

using millrace::nodes::TestFormulaText;
MILLRACE_TEST_CASE(TestFormulaText)
#include "tst_formula_text.moc"
