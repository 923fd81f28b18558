// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#documents: a kept run as the command that repeats it.
#include "widgets/runs/repeat_command.h"

#include "core/graph/edit/graph_edit.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "tests/core/graph/example_graph.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

KeptRun keptRun(const std::string& name, const Graph& graph) {
  KeptRun run;
  run.details.summary.number = RunNumber{7};
  run.details.summary.pipelineName = name;
  run.details.summary.experiment = "default";
  run.details.summary.repeats = 3;
  run.details.environment = {
      {"measured_span", "5 s"}, {"warmup_seconds", "2"}, {"draws", "random"}, {"fusing", "on"}};
  run.pipelineJson = graphText(graph, builtinCatalog());
  return run;
}

Graph exampleWith(const std::vector<std::string>& settings) {
  Graph graph = tests::exampleGraph();
  for (const std::string& setting : settings)
    graph = applySetting(graph, builtinCatalog(), setting).take();
  return graph;
}

QString commandOf(const KeptRun& run, const QString& store = {}) {
  return repeatCommand(run, builtinCatalog(), store);
}

}  // namespace

class TestRepeatCommand : public QObject {
  Q_OBJECT
 private slots:
  void anExampleIsNamedWithItsChangedSettings() {
    Graph graph = exampleWith({"workers.count=4", "normalise.mean=0.5,0.5,0.25"});
    graph.seed = 9;
    QCOMPARE(commandOf(keptRun("classification", graph)),
             "millrace run classification --set workers.count=4 --set "
             "normalise.mean=0.5,0.5,0.25 --seed 9 --seconds 5 --warmup 2 --repeats 3");
  }

  void aFileIsNamedWhileItExists() {
    const tests::TemporaryFolder folder;
    folder.write("mine.millrace.json", *exampleJson("classification"));
    const std::string file = (folder.path() / "mine.millrace.json").string();
    const KeptRun run = keptRun(file, exampleWith({}));
    QCOMPARE(commandOf(run), "millrace run " + toQt(file) + " --seconds 5 --warmup 2 --repeats 3");
    QFile::remove(toQt(file));
    QCOMPARE(
        commandOf(run),
        "millrace export --run 7 --to json | millrace run - --seconds 5 --warmup 2 --repeats 3");
  }

  void otherDifferencesArePipedIn() {
    Graph bypassed = exampleWith({});
    for (GraphNode& node : bypassed.nodes)
      if (node.id == "flip") node.state = NodeState::Bypass;
    QVERIFY(commandOf(keptRun("classification", bypassed)).startsWith("millrace export --run 7"));
    // Other data cannot be expressed as a setting.
    const Graph moved = applyData(exampleWith({}), builtinCatalog(), {"/elsewhere"}).take();
    QVERIFY(commandOf(keptRun("classification", moved)).startsWith("millrace export --run 7"));
  }

  void theRunIsMeasuredInTheSameWay() {
    KeptRun run = keptRun("classification", exampleWith({}));
    run.details.environment = {{"measured_span", "100 batches from 2:15"},
                               {"warmup_seconds", "0.5"},
                               {"draws", "centred"},
                               {"fusing", "off"}};
    run.details.summary.repeats = 1;
    run.details.summary.experiment = "my photos";
    QCOMPARE(commandOf(run, "/a store.db"),
             "millrace run classification --batches 100 --warmup 0.5 --repeats 1 --start 2:15 "
             "--no-random --no-fuse --experiment 'my photos' --store '/a store.db'");
    run.details.environment = {{"measured_span", "1 epochs"},
                               {"warmup_seconds", "0"},
                               {"page_cache_dropped", "before each repeat"}};
    run.details.summary.experiment = "default";
    QCOMPARE(commandOf(run),
             "millrace run classification --epochs 1 --cold --warmup 0 --repeats 1");
    run.details.environment = {{"measured_span", "1 epochs"}, {"ranks", "4"}};
    QCOMPARE(commandOf(run), "millrace run classification --epochs 1 --ranks 4 --repeats 1");
  }
};

}  // namespace millrace

using millrace::TestRepeatCommand;
MILLRACE_TEST_CASE(TestRepeatCommand)
#include "tst_repeat_command.moc"
