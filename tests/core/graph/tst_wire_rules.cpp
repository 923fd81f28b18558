// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/rules/wire_rules.h"

#include "core/graph/edit/graph_edit.h"
#include "core/nodes/builtin.h"
#include "tests/core/graph/example_graph.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::exampleGraph;

namespace {

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
    const Graph graph = exampleGraph();
    for (const GraphWire& wire : graph.wires) VERIFY_OK(mayLead(graph, wire.from, wire.to));
  }

  void refusesAnotherLevelAndSaysWhatToDo() {
    const Graph graph = with(exampleGraph(), "prefetch");
    const Status refused = mayLead(graph, "decode", "prefetch_2");
    QVERIFY(!refused.ok());
    QVERIFY(QString::fromStdString(refused.error().message).contains("batches"));
  }

  void refusesAStreamWithNothingToActOn() {
    const Graph graph = with(exampleGraph(), "resize");
    QVERIFY(!mayLead(graph, "shuffle", "resize").ok());
    VERIFY_OK(mayLead(graph, "decode", "resize"));
  }

  void refusesAnOrderNodeBehindPixels() {
    QVERIFY(!mayLead(with(exampleGraph(), "take"), "decode", "take").ok());
    VERIFY_OK(mayLead(with(exampleGraph(), "take"), "shuffle", "take"));
  }

  void refusesACircle() {
    const Status refused = mayLead(exampleGraph(), "flip", "decode");
    QVERIFY(!refused.ok());
    QVERIFY(QString::fromStdString(refused.error().message).contains("loop"));
  }

  void refusesSourcesAndConsumersAtTheWrongEnd() {
    const Graph graph = exampleGraph();
    QVERIFY(!mayLead(graph, "decode", "image_folder").ok());
    QVERIFY(!mayLead(graph, graph.nodes.back().id, "decode").ok());
    QVERIFY(!mayLead(graph, "decode", "decode").ok());
    QVERIFY(!mayLead(graph, "missing", "decode").ok());
  }

  void aBatchOfUnequalPicturesIsNotRefused() {
    VERIFY_OK(mayLead(exampleGraph(), "decode", "batch"));
  }

  void whatIsNotKnownIsAllowed() {
    Graph graph = with(Graph{}, "decode");
    graph = with(std::move(graph), "prefetch");
    VERIFY_OK(mayLead(graph, "decode", "prefetch"));
  }

  void saysWhichKindsMayFollow() {
    const Graph graph = exampleGraph();
    const CheckResult checked = checkGraph(graph, builtinCatalog(), {});
    const WireRules rules(graph, builtinCatalog(), checked.streams);
    QVERIFY(rules.mayFollow("decode", *builtinCatalog().find("resize")).ok());
    QVERIFY(!rules.mayFollow("decode", *builtinCatalog().find("drain")).ok());
    QVERIFY(!rules.mayFollow("decode", *builtinCatalog().find("synthetic")).ok());
    QVERIFY(!rules.mayPrecede(*builtinCatalog().find("drain"), "decode").ok());
    QVERIFY(rules.mayPrecede(*builtinCatalog().find("flip"), "decode").ok());
  }

  void aKindForRecordsFitsOnlyStreamsWithSuchAField() {
    const Graph graph = exampleGraph();
    const CheckResult checked = checkGraph(graph, builtinCatalog(), {});
    const WireRules rules(graph, builtinCatalog(), checked.streams);
    for (const char* kind : {"example_parse", "bit_unpack", "raw_to_array", "to_boxes"})
      QVERIFY2(!rules.fieldFor("decode", *builtinCatalog().find(kind)), kind);
    QCOMPARE(rules.fieldFor("decode", *builtinCatalog().find("flip")).take(), std::string());
    // A source of records has a field of another name than the default.
    Graph records = addNode(Graph{}, builtinCatalog(), "tfrecord")->graph;
    records =
        setParameter(records, builtinCatalog(), "tfrecord", "content", Value{std::string("bytes")})
            .take();
    const CheckResult read = checkGraph(records, builtinCatalog(), {});
    const WireRules recordRules(records, builtinCatalog(), read.streams);
    const auto field = recordRules.fieldFor("tfrecord", *builtinCatalog().find("raw_to_array"));
    QVERIFY(field && *field != "data");
    QVERIFY(recordRules.fieldFor("tfrecord", *builtinCatalog().find("to_boxes")));
  }
};

}  // namespace millrace

using millrace::TestWireRules;
MILLRACE_TEST_CASE(TestWireRules)
#include "tst_wire_rules.moc"
