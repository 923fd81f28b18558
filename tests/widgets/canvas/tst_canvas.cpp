// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#canvas: editing with mouse and keys. Inserting into a wire has its own file.
#include <cmath>

#include <QClipboard>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QSignalSpy>

#include "tests/support/test_case.h"
#include "tests/widgets/canvas_page.h"
#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/common/search_popup.h"
#include "widgets/models/library_model.h"
#include "widgets/models/notes.h"

namespace millrace {

namespace {

using Page = tests::CanvasPage;

}  // namespace

class TestCanvas : public QObject {
  Q_OBJECT
 private slots:
  void searchAddsAtTheCursorAndEscapeCancels() {
    Page page;
    const QPointF place(160, 120);
    page.view().searchAt(place);
    QVERIFY(page.view().search().isVisible());
    QTest::keyClick(&page.view().search().line(), Qt::Key_Escape);
    QVERIFY(!page.view().search().isVisible());
    QCOMPARE(page.steps(), 0);
    page.view().searchAt(place);
    page.choose("num_workers");  // A tag.
    QCOMPARE(page.graph().nodes.size(), std::size_t{1});
    QCOMPARE(page.graph().nodes.front().kind, std::string("workers"));
    const QPointF off = *placeOf(page.graph().nodes.front()) - place;
    QVERIFY(std::hypot(off.x(), off.y()) <= canvas::kGrid);
  }

  void aNodeAddedOnTopOfAnotherIsPlacedNextToIt() {
    Page page;
    const QPointF place(160, 120);
    for (const char* words : {"synthetic", "num_workers", "prefetch"}) {
      page.view().searchAt(place);
      page.choose(words);
    }
    QCOMPARE(page.graph().nodes.size(), std::size_t{3});
    const auto& bodies = page.session().geometry.layout().nodes;
    for (const auto& [id, body] : bodies) {
      for (const auto& [other, its] : bodies)
        QVERIFY2(id == other || !body.intersects(its), (id + " on " + other).c_str());
      QCOMPARE(body.top(), place.y());
      // The added node is visible.
      const QRectF seen = page.view().mapToScene(page.view().viewport()->rect()).boundingRect();
      QVERIFY(id != page.graph().nodes.back().id || seen.contains(body));
    }
  }

  void spaceAndDoubleClickOpenTheSearch() {
    Page page;
    page.key(Qt::Key_Space);
    QVERIFY(page.view().search().isVisible());
    page.view().search().close();
    QTest::mouseDClick(page.view().viewport(), Qt::LeftButton, Qt::NoModifier, QPoint(300, 60));
    QVERIFY(page.view().search().isVisible());
  }

  void panningWithSpaceDoesNotOpenTheSearch() {
    Page page("classification");
    QTest::keyPress(&page.view(), Qt::Key_Space);
    page.drag(QPoint(500, 20), QPoint(450, 10));
    QTest::keyRelease(&page.view(), Qt::Key_Space);
    QVERIFY(!page.view().search().isVisible());
    QCOMPARE(page.steps(), 0);
  }

  void aWireReleasedOnEmptyCanvasAddsAndConnectsInOneStep() {
    Page page;
    page.session().editor.add("synthetic", QPointF(0, 0));
    page.settle();
    const int before = page.steps();
    page.drag(page.out("synthetic"), page.out("synthetic") + QPoint(120, 60));
    QVERIFY(page.view().search().isVisible());
    for (int row = 0; row < page.view().search().list().count(); ++row)
      QVERIFY(!page.view().search().list().item(row)->text().contains("Prefetch"));
    page.choose("shuffle");
    QCOMPARE(page.steps(), before + 1);
    QVERIFY(page.leads("synthetic", "shuffle"));
  }

  void wiresSnapWithin24PixelsAtAnyZoom() {
    for (const double zoom : {0.4, 1.0, 2.0}) {
      Page page;
      page.session().editor.add("synthetic", QPointF(0, 0));
      page.session().editor.add("shuffle", QPointF(300, 0));
      page.settle();
      page.view().setZoom(zoom, {0, 0});
      page.view().centerOn(250, 30);
      page.drag(page.out("synthetic"), page.in("shuffle") + QPoint(-16, -17));
      QVERIFY2(page.leads("synthetic", "shuffle"), qPrintable(QString::number(zoom)));
    }
  }

  void aWireDroppedOnABodyConnectsToItsInput() {
    Page page;
    page.session().editor.add("synthetic", QPointF(0, 0));
    page.session().editor.add("shuffle", QPointF(300, 100));
    page.settle();
    page.drag(page.out("synthetic"), page.middleOf("shuffle"));
    QVERIFY(page.leads("synthetic", "shuffle"));
  }

