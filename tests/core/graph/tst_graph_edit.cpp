// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/edit/graph_edit.h"

#include <filesystem>

#include "core/nodes/builtin.h"
#include "tests/core/graph/test_kinds.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::chainOf;
using tests::testCatalog;

namespace {

/// The reason of a refusal; empty if there is none.
template <class T>
std::string refusal(const Result<T>& result) {
  return result ? "" : result.error().message;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

template <class T>
T valueOf(const Graph& graph, const char* node, const char* param) {
  return std::get<T>(std::get<Value>(graph.node(node)->params.at(param)));
}

std::string here(const std::string& name) {
  return (std::filesystem::current_path() / name).string();
}

}  // namespace

class TestGraphEdit : public QObject {
  Q_OBJECT
 private slots:
  void newNodesAreNumberedAndHaveTheirDefaults() {
    const Graph graph = chainOf("list scale");
    const Result<AddedNode> second = addNode(graph, testCatalog(), "scale");
    QCOMPARE(second->id, std::string("scale_2"));
    QCOMPARE(valueOf<std::int64_t>(second->graph, "scale_2", "size"), std::int64_t{4});
    QCOMPARE(addNode(second->graph, testCatalog(), "scale")->id, std::string("scale_3"));
    QVERIFY(says(refusal(addNode(graph, testCatalog(), "scal")), "did you mean `scale`?"));
  }

  void removingTakesTheWiresAlong() {
    const Result<Graph> graph = removeNode(chainOf("list scale pack"), testCatalog(), "scale");
    QCOMPARE(graph->nodes.size(), std::size_t{2});
    QVERIFY(graph->wires.empty());
    QVERIFY(says(refusal(removeNode(*graph, testCatalog(), "scale")), "there is no node `scale`"));
  }

  void connectsOnlyWhatFits() {
    Graph graph = chainOf("list scale sink");
    graph.wires.pop_back();
    const auto tried = [&](const char* from, const char* to) {
      return refusal(connectNodes(graph, testCatalog(), from, to));
    };
    QCOMPARE(tried("scale", "sink"), std::string());
    QVERIFY(says(tried("scale", "list"), "is a source"));
    QVERIFY(says(tried("sink", "scale"), "is a consumer"));
    QVERIFY(says(tried("list", "sink"), "`list` is already connected to `scale`"));
    QVERIFY(says(tried("scale", "scale"), "is already connected to") ||
            says(tried("scale", "scale"), "loop"));
    QVERIFY(says(tried("scale", "sinc"), "did you mean `sink`?"));
    Graph open = chainOf("scale keep brighten");
    QVERIFY(says(refusal(connectNodes(open, testCatalog(), "brighten", "scale")), "loop"));
    QVERIFY(connectNodes(graph, testCatalog(), "scale", "sink")->wires.size() == 2);
  }

  void disconnects() {
    const Graph graph = chainOf("list scale");
    QVERIFY(disconnectNodes(graph, "list", "scale")->wires.empty());
    QVERIFY(says(refusal(disconnectNodes(graph, "scale", "list")), "no wire"));
  }

  void renamingMovesTheWires() {
    const Graph graph = chainOf("list scale sink");
    const Result<Graph> renamed = renameNode(graph, testCatalog(), "scale", "small");
    QCOMPARE(renamed->wires[0].to, std::string("small"));
    QCOMPARE(renamed->wires[1].from, std::string("small"));
    QVERIFY(says(refusal(renameNode(graph, testCatalog(), "scale", "Small")), "is not a valid id"));
    QVERIFY(says(refusal(renameNode(graph, testCatalog(), "scale", "sink")), "already"));
    VERIFY_OK(renameNode(graph, testCatalog(), "scale", "scale"));
  }

  void bypassesWhatMayBe() {
    const Graph graph = chainOf("list scale sink");
    const Result<Graph> off = setState(graph, testCatalog(), "scale", NodeState::Bypass);
    QVERIFY(off->node("scale")->state == NodeState::Bypass);
    QVERIFY(says(refusal(setState(graph, testCatalog(), "sink", NodeState::Bypass)), "cannot"));
  }

