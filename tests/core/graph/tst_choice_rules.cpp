// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/rules/choice_rules.h"

#include <string>

#include "core/graph/edit/graph_edit.h"
#include "core/graph/edit/graph_splice.h"
#include "core/graph/graph_check.h"
#include "core/graph/plan.h"
#include "core/nodes/builtin.h"
#include "tests/core/graph/test_kinds.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::chainOf;
using tests::textOf;

namespace {

/// A pipeline of pictures with a choice, which has these parameters besides the defaults.
Graph choosing(
    const Values& params,
    const std::string& kinds = "image_folder decode resize flip gamma invert batch drain") {
  Graph graph = chainOf(kinds);
  graph.node("image_folder")->params["paths"] = Value{TextList{"photos"}};
  graph = addNode(std::move(graph), builtinCatalog(), "choose")->graph;
  for (const auto& [name, value] : params) graph.node("choose")->params[name] = value;
  return graph;
}

CheckResult checkOf(const Graph& graph) {
  CheckOptions options;
  options.device = DeviceUse::DontDetect;
  return checkGraph(graph, builtinCatalog(), options);
}

TextList nodesOf(const Graph& graph) {
  return std::get<TextList>(std::get<Value>(graph.node("choose")->params.at("nodes")));
}

}  // namespace

class TestChoiceRules : public QObject {
  Q_OBJECT
 private slots:
  void nodesKnowTheirChoice() {
    const CheckResult checked = checkOf(choosing(
        {{"nodes", TextList{"flip", "gamma"}}, {"weights", RealList{1, 3}}, {"probability", 0.5}}));
    QVERIFY2(checked.pipeline.has_value(), textOf(checked.problems).c_str());
    const std::vector<CheckedNode>& nodes = checked.pipeline->nodes;
    QCOMPARE(nodes[3].id, std::string("flip"));
    QCOMPARE(nodes[3].choice->place, std::size_t{0});
    QCOMPARE(nodes[4].choice->place, std::size_t{1});
    QCOMPARE(nodes[4].choice->weights, (RealList{1, 3}));
    QVERIFY(!nodes[5].choice);
    const Result<Plan> plan = makePlan(*checked.pipeline);
    VERIFY_OK(plan);
    const std::string line = "choose: 1 of flip, gamma for each sample, with probability 0.5";
    QVERIFY(std::ranges::count(plan->text(), line) == 1);
    // Resize and flip would be one pass, but a sample that skips a node needs separate passes.
    for (const PlanGroup& group : plan->stages.front().segments.front().sampleGroups)
      QVERIFY(group.nodes.front() < 3 || group.nodes.size() == 1);
  }

  void aBypassedChoiceHasNoEffect() {
    Graph graph = choosing({{"nodes", TextList{"flip", "gamma"}}});
    graph.node("choose")->state = NodeState::Bypass;
    const CheckResult checked = checkOf(graph);
    QVERIFY(!checked.pipeline->nodes[3].choice);
  }

  void bypassedNodesAreNotChosen() {
    Graph graph = choosing({{"nodes", TextList{"flip", "gamma", "invert"}}});
    graph.node("gamma")->state = NodeState::Bypass;
    const CheckResult checked = checkOf(graph);
    QVERIFY2(checked.pipeline.has_value(), textOf(checked.problems).c_str());
    QCOMPARE(checked.pipeline->nodes[3].choice->weights, (RealList{1, 0, 1}));
    QCOMPARE(checked.pipeline->nodes[4].choice->place, std::size_t{2});
  }

  void wrongChoicesAreReported_data() {
    QTest::addColumn<QStringList>("nodes");
    QTest::addColumn<int>("count");
    QTest::addColumn<QList<double>>("weights");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("says");
    const QList<double> equal;
    QTest::newRow("unknown") << QStringList{"flop", "gamma"} << 1 << equal << "choose.nodes"
                             << "did you mean `flip`?";
    QTest::newRow("twice") << QStringList{"flip", "flip"} << 1 << equal << "choose.nodes"
                           << "names `flip` twice";
    QTest::newRow("too many") << QStringList{"flip", "gamma"} << 3 << equal << "choose.count"
                              << "cannot choose 3 of 2 nodes";
    QTest::newRow("weights") << QStringList{"flip", "gamma"} << 1 << QList<double>{1.0}
                             << "choose.weights"
                             << "1 weight for 2 nodes";
    QTest::newRow("no weight") << QStringList{"flip", "gamma"} << 1 << QList<double>{0.0, 0.0}
                               << "choose.weights"
                               << "none of its nodes can be chosen";
    QTest::newRow("gap") << QStringList{"flip", "invert"} << 1 << equal << "choose.nodes"
                         << "`gamma` lies between its nodes";
    QTest::newRow("size") << QStringList{"resize", "flip"} << 1 << equal << "resize"
                          << "cannot be left out for some samples";
    QTest::newRow("batch") << QStringList{"batch"} << 1 << equal << "batch"
                           << "does not work on single samples";
  }
  void wrongChoicesAreReported() {
    QFETCH(QStringList, nodes);
    QFETCH(int, count);
    QFETCH(QList<double>, weights);
    QFETCH(QString, place);
    QFETCH(QString, says);
    TextList ids;
    for (const QString& id : nodes) ids.push_back(id.toStdString());
    const CheckResult checked =
        checkOf(choosing({{"nodes", ids},
                          {"count", std::int64_t{count}},
                          {"weights", RealList(weights.begin(), weights.end())}}));
    QVERIFY(!checked.pipeline);
    VERIFY_PROBLEM(checked.problems, Severity::Error, place.toStdString(), says.toStdString());
  }