  void portsThatDoNotFitFade() {
    Page page("classification");
    const std::vector<PortHit> fitting = fittingPorts(page.session(), {"decode", true});
    const auto fits = [&](const NodeId& id) {
      return std::ranges::find(fitting, PortHit{id, false}) != fitting.end();
    };
    QVERIFY(fits("flip"));
    QVERIFY(!fits("prefetch"));
    QVERIFY(!fits("shuffle"));
    QVERIFY(!fits("image_folder"));
  }

  void aRefusedWireIsExplainedAndChangesNothing() {
    Page page("classification");
    const std::string before = page.document().text();
    QSignalSpy refused(&page.document(), &Document::refused);
    QVERIFY(!page.session().editor.connectNodes("decode", "prefetch"));
    QVERIFY(!page.session().editor.connectNodes("flip", "decode"));
    QCOMPARE(refused.count(), 2);
    QVERIFY(refused[1][0].toString().contains("loop"));
    QCOMPARE(page.document().text(), before);
    QCOMPARE(page.steps(), 0);
  }

  void aNewWireReplacesTheOldOneInOneStep() {
    Page page("classification");
    QVERIFY(page.session().editor.connectNodes("decode", "flip"));
    QCOMPARE(page.steps(), 1);
    QVERIFY(page.leads("decode", "flip"));
    QVERIFY(!page.leads("decode", "random_resized_crop"));
  }

  void theHeadOfARegionThatIsGoneCoversNoNode() {
    Page page("classification");
    QVERIFY(page.session().geometry.layout().headed("workers") != nullptr);
    QVERIFY(page.session().editor.connectNodes("image_folder", "decode"));
    const CanvasLayout& layout = page.session().geometry.layout();
    QVERIFY(layout.headed("workers") == nullptr);
    for (const auto& [id, body] : layout.nodes)
      QVERIFY2(id == "workers" || !body.intersects(layout.nodes.at("workers")), id.c_str());
    page.document().undoStack().undo();
    QVERIFY(page.session().editor.disconnect({"workers", "decode"}));
    const CanvasLayout& cut = page.session().geometry.layout();
    for (const auto& [id, body] : cut.nodes)
      QVERIFY2(id == "workers" || !body.intersects(cut.nodes.at("workers")), id.c_str());
  }

  void bypassIsOfferedOrExplainedWhyNot() {
    Page page("classification");
    page.session().selection.set({"flip", "normalise"});
    QVERIFY(!page.session().editor.whyNoBypass());
    page.session().editor.toggleBypass();
    QCOMPARE(page.graph().node("flip")->state, NodeState::Bypass);
    QCOMPARE(page.steps(), 1);
    page.session().selection.set({"batch"});
    QVERIFY(page.session().editor.whyNoBypass()->contains("cannot be bypassed"));
  }

  void aClickIsNoUndoStepAndADragIsOne() {
    Page page("classification");
    page.view().fit();
    page.click(page.middleOf("flip"));
    page.click(page.middleOf("decode"));
    QCOMPARE(page.steps(), 0);
    const std::string before = page.document().text();
    const QPointF place = page.session().geometry.places().at("image_folder");
    page.drag(page.middleOf("image_folder"), page.middleOf("image_folder") + QPoint(-40, -40));
    QCOMPARE(page.steps(), 1);
    QVERIFY(page.session().geometry.places().at("image_folder") != place);
    QVERIFY(page.document().undoStack().undoText().contains("Image folder"));
    page.document().undoStack().undo();
    QCOMPARE(page.document().text(), before);
  }

  void undoTextsNameTheObjectTheOldAndTheNewValue() {
    Page page("classification");
    const ParamSpec& size = *builtinCatalog().find("batch")->param("size");
    page.session().editor.setParameter({"batch"}, size, Value{std::int64_t{128}});
    const QString text = page.document().undoStack().undoText();
    for (const char* part : {"Batch", "Size", "64", "128"}) QVERIFY2(text.contains(part), part);
  }

  void draggingAMemberMovesTheFrameAndDraggingTheHeadMovesAll() {
    Page page("classification");
    page.view().fit();
    const QRectF before = page.session().geometry.layout().regions.front().frame;
    const QPointF decode = page.session().geometry.places().at("decode");
    const QRectF head = page.session().geometry.layout().regions.front().head();
    const QPoint from = page.at(head.center());
    page.drag(from, from + QPoint(0, -60));
    const QRectF after = page.session().geometry.layout().regions.front().frame;
    QVERIFY(after.top() < before.top());
    QCOMPARE(after.size(), before.size());
    QVERIFY(page.session().geometry.places().at("decode").y() < decode.y());
    QCOMPARE(page.steps(), 1);
  }

