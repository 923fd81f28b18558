// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The JSON of a kind: what is wrong is reported with its place.
#include "core/plugins/kind_description.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

std::string withParam(const std::string& param) {
  return R"({"kind": "k", "label": "K", "help": "Does.", "roles": ["image"], "params": [)" + param +
         "]}";
}

}  // namespace

class TestKindDescription : public QObject {
  Q_OBJECT
 private slots:
  void everyTypeOfParameterIsRead() {
    const auto kind = readKindDescription(withParam(R"(
      {"name": "a", "label": "A", "help": "h", "type": "integer", "default": 3, "minimum": 1,
       "maximum": 9, "unit": "pixels", "live": true, "choices": [], "is_data": false,
       "used_with": null},
      {"name": "b", "help": "h", "type": "real", "default": 2},
      {"name": "c", "help": "h", "type": "text", "default": "", "optional": true},
      {"name": "d", "help": "h", "type": "boolean", "default": true},
      {"name": "e", "help": "h", "type": "choice", "default": "y",
       "choices": [{"name": "x", "help": "hx"}, "y"]},
      {"name": "f", "help": "h", "type": "path", "default": ""},
      {"name": "g", "help": "h", "type": "list of reals", "default": [1, 2.5]},
      {"name": "i", "help": "h", "type": "list of texts", "default": ["t"],
       "used_with": {"param": "e", "choices": ["x"]}},
      {"name": "j", "help": "h", "type": "list of paths", "default": []})"));
    VERIFY_OK(kind);
    const std::vector<ParamSpec>& params = kind->spec.params;
    QCOMPARE(params.size(), std::size_t(9));
    QCOMPARE(params[0].allowed(), std::string("1 to 9 pixels"));
    QVERIFY(params[0].live && params[0].defaultValue == Value{std::int64_t{3}});
    QVERIFY(params[1].defaultValue == Value{2.0});
    QVERIFY(params[2].optional && params[3].defaultValue == Value{true});
    QCOMPARE(params[4].choices, (std::vector<std::string>{"x", "y"}));
    QCOMPARE(params[4].choiceHelps, (std::vector<std::string>{"hx", ""}));
    QVERIFY(params[6].defaultValue == (Value{RealList{1, 2.5}}));
    QVERIFY(params[7].usedWith.has_value() && params[7].usedWith->param == "e");
  }

  void whatIsWrongIsSaidWithItsPlace_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("why");
    const auto row = [](const char* name, const std::string& text, const char* why) {
      QTest::newRow(name) << QString::fromStdString(text) << why;
    };
    row("empty", "", "is not JSON");
    row("no UTF-8", "{\"kind\": \"\xff\"}", "is not JSON");
    row("deep", std::string(200000, '['), "is not JSON");
    row("a list", "[]", "expected an object");
    row("no kind", "{}", "`kind`: missing");
    row("kind", R"({"kind": "Big Kind"})", "`kind`: use at most 40");
    row("kind is a number", R"({"kind": 7})", "`kind`: expected a text");
    row("no help", R"({"kind": "k", "label": "K"})", "`help`: missing");
    row("no roles", R"({"kind": "k", "label": "K", "help": "h"})", "`roles`: name the roles");
    row("role", R"({"kind": "k", "label": "K", "help": "h", "roles": ["sound"]})",
        "there is no role `sound`");
    row("level", R"({"kind": "k", "label": "K", "help": "h", "roles": ["image"], "level": "all"})",
        "`level`: expected sample or batch");
    row("category",
        R"({"kind": "k", "label": "K", "help": "h", "roles": ["image"], "category": "source"})",
        "`category`: expected geometry, colour or tensor");
    row("key", R"({"kind": "k", "lable": "K"})",
        "`lable`: there is no such key; did you mean `label`?");
    row("params", R"({"kind": "k", "label": "K", "help": "h", "roles": ["image"], "params": {}})",
        "`params`: expected a list");
    row("no parameter", withParam("7"), "`params[0]`: expected an object");
    row("no type", withParam(R"({"name": "a", "help": "h"})"), "`params[0].type`: missing");
    row("type", withParam(R"({"name": "a", "help": "h", "type": "float"})"),
        "there is no type `float`");
    row("no default", withParam(R"({"name": "a", "help": "h", "type": "real"})"),
        "`params[0].default`: missing");
    row("default", withParam(R"({"name": "a", "help": "h", "type": "integer", "default": 1.5})"),
        "`params[0].default`: does not have the type integer");
    row("list",
        withParam(R"({"name": "a", "help": "h", "type": "list of reals", "default": ["x"]})"),
        "`params[0].default`: does not have the parameter's type");
    row("range",
        withParam(R"({"name": "a", "help": "h", "type": "real", "default": 5, "maximum": 1})"),
        "`params[0].default`: 5 is out of range");
    row("no choices", withParam(R"({"name": "a", "help": "h", "type": "choice", "default": "x"})"),
        "a choice needs some");
    row("taken", withParam(R"({"name": "fields", "help": "h", "type": "real", "default": 5})"),
        "not `fields` or `place`");
    row("twice", withParam(R"({"name": "a", "help": "h", "type": "real", "default": 5},
                     {"name": "a", "help": "h", "type": "real", "default": 5})"),
        "`params[1].name`: two parameters");
    row("use", withParam(R"({"name": "a", "help": "h", "type": "real", "default": 5,
                             "used_with": {"param": "b"}})"),
        "`params[0].used_with.param`: no parameter before this one");
  }
  void whatIsWrongIsSaidWithItsPlace() {
    QFETCH(QString, text);
    QFETCH(QString, why);
    const auto kind = readKindDescription(QTest::currentDataTag() == std::string("no UTF-8")
                                              ? "{\"kind\": \"\xff\"}"
                                              : text.toStdString());
    QVERIFY(!kind.ok());
    QVERIFY2(kind.error().message.find(why.toStdString()) != std::string::npos,
             kind.error().message.c_str());
  }
};

MILLRACE_TEST_CASE(TestKindDescription)

}  // namespace millrace::tests

#include "tst_kind_description.moc"
