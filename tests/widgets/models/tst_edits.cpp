// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "widgets/models/edits.h"

#include <algorithm>

#include "core/nodes/builtin.h"
#include "tests/core/graph/example_graph.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::exampleGraph;

const Catalog& catalog() { return builtinCatalog(); }

bool leads(const Graph& graph, const NodeId& from, const NodeId& to) {
  return std::ranges::any_of(
      graph.wires, [&](const GraphWire& wire) { return wire.from == from && wire.to == to; });
}

}  // namespace

class TestEdits : public QObject {
  Q_OBJECT
 private slots:
  void aNewNodeHasAtMostAsManyThreadsAsCores() {
    const auto threads = [&](unsigned cores) {
      const AddedNode added =
          withinCores(addNodeAt(Graph{}, catalog(), "workers", {0, 0}).take(), catalog(), cores);
      const GraphNode& node = *added.graph.node("workers");
      return std::get<std::int64_t>(valueOf(node, *catalog().find("workers")->param("count")));
    };
    QCOMPARE(threads(2), std::int64_t{2});
    QCOMPARE(threads(64), std::int64_t{4});
  }

  /// docs/workbench.md#one-wire-per-input.
  void aNewWireReplacesOldOnesAtItsPorts() {
    const Graph graph = connectReplacing(exampleGraph(), catalog(), "shuffle", "decode").take();
    QVERIFY(leads(graph, "shuffle", "decode"));
    QVERIFY(!leads(graph, "shuffle", "workers"));
    QVERIFY(!leads(graph, "workers", "decode"));
    QVERIFY(!connectReplacing(graph, catalog(), "shuffle", "decode").ok());
  }

  /// docs/workbench.md#insert-into-a-wire.
  void deletingWithHealingJoinsTheNeighbours() {
    const Graph healed =
        removeNodes(exampleGraph(), catalog(), {"decode", "workers"}, Healing::Heal);
    QVERIFY(leads(healed, "shuffle", "random_resized_crop"));
    const Graph cut = removeNodes(exampleGraph(), catalog(), {"decode"}, Healing::Cut);
    QVERIFY(!leads(cut, "workers", "random_resized_crop"));
  }

  void bypassOfASelectionTogglesAllNodesOrNone() {
    const Graph on = exampleGraph();
    const Graph off = toggleBypass(on, catalog(), {"flip", "normalise"}).take();
    QCOMPARE(off.node("flip")->state, NodeState::Bypass);
    QCOMPARE(toggleBypass(off, catalog(), {"flip", "normalise"}).take(), on);
    const Result<Graph> refused = toggleBypass(on, catalog(), {"flip", "batch"});
    QVERIFY(!refused.ok());
    QVERIFY(QString::fromStdString(refused.error().message).contains("bypass"));
  }

  /// docs/workbench.md#bypass-and-drain.
  void aDrainReplacesAConsumerAndGivesItsPlaceBack() {
    Graph graph = addNodeAt(Graph{}, catalog(), "synthetic", {0, 0})->graph;
    graph = addNodeAt(graph, catalog(), "emulated_step", {80, 0})->graph;
    graph = setParameter(graph, catalog(), "emulated_step", "seconds", Value{0.25}).take();
    graph.wires.push_back({"synthetic", "emulated_step", {}});
    const AddedNode drained = togglePlainConsumer(graph, catalog(), "emulated_step").take();
    QVERIFY(leads(drained.graph, "synthetic", drained.id));
    QVERIFY(drained.graph.node("emulated_step") == nullptr);
    QCOMPARE(togglePlainConsumer(drained.graph, catalog(), drained.id)->graph, graph);
    QVERIFY(!togglePlainConsumer(graph, catalog(), "synthetic").ok());
  }

  void pastedNodesHaveNewNamesAndTheirWires() {
    const Graph graph = moved(exampleGraph(), {{"decode", {40, 80}}});
    const std::string text = copyText(graph, catalog(), {"decode", "flip", "random_resized_crop"});
    const Pasted pasted = paste(graph, catalog(), text, {24, 24}, Incoming::Drop).take();
    QCOMPARE(pasted.ids.size(), std::size_t{3});
    QVERIFY(leads(pasted.graph, "decode_2", "random_resized_crop_2"));
    QVERIFY(!leads(pasted.graph, "workers", "decode_2"));
    QCOMPARE(placeOf(*pasted.graph.node("decode_2")), std::optional(QPointF(64, 104)));
    QVERIFY2(!placeOf(*pasted.graph.node("flip_2")), "what the canvas places stays so");
  }

  /// docs/workbench.md#copy-and-paste.
  void incomingWiresAreRestoredIfPossible() {
    const Graph graph = exampleGraph();
    const std::string text = copyText(graph, catalog(), {"decode"});
    const Graph cut = removeNodes(graph, catalog(), {"decode"}, Healing::Cut);
    const Pasted pasted = paste(cut, catalog(), text, {}, Incoming::Keep).take();
    QVERIFY(leads(pasted.graph, "workers", "decode"));
    const Pasted second = paste(graph, catalog(), text, {}, Incoming::Keep).take();
    QVERIFY(!leads(second.graph, "workers", "decode_2"));  // That output is already connected.
  }

  void garbageIsRefusedWithASentence() {
    for (const char* text : {"", "hello", "{}", "[1,2]", R"({"format_version": 1, "nodes": []})"}) {
      const Result<Pasted> pasted = paste(exampleGraph(), catalog(), text, {}, Incoming::Drop);
      QVERIFY2(!pasted.ok(), text);
      QVERIFY(QString::fromStdString(pasted.error().message).contains("no nodes"));
    }
  }
};

}  // namespace millrace

using millrace::TestEdits;
MILLRACE_TEST_CASE(TestEdits)
#include "tst_edits.moc"
