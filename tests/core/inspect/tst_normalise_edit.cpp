// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/report/normalise_edit.h"

#include <algorithm>

#include "core/graph/graph_check.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

Graph example(std::string_view name) {
  return *parseGraph(*exampleJson(name), builtinCatalog()).graph;
}

SetReport figures() {
  SetReport set;
  set.name = "train";
  set.mean = {0.123456, 0.5, 0.25};
  set.deviation = {0.2, 0.1, 0.3};
  return set;
}

RealList valuesOf(const Graph& graph, const NodeId& id, const char* param) {
  return std::get<RealList>(std::get<Value>(graph.node(id)->params.at(param)));
}

NodeId before(const Graph& graph, const NodeId& id) {
  const auto wire = std::ranges::find(graph.wires, id, &GraphWire::to);
  return wire == graph.wires.end() ? NodeId() : wire->from;
}

}  // namespace

class TestNormaliseEdit : public QObject {
  Q_OBJECT
 private slots:
  void theOnlyNodeGetsTheFigures() {
    const auto edit = withFiguresOf(figures(), example("classification"), builtinCatalog());
    VERIFY_OK(edit);
    QVERIFY(!edit->isNew);
    QCOMPARE(edit->graph.nodes.size(), example("classification").nodes.size());
    // As the command line prints them: four digits.
    QCOMPARE(channelsText(figures().mean), std::string("0.1235,0.5,0.25"));
    QVERIFY(valuesOf(edit->graph, edit->node, "mean") == RealList({0.1235, 0.5, 0.25}));
    QVERIFY(valuesOf(edit->graph, edit->node, "deviation") == RealList({0.2, 0.1, 0.3}));
  }

  void withoutOneItIsInsertedWhereThePipelineStaysCorrect() {
    const Graph graph = example("cats-vs-dogs");
    const auto edit = withFiguresOf(figures(), graph, builtinCatalog());
    VERIFY_OK(edit);
    QVERIFY(edit->isNew);
    QCOMPARE(edit->graph.nodes.size(), graph.nodes.size() + 1);
    QVERIFY(checkGraph(edit->graph, builtinCatalog(), {}).pipeline.has_value());
    // After every change of bytes, before they become half-precision numbers.
    QCOMPARE(before(edit->graph, edit->node), NodeId("channel_shift"));
    QVERIFY(valuesOf(edit->graph, edit->node, "mean") == RealList({0.1235, 0.5, 0.25}));
  }

  void ofSeveralTheChosenOneIsSet() {
    auto first = withFiguresOf(figures(), example("cats-vs-dogs"), builtinCatalog());
    VERIFY_OK(first);
    Graph graph = first->graph;
    GraphNode second = *graph.node(first->node);
    second.id = "other";
    graph.nodes.push_back(second);
    SetReport next = figures();
    next.mean = {0.1, 0.2, 0.3};
    const auto refused = withFiguresOf(next, graph, builtinCatalog());
    QVERIFY(!refused);
    QVERIFY2(refused.error().message.find("select one of them") != std::string::npos,
             refused.error().message.c_str());
    const auto chosen = withFiguresOf(next, graph, builtinCatalog(), "other");
    VERIFY_OK(chosen);
    QCOMPARE(chosen->node, NodeId("other"));
    QVERIFY(valuesOf(chosen->graph, first->node, "mean") == RealList({0.1235, 0.5, 0.25}));
  }

  void figuresThatCannotNormaliseAreRefused() {
    const Graph graph = example("classification");
    SetReport none = figures();
    none.mean.clear();
    QVERIFY(!withFiguresOf(none, graph, builtinCatalog()));
    SetReport flat = figures();
    flat.deviation[1] = 0;
    QVERIFY(!withFiguresOf(flat, graph, builtinCatalog()));
    // Chess positions are no pictures.
    const auto refused = withFiguresOf(figures(), example("chess"), builtinCatalog());
    QVERIFY(!refused);
    QVERIFY2(refused.error().message.find("decoded pictures") != std::string::npos,
             refused.error().message.c_str());
  }
};

}  // namespace millrace

using millrace::TestNormaliseEdit;
MILLRACE_TEST_CASE(TestNormaliseEdit)
#include "tst_normalise_edit.moc"
