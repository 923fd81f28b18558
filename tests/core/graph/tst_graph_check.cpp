// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/graph_check.h"

#include <QTemporaryDir>

#include "core/graph/json/graph_json.h"
#include "tests/core/graph/test_kinds.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::chainOf;
using tests::testCatalog;
using tests::textOf;

namespace {

CheckResult check(const Graph& graph, bool openData = false) {
  CheckOptions options;
  options.base = "/";
  options.openData = openData;
  options.cores = 4;
  return checkGraph(graph, testCatalog(), options);
}

CheckResult checkChain(const std::string& kinds) { return check(chainOf(kinds)); }

void set(Graph& graph, const char* node, const char* param, Value value) {
  graph.node(node)->params[param] = std::move(value);
}

std::size_t errorsOf(const CheckResult& result) {
  std::size_t errors = 0;
  for (const Problem& problem : result.problems.all())
    errors += problem.severity == Severity::Error ? 1 : 0;
  return errors;
}

}  // namespace

class TestGraphCheck : public QObject {
  Q_OBJECT
 private slots:
  void givesTheChainWithCompleteValuesAndStreams() {
    const CheckResult result =
        checkChain("list mix_up team keep scale brighten pack blend queue sink");
    QVERIFY2(result.problems.all().empty(), textOf(result.problems).c_str());
    QVERIFY(result.pipeline.has_value());
    QCOMPARE(result.pipeline->nodes.size(), std::size_t{10});
    const CheckedNode& scale = result.pipeline->nodes[4];
    QCOMPARE(scale.values.size(), std::size_t{7});
    QCOMPARE(scale.out.fields[0].shape.text(), std::string("4x4x3"));
    QVERIFY(result.pipeline->nodes[9].in.level == Level::Batch);
    QVERIFY(result.pipeline->source == nullptr);
  }

  void reportsEverythingAtOnce() {
    Graph graph = chainOf("list scale pack sink");
    set(graph, "scale", "size", Value{std::int64_t{65}});
    graph.node("scale")->params["filter"] = Value{std::string("smoth")};
    graph.node("scale")->params["weights"] = RawJson{R"(["x"])"};
    graph.node("scale")->params["exact"] = RawJson{"{}"};
    graph.node("scale")->params["sise"] = RawJson{"1"};
    graph.node("list")->params.clear();
    graph.nodes.push_back({"Bad Id", "scal", {}, NodeState::On, {}, {}});
    graph.wires.push_back({"scale", "nowhere", {}});
    graph.extras["sed"] = RawJson{"1"};
    const Problems problems = check(graph).problems;
    const auto error = Severity::Error;
    VERIFY_PROBLEM(problems, error, "scale.size", "1 to 64 pixels");
    VERIFY_PROBLEM(problems, error, "scale.filter", "did you mean `smooth`?");
    VERIFY_PROBLEM(problems, error, "scale.weights", "nodes[1].params.weights");
    VERIFY_PROBLEM(problems, error, "scale.exact", "expected a boolean, found an object");
    VERIFY_PROBLEM(problems, error, "scale.sise", "did you mean `size`?");
    VERIFY_PROBLEM(problems, error, "list.paths", "set it to your data");
    VERIFY_PROBLEM(problems, error, "Bad Id.id", "start with a to z");
    VERIFY_PROBLEM(problems, Severity::Warning, "Bad Id.kind", "did you mean `scale`?");
    VERIFY_PROBLEM(problems, error, "", "the wire scale -> nowhere: there is no node `nowhere`");
    VERIFY_PROBLEM(problems, Severity::Warning, "sed", "did you mean `seed`?");
    for (const Problem& problem : problems.all()) QVERIFY(!problem.remedy.empty());
  }

  void unknownKindsInTheChainAreErrors() {
    const CheckResult result = checkChain("list scal pack sink");
    VERIFY_PROBLEM(result.problems, Severity::Error, "scal.kind", "did you mean `scale`?");
    QCOMPARE(errorsOf(result), std::size_t{1});
    QVERIFY(!result.pipeline);
  }

  void anUnknownSourceHidesNothingElseAndAddsNoNoise() {
    const CheckResult result = checkChain("lisst scale pack sink");
    VERIFY_PROBLEM(result.problems, Severity::Error, "lisst.kind", "did you mean `list`?");
    QCOMPARE(errorsOf(result), std::size_t{1});
  }

  void reportsDuplicateIds() {
    Graph graph = chainOf("list pack sink");
    graph.nodes.push_back(graph.nodes[1]);
    VERIFY_PROBLEM(check(graph).problems, Severity::Error, "pack.id", "rename it to `pack_2`");
  }

