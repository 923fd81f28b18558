// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/value.h"

#include "core/spec/param_spec.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

std::string said(const Result<Value>& result) { return result ? "" : result.error().message; }

}  // namespace

class TestValue : public QObject {
  Q_OBJECT
 private slots:
  void textReadsBackAsTheSameValue() {
    const std::pair<ParamType, Value> values[] = {
        {ParamType::Boolean, true},
        {ParamType::Integer, std::int64_t{-9223372036854775807 - 1}},
        {ParamType::Real, 0.1},
        {ParamType::Real, 5e-324},
        {ParamType::Real, 30.0},
        {ParamType::Text, std::string("a, b = c")},
        {ParamType::RealList, RealList{0.485, 1, 1e22}},
        {ParamType::RealList, RealList{}},
        {ParamType::TextList, TextList{"a", "b c"}},
        {ParamType::PathList, TextList{}},
    };
    for (const auto& [type, value] : values) {
      const Result<Value> back = parseValue(type, textOf(value));
      VERIFY_OK(back);
      QVERIFY2(*back == value, textOf(value).c_str());
    }
  }

  void refusesTextThatIsNoSuchValue() {
    QCOMPARE(said(parseValue(ParamType::Integer, "1.5")),
             std::string("expected a whole number, found `1.5`"));
    for (const char* text : {"", "x", "9223372036854775808", "1 2"})
      QVERIFY2(!parseValue(ParamType::Integer, text), text);
    for (const char* text : {"", "nan", "inf", "1e999", "0.5x"})
      QVERIFY2(!parseValue(ParamType::Real, text), text);
    QVERIFY(!parseValue(ParamType::Boolean, "maybe"));
    QVERIFY(!parseValue(ParamType::RealList, "1,,2"));
    for (const char* list : {"0.5,1", "[0.5, 1]", "(0.5, 1)", " [ 0.5,1 ] "})
      QVERIFY2(*parseValue(ParamType::RealList, list) == Value(RealList{0.5, 1}), list);
    QVERIFY(!parseValue(ParamType::RealList, "[0.5, 1"));
  }

  void convertsWhereNothingIsLost() {
    QVERIFY(*convertValue(ParamType::Real, std::int64_t{3}) == Value{3.0});
    QVERIFY(*convertValue(ParamType::Integer, 4.0) == Value{std::int64_t{4}});
    QVERIFY(*convertValue(ParamType::PathList, std::string("a")) == Value{TextList{"a"}});
    QVERIFY(*convertValue(ParamType::RealList, TextList{}) == Value{RealList{}});
    QCOMPARE(said(convertValue(ParamType::Integer, 4.5)),
             std::string("expected an integer, found a number `4.5`"));
    QVERIFY(*convertValue(ParamType::RealList, std::int64_t{255}) == Value{RealList{255}});
    QVERIFY(*convertValue(ParamType::RealList, 0.5) == Value{RealList{0.5}});
    QVERIFY(!convertValue(ParamType::RealList, true));
    QVERIFY(!convertValue(ParamType::Integer, 1e300));
    QVERIFY(!convertValue(ParamType::Integer, true));
    QVERIFY(!convertValue(ParamType::Text, std::int64_t{1}));
    QVERIFY(!convertValue(ParamType::TextList, RealList{1}));
  }

  void rangesHoldForNumbersAndForEveryElement() {
    ParamSpec spec;
    spec.type = ParamType::Real;
    spec.minimum = 0;
    spec.maximum = 1;
    spec.unit = "pixels";
    QVERIFY(!spec.problemWith(0.0) && !spec.problemWith(1.0));
    QVERIFY(spec.problemWith(1.5)->find("0 to 1 pixels") != std::string::npos);
    QVERIFY(spec.problemWith(std::nan("")));
    spec.type = ParamType::RealList;
    QVERIFY(!spec.problemWith(RealList{0, 1}));
    QVERIFY(spec.problemWith(RealList{0, -1}));
  }

  void choicesNameWhatIsAllowed() {
    ParamSpec spec;
    spec.type = ParamType::Choice;
    spec.choices = {"near", "smooth"};
    QVERIFY(!spec.problemWith(std::string("near")));
    QCOMPARE(*spec.problemWith(std::string("far")),
             std::string("`far` is not one of near, smooth"));
  }
};

}  // namespace millrace

using millrace::TestValue;
MILLRACE_TEST_CASE(TestValue)
#include "tst_value.moc"
