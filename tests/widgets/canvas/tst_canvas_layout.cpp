// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "widgets/canvas/layout/canvas_layout.h"

#include <cmath>

#include "core/graph/edit/graph_edit.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "tests/support/test_case.h"
#include "widgets/canvas/layout/canvas_geometry.h"
#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/models/document.h"

namespace millrace {

namespace {

/// Pairs of overlapping nodes; a region's members may lie in its frame.
QStringList overlaps(const CanvasLayout& layout) {
  QStringList found;
  for (const auto& [id, body] : layout.nodes)
    for (const auto& [other, otherBody] : layout.nodes)
      if (id < other && body.intersects(otherBody))
        found << QString::fromStdString(id + " on " + other);
  for (const auto& [id, place] : pushedOut(layout))
    found << QString::fromStdString(id + " in a region that is not its own");
  return found;
}

CanvasLayout arrangedLayout(const Graph& graph) {
  return layOut(graph, builtinCatalog(), arranged(graph, builtinCatalog(), {}), {});
}

Graph longChain(int members) {
  Graph graph;
  std::vector<std::string> kinds{"synthetic", "shuffle", "workers"};
  for (int i = 0; i < members; ++i) kinds.emplace_back("flip");
  for (const char* kind : {"batch", "prefetch", "drain"}) kinds.emplace_back(kind);
  NodeId last;
  for (const std::string& kind : kinds) {
    AddedNode added = addNode(std::move(graph), builtinCatalog(), kind).take();
    graph = std::move(added.graph);
    if (!last.empty()) graph.wires.push_back({last, added.id, {}});
    last = added.id;
  }
  return graph;
}

}  // namespace

class TestCanvasLayout : public QObject {
  Q_OBJECT
 private slots:
  void noNodesOverlapInShippedExamples() {
    for (const Example& example : examples()) {
      Document document(builtinCatalog());
      VERIFY_OK(document.openText(*exampleJson(example.name), "x"));
      CanvasGeometry geometry(document);
      QCOMPARE(overlaps(geometry.layout()), QStringList());
    }
  }

  void noNodesOverlapAfterArranging() {
    for (const int members : {1, 4, 5, 9, 40}) {
      const CanvasLayout layout = arrangedLayout(longChain(members));
      QCOMPARE(overlaps(layout), QStringList());
    }
    Graph loose;
    for (int i = 0; i < 30; ++i) loose = addNode(loose, builtinCatalog(), "flip")->graph;
    QCOMPARE(overlaps(arrangedLayout(loose)), QStringList());
  }

  void aRegionWrapsAllRowsOfItsMembers() {
    const CanvasLayout layout = arrangedLayout(longChain(9));
    QCOMPARE(layout.regions.size(), std::size_t{1});
    const RegionShape& shape = layout.regions.front();
    double top = 1e9;
    double bottom = -1e9;
    for (const NodeId& id : shape.region.members) {
      QVERIFY(shape.frame.contains(layout.nodes.at(id)));
      top = std::min(top, layout.nodes.at(id).top());
      bottom = std::max(bottom, layout.nodes.at(id).top());
    }
    QVERIFY(bottom > top);
    for (const char* outside : {"synthetic", "shuffle", "batch", "drain"})
      QVERIFY(!shape.frame.intersects(layout.nodes.at(outside)));
  }

  void portsOnTheBorderBelongToTheHeadAndTheLastMember() {
    const CanvasLayout layout = arrangedLayout(longChain(3));
    const RegionShape& shape = layout.regions.front();
    QCOMPARE(shape.in.x(), shape.frame.left());
    QCOMPARE(shape.in.y(), layout.nodes.at("flip").center().y());
    QCOMPARE(shape.out.x(), shape.frame.right());
    QCOMPARE(layout.inPort("workers"), shape.in);
    for (const WireShape& wire : layout.wires)
      if (wire.key.from == "shuffle") QCOMPARE(wire.path.currentPosition(), shape.in);
  }

  void aForeignNodeIsMovedOutOfARegion() {
    Graph graph = longChain(3);
    graph = addNode(graph, builtinCatalog(), "blur")->graph;
    NodePlaces places = arranged(graph, builtinCatalog(), {});
    places["blur"] = places["flip"] + QPointF(32, 32);
    const CanvasLayout before = layOut(graph, builtinCatalog(), places, {});
    const NodePlaces out = pushedOut(before);
    QCOMPARE(out.size(), std::size_t{1});
    places["blur"] = out.at("blur");
    const CanvasLayout after = layOut(graph, builtinCatalog(), places, {});
    QVERIFY(pushedOut(after).empty());
    QCOMPARE(std::fmod(out.at("blur").x(), canvas::kGrid), 0.0);
  }

  void wiresHaveRightAngles() {
    for (const WireShape& wire : arrangedLayout(longChain(6)).wires) {
      QVERIFY(wire.path.length() > 0);
      QVERIFY(wire.room > 0);
    }
  }

  void openingAFileWithoutPlacesArrangesItUnmodified() {
    Document document(builtinCatalog());
    VERIFY_OK(document.openText(graphText(longChain(3), builtinCatalog()), "x"));
    CanvasGeometry geometry(document);
    QVERIFY(!document.isModified());
    QCOMPARE(overlaps(geometry.layout()), QStringList());
    document.edit("Move", moved(document.graph(), {{"flip", {800, 800}}}));
    QCOMPARE(geometry.places().at("flip"), QPointF(800, 800));
    QVERIFY(!placeOf(*document.graph().node("batch")));
  }
};

}  // namespace millrace

using millrace::TestCanvasLayout;
MILLRACE_TEST_CASE(TestCanvasLayout)
#include "tst_canvas_layout.moc"
