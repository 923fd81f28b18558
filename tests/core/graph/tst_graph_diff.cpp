// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/diff/graph_diff.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/base/text/text.h"
#include "core/graph/edit/graph_edit.h"
#include "core/graph/json/graph_json.h"
#include "tests/core/graph/test_kinds.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::chainOf;
using tests::testCatalog;

namespace {

std::string linesOf(const Graph& before, const Graph& after) {
  return join(diffLines(diffGraphs(before, after, testCatalog())), "\n");
}

QString text(const Graph& before, const Graph& after) {
  return QString::fromStdString(linesOf(before, after));
}

Graph withSetting(const Graph& graph, const char* setting) {
  return applySetting(graph, testCatalog(), setting).take();
}

Graph renamed(const Graph& graph, const char* id, const char* newId) {
  return renameNode(graph, testCatalog(), id, newId).take();
}

}  // namespace

class TestGraphDiff : public QObject {
  Q_OBJECT
 private slots:
  void aDocumentIsTheSameAsItself() {
    const Graph graph = chainOf("list mix_up team scale pack sink");
    QVERIFY(diffGraphs(graph, graph, testCatalog()).same());
    QCOMPARE(text(graph, graph), "the pipelines are the same");
    QVERIFY(diffGraphs({}, {}, testCatalog()).same());
  }

  void aDefaultThatIsWrittenOutIsNoDifference() {
    const Graph graph = chainOf("list scale sink");
    QVERIFY(diffGraphs(graph, withSetting(graph, "scale.size=4"), testCatalog()).same());
  }

  void placesOnTheCanvasAreNoDifference() {
    const Graph graph = chainOf("list sink");
    Graph moved = graph;
    moved.nodes[0].ui = {R"({"x":3})"};
    moved.comments = {{R"("a")"}};
    std::swap(moved.nodes[0], moved.nodes[1]);
    QVERIFY(diffGraphs(graph, moved, testCatalog()).same());
  }

  void namesChangedParametersOldAndNew() {
    const Graph graph = chainOf("list team scale sink");
    Graph after = withSetting(withSetting(graph, "team.count=6"), "scale.size=8");
    after = withSetting(after, "scale.note=two words");
    QCOMPARE(text(graph, after),
             "2 nodes changed\n"
             "* team  count 1 -> 6\n"
             "* scale  note \"\" -> two words; size 4 -> 8");
    const GraphDiff diff = diffGraphs(graph, after, testCatalog());
    QCOMPARE(diff.nodes.size(), std::size_t{4});
    QCOMPARE(std::get<Value>(*diff.nodes[1].params.front().after), Value{std::int64_t{6}});
  }

  void namesAddedAndRemovedNodesAtTheirPlace() {
    const Graph graph = chainOf("list team scale sink");
    Graph after = chainOf("list keep team sink");
    after = withSetting(after, "team.count=1");
    QCOMPARE(text(graph, after),
             "1 node added, 1 removed\n"
             "+ keep  added after list\n"
             "- scale  removed, was after team");
    QCOMPARE(text(after, withSetting(graph, "scale.size=8")),
             "1 node added, 1 removed\n"
             "- keep  removed, was after list\n"
             "+ scale  added after team: size 8");
  }

  void aNodeOfTheSameKindAtTheSamePlaceIsRenamed() {
    const Graph graph = chainOf("list brighten scale sink");
    const Graph after = withSetting(renamed(graph, "scale", "shrink"), "shrink.size=8");
    QCOMPARE(text(graph, after), "1 node changed\n* shrink  size 4 -> 8; renamed, was scale");
    const GraphDiff diff = diffGraphs(graph, after, testCatalog());
    QVERIFY(diff.nodes[2].renamed());
    QVERIFY(diff.wiresAdded.empty() && diff.wiresRemoved.empty());
  }

  void aNodeOfTheSameKindElsewhereIsAnotherNode() {
    const Graph graph = chainOf("list scale brighten sink");
    const Graph after = renamed(chainOf("list brighten scale sink"), "scale", "shrink");
    QCOMPARE(text(graph, after),
             "1 node added, 1 removed\n"
             "- scale  removed, was after list\n"
             "+ shrink (scale)  added after brighten");
  }

  void anotherKindUnderTheSameIdIsAnotherNode() {
    const Graph graph = chainOf("list brighten sink");
    Graph after = graph;
    after.nodes[1].kind = "scale";
    QCOMPARE(text(graph, after),
             "1 node added, 1 removed\n"
             "- brighten  removed, was after list\n"
             "+ brighten (scale)  added after list");
  }

