// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/loader/loader_shard.h"

#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// A chain of these order nodes between a source and a consumer, plus an unconnected shard node.
Graph chainOf(const std::vector<std::string>& kinds) {
  std::string nodes = "{\"kind\": \"synthetic\"},";
  std::string wires;
  std::string last = "synthetic";
  for (const std::string& kind : kinds) {
    const std::string id = "n" + std::to_string(wires.size());
    nodes += "{\"id\": \"" + id + "\", \"kind\": \"" + kind + "\"},";
    wires += "{\"from\": \"" + last + "\", \"to\": \"" + id + "\"},";
    last = id;
  }
  const std::string text = "{\"format_version\": 1, \"nodes\": [" + nodes +
                           "{\"id\": \"loose\", \"kind\": \"shard\"}, {\"kind\": \"batch\"},"
                           "{\"kind\": \"drain\"}], \"wires\": [" +
                           wires + "{\"from\": \"" + last +
                           "\", \"to\": \"batch\"}, {\"from\": \"batch\", \"to\": \"drain\"}]}";
  return *parseGraph(text, builtinCatalog()).graph;
}

QString refusalOf(const Graph& graph) {
  const auto found = shardNodeOf(graph, builtinCatalog());
  return found ? "found " + QString::fromStdString(*found)
               : QString::fromStdString(found.error().message);
}

}  // namespace

class TestLoaderShard : public QObject {
  Q_OBJECT
 private slots:
  void theOneNodeOfTheChainIsFound() {
    const Graph graph = chainOf({"shuffle", "shard"});
    QCOMPARE(*shardNodeOf(graph, builtinCatalog()), graph.nodes[2].id);
  }

  void aNodeThatIsLooseOrBypassedPartsNothing() {
    Graph graph = chainOf({"shard"});
    graph.nodes[1].state = NodeState::Bypass;
    for (const Graph& each : {graph, chainOf({"shuffle"}), chainOf({})})
      QVERIFY2(refusalOf(each).contains("insert a Shard node (shard) after the shuffle"),
               qPrintable(refusalOf(each)));
  }

  void severalAreNamed() {
    const Graph graph = chainOf({"shard", "shuffle", "shard"});
    const QString refusal = refusalOf(graph);
    QVERIFY2(refusal.startsWith("2 nodes divide the data"), qPrintable(refusal));
    QVERIFY(refusal.contains(QString::fromStdString(graph.nodes[1].id)));
    QVERIFY(refusal.contains(QString::fromStdString(graph.nodes[3].id)));
  }
};

}  // namespace millrace

using millrace::TestLoaderShard;
MILLRACE_TEST_CASE(TestLoaderShard)
#include "tst_loader_shard.moc"