  void setsParametersByText() {
    const Graph graph = chainOf("list scale sink");
    const auto set = [&](const char* setting) {
      return applySetting(graph, testCatalog(), setting);
    };
    QCOMPARE(valueOf<std::int64_t>(*set("scale.size=9"), "scale", "size"), std::int64_t{9});
    QCOMPARE(valueOf<std::string>(*set("scale.note=a=b.c"), "scale", "note"), std::string("a=b.c"));
    QCOMPARE(valueOf<RealList>(*set("scale.weights=1,0.5"), "scale", "weights"),
             (RealList{1, 0.5}));
  }

  void refusesSettingsWithTheValidNames_data() {
    QTest::addColumn<QString>("setting");
    QTest::addColumn<QString>("said");
    QTest::newRow("form") << "scale" << "NODE.PARAM=VALUE";
    QTest::newRow("no dot") << "scale=0.5" << "NODE.PARAM=VALUE";
    QTest::newRow("node") << "other.size=1" << "there are list, scale and sink";
    QTest::newRow("parameter") << "scale.other=1" << "there are size, factor, exact";
    QTest::newRow("near") << "scale.sice=1" << "did you mean `size`?";
    QTest::newRow("type") << "scale.size=big" << "scale.size: expected a whole number";
    QTest::newRow("range") << "scale.size=65" << "1 to 64 pixels";
    QTest::newRow("choice") << "scale.filter=x" << "one of near, smooth";
  }
  void refusesSettingsWithTheValidNames() {
    QFETCH(QString, setting);
    QFETCH(QString, said);
    const std::string why =
        refusal(applySetting(chainOf("list scale sink"), testCatalog(), setting.toStdString()));
    QVERIFY2(says(why, said.toStdString()), why.c_str());
  }

  void dataGoesToTheSourcesPathsInOrder() {
    Graph graph = chainOf("list sink");
    graph.node("list")->params["extra"] = Value{std::string("old")};
    const Result<Graph> one = applyData(graph, testCatalog(), {"a/../b"});
    QCOMPARE(valueOf<TextList>(*one, "list", "paths"), TextList{here("b")});
    QCOMPARE(valueOf<std::string>(*one, "list", "extra"), std::string());
    const Result<Graph> two = applyData(graph, testCatalog(), {"sample:pairs", "/x"});
    QCOMPARE(valueOf<TextList>(*two, "list", "paths"), TextList{"sample:pairs"});
    QCOMPARE(valueOf<std::string>(*two, "list", "extra"), std::string("/x"));
    QVERIFY(
        says(refusal(applyData(graph, testCatalog(), {"a", "b", "c"})), "takes only 2 of the 3"));
    QVERIFY(*applyData(graph, testCatalog(), {}) == graph);
  }

  void relativePathsBeginAtTheBase() {
    Graph graph = chainOf("list sink");
    graph.node("list")->params["paths"] =
        Value{TextList{"photos", "../more", "/x", "sample:pairs"}};
    graph.node("list")->params["extra"] = Value{std::string()};
    const Graph kept = withAbsolutePaths(graph, testCatalog(), "/data/set");
    QCOMPARE(valueOf<TextList>(kept, "list", "paths"),
             (TextList{"/data/set/photos", "/data/more", "/x", "sample:pairs"}));
    QCOMPARE(valueOf<std::string>(kept, "list", "extra"), std::string());
    QVERIFY(withAbsolutePaths(kept, testCatalog(), "/other") == kept);
  }

  /// A cache's folder is a text, because it need not exist yet; a stored run must find it again.
  void aTextThatNamesAFolderBeginsAtTheBaseToo() {
    GraphNode cache;
    cache.id = cache.kind = "disk_cache";
    cache.params["path"] = Value{std::string("kept")};
    Graph graph;
    graph.nodes = {cache};
    const Graph kept = withAbsolutePaths(graph, builtinCatalog(), "/data/set");
    QCOMPARE(valueOf<std::string>(kept, "disk_cache", "path"), std::string("/data/set/kept"));
  }

  void dataNeedsOneSource() {
    QVERIFY(says(refusal(applyData(chainOf("sink"), testCatalog(), {"a"})), "no source"));
    Graph graph = chainOf("list sink");
    graph = addNode(graph, testCatalog(), "list")->graph;
    VERIFY_OK(applyData(graph, testCatalog(), {"a"}));
    graph.wires.clear();
    QVERIFY(says(refusal(applyData(graph, testCatalog(), {"a"})), "list and list_2"));
  }
};

}  // namespace millrace

using millrace::TestGraphEdit;
MILLRACE_TEST_CASE(TestGraphEdit)
#include "tst_graph_edit.moc"
