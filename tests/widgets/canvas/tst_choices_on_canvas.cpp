// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#minimap-arrange-group: a choice as a frame around its nodes.
#include <algorithm>

#include "core/graph/graph_check.h"
#include "tests/support/test_case.h"
#include "tests/widgets/canvas_page.h"
#include "widgets/models/node_display.h"

namespace millrace {

namespace {

using Page = tests::CanvasPage;

TextList nodesOf(const Graph& graph, const NodeId& choice = "choose") {
  return std::get<TextList>(std::get<Value>(graph.node(choice)->params.at("nodes")));
}

/// A classifier with a choice of a later and an earlier node.
void chooseIn(Page& page) {
  page.session().selection.set({"normalise", "flip"});
  page.session().editor.chooseAmongSelected();
}

QString textOf(Page& page) {
  return displayOf(*page.graph().node("choose"), page.session().document.catalog(), {}).settings;
}

}  // namespace

class TestChoicesOnCanvas : public QObject {
  Q_OBJECT
 private slots:
  void theSelectedNodesAreFramedInTheOrderOfTheChain() {
    Page page("classification");
    QTRY_VERIFY(!page.session().check.result().streams.empty());
    chooseIn(page);
    QCOMPARE(page.steps(), 1);
    QCOMPARE(nodesOf(page.graph()), (TextList{"flip", "normalise"}));
    QCOMPARE(page.session().selection.nodes(), (std::vector<NodeId>{"choose"}));
    const CanvasLayout& layout = page.session().geometry.layout();
    const ChoiceShape* shape = layout.choosing("choose");
    QVERIFY(shape != nullptr);
    for (const auto& [id, body] : layout.nodes) {
      const bool isIn = std::ranges::any_of(
          shape->frames, [&](const QRectF& frame) { return frame.contains(body); });
      if (id != "choose") QCOMPARE(isIn, id == "flip" || id == "normalise");
    }
    QCOMPARE(layout.nodes.at("choose"), shape->tab);
    page.document().undoStack().undo();
    QVERIFY(page.graph().node("choose") == nullptr);
  }

  void theTabIsTheNodeAndTheNodesInItStayThemselves() {
    Page page("classification");
    chooseIn(page);
    const CanvasLayout& layout = page.session().geometry.layout();
    const auto at = [&](QPointF place) { return page.scene().nodeAt(place).value_or(NodeId()); };
    QCOMPARE(at(layout.choosing("choose")->tab.center()), NodeId("choose"));
    QCOMPARE(at(layout.nodes.at("flip").center()), NodeId("flip"));
    const QPointF before = layout.nodes.at("flip").topLeft();
    page.session().selection.set({"choose"});
    page.session().editor.nudge({0, 8});
    QCOMPARE(page.session().geometry.layout().nodes.at("flip").topLeft(), before + QPointF(0, 8));
  }

  void theTabSaysHowManyAreApplied() {
    Page page("classification");
    chooseIn(page);
    QCOMPARE(textOf(page), QString("one of 2"));
    const NodeSpec& spec = *page.session().document.specOf("choose");
    const auto set = [&](const char* param, const Value& value) {
      page.session().editor.setParameter({"choose"}, *spec.param(param), value);
    };
    set("count", std::int64_t{0});
    set("probability", 0.8);
    QCOMPARE(textOf(page), QString("all 2, 80 %"));
    set("nodes", TextList{});
    QCOMPARE(textOf(page), QString("no nodes yet"));
    QVERIFY(page.session().geometry.layout().choosing("choose") == nullptr);
  }

  void itFollowsItsNodes() {
    Page page("classification");
    chooseIn(page);
    QVERIFY(page.session().editor.rename("flip", "mirror"));
    QVERIFY(nodesOf(page.graph())[0] == "mirror" || nodesOf(page.graph())[1] == "mirror");
    page.session().selection.set({"normalise"});
    page.session().editor.removeSelected(Healing::Heal);
    QCOMPARE(nodesOf(page.graph()), (TextList{"mirror"}));
    page.session().selection.set({"mirror"});
    page.session().editor.removeSelected(Healing::Heal);
    QVERIFY(page.graph().node("choose") == nullptr);
  }

  void aCopyChoosesAmongCopies() {
    Page page("classification");
    chooseIn(page);
    page.session().selection.set({"flip", "choose"});
    page.session().editor.duplicate();
    QCOMPARE(nodesOf(page.graph(), "choose_2"), (TextList{"flip_2"}));
  }

  void arrangingLeavesNoRoomForIt() {
    Page page("classification");
    page.session().editor.arrange();
    const QRectF before = page.session().geometry.layout().bounds();
    chooseIn(page);
    page.session().editor.arrange();
    QCOMPARE(page.session().geometry.layout().bounds().height(), before.height());
  }
};

}  // namespace millrace

using millrace::TestChoicesOnCanvas;
MILLRACE_TEST_CASE(TestChoicesOnCanvas)
#include "tst_choices_on_canvas.moc"
