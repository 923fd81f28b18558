// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/param_spec.h"

#include "tests/support/test_case.h"

namespace millrace {

namespace {

ParamSpec number(std::optional<double> low, std::optional<double> high, const char* unit = "") {
  ParamSpec spec;
  spec.name = "count";
  spec.type = ParamType::Integer;
  spec.minimum = low;
  spec.maximum = high;
  spec.unit = unit;
  spec.defaultValue = std::int64_t{1};
  return spec;
}

ParamSpec choice() {
  ParamSpec spec;
  spec.name = "mode";
  spec.type = ParamType::Choice;
  spec.choices = {"near", "smooth"};
  spec.defaultValue = std::string("near");
  return spec;
}

ParamSpec flag() {
  ParamSpec spec;
  spec.name = "pad";
  spec.type = ParamType::Boolean;
  spec.defaultValue = false;
  return spec;
}

}  // namespace

class TestParamSpec : public QObject {
  Q_OBJECT
 private slots:
  void whatIsAllowedIsSaidInWords() {
    QCOMPARE(number(1, 64, "threads").allowed(), std::string("1 to 64 threads"));
    QCOMPARE(number(0, 1).allowed(), std::string("0 to 1"));
    QCOMPARE(number(0.5, {}, "pixels").allowed(), std::string("0.5 pixels or more"));
    QCOMPARE(number({}, 9).allowed(), std::string("at most 9"));
    QCOMPARE(number({}, {}, "bytes").allowed(), std::string("bytes"));
    QCOMPARE(choice().allowed(), std::string("one of near, smooth"));
    QCOMPARE(flag().allowed(), std::string("true or false"));
  }

  void aHugeLimitOfBytesIsWrittenWithItsPrefix() {
    QCOMPARE(number(0, 1e15, "bytes").allowed(), std::string("0 bytes to 1 PB"));
    QCOMPARE(number(0, 4096, "bytes").allowed(), std::string("0 to 4096 bytes"));
  }

  void theEndsOfARangeAreInside() {
    const ParamSpec spec = number(-2, 3);
    for (const std::int64_t inside : {-2, 0, 3}) QVERIFY(!spec.problemWith(inside));
    for (const std::int64_t outside : {-3, 4}) QVERIFY(spec.problemWith(outside));
    QCOMPARE(*spec.problemWith(std::int64_t{4}), std::string("4 is out of range: -2 to 3"));
  }

  void oneEndAloneIsARangeToo() {
    QVERIFY(number(0, {}).problemWith(std::int64_t{-1}));
    QVERIFY(!number(0, {}).problemWith(std::int64_t{1} << 40));
    QVERIFY(number({}, 0).problemWith(std::int64_t{1}));
    QVERIFY(!number({}, 0).problemWith(-(std::int64_t{1} << 40)));
  }

  void noNumberIsNotFinite() {
    ParamSpec spec = number({}, {});
    spec.type = ParamType::Real;
    QVERIFY(!spec.problemWith(1e300));
    for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL}) QVERIFY(spec.problemWith(value));
  }

  void aListNamesTheElementThatIsOutside() {
    ParamSpec spec = number(0, 1);
    spec.type = ParamType::RealList;
    QVERIFY(!spec.problemWith(RealList{}));
    QCOMPARE(*spec.problemWith(RealList{0, 1.25, 2}), std::string("1.25 is out of range: 0 to 1"));
  }

  void textsAreAllowedAsTheyAre() {
    ParamSpec spec;
    QVERIFY(!spec.problemWith(std::string()));
    QVERIFY(!spec.problemWith(std::string("anything \xff")));
  }

  void aUseIsMetByOneOfItsChoices() {
    const ParamUse use{"mode", {"smooth", "other"}};
    QVERIFY(use.isMet(choice(), std::string("smooth")));
    QVERIFY(!use.isMet(choice(), std::string("near")));
    QCOMPARE(use.text(choice(), "mode"), std::string("mode is smooth or other"));
  }

  void aUseIsMetByAFlagThatIsOn() {
    const ParamUse use{"pad", {}};
    QVERIFY(use.isMet(flag(), true));
    QVERIFY(!use.isMet(flag(), false));
    QCOMPARE(use.text(flag(), "`pad`"), std::string("`pad` is on"));
  }

  void aUseIsMetByAnythingButTheDefault() {
    const ParamUse use{"count", {}};
    const ParamSpec other = number(1, 64);
    QVERIFY(use.isMet(other, std::int64_t{2}));
    QVERIFY(!use.isMet(other, std::int64_t{1}));
    QCOMPARE(use.text(other, "count"), std::string("count is set"));
    // A choice without named choices too.
    QVERIFY(use.isMet(choice(), std::string("smooth")));
    QVERIFY(!use.isMet(choice(), std::string("near")));
  }
};

}  // namespace millrace

using millrace::TestParamSpec;
MILLRACE_TEST_CASE(TestParamSpec)
#include "tst_param_spec.moc"
