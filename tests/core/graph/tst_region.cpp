// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/region.h"

#include "core/graph/edit/graph_edit.h"
#include "core/nodes/builtin.h"
#include "tests/core/graph/example_graph.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::exampleGraph;

namespace {

std::vector<NodeId> membersOf(const Graph& graph) {
  const std::vector<Region> regions = regionsOf(graph, builtinCatalog());
  return regions.empty() ? std::vector<NodeId>{} : regions.front().members;
}

}  // namespace

class TestRegion : public QObject {
  Q_OBJECT
 private slots:
  void reachesFromTheWorkersToTheBatch() {
    const std::vector<NodeId> members = membersOf(exampleGraph());
    QVERIFY(members.size() >= 4);
    QCOMPARE(members.front(), NodeId("decode"));
    for (const NodeId& id : members) QVERIFY(id != "batch" && id != "workers");
  }

  void followsTheWires() {
    Graph graph = exampleGraph();
    const std::size_t before = membersOf(graph).size();
    graph = disconnectNodes(graph, "decode", membersOf(graph)[1]).take();
    QCOMPARE(membersOf(graph), std::vector<NodeId>{"decode"});
    QVERIFY(before > 1);
  }

  void aBypassedMemberStays() {
    Graph graph = exampleGraph();
    const std::vector<NodeId> members = membersOf(graph);
    graph.node(members.back())->state = NodeState::Bypass;
    QCOMPARE(membersOf(graph), members);
  }

  void bypassedWorkersOpenNothing() {
    Graph graph = exampleGraph();
    graph.node("workers")->state = NodeState::Bypass;
    QVERIFY(regionsOf(graph, builtinCatalog()).empty());
  }

  void endsOnACircle() {
    Graph graph = exampleGraph();
    graph.wires = {{"workers", "decode", {}}, {"decode", "workers", {}}};
    QCOMPARE(membersOf(graph), std::vector<NodeId>{"decode"});
  }
};

}  // namespace millrace

using millrace::TestRegion;
MILLRACE_TEST_CASE(TestRegion)
#include "tst_region.moc"
