// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/named/job_options.h"

#include "tests/support/test_case.h"

namespace millrace {

class TestJobOptions : public QObject {
  Q_OBJECT

  static JobOptions parsed(const std::string& json) {
    auto options = JobOptions::parse(json);
    if (!options) qFatal("%s", options.error().message.c_str());
    return options.take();
  }
  /// The error of reading one value as a T; "fine" without one.
  template <class T>
  static std::string refusal(const std::string& value) {
    JobOptions options = parsed("{\"key\": " + value + "}");
    T to{};
    options.read("key", to);
    const Status done = options.finish();
    return done ? std::string("fine") : done.error().message;
  }

 private slots:
  void onlyAnObjectIsAccepted() {
    for (const char* text : {"", "[]", "1", "{", "null"}) QVERIFY2(!JobOptions::parse(text), text);
  }

  void valuesAreRead() {
    JobOptions options = parsed(
        R"({"text": "a", "yes": true, "number": 1.5, "count": 3, "one": "x", "many": ["y", "z"],
            "settings": {"a.b": 1, "c.d": "e", "f.g": [1, 2.5], "h.i": false},
            "document": {"nodes": []}, "none": null})");
    std::string text;
    bool yes = false;
    std::optional<double> number;
    std::optional<std::uint64_t> count;
    std::vector<std::string> texts;
    std::vector<std::string> settings;
    std::optional<std::string> document;
    std::string none = "unchanged";
    options.read("text", text);
    options.read("yes", yes);
    options.read("number", number);
    options.read("count", count);
    options.readTexts("one", texts);
    options.readTexts("many", texts);
    options.readSettings("settings", settings);
    options.readDocument("document", document);
    options.read("none", none);
    options.read("missing", none);
    VERIFY_OK(options.finish());
    QCOMPARE(text, std::string("a"));
    QVERIFY(yes);
    QCOMPARE(number.value_or(0), 1.5);
    QCOMPARE(count.value_or(0), std::uint64_t{3});
    QVERIFY((texts == std::vector<std::string>{"x", "y", "z"}));
    QVERIFY((settings == std::vector<std::string>{"a.b=1", "c.d=e", "f.g=1,2.5", "h.i=false"}));
    QCOMPARE(document.value_or(""), std::string(R"({"nodes":[]})"));
    QCOMPARE(none, std::string("unchanged"));
  }

  void aSwitchMayBeAText() {
    const auto read = [](const std::string& value) {
      JobOptions options = parsed("{\"key\": " + value + "}");
      std::optional<std::string> to;
      options.readYesOrText("key", to);
      const Status done = options.finish();
      return done ? to : std::optional<std::string>(done.error().message);
    };
    QVERIFY(read("true") == std::string());
    QVERIFY(read("\"sweep of x\"") == std::string("sweep of x"));
    QVERIFY(!read("false"));
    QVERIFY(!read("null"));
    QVERIFY(read("1").value_or("").starts_with("key: expected true, false or a name"));
  }

  void wrongTypesAndLimitsAreErrorsThatNameTheKey() {
    for (const std::string& error :
         {refusal<std::string>("1"), refusal<bool>("1"), refusal<std::optional<double>>("\"1\""),
          refusal<std::optional<double>>("-1"), refusal<std::optional<std::uint64_t>>("1.5"),
          refusal<std::optional<std::uint64_t>>("-1")})
      QVERIFY2(error.starts_with("key: expected "), error.c_str());
    QCOMPARE(refusal<std::optional<double>>("2"), std::string("fine"));
  }

  void theFirstErrorIsReported() {
    JobOptions options = parsed(R"({"a": 1, "b": 2})");
    std::string text;
    options.read("a", text);
    options.read("b", text);
    options.refuse("too late");
    QVERIFY(options.finish().error().message.starts_with("a: "));
  }

  void aKeyThatNothingReadsIsAnError() {
    JobOptions options = parsed(R"({"secondes": 1})");
    std::optional<double> seconds;
    options.read("seconds", seconds);
    const Status done = options.finish();
    QVERIFY(!done);
    QVERIFY2(done.error().message.find("`secondes`") != std::string::npos &&
                 done.error().message.find("`seconds`") != std::string::npos,
             done.error().message.c_str());
  }

  void aFileIsTheUsualOneOrNoneOrAnother() {
    const auto file = [](const char* value) {
      JobOptions options = parsed("{\"store\": " + std::string(value) + "}");
      std::string to = "/usual";
      options.readFile("store", to, "/usual");
      return options.finish() ? to : std::string("refused");
    };
    QCOMPARE(file("null"), std::string("/usual"));
    QCOMPARE(file("true"), std::string("/usual"));
    QCOMPARE(file("false"), std::string());
    QCOMPARE(file("\"/other\""), std::string("/other"));
    QCOMPARE(file("1"), std::string("refused"));
  }

  void aSideIsANameOrADocument() {
    JobOptions options = parsed(R"({"a": "last", "b": {"nodes": []}})");
    std::array<std::string, 2> names;
    std::array<std::optional<std::string>, 2> documents;
    options.readNameOrDocument("a", names[0], documents[0]);
    options.readNameOrDocument("b", names[1], documents[1]);
    VERIFY_OK(options.finish());
    QCOMPARE(names[0], std::string("last"));
    QVERIFY(!documents[0].has_value());
    QCOMPARE(names[1], std::string("-"));
    QVERIFY(documents[1].has_value());
  }
};

}  // namespace millrace

using millrace::TestJobOptions;
MILLRACE_TEST_CASE(TestJobOptions)
#include "tst_job_options.moc"
