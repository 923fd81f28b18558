// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/loader/loader_place.h"
#include "core/nodes/builtin.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestLoaderPlace : public QObject {
  Q_OBJECT

  /// A chain of these kinds; `!` at the end of a name bypasses the node.
  static Graph chain(const std::vector<std::string>& kinds) {
    Graph graph;
    for (std::string kind : kinds) {
      GraphNode node;
      if (kind.back() == '!') {
        kind.pop_back();
        node.state = NodeState::Bypass;
      }
      node.id = node.kind = kind;
      if (!graph.nodes.empty()) graph.wires.push_back({graph.nodes.back().id, node.id, {}});
      graph.nodes.push_back(node);
    }
    return graph;
  }

  static OnDevice moved(const std::vector<std::string>& kinds) {
    return withTransfer(chain(kinds), builtinCatalog()).take();
  }

  static std::vector<std::string> wiresOf(const Graph& graph) {
    std::vector<std::string> wires;
    for (const GraphWire& wire : graph.wires) wires.push_back(wire.from + " " + wire.to);
    std::sort(wires.begin(), wires.end());
    return wires;
  }

 private slots:
  void aPlaceIsReadAndWritten() {
    using Pairs = std::vector<std::pair<const char*, const char*>>;
    for (const auto& [text, written] : Pairs{{"cpu", "cpu"},
                                             {"pinned", "pinned"},
                                             {"cuda", "cuda:0"},
                                             {"cuda:0", "cuda:0"},
                                             {"cuda:12", "cuda:12"}})
      QCOMPARE(LoaderPlace::parse(text).take().text(), std::string(written));
    for (const char* text :
         {"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1 ", "cuda0", "cuda:99999999999", "CPU"}) {
      const auto place = LoaderPlace::parse(text);
      QVERIFY2(!place.ok(), text);
      QVERIFY(place.error().message.find("`" + std::string(text) + "`") != std::string::npos);
    }
  }

  void aTransferIsPutInFrontOfTheConsumer() {
    const OnDevice device = moved({"synthetic", "batch", "prefetch", "drain"});
    QVERIFY2(device.changed.find("`transfer` was inserted before `drain`") == 0,
             device.changed.c_str());
    QCOMPARE(wiresOf(device.graph),
             (std::vector<std::string>{"batch prefetch", "prefetch transfer", "synthetic batch",
                                       "transfer drain"}));
  }

  void oneThatIsThereStaysAndABypassedOneRuns() {
    const OnDevice there = moved({"synthetic", "batch", "transfer", "prefetch", "drain"});
    QVERIFY(there.changed.empty());
    QVERIFY(there.graph == chain({"synthetic", "batch", "transfer", "prefetch", "drain"}));
    const OnDevice bypassed = moved({"synthetic", "batch", "transfer!", "drain"});
    QVERIFY2(bypassed.changed.find("`transfer`") == 0, bypassed.changed.c_str());
    QVERIFY(bypassed.graph == chain({"synthetic", "batch", "transfer", "drain"}));
  }

  void whatIsNoPipelineIsLeftToTheCheck() {
    QVERIFY(moved({}).changed.empty());
    QVERIFY(moved({"synthetic"}).changed.empty());
  }
};

}  // namespace millrace

using millrace::TestLoaderPlace;
MILLRACE_TEST_CASE(TestLoaderPlace)
#include "tst_loader_place.moc"