  void namesTheFewestNodesThatMoved() {
    const Graph graph = chainOf("list mix_up team scale brighten keep sink");
    QCOMPARE(text(graph, chainOf("list mix_up keep team scale brighten sink")),
             "1 node changed\n* keep  moved after mix_up, was after brighten");
  }

  void namesBypassAndSeed() {
    const Graph graph = chainOf("list scale sink");
    Graph after = setState(graph, testCatalog(), "scale", NodeState::Bypass).take();
    after.seed = 7;
    QCOMPARE(text(graph, after),
             "1 node changed, different seed\n* scale  bypassed, was on\n* seed  0 -> 7");
    QCOMPARE(text(after, graph),
             "1 node changed, different seed\n* scale  on, was bypassed\n* seed  7 -> 0");
  }

  void showsOnlyWiresThatNodesDoNotExplain() {
    const Graph graph = chainOf("list scale sink");
    const Graph cut = disconnectNodes(graph, "list", "scale").take();
    QCOMPARE(text(graph, cut), "different wires\n- wire  list -> scale");
    const GraphDiff added =
        diffGraphs(graph, chainOf("list brighten keep scale sink"), testCatalog());
    QCOMPARE(added.wiresAdded.size(), std::size_t{3});
    QCOMPARE(added.wiresRemoved.size(), std::size_t{1});
    QVERIFY(added.loneWiresAdded.empty() && added.loneWiresRemoved.empty());
  }

  void worksOnDocumentsThatAreWrong() {
    const Graph graph = chainOf("list scale sink");
    Graph wrong = graph;
    wrong.nodes.push_back(wrong.nodes[1]);
    wrong.nodes.push_back({"x", "no such kind", {}, NodeState::On, {}, {}});
    wrong.nodes.back().params["odd"] = RawJson{R"({"a":null})"};
    wrong.wires.push_back({"sink", "list", {}});
    wrong.wires.push_back({"missing", "nowhere", {}});
    const GraphDiff diff = diffGraphs(graph, wrong, testCatalog());
    QCOMPARE(diff.count(NodeFate::Added), std::size_t{2});
    QVERIFY(linesOf(graph, wrong).find(R"(odd {"a":null})") != std::string::npos);
    QCOMPARE(diffGraphs(wrong, {}, testCatalog()).count(NodeFate::Removed), std::size_t{5});
    QVERIFY(diffGraphs(wrong, wrong, testCatalog()).same());
  }

  void theJsonHoldsTypedValuesAndOnlyDifferences() {
    const Graph graph = chainOf("list team scale sink");
    Graph after = withSetting(renamed(graph, "scale", "shrink"), "shrink.weights=1,2.5");
    after.nodes[1].params["count"] = RawJson{"null"};
    const GraphDiff diff = diffGraphs(graph, after, testCatalog());
    const QJsonObject json =
        QJsonDocument::fromJson(QByteArray::fromStdString(diffJson(diff))).object();
    QCOMPARE(json["same"].toBool(true), false);
    const QJsonArray nodes = json["nodes"].toArray();
    QCOMPARE(nodes.size(), 2);
    QCOMPARE(nodes[0].toObject()["params"].toArray()[0].toObject()["before"].toInt(), 1);
    const QJsonObject scale = nodes[1].toObject();
    QCOMPARE(scale["before"].toString(), "scale");
    QCOMPARE(scale["after"].toString(), "shrink");
    QVERIFY(scale["renamed"].toBool());
    QVERIFY(scale["state"].isNull());
    QCOMPARE(scale["params"].toArray()[0].toObject()["after"].toArray()[1].toDouble(), 2.5);
    QVERIFY(json["seed"].isNull());
  }

  void theJsonSurvivesBytesThatAreNotUtf8() {
    const Graph graph = chainOf("list scale sink");
    Graph after = graph;
    after.nodes[1].params["note"] = Value{std::string("caf\xe9 \"x\"\n")};
    const GraphDiff diff = diffGraphs(graph, after, testCatalog());
    const QJsonDocument json = QJsonDocument::fromJson(QByteArray::fromStdString(diffJson(diff)));
    const QJsonArray params = json["nodes"].toArray()[0].toObject()["params"].toArray();
    QCOMPARE(params[0].toObject()["after"].toString(), QString("caf\uFFFD \"x\"\n"));
    QVERIFY(linesOf(graph, after).find("caf\\xe9 \"x\" ") != std::string::npos);
  }
};

MILLRACE_TEST_CASE(TestGraphDiff)

}  // namespace millrace

#include "tst_graph_diff.moc"