  void itsNodesAreInTheChain() {
    Graph graph = choosing({{"nodes", TextList{"flip", "invert_2"}}});
    graph = addNode(std::move(graph), builtinCatalog(), "invert")->graph;
    VERIFY_PROBLEM(checkOf(graph).problems, Severity::Error, "choose.nodes",
                   "`invert_2` is not part of the chain");
    graph.node("invert_2")->state = NodeState::Bypass;
    QVERIFY(checkOf(graph).pipeline.has_value());
  }

  void aChoiceHasAtMost64Nodes() {
    std::string kinds = "image_folder decode resize";
    TextList nodes;
    for (int i = 1; i <= 65; ++i) {
      kinds += " invert";
      nodes.push_back(i == 1 ? "invert" : "invert_" + std::to_string(i));
    }
    const Graph many = choosing({{"nodes", nodes}}, kinds + " batch drain");
    VERIFY_PROBLEM(checkOf(many).problems, Severity::Error, "choose.nodes", "name at most 64");
    nodes.pop_back();
    QVERIFY(checkOf(choosing({{"nodes", nodes}}, kinds + " batch drain")).pipeline.has_value());
  }

  void aNodeBelongsToOneChoice() {
    Graph graph = choosing({{"nodes", TextList{"flip", "gamma"}}});
    graph = addNode(std::move(graph), builtinCatalog(), "choose")->graph;
    graph.node("choose_2")->params["nodes"] = Value{TextList{"gamma", "invert"}};
    VERIFY_PROBLEM(checkOf(graph).problems, Severity::Error, "choose_2.nodes",
                   "`gamma` also belongs to `choose`");
  }

  void aChoiceWithoutNodesIsAWarning() {
    const CheckResult checked = checkOf(choosing({}));
    QVERIFY(checked.pipeline.has_value());
    VERIFY_PROBLEM(checked.problems, Severity::Warning, "choose.nodes", "names no nodes");
  }

  void aChoiceHasNoWires() {
    Graph graph = choosing({{"nodes", TextList{"flip"}}});
    QVERIFY(!connectNodes(graph, builtinCatalog(), "choose", "flip"));
    graph.wires.push_back({"choose", "flip", {}});
    VERIFY_PROBLEM(checkOf(graph).problems, Severity::Error, "choose", "has no wires");
  }

  void whatIsDrawnIsNotCached() {
    const Graph graph =
        choosing({{"nodes", TextList{"gamma", "invert"}}},
                 "image_folder decode resize gamma invert memory_cache batch drain");
    VERIFY_PROBLEM(checkOf(graph).problems, Severity::Error, "memory_cache",
                   "one random draw of `invert`");
  }

  void namesAndWeightsFollowTheNodes() {
    const Graph graph =
        choosing({{"nodes", TextList{"flip", "gamma", "invert"}}, {"weights", RealList{1, 2, 3}}});
    const Result<Graph> renamed = renameNode(graph, builtinCatalog(), "gamma", "curve");
    VERIFY_OK(renamed);
    QCOMPARE(nodesOf(*renamed), (TextList{"flip", "curve", "invert"}));
    const Result<Graph> removed = bridgeNode(*renamed, builtinCatalog(), "curve");
    VERIFY_OK(removed);
    QCOMPARE(nodesOf(*removed), (TextList{"flip", "invert"}));
    QCOMPARE(std::get<RealList>(std::get<Value>(removed->node("choose")->params.at("weights"))),
             (RealList{1, 3}));
    QVERIFY(checkOf(*removed).pipeline.has_value());
  }

  void aChoiceGoesWithItsLastNode() {
    const Graph graph = choosing({{"nodes", TextList{"gamma"}}});
    const Result<Graph> removed = bridgeNode(graph, builtinCatalog(), "gamma");
    VERIFY_OK(removed);
    QVERIFY(removed->node("choose") == nullptr);
  }
};

}  // namespace millrace

using millrace::TestChoiceRules;
MILLRACE_TEST_CASE(TestChoiceRules)
#include "tst_choice_rules.moc"
