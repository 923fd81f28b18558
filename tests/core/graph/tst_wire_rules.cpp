// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/wire_rules.h"

#include "core/graph/graph_edit.h"
#include "core/graph/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/samples/examples.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

Graph example() { return *parseGraph(*exampleJson("classification"), builtinCatalog()).graph; }

Status mayLead(const Graph& graph, const NodeId& from, const NodeId& to) {
  const CheckResult checked = checkGraph(graph, builtinCatalog(), {});
  return WireRules(graph, builtinCatalog(), checked.streams).mayLead(from, to);
}

Graph with(Graph graph, std::string_view kind) {
  return addNode(std::move(graph), builtinCatalog(), kind)->graph;
}

}  // namespace

class TestWireRules : public QObject {
  Q_OBJECT
 private slots:
  void allowsWhatIsThere() {
    const Graph graph = example();
    for (const GraphWire& wire : graph.wires) VERIFY_OK(mayLead(graph, wire.from, wire.to));
  }

  void refusesAnotherLevelAndSaysWhatToDo() {
    const Graph graph = with(example(), "prefetch");
    const Status refused = mayLead(graph, "decode", "prefetch_2");
    QVERIFY(!refused.ok());
    QVERIFY(QString::fromStdString(refused.error().message).contains("batches"));
  }

  void refusesAStreamWithNothingToActOn() {
    const Graph graph = with(example(), "resize");
    QVERIFY(!mayLead(graph, "shuffle", "resize").ok());
    VERIFY_OK(mayLead(graph, "decode", "resize"));
  }

  void refusesAnOrderNodeBehindPixels() {
    QVERIFY(!mayLead(with(example(), "take"), "decode", "take").ok());
    VERIFY_OK(mayLead(with(example(), "take"), "shuffle", "take"));
  }

  void refusesACircle() {
    const Status refused = mayLead(example(), "flip", "decode");
    QVERIFY(!refused.ok());
    QVERIFY(QString::fromStdString(refused.error().message).contains("circle"));
  }

  void refusesSourcesAndConsumersAtTheWrongEnd() {
    const Graph graph = example();
    QVERIFY(!mayLead(graph, "decode", "image_folder").ok());
    QVERIFY(!mayLead(graph, graph.nodes.back().id, "decode").ok());
    QVERIFY(!mayLead(graph, "decode", "decode").ok());
    QVERIFY(!mayLead(graph, "nobody", "decode").ok());
  }

  void aBatchOfUnequalPicturesIsNotRefused() { VERIFY_OK(mayLead(example(), "decode", "batch")); }

  void whatIsNotKnownIsAllowed() {
    Graph graph = with(Graph{}, "decode");
    graph = with(std::move(graph), "prefetch");
    VERIFY_OK(mayLead(graph, "decode", "prefetch"));
  }

  void saysWhichKindsMayFollow() {
    const Graph graph = example();
    const CheckResult checked = checkGraph(graph, builtinCatalog(), {});
    const WireRules rules(graph, builtinCatalog(), checked.streams);
    QVERIFY(rules.mayFollow("decode", *builtinCatalog().find("resize")).ok());
    QVERIFY(!rules.mayFollow("decode", *builtinCatalog().find("drain")).ok());
    QVERIFY(!rules.mayFollow("decode", *builtinCatalog().find("synthetic")).ok());
    QVERIFY(!rules.mayPrecede(*builtinCatalog().find("drain"), "decode").ok());
    QVERIFY(rules.mayPrecede(*builtinCatalog().find("flip"), "decode").ok());
  }
};

}  // namespace millrace

using millrace::TestWireRules;
MILLRACE_TEST_CASE(TestWireRules)
#include "tst_wire_rules.moc"