  void clipboardIsJsonAndGarbageIsRefused() {
    Page page("classification");
    page.session().selection.set({"decode", "flip"});
    page.session().editor.copy();
    const QMimeData* mime = QGuiApplication::clipboard()->mimeData();
    QVERIFY(mime->hasFormat(kNodesMime));
    QVERIFY(mime->text().contains("\"decode\""));
    page.session().editor.paste(Incoming::Drop);
    QVERIFY(page.graph().node("decode_2") != nullptr);
    QCOMPARE(page.steps(), 1);
    QGuiApplication::clipboard()->setText("what is this");
    QSignalSpy refused(&page.document(), &Document::refused);
    page.session().editor.paste(Incoming::Drop);
    QCOMPARE(refused.count(), 1);
    QCOMPARE(page.steps(), 1);
  }

  void pastedNodesCoverNeitherNodesNorFigures() {
    Page page("classification");
    page.session().selection.set({"decode", "flip"});
    page.session().editor.copy();
    const CanvasLayout& layout = page.session().geometry.layout();
    for (int paste = 0; paste < 3; ++paste) {
      page.session().editor.paste(Incoming::Drop);
      for (const NodeId& id : page.session().selection.nodes())
        for (const auto& [other, body] : layout.nodes) {
          const QRectF with = body.adjusted(0, 0, 0, canvas::kStrip);
          const QRectF own = layout.nodes.at(id).adjusted(0, 0, 0, canvas::kStrip);
          QVERIFY2(other == id || !with.intersects(own), (id + " covers " + other).c_str());
        }
    }
    page.session().selection.set({"batch"});
    page.session().editor.duplicate();
    const QRectF own = layout.nodes.at(page.session().selection.current());
    QVERIFY(own.top() >= layout.nodes.at("batch").bottom() + canvas::kStrip);
  }

  void cutAndPasteWithWiresRestoresThePipeline() {
    Page page("classification");
    page.session().selection.set({"flip"});
    page.session().editor.cut();
    QVERIFY(page.graph().node("flip") == nullptr);
    page.session().editor.paste(Incoming::Keep);
    QVERIFY(page.leads("random_resized_crop", "flip"));
  }

  void zoomKeepsThePointUnderTheCursor() {
    Page page("classification");
    const QPointF cursor(411, 237);
    for (const double factor : {1.7, 0.6, 3.1, 0.2, 1.15}) {
      const QPointF before = page.view().viewportTransform().inverted().map(cursor);
      page.view().setZoom(page.view().zoom() * factor, cursor);
      const QPointF now = page.view().viewportTransform().map(before);
      QVERIFY2(std::hypot(now.x() - cursor.x(), now.y() - cursor.y()) <= 1.0,
               qPrintable(QString::number(factor)));
    }
    page.view().setZoom(0.001, cursor);
    QCOMPARE(page.view().zoom(), 0.1);
    page.view().setZoom(100, cursor);
    QCOMPARE(page.view().zoom(), 4.0);
  }

  void arrowsWalkAndCtrlArrowsMove() {
    Page page("classification");
    page.key(Qt::Key_Right);
    QCOMPARE(page.session().selection.current(), NodeId("image_folder"));
    page.key(Qt::Key_Right);
    QCOMPARE(page.session().selection.current(), NodeId("shuffle"));
    const QPointF place = page.session().geometry.places().at("shuffle");
    page.key(Qt::Key_Up, Qt::ControlModifier);
    page.key(Qt::Key_Up, Qt::ControlModifier);
    QCOMPARE(page.session().geometry.places().at("shuffle"), place - QPointF(0, 16));
    QCOMPARE(page.steps(), 1);
  }

  /// Without any mouse event: an empty canvas becomes a pipeline without errors.
  void aPipelineCanBeAssembledByKeysAlone() {
    Page page;
    page.key(Qt::Key_Space);
    page.choose("synthetic");
    for (const char* kind : {"shuffle", "workers", "batch", "prefetch", "drain"}) {
      page.view().searchAfterCurrent();
      page.choose(kind);
    }
    QCOMPARE(page.graph().nodes.size(), std::size_t{6});
    QCOMPARE(page.graph().wires.size(), std::size_t{5});
    QCOMPARE(page.session().check.errors(), 0);
    // A node in between, and a wire drawn by name.
    page.session().selection.set({"synthetic"});
    page.view().searchAfterCurrent();
    page.choose("take");
    QVERIFY(page.leads("synthetic", "take"));
    QVERIFY(page.leads("take", "shuffle"));
    page.session().selection.set({"synthetic"});
    page.view().searchTarget();
    page.choose("shuffle");
    QVERIFY(page.leads("synthetic", "shuffle"));
    while (page.document().undoStack().canUndo()) page.document().undoStack().undo();
    QVERIFY(page.graph().nodes.empty());
  }

