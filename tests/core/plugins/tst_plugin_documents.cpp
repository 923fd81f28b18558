// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Pipeline files with kinds of plug-ins, where the plug-in is and where it is not; exported code.
#include "core/export/exporter.h"
#include "core/graph/graph_check.h"
#include "core/graph/json/graph_json.h"
#include "core/plugins/plugins.h"
#include "tests/core/plugins/plugin_files.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

const char* const kText = R"({"format_version": 1, "nodes": [
  {"id": "shift", "kind": "test_shift", "params": {"by": 42, "unknown": [1]}, "note": "kept"}]})";

Catalog withKinds() {
  Catalog catalog;
  addPlugins({{pluginFile("kinds"), true}}, catalog);
  return catalog;
}

}  // namespace

class TestPluginDocuments : public QObject {
  Q_OBJECT
 private slots:
  void aFileNamesThePlugin() {
    const Catalog here = withKinds();
    const ReadGraph read = parseGraph(kText, here);
    QVERIFY(read.graph.has_value());
    const std::string text = graphText(*read.graph, here);
    QVERIFY2(text.find(R"("plugin": "test-kinds")") != std::string::npos, text.c_str());
    const ReadGraph again = parseGraph(text, here);
    QCOMPARE(graphText(*again.graph, here), text);
    // A document that has been saved is the one that was made.
    QVERIFY(again.graph->nodes[0].extras == read.graph->nodes[0].extras);
  }

  void whereThePluginIsMissingNothingIsLost() {
    const Catalog here = withKinds();
    const Catalog elsewhere;
    const std::string text = graphText(*parseGraph(kText, here).graph, here);
    const ReadGraph read = parseGraph(text, elsewhere);
    QVERIFY(read.graph.has_value());
    QCOMPARE(graphText(*read.graph, elsewhere), text);
  }

  void theCheckNamesTheMissingPlugin() {
    const Catalog here = withKinds();
    const std::string text = graphText(*parseGraph(kText, here).graph, here);
    Catalog elsewhere;
    addPlugins({{pluginFile("without_table"), true}}, elsewhere);
    const CheckResult checked = checkGraph(*parseGraph(text, elsewhere).graph, elsewhere, {});
    std::string all;
    for (const Problem& problem : checked.problems.all()) all += problem.text() + "\n";
    QVERIFY2(all.find("the node kind `test_shift` comes from the plug-in `test-kinds`, which is "
                      "not here; put its file into") != std::string::npos,
             all.c_str());
    QVERIFY2(all.find("without_table.so has no table") != std::string::npos, all.c_str());
  }

  void otherLoadersHaveNoCounterpart() {
    const Catalog here = withKinds();
    const NodeSpec& spec = *here.find("test_shift");
    for (const char* target : {"pytorch", "tfdata", "dali", "grain"}) {
      const auto exporter = spec.exporters.find(target);
      QVERIFY2(exporter != spec.exporters.end(), target);
      const ExportText text = exporter->second(spec.defaults(), {});
      QVERIFY2(text.missing.find("comes from the plug-in `test-kinds`") != std::string::npos,
               text.missing.c_str());
    }
  }
};

MILLRACE_TEST_CASE(TestPluginDocuments)

}  // namespace millrace::tests

#include "tst_plugin_documents.moc"
