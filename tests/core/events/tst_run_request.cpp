// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/stream/run_request.h"

#include "tests/support/test_case.h"

namespace millrace {

class TestRunRequest : public QObject {
  Q_OBJECT

  static std::string refusal(const std::string& line) {
    const Result<RunRequest> request = parseRequest(line);
    return request ? std::string("accepted") : request.error().message;
  }

 private slots:
  void aStopIsRead() {
    const auto request = parseRequest(R"({"id": 1, "request": "stop"})");
    VERIFY_OK(request);
    QVERIFY(request->kind == RunRequest::Kind::Stop);
    QCOMPARE(request->id, std::int64_t{1});
  }

  void aStartIsRead() {
    const auto request = parseRequest(R"({"id": 3, "request": "start"})");
    VERIFY_OK(request);
    QVERIFY(request->kind == RunRequest::Kind::Start);
  }

  void everyRequestIsReadAsItWasWritten() {
    QCOMPARE(requestLine({}), std::string(R"({"id":0,"request":"stop"})"));
    RunRequest set;
    set.id = 7;
    set.kind = RunRequest::Kind::Set;
    set.node = "step";
    set.param = "seconds";
    set.value = "0.1";
    const auto read = parseRequest(requestLine(set));
    VERIFY_OK(read);
    QCOMPARE(read->id, std::int64_t{7});
    QVERIFY(read->kind == RunRequest::Kind::Set);
    QCOMPARE(read->node + "." + read->param + "=" + read->value, std::string("step.seconds=0.1"));
    set.kind = RunRequest::Kind::Start;
    QVERIFY(parseRequest(requestLine(set))->kind == RunRequest::Kind::Start);
  }

  void aValueIsReadAsItIsTyped() {
    for (const auto& [json, text] :
         std::vector<std::pair<std::string, std::string>>{{"\"0.1\"", "0.1"},
                                                          {"0.1", "0.1"},
                                                          {"3", "3"},
                                                          {"true", "true"},
                                                          {"[1,2.5]", "1,2.5"},
                                                          {"[\"a\",\"b\"]", "a,b"}}) {
      const auto request = parseRequest(
          R"({"id": 2, "request": "set", "node": "step", "param": "seconds", "value": )" + json +
          "}");
      VERIFY_OK(request);
      QVERIFY(request->kind == RunRequest::Kind::Set);
      QCOMPARE(request->node, std::string("step"));
      QCOMPARE(request->param, std::string("seconds"));
      QCOMPARE(request->value, text);
    }
  }

  void whatIsWrongWithARequestIsASentence() {
    for (const char* line : {"", "stop", "[]", "{", "\xff", "7"})
      QCOMPARE(refusal(line), std::string("a request must be one JSON object on a line"));
    for (const char* line : {"{}", R"({"id": "1", "request": "stop"})", R"({"id": 1.5})",
                             R"({"id": 18446744073709551615, "request": "stop"})"})
      QVERIFY2(refusal(line).find("integer `id`") != std::string::npos, line);
    QCOMPARE(refusal(R"({"id": 1, "request": "go"})"),
             std::string("unknown request `go`; valid requests are stop, set and start"));
    QCOMPARE(refusal(R"({"id": 1, "request": "set", "node": "a"})"),
             std::string("set needs `node`, `param` and `value`"));
    const std::string deep = std::string(30000, '[') + std::string(30000, ']');
    QVERIFY(refusal(R"({"id": 1, "request": "set", "node": "a", "param": "b", "value": )" + deep +
                    "}") != "accepted");
  }

  void absentFiguresAreNullAndNeverZero() {
    const std::string json = resultJson({}, {"", "p"}, false);
    for (const char* key : {"step_share", "peak_rss_bytes", "run_id", "wait_p95_ms", "accelerator"})
      QVERIFY2(json.find("\"" + std::string(key) + "\":null") != std::string::npos, key);
  }
};

}  // namespace millrace

using millrace::TestRunRequest;
MILLRACE_TEST_CASE(TestRunRequest)
#include "tst_run_request.moc"