  void minimapAndArrange() {
    Page page("classification");
    page.widget().resize(860, 550);
    page.view().fit();
    QVERIFY2(!page.widget().isMinimapShown(),
             "everything is in view, and the map would cover some of it");
    page.view().zoomBy(3);
    // A corner of the view without nodes.
    page.view().centerOn(page.session().geometry.layout().bounds().bottomRight());
    QVERIFY(page.widget().isMinimapShown());
    page.view().fit();
    QVERIFY(!page.widget().isMinimapShown());
    page.view().zoomBy(3);
    page.widget().setMinimapWanted(false);
    QVERIFY(!page.widget().isMinimapShown());
    page.session().editor.move({{"batch", {0, 0}}, {"drain", {0, 0}}});
    page.session().editor.arrange();
    QCOMPARE(page.document().undoStack().undoText(), "Arrange");
    QVERIFY(pushedOut(page.session().geometry.layout()).empty());
  }

  void aWiresTooltipShowsItsStream() {
    Page page("classification");
    const QPointF on = page.session().geometry.layout().outPort("decode") + QPointF(28, 0);
    const QString tip = page.scene().toolTipAt(on, 8);
    for (const char* part : {"sample", "host", "image", "u8"}) QVERIFY2(tip.contains(part), part);
    const QPointF node = page.session().geometry.layout().nodes.at("flip").center();
    QVERIFY(page.scene().toolTipAt(node, 8).contains("Flip"));
  }

  void aNewCommentCoversNoWire() {
    tests::CanvasPage page("classification");
    const CanvasLayout& layout = page.session().geometry.layout();
    for (const WireShape& wire : layout.wires) {
      const QSizeF size(280, 40);
      const QRectF box(freeNotePlace(layout, wire.middle - QPointF(20, 20), size), size);
      for (const WireShape& other : layout.wires)
        QVERIFY2(!other.crosses(box), other.key.from.c_str());
    }
  }

  void commentsAndGroups() {
    Page page("classification");
    const std::string before = page.document().text();
    page.session().editor.addComment("Faces are small: keep crops large.", QPointF(600, -160));
    QCOMPARE(page.session().selection.comment(), std::optional<std::size_t>(0));
    page.view().fit();
    const QPoint on = page.at(QPointF(620, -150));
    page.drag(on, on + QPoint(0, -50));
    QCOMPARE(page.steps(), 2);
    QVERIFY(commentOf(page.graph().comments[0])->place.y() < -160);
    page.session().selection.set({"batch", "prefetch"});
    page.session().editor.groupSelected("To the step");
    QCOMPARE(groupOf(page.graph().groups[0], page.graph())->nodes.size(), std::size_t{2});
    page.session().editor.rename("batch", "stack");
    QCOMPARE(groupOf(page.graph().groups[0], page.graph())->nodes.front(), NodeId("stack"));
    page.session().editor.ungroupSelected();
    QVERIFY(page.graph().groups.empty());
    page.session().selection.setComment(0);
    page.session().editor.removeSelected(Healing::Cut);
    QVERIFY(page.graph().comments.empty());
    while (page.document().undoStack().canUndo()) page.document().undoStack().undo();
    QCOMPARE(page.document().text(), before);
  }

  void rubberBandSelects() {
    Page page("classification");
    page.view().fit();
    const QRectF body = page.session().geometry.layout().nodes.at("image_folder");
    page.drag(page.at(body.topLeft() - QPointF(10, 10)), page.at(body.center()));
    QCOMPARE(page.session().selection.nodes(), std::vector<NodeId>{"image_folder"});
  }

  void aKindDroppedFromThePaletteIsAdded() {
    Page page;
    QMimeData mime;
    mime.setData(kKindMime, "flip");
    QDragEnterEvent enter(QPoint(200, 200), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(page.view().viewport(), &enter);
    QDropEvent drop(QPointF(200, 200), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(page.view().viewport(), &drop);
    QCOMPARE(page.graph().nodes.size(), std::size_t{1});
  }
};

}  // namespace millrace

using millrace::TestCanvas;
MILLRACE_TEST_CASE(TestCanvas)
#include "tst_canvas.moc"