  void reportsWiresThatMakeNoChain_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("said");
    QTest::newRow("second input") << "scale" << "sink"
                                  << "takes one input, but wires from `pack` and `scale`";
    QTest::newRow("second output") << "list" << "scale" << "has one output";
    QTest::newRow("into the source") << "scale" << "list" << "a source has no input";
    QTest::newRow("out of the consumer") << "sink" << "scale" << "a consumer has no output";
    QTest::newRow("twice") << "list" << "pack" << "has two wires to `pack`";
    QTest::newRow("circle") << "scale" << "scale" << "form a cycle: scale -> scale";
  }
  void reportsWiresThatMakeNoChain() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, said);
    Graph graph = chainOf("list pack sink");
    graph.nodes.push_back(chainOf("scale").nodes[0]);
    graph.wires.push_back({from.toStdString(), to.toStdString(), {}});
    const CheckResult result = check(graph);
    QVERIFY2(textOf(result.problems).find(said.toStdString()) != std::string::npos,
             textOf(result.problems).c_str());
    QVERIFY(!result.pipeline);
  }

  void reportsALongCircleOnce() {
    Graph graph = chainOf("list pack sink");
    const Graph loop = chainOf("scale brighten keep");
    graph.nodes.insert(graph.nodes.end(), loop.nodes.begin(), loop.nodes.end());
    graph.wires.insert(graph.wires.end(), loop.wires.begin(), loop.wires.end());
    graph.wires.push_back({"keep", "scale", {}});
    const CheckResult result = check(graph);
    VERIFY_PROBLEM(result.problems, Severity::Error, "scale", "scale -> brighten -> keep -> scale");
    QCOMPARE(result.problems.all().size(), std::size_t{1});
  }

  void aWireBackIsACycleAndTheWireToRemove_data() {
    QTest::addColumn<bool>("first");
    QTest::newRow("listed last") << false;
    QTest::newRow("listed first") << true;
  }
  void aWireBackIsACycleAndTheWireToRemove() {
    QFETCH(bool, first);
    Graph graph = chainOf("list scale brighten pack sink");
    graph.wires.insert(first ? graph.wires.begin() : graph.wires.end(), {"brighten", "scale", {}});
    const CheckResult result = check(graph);
    VERIFY_PROBLEM(result.problems, Severity::Error, "brighten", "the wires form a cycle");
    VERIFY_PROBLEM(result.problems, Severity::Error, "brighten",
                   "remove the wire brighten -> scale");
    QCOMPARE(result.problems.all().size(), std::size_t{1});
  }

  void manyCyclesEnd() {
    Graph graph;
    for (int i = 0; i < 60; ++i)
      graph.nodes.push_back({"scale_" + std::to_string(i), "scale", {}, NodeState::On, {}, {}});
    for (const GraphNode& from : graph.nodes)
      for (const GraphNode& to : graph.nodes) graph.wires.push_back({from.id, to.id, {}});
    QVERIFY(!check(graph).pipeline);
  }

  void oneConsumerRunsAndLooseNodesAreWarnings() {
    Graph graph = chainOf("list pack sink");
    graph.nodes.push_back(chainOf("scale").nodes[0]);
    set(graph, "scale", "size", Value{std::int64_t{0}});
    const CheckResult loose = check(graph);
    VERIFY_PROBLEM(loose.problems, Severity::Warning, "scale", "connect it or remove it");
    VERIFY_PROBLEM(loose.problems, Severity::Warning, "scale.size", "out of range: 1 to 64");
    QVERIFY(loose.pipeline.has_value());
    graph.nodes[3] = {"sink_2", "sink", {}, NodeState::On, {}, {}};
    VERIFY_PROBLEM(check(graph).problems, Severity::Error, "sink_2", "keep one of them");
  }

  void reportsAMissingSourceOrConsumer() {
    VERIFY_PROBLEM(checkChain("list pack").problems, Severity::Error, "nodes", "such as `sink`");
    VERIFY_PROBLEM(checkChain("scale pack sink").problems, Severity::Error, "scale",
                   "add a source");
    VERIFY_PROBLEM(check(Graph{}).problems, Severity::Error, "nodes", "no nodes");
    Graph unconnected = chainOf("list pack sink");
    unconnected.wires.erase(unconnected.wires.begin());
    VERIFY_PROBLEM(check(unconnected).problems, Severity::Error, "pack",
                   "add a wire from `list` to `pack`");
  }

  void missingWiresAreOneProblemThatNamesThem() {
    Graph cut = chainOf("list scale brighten pack sink");
    std::erase_if(cut.wires, [](const GraphWire& wire) { return wire.from == "scale"; });
    const Problems one = check(cut).problems;
    VERIFY_PROBLEM(one, Severity::Error, "brighten", "add a wire from `scale` to `brighten`");
    QCOMPARE(one.all().size(), std::size_t{1});
    std::erase_if(cut.wires, [](const GraphWire& wire) { return wire.from == "pack"; });
    const Problems two = check(cut).problems;
    VERIFY_PROBLEM(two, Severity::Error, "sink", "missing wires cut the pipeline into 3 pieces");
    VERIFY_PROBLEM(two, Severity::Error, "sink",
                   "add the wires scale -> brighten and pack -> sink");
    QCOMPARE(two.all().size(), std::size_t{1});
    cut.wires.clear();
    const Problems all = check(cut).problems;
    VERIFY_PROBLEM(all, Severity::Error, "sink", "into 5 pieces");
    QCOMPARE(all.all().size(), std::size_t{1});
  }

  void bypassedNodesAreLeftOutWhereTheKindAllowsIt() {
    Graph graph = chainOf("list scale pack sink");
    graph.node("scale")->state = NodeState::Bypass;
    set(graph, "scale", "size", Value{std::int64_t{0}});
    const CheckResult result = check(graph);
    QVERIFY2(result.pipeline.has_value(), textOf(result.problems).c_str());
    QCOMPARE(result.pipeline->nodes.size(), std::size_t{3});
    graph.node("pack")->state = NodeState::Bypass;
    VERIFY_PROBLEM(check(graph).problems, Severity::Error, "pack.state", "cannot be bypassed");
  }

  void keepsEveryNodeToItsPlace_data() {
    QTest::addColumn<QString>("chain");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* chain, const char* place, const char* said) {
      QTest::newRow(chain) << chain << place << said;
    };
    row("list scale mix_up pack sink", "mix_up", "move it before `scale`");
    row("list team mix_up pack sink", "mix_up", "move it before `team`");
    row("list scale sink", "sink", "insert a `pack` node");
    row("list queue pack sink", "queue", "move it after `pack`");
    row("list blend pack sink", "blend",
        "works on whole batches, but gets single samples; move it after `pack`");
    row("list pack scale pack sink", "pack_2", "`pack` already makes batches");
    row("list brighten keep pack sink", "keep", "move it before `brighten`");
  }
  void keepsEveryNodeToItsPlace() {
    QFETCH(QString, chain);
    QFETCH(QString, place);
    QFETCH(QString, said);
    const CheckResult result = checkChain(chain.toStdString());
    VERIFY_PROBLEM(result.problems, Severity::Error, place.toStdString(), said.toStdString());
    QCOMPARE(errorsOf(result), std::size_t{1});
  }

  void warnsOfThreadsThatDoNotHelp() {
    Graph graph = chainOf("list team scale pack team team sink");
    graph.node("team")->params["count"] = Value{std::int64_t{5}};
    const CheckResult result = check(graph);
    VERIFY_PROBLEM(result.problems, Severity::Warning, "team.count", "5 threads on 4 cores");
    VERIFY_PROBLEM(result.problems, Severity::Warning, "team_3", "nothing runs on the threads");
  }

  void streamProblemsComeFromTheKinds() {
    Graph graph = chainOf("list scale pack sink");
    set(graph, "scale", "fields", Value{TextList{"imge"}});
    VERIFY_PROBLEM(check(graph).problems, Severity::Error, "scale.fields", "no field `imge`");
  }

  void withDataTheSourceRefinesTheStream() {
    const CheckResult result = check(chainOf("list pack sink"), true);
    QVERIFY2(result.pipeline.has_value(), textOf(result.problems).c_str());
    QVERIFY(result.pipeline->source != nullptr);
    QVERIFY(result.pipeline->nodes[1].in.samples == 10);
    QCOMPARE(result.pipeline->nodes[1].in.field("label")->classes, std::int64_t{3});
    VERIFY_PROBLEM(result.problems, Severity::Warning, "list", "one class is small");
  }

  void reportsDataThatIsNotThere() {
    Graph graph = chainOf("list pack sink");
    set(graph, "list", "paths", Value{TextList{"nowhere/at", "/all", "."}});
    const CheckResult missing = check(graph, true);
    VERIFY_PROBLEM(missing.problems, Severity::Error, "list.paths", "/nowhere/at does not exist");
    VERIFY_PROBLEM(missing.problems, Severity::Error, "list.paths", "/all does not exist");
    QCOMPARE(errorsOf(missing), std::size_t{2});
    QVERIFY(check(graph, false).pipeline.has_value());
  }

  void reportsSourcesThatAreEmptyOrDoNotOpen() {
    Graph graph = chainOf("list pack sink");
    set(graph, "list", "count", Value{std::int64_t{0}});
    VERIFY_PROBLEM(check(graph, true).problems, Severity::Error, "list", "has no samples");
    set(graph, "list", "count", Value{std::int64_t{13}});
    VERIFY_PROBLEM(check(graph, true).problems, Severity::Error, "list", "13 samples");
  }

  void reportsWhatOnlyMakingANodeCanTell() {
    Graph graph = chainOf("list scale pack sink");
    set(graph, "scale", "note", Value{std::string("refuse")});
    VERIFY_PROBLEM(check(graph, true).problems, Severity::Error, "scale", "refused with abc");
    QVERIFY(check(graph, false).pipeline.has_value());
  }

  void carriesSeedBaseAndCentredDraws() {
    Graph graph = chainOf("list pack sink");
    graph.seed = 7;
    CheckOptions options;
    options.noRandom = true;
    options.base = "/tmp";
    const CheckResult result = checkGraph(graph, testCatalog(), options);
    QCOMPARE(result.pipeline->seed, std::uint64_t{7});
    QVERIFY(result.pipeline->noRandom);
    QCOMPARE(result.pipeline->base.string(), std::string("/tmp"));
  }
};

}  // namespace millrace

using millrace::TestGraphCheck;
MILLRACE_TEST_CASE(TestGraphCheck)
#include "tst_graph_check.moc"
