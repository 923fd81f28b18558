// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#graph-difference: the difference of two runs on the graph.
#include <QScrollBar>

#include "core/graph/edit/graph_edit.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "tests/support/test_case.h"
#include "tests/widgets/compare_area.h"
#include "widgets/canvas/editor/edit_session.h"
#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/compare/diff_mark.h"
#include "widgets/compare/graph_diff_view.h"
#include "widgets/compare/kept_canvas.h"

namespace millrace {

namespace {

using tests::addThree;
using tests::kGenerousMs;
using Area = tests::CompareArea;

}  // namespace

class TestComparedGraph : public QObject {
  Q_OBJECT
 private slots:
  void theDifferenceIsDrawnOnTheGraph() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    QVERIFY(a.ready && a.compares({RunNumber{1}, RunNumber{3}}));
    GraphDiffView& graph = a.area.graph();
    QCOMPARE(graph.counts(), QString("+ added 1   ≠ changed 1   − removed 0"));
    QVERIFY2(graph.figures().contains("+50.0"), qPrintable(graph.figures()));
    QVERIFY(graph.canvas().session().document.graph().node("more") != nullptr);
    // Large enough to be read, and each tooltip has more.
    QVERIFY(graph.canvas().transform().m11() >= 0.36);
    const auto tipOf = [&](const char* node) {
      return graph.canvas().toolTipAt(
          graph.canvas().session().geometry.layout().nodes.at(node).topLeft() + QPointF(20, 10));
    };
    QVERIFY2(tipOf("workers").contains("Threads: 2 → <b>4</b>"), qPrintable(tipOf("workers")));
    QVERIFY2(tipOf("more").contains("added"), qPrintable(tipOf("more")));
    QVERIFY2(tipOf("drain").contains("→ <b>"), qPrintable(tipOf("drain")));
    // In the other direction a node was removed, and is still drawn.
    VERIFY_OK(kept.open().setBaseline(RunNumber{3}));
    a.page().setBaseline(RunNumber{3});
    QVERIFY(QTest::qWaitFor(
        [&] { return graph.counts() == "+ added 0   ≠ changed 1   − removed 1"; }, kGenerousMs));
    QVERIFY(graph.canvas().session().document.graph().node("more") != nullptr);
  }

  void changedValuesCoverNoTitle() {
    NodeDiff node;
    node.before = node.after = "workers";
    node.fate = NodeFate::Changed;
    node.params = {{"unit", Value{std::string("batch")}, Value{std::string("sample")}}};
    for (const double zoom : {1.0, 0.5, 0.36}) {
      const QRectF head(0, 0, 224, canvas::kRegionHead);
      const QRectF above = diffChip(node, head, DiffBody::RegionHead, zoom);
      QVERIFY(!above.isEmpty() && !above.intersects(head));
      const QRectF body(0, 0, canvas::kNodeWidth, canvas::kNodeHeight);
      // When zoomed out, it is in the middle of the node.
      const QRectF title(0, 0, canvas::kNodeWidth, 0.8 * canvas::kNodeHeight);
      QVERIFY(!diffChip(node, body, DiffBody::Node, zoom).intersects(title));
    }
    node.params.clear();
    QVERIFY(diffChip(node, {0, 0, 224, 32}, DiffBody::RegionHead, 1).isEmpty());
  }

  void allChangesAreVisibleInALowView() {
    const tests::KeptStore kept;
    addThree(kept);
    Area a(kept.file());
    QVERIFY(a.ready && a.compares({RunNumber{1}, RunNumber{3}}));
    KeptCanvas& canvas = a.area.graph().canvas();
    int held = 0;
    for (int height = 60; height < 320; height += 4) {
      canvas.setFixedSize(430, height);
      canvas.fit();
      // The rows differ with the height.
      const auto& bodies = canvas.session().geometry.layout().nodes;
      const QRectF changed =
          QRectF(bodies.at("workers").topLeft(), QSizeF(200, 36)) | bodies.at("more");
      const QRectF marked = changed.adjusted(-40, -40, 40, 40);
      const QRectF seen = canvas.mapToScene(canvas.viewport()->rect()).boundingRect();
      if (marked.width() > seen.width() || marked.height() > seen.height()) continue;
      ++held;
      QVERIFY2(seen.contains(changed), qPrintable(QString::number(height)));
    }
    QVERIFY(held > 0);
  }

  void theWholeDifferenceIsReadableInADock() {
    const std::string before = *exampleJson("classification");
    const Graph old = *parseGraph(before, builtinCatalog()).graph;
    const Graph now =
        setParameter(old, builtinCatalog(), "workers", "count", Value{std::int64_t{7}}).take();
    const GraphDiff diff = diffGraphs(old, now, builtinCatalog());
    KeptCanvas canvas(builtinCatalog());
    canvas.setVisible(true);
    const auto zoomIn = [&](QSize size) {
      canvas.resize(size);
      if (!canvas.showDiff(before, graphText(now, builtinCatalog()), diff)) return 0.0;
      const QRectF all = canvas.session().geometry.layout().bounds();
      const QRectF seen = canvas.mapToScene(canvas.viewport()->rect()).boundingRect();
      const double zoom = canvas.transform().m11();
      return seen.contains(all) && zoom >= 0.36 ? zoom : 0.0;
    };
    QVERIFY(zoomIn({320, 250}) > 0);  // docs/look.md
    QVERIFY(zoomIn({640, 180}) > 0);  // wide and low
    QVERIFY(zoomIn({900, 700}) > 0.9);
    // If not everything fits, there are scroll bars.
    QCOMPARE(zoomIn({150, 120}), 0.0);
    QVERIFY(QTest::qWaitFor(
        [&] {
          return canvas.horizontalScrollBar()->isVisible() ||
                 canvas.verticalScrollBar()->isVisible();
        },
        kGenerousMs));
  }
};

}  // namespace millrace

using millrace::TestComparedGraph;
MILLRACE_TEST_CASE(TestComparedGraph)
#include "tst_compared_graph.moc"
