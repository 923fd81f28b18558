// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>

#include <QTemporaryDir>

#include "core/graph/json/graph_json.h"
#include "tests/core/graph/test_kinds.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::chainOf;
using tests::testCatalog;
using tests::textOf;

namespace {

ReadGraph parse(const std::string& text) { return parseGraph(text, testCatalog()); }

/// A pipeline of one node with these parameters.
std::string withParams(const std::string& kind, const std::string& params) {
  return R"({"format_version": 1, "nodes": [{"kind": ")" + kind + R"(", "params": )" + params +
         "}]}";
}

std::string rewritten(const std::string& text) {
  const ReadGraph read = parse(text);
  return read.graph ? graphText(*read.graph, testCatalog()) : textOf(read.problems);
}

}  // namespace

class TestGraphJson : public QObject {
  Q_OBJECT
 private slots:
  void writesEveryParameterWithSortedKeys() {
    QCOMPARE(QString::fromStdString(rewritten(withParams("scale", R"({"size": 7, "factor": 1})"))),
             QString(R"({
  "comments": [],
  "format_version": 1,
  "groups": [],
  "nodes": [
    {
      "id": "scale",
      "kind": "scale",
      "params": {
        "exact": false,
        "factor": 1.0,
        "fields": [],
        "filter": "smooth",
        "note": "",
        "size": 7,
        "weights": [0.5, 1.0]
      },
      "state": "on"
    }
  ],
  "seed": 0,
  "wires": []
}
)"));
  }

