// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/export/typed_steps.h"

#include <string>
#include <vector>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

const CastTexts kTexts = {[](const std::string& value, const StepTraits& traits) {
                            return "as_" + std::string(nameOf(*traits.stored)) + "(" + value + ")";
                          },
                          [](const std::string& value) { return "clip(" + value + ")"; }};

const StepTraits kRounded = {
    .computed = DType::F32, .stored = DType::U8, .whole = true, .inRange = true};
const StepTraits kTakesFloats = {.ofFloats = "half({})"};

/// The codes after the casts were placed, one a line.
std::string placed(ExportText text) {
  placeCasts(text.steps, kTexts);
  std::string codes;
  for (const ExportStep& step : text.steps) codes += statementOf(step) + "\n";
  return codes;
}

ExportText resized(const StepTraits& traits = kRounded) {
  ExportText text;
  return text.value({"a"}, "resized({})", traits);
}

}  // namespace

class TestTypedSteps : public QObject {
  Q_OBJECT
 private slots:
  void wholeFloatsStayFloatsIfTheNextStepTakesThem() {
    QCOMPARE(placed(resized().value({"a"}, "half(float({}))", kTakesFloats)),
             std::string("sample[\"a\"] = resized(sample[\"a\"])\n"
                         "sample[\"a\"] = half(sample[\"a\"])\n"));
  }

  void theyAreClippedIfTheyMayLeaveTheRangeOfBytes() {
    StepTraits wide = kRounded;
    wide.inRange = false;
    QCOMPARE(placed(resized(wide).value({"a"}, "half(float({}))", kTakesFloats)),
             std::string("sample[\"a\"] = clip(resized(sample[\"a\"]))\n"
                         "sample[\"a\"] = half(sample[\"a\"])\n"));
  }

  void floatsWithFractionsBecomeBytes() {
    StepTraits fractions = kRounded;
    fractions.whole = false;
    QCOMPARE(placed(resized(fractions).value({"a"}, "half(float({}))", kTakesFloats)),
             std::string("sample[\"a\"] = as_u8(resized(sample[\"a\"]))\n"
                         "sample[\"a\"] = half(float(sample[\"a\"]))\n"));
  }

  void stepsOnOtherFieldsAndThoseThatOnlyMoveNumbersAreNotInTheWay() {
    ExportText text = resized();
    text.local("draw = random()")
        .value({"b"}, "changed({})")
        .value({"a"}, "flipped({})", {.anyType = true})
        .value({"a"}, "half(float({}))", kTakesFloats);
    QCOMPARE(placed(text), std::string("sample[\"a\"] = resized(sample[\"a\"])\n"
                                       "draw = random()\n"
                                       "sample[\"b\"] = changed(sample[\"b\"])\n"
                                       "sample[\"a\"] = flipped(sample[\"a\"])\n"
                                       "sample[\"a\"] = half(sample[\"a\"])\n"));
  }

  void unknownStatementsAndStepsOnMoreFieldsKeepTheBytes() {
    const std::string bytes = "sample[\"a\"] = as_u8(resized(sample[\"a\"]))\n";
    ExportText statement = resized();
    statement.step("own(sample)").value({"a"}, "half(float({}))", kTakesFloats);
    QVERIFY(placed(statement).starts_with(bytes));
    QVERIFY(
        placed(resized().value({"a", "b"}, "half(float({}))", kTakesFloats)).starts_with(bytes));
    QCOMPARE(placed(resized()), bytes);
  }

  void aCastToALargerTypeGoesBehindASelection() {
    const StepTraits bits = {.computed = DType::U8, .stored = DType::F64};
    ExportText text;
    text.value({"a"}, "bits[0:8]", bits)
        .local("channels = [1, 0]")
        .value({"a"}, "{}[channels]", {.anyType = true});
    QCOMPARE(placed(text), std::string("sample[\"a\"] = bits[0:8]\n"
                                       "channels = [1, 0]\n"
                                       "sample[\"a\"] = as_f64(sample[\"a\"][channels])\n"));
  }

  void aStepThatGivesItsOwnTypeNeedsNoCastBeforeIt() {
    ExportText text;
    text.value({"a"}, "bits[0:8]", {.computed = DType::U8, .stored = DType::F64})
        .value({"a"}, "{} * signs",
               {.anyType = true, .computed = DType::F64, .stored = DType::F64});
    QCOMPARE(placed(text), std::string("sample[\"a\"] = bits[0:8]\n"
                                       "sample[\"a\"] = sample[\"a\"] * signs\n"));
  }

  void numbersOfChannelsAreFilledIn() {
    QCOMPARE(
        placed(ExportText().value({"a"}, "({} - {1}) / {2}", {.perChannel = {"(0.5,)", "(0.2,)"}})),
        std::string("sample[\"a\"] = (sample[\"a\"] - (0.5,)) / (0.2,)\n"));
  }
};

}  // namespace millrace

using millrace::TestTypedSteps;
MILLRACE_TEST_CASE(TestTypedSteps)
#include "tst_typed_steps.moc"
