// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// What the workbench shows of a user's loader, from the events of its run.
#include "core/own_loader/loader_run.h"
#include "tests/support/test_case.h"
#include "widgets/loader/live_loader.h"
#include "widgets/loader/loader_graph.h"

namespace millrace::tests {

namespace {

PlanEvent planOf(std::uint64_t workers) {
  PlanEvent plan;
  PlanEvent::Stage inside;
  inside.id = workers > 0 ? "workers" : "train.py:loader";
  inside.threads = std::max<std::uint64_t>(1, workers);
  inside.nodes = {"read and decode (PIL)", "Crop", "collate", "Photos, other code"};
  plan.stages.push_back(inside);
  for (const std::string& id : inside.nodes) plan.nodes.push_back({id, id, "batch"});
  plan.text = {"a loop over train.py:loader", "PyTorch DataLoader, 2 workers", "8 samples: list"};
  return plan;
}

SnapshotEvent snapshotAt(double seconds) {
  SnapshotEvent snapshot;
  snapshot.seconds = seconds;
  snapshot.samples = static_cast<std::uint64_t>(80 * seconds);
  snapshot.batches = static_cast<std::uint64_t>(10 * seconds);
  const double busy[] = {0.4, 1.2, 0.1, 0.2};
  const auto nodes = planOf(2).stages.front().nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    SnapshotEvent::Node node;
    node.id = nodes[i];
    node.items = snapshot.batches;
    node.busySeconds = busy[i] * seconds;
    snapshot.nodes.push_back(node);
  }
  return snapshot;
}

LiveLoader afterSeconds(int seconds) {
  LiveLoader loader;
  loader.begin("train.py:loader", {});
  loader.take({0, planOf(2)});
  loader.take({0, RunPhase{0, 1, false, 5}});
  for (int i = 0; i <= 5 * seconds; ++i) loader.take({0.2 * i, snapshotAt(0.2 * i)});
  return loader;
}

}  // namespace

class TestLiveLoader : public QObject {
  Q_OBJECT
 private slots:
  void theStepsAreAGraphWithTheRunsFigures() {
    const LiveLoader loader = afterSeconds(4);
    const Graph& graph = loader.graph();
    QCOMPARE(graph.ids(), std::vector<NodeId>({"workers", "Photos, other code",
                                               "read and decode (PIL)", "Crop", "collate"}));
    QCOMPARE(graph.wires.size(), std::size_t{4});
    QCOMPARE(graph.node("read and decode (PIL)")->kind, "decode");
    QCOMPARE(loaderGraph(planOf(0)).nodes.size(), std::size_t{4});
    const RunOverlay overlay = loader.overlay();
    QVERIFY(overlay.nodes.at("Crop").rate.endsWith("batches/s"));
    QVERIFY2(overlay.regions.at("workers").left.contains("2\u00a0processes, busy"),
             qPrintable(overlay.regions.at("workers").left));
    QCOMPARE(loader.about(), "PyTorch DataLoader, 2 workers");
  }

  void theRingIsAroundTheCostliestStepWhileItGoesOn() {
    QVERIFY(afterSeconds(1).limit().isEmpty());
    const LiveLoader loader = afterSeconds(4);
    QVERIFY2(loader.limit().contains("too few workers"), qPrintable(loader.limit()));
    for (const auto& [id, node] : loader.overlay().nodes) QCOMPARE(node.ring, id == "Crop");
  }

  void atTheEndTheLimitIsThatOfTheEngine() {
    LiveLoader loader = afterSeconds(4);
    ResultEvent result;
    result.json = R"json({"environment": {
        "loader_limit": "decoding: it is slow", "loader_advice": "use more cores",
        "loader_limit_step": "read and decode (PIL)", "loader_queue_empty": "0.630"}})json";
    loader.take({5, result});
    loader.finish({});
    QCOMPARE(loader.limit(), "decoding: it is slow");
    QCOMPARE(loader.advice(), "use more cores");
    QVERIFY(loader.notes().join(' ').contains("63"));
    for (const auto& [id, node] : loader.overlay().nodes)
      QCOMPARE(node.ring, id == "read and decode (PIL)");
  }
};

MILLRACE_TEST_CASE(TestLiveLoader)

}  // namespace millrace::tests

#include "tst_live_loader.moc"