  void openAndSaveGivesTheSameBytes_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("left out parameters")
        << R"({"format_version": 1, "nodes": [{"kind": "scale"}]})";
    QTest::newRow("unknown kind, keys, nested extras") << R"({"format_version": 1,
      "seed": 18446744073709551615, "later": {"b": [1, 2.50, {"x": null}], "a": "\u00e9\n"},
      "nodes": [{"id": "n-1", "kind": "warp", "state": "bypass", "ui": {"x": 1, "y": -0.0},
                 "params": {"list": [1, 2], "deep": {"k": [[1], "x"]}, "big": 99999999999999999999,
                            "huge": 12345678901234567890, "none": null}, "colour": "red"}],
      "wires": [{"from": "a", "to": "b", "note": {"q": 1e-7}}],
      "groups": [{"nodes": ["n-1"]}, 3], "comments": ["x", {"text": "y"}]})";
    QTest::newRow("wrong types are kept") << QString::fromStdString(
        withParams("scale", R"({"size": "large", "factor": {"a": 1}, "weights": [1, "x"],
                                "exact": null, "unknown": [1, 2]})"));
    QTest::newRow("numbers") << QString::fromStdString(withParams(
        "scale", R"({"factor": 0.1, "weights": [1e300, 5e-324, 0.30000000000000004, 3, 1e22]})"));
  }
  void openAndSaveGivesTheSameBytes() {
    QFETCH(QString, text);
    const std::string first = rewritten(text.toStdString());
    QVERIFY2(parse(first).graph.has_value(), first.c_str());
    QCOMPARE(QString::fromStdString(rewritten(first)), QString::fromStdString(first));
    QVERIFY(*parse(text.toStdString()).graph == *parse(first).graph ||
            text.contains("\"kind\": \"scale\""));
  }

  void keepsUnknownThingsAsTheyStood() {
    const std::string text = rewritten(
        R"({"format_version": 1, "later": [1, 2.5], "nodes": [{"kind": "warp", "params": {"a": [1, 2]}}]})");
    QVERIFY(text.find(R"("later": [1, 2.5])") != std::string::npos);
    QVERIFY(text.find(R"("params": {"a": [1, 2]})") != std::string::npos);
  }

  void integersStayIntegersAndRealsReals() {
    const ReadGraph read = parse(withParams("scale", R"({"size": 4.0, "factor": 2})"));
    const ParamValues& params = read.graph->nodes[0].params;
    QVERIFY(std::get<Value>(params.at("size")) == Value{std::int64_t{4}});
    QVERIFY(std::get<Value>(params.at("factor")) == Value{2.0});
    const std::string text = graphText(*read.graph, testCatalog());
    QVERIFY(text.find("\"size\": 4\n") != std::string::npos ||
            text.find("\"size\": 4,") != std::string::npos);
    QVERIFY(text.find("\"factor\": 2.0") != std::string::npos);
  }

  void namesNodesThatHaveNoId() {
    const ReadGraph read =
        parse(R"({"format_version": 1, "nodes": [{"kind": "scale"}, {"kind": "scale"}]})");
    QCOMPARE(read.graph->nodes[1].id, std::string("scale_2"));
  }

  void saysWhereTheTextIsWrong_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("empty") << QByteArray("") << QByteArray("the input is empty");
    QTest::newRow("comma") << QByteArray("{\"seed\": 1,\n  }")
                           << QByteArray("line 2, column 3: unexpected '}'; expected string");
    QTest::newRow("cut") << QByteArray("{\"nodes\": [{\"id\": \"a\"") << QByteArray("expected '}'");
    QTest::newRow("utf-8") << QByteArray("{\"a\": \"\xff\"}") << QByteArray("UTF-8");
    QTest::newRow("utf-8 elsewhere") << QByteArray("\xff\xfe{") << QByteArray("line 1, column 1");
    QTest::newRow("twice") << QByteArray(R"({"nodes": [{}, {"id": "a", "id": "b"}]})")
                           << QByteArray("line 1, column 28: nodes[1].id appears twice");
    QTest::newRow("deep") << QByteArray(100000, '[')
                          << QByteArray("line 1, column 65: nested deeper than 64");
    QTest::newRow("number") << QByteArray(R"({"seed": 1e999})") << QByteArray("line 1, column 1");
    QTest::newRow("more") << QByteArray("{} x") << QByteArray("expected end of input");
    QTest::newRow("list") << QByteArray("[1]") << QByteArray("a pipeline is a JSON object");
    QTest::newRow("long") << QByteArray("{\"a\": ") + QByteArray(1 << 20, 'x')
                          << QByteArray("invalid literal");
    QTest::newRow("large") << QByteArray((16 << 20) + 1, ' ')
                           << QByteArray("the limit for a pipeline file");
  }
  void saysWhereTheTextIsWrong() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, said);
    const ReadGraph read = parse(text.toStdString());
    QVERIFY(!read.graph);
    VERIFY_PROBLEM(read.problems, Severity::Error, "", said.toStdString());
    QVERIFY(read.problems.all()[0].message.size() < 400);
    QVERIFY(!read.problems.all()[0].remedy.empty());
  }

  void reportsEveryWrongTypeWithItsKeyPath() {
    const ReadGraph read = parse(R"({"format_version": "1", "seed": -1, "groups": {},
      "nodes": [{"id": 3, "kind": "scale"}, 7, {"kind": "scale", "state": "off", "params": []}, {}],
      "wires": [{"from": "a"}]})");
    QVERIFY(!read.graph);
    for (const char* place : {"format_version", "seed", "groups", "nodes[0].id", "nodes[1]",
                              "nodes[2].state", "nodes[2].params", "nodes[3].kind", "wires[0].to"})
      VERIFY_PROBLEM(read.problems, Severity::Error, place, "");
    QCOMPARE(read.problems.all().size(), std::size_t{9});
  }

  void refusesNewerAndUnknownVersions() {
    VERIFY_PROBLEM(parse(R"({"format_version": 2})").problems, Severity::Error, "format_version",
                   "has version 2, this program reads up to version 1");
    QVERIFY(!parse(R"({"format_version": 0})").graph);
    const ReadGraph missing = parse("{}");
    QVERIFY(missing.graph);
    VERIFY_PROBLEM(missing.problems, Severity::Warning, "format_version", "write");
  }

  void boundsWhatItTakes() {
    std::string nodes;
    for (int i = 0; i < 1001; ++i) nodes += R"({"kind": "scale"},)";
    nodes.pop_back();
    VERIFY_PROBLEM(parse(R"({"format_version": 1, "nodes": [)" + nodes + "]}").problems,
                   Severity::Error, "nodes", "has 1001 entries, a pipeline may have 1000");
    const std::string longName(257, 'a');
    VERIFY_PROBLEM(
        parse(R"({"format_version": 1, "nodes": [{"kind": ")" + longName + R"("}]})").problems,
        Severity::Error, "nodes[0].kind", "at most 256");
  }

  void savesBesideAndReadsBack() {
    const QTemporaryDir folder;
    const std::filesystem::path file =
        std::filesystem::path(folder.path().toStdString()) / "p.millrace.json";
    const Graph graph = chainOf("list team pack sink");
    VERIFY_OK(saveGraph(file, graph, testCatalog()));
    const ReadGraph read = readGraph(file, testCatalog());
    QCOMPARE(graphText(*read.graph, testCatalog()), graphText(graph, testCatalog()));
    QCOMPARE(std::distance(std::filesystem::directory_iterator(file.parent_path()), {}), 1);
  }

  void reportsFilesThatCannotBeReadOrWritten() {
    VERIFY_PROBLEM(readGraph("/nowhere/p.json", testCatalog()).problems, Severity::Error, "",
                   "/nowhere/p.json: No such file");
    VERIFY_PROBLEM(readGraph("/tmp", testCatalog()).problems, Severity::Error, "", "a folder");
    const Status saved = saveGraph("/nowhere/p.json", {}, testCatalog());
    QVERIFY(!saved && saved.error().message.find("/nowhere/p.json") != std::string::npos);
  }
};

}  // namespace millrace

using millrace::TestGraphJson;
MILLRACE_TEST_CASE(TestGraphJson)
#include "tst_graph_json.moc"
