// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#minimap-arrange-group, #create-from-a-wire, #insert-into-a-wire, #undo: notes
// edited in place, what a drop on a node does, wires around nodes, and the selection after an undo.
#include <QContextMenuEvent>
#include <QLabel>
#include <QListWidget>
#include <QMimeData>
#include <QSignalSpy>

#include "tests/support/test_case.h"
#include "tests/widgets/canvas_page.h"
#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/canvas/layout/wire_route.h"
#include "widgets/canvas/name_editor.h"
#include "widgets/canvas/note_editor.h"
#include "widgets/canvas/note_items.h"
#include "widgets/models/library_model.h"
#include "widgets/models/notes.h"

namespace millrace {

namespace {

using Page = tests::CanvasPage;

void dropKind(Page& page, const char* kind, QPoint at) {
  QMimeData mime;
  mime.setData(kKindMime, kind);
  QDragEnterEvent enter(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(page.view().viewport(), &enter);
  QDragMoveEvent over(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(page.view().viewport(), &over);
  QDropEvent drop(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(page.view().viewport(), &drop);
}

QString commentIn(Page& page, std::size_t i = 0) {
  return page.graph().comments.size() > i ? commentOf(page.graph().comments[i])->text : "none";
}

}  // namespace

class TestCanvasHands : public QObject {
  Q_OBJECT
 private slots:
  void aCommentIsWrittenInPlace() {
    Page page("classification");
    page.widget().writeComment();
    NoteEditor& editor = page.widget().noteEditor();
    QVERIFY(editor.isOpen() && editor.hasFocus());
    QTest::keyClicks(&editor, "Labels come from");
    QTest::keyClick(&editor, Qt::Key_Return);
    QTest::keyClicks(&editor, "the folders.");
    QTest::keyClick(&editor, Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(!editor.isOpen() && page.view().hasFocus());
    QCOMPARE(commentIn(page), QString("Labels come from\nthe folders."));
    QCOMPARE(page.steps(), 1);
    const Comment comment = *commentOf(page.graph().comments[0]);
    const QRectF box(comment.place, QSizeF(280, 36));
    for (const auto& [id, body] : page.session().geometry.layout().nodes)
      QVERIFY2(!body.intersects(box), id.c_str());
  }

  void aCommentStaysInViewWhileItGrows() {
    Page page("classification");
    page.widget().resize(900, 300);
    page.widget().writeComment();
    NoteEditor& editor = page.widget().noteEditor();
    for (int line = 0; line < 8; ++line) {
      QTest::keyClicks(&editor, "A line");
      const QRect room = page.view().viewport()->rect();
      QVERIFY2(room.contains(editor.geometry()), qPrintable(QString::number(line)));
      QTest::keyClick(&editor, Qt::Key_Return);
    }
    QTest::keyClick(&editor, Qt::Key_Return, Qt::ControlModifier);
    const Comment comment = *commentOf(page.graph().comments[0]);
    const QRectF box(comment.place, commentSize(comment.text));
    QVERIFY(page.view().viewport()->rect().contains(page.view().mapFromScene(box).boundingRect()));
  }

  void aClickOutsideEndsACommentAndEscapeRestoresIt() {
    Page page("classification");
    page.session().editor.addComment("before", QPointF(0, -200));
    page.view().fit();
    NoteEditor& editor = page.widget().noteEditor();
    page.widget().changeComment(0);
    QTest::keyClicks(&editor, "after");
    QTest::keyClick(&editor, Qt::Key_Escape);
    QCOMPARE(commentIn(page), QString("before"));
    page.widget().changeComment(0);
    QTest::keyClicks(&editor, "after");
    page.click(page.at(QPointF(-40, -40)));
    page.view().setFocus(Qt::MouseFocusReason);
    QVERIFY(!editor.isOpen());
    QCOMPARE(commentIn(page), QString("after"));
  }

  void aGroupIsNamedInPlace() {
    Page page("classification");
    page.session().selection.set({"batch", "prefetch"});
    page.widget().nameGroup();
    NoteEditor& editor = page.widget().noteEditor();
    QVERIFY(editor.isOpen());
    QTest::keyClicks(&editor, "To the step");
    QTest::keyClick(&editor, Qt::Key_Return);
    QCOMPARE(groupOf(page.graph().groups.at(0), page.graph())->title, QString("To the step"));
    page.widget().renameGroup(0);
    QTest::keyClicks(&editor, "Batches");
    QTest::keyClick(&editor, Qt::Key_Return);
    QCOMPARE(groupOf(page.graph().groups.at(0), page.graph())->title, QString("Batches"));
  }

  void aNodeIsRenamedInPlace() {
    Page page("classification");
    NameEditor& editor = page.widget().nameEditor();
    const QRectF title = page.view().titlePlace("flip");
    QTest::mouseDClick(page.view().viewport(), Qt::LeftButton, Qt::NoModifier,
                       page.at(title.center()));
    QVERIFY(editor.isOpen() && editor.hasFocus());
    QCOMPARE(editor.text(), QString("flip"));
    QVERIFY2(editor.message().startsWith("A letter a to z"), qPrintable(editor.message()));
    QVERIFY(page.view().viewport()->rect().contains(editor.geometry()));
    // A refused name says why, and Enter leaves the field open.
    QTest::keyClicks(&editor, "decode");
    QVERIFY2(editor.message().startsWith("There is already a node"), qPrintable(editor.message()));
    QTest::keyClick(&editor, Qt::Key_Return);
    QVERIFY(editor.isOpen() && page.graph().node("flip") != nullptr);
    editor.selectAll();
    QTest::keyClicks(&editor, "Left right");
    QVERIFY2(editor.message().contains("not a valid"), qPrintable(editor.message()));
    editor.selectAll();
    QTest::keyClicks(&editor, "mirrored");
    QTest::keyClick(&editor, Qt::Key_Return);
    QVERIFY(!editor.isOpen() && page.view().hasFocus());
    QVERIFY(page.graph().node("mirrored") != nullptr && page.graph().node("flip") == nullptr);
    QCOMPARE(page.steps(), 1);
    QCOMPARE(page.session().selection.current(), NodeId("mirrored"));
  }

  void escapeAndARefusedNameKeepTheNodesName() {
    Page page("classification");
    NameEditor& editor = page.widget().nameEditor();
    page.widget().renameNode("workers");
    QVERIFY(editor.isOpen());
    QTest::keyClicks(&editor, "threads");
    QTest::keyClick(&editor, Qt::Key_Escape);
    QVERIFY(!editor.isOpen() && page.graph().node("workers") != nullptr);
    page.widget().renameNode("workers");
    QTest::keyClicks(&editor, "batch");
    page.view().setFocus(Qt::MouseFocusReason);
    QVERIFY(!editor.isOpen() && page.graph().node("workers") != nullptr);
    QCOMPARE(page.steps(), 0);
    // A double click on the rest of the node opens the inspector.
    const QSignalSpy inspected(&page.view(), &CanvasView::inspectRequested);
    const QRectF body = page.session().geometry.layout().nodes.at("flip");
    QTest::mouseDClick(page.view().viewport(), Qt::LeftButton, Qt::NoModifier,
                       page.at(body.bottomLeft() + QPointF(20, -12)));
    QVERIFY(!editor.isOpen());
    QCOMPARE(inspected.count(), 1);
  }

  void aRefusalNamesNodesByTheirTitles() {
    Page page("classification");
    page.drag(page.out("prefetch"), page.in("shuffle"));
    QStringList shown;
    for (const QLabel* label : page.widget().findChildren<QLabel*>())
      if (label->isVisible()) shown << label->text();
    const QString words = shown.join('\n');
    QVERIFY2(words.contains("Shuffle") && !words.contains('`') && !words.contains("<code"),
             qPrintable(words));
  }

  void aKindDroppedOnANodeGoesAfterIt() {
    Page page("classification");
    dropKind(page, "blur", page.middleOf("decode"));
    QVERIFY(page.leads("decode", "blur") && page.leads("blur", "random_resized_crop"));
    QVERIFY(isTidy(page.session().geometry.layout()));
    // One that does not fit there is placed next to it, unconnected, and covers nothing.
    dropKind(page, "image_folder", page.middleOf("flip"));
    QVERIFY(page.graph().node("image_folder_2") != nullptr);
    QVERIFY(isTidy(page.session().geometry.layout()));
  }

  void anUnconnectedNodeDroppedOnANodeGoesAfterIt() {
    Page page("classification");
    page.session().editor.add("blur", QPointF(0, -300));
    page.settle();
    page.view().showAll();
    page.drag(page.middleOf("blur"), page.middleOf("flip"));
    QVERIFY(page.leads("flip", "blur") && page.leads("blur", "normalise"));
  }

  void aMovedNodeCoversNoOther() {
    Page page("classification");
    const auto& nodes = page.session().geometry.layout().nodes;
    page.session().editor.move({{"shuffle", nodes.at("image_folder").topLeft() + QPointF(8, 8)}});
    QVERIFY(!nodes.at("shuffle").intersects(nodes.at("image_folder")));
  }

  void selectedNodesAreAlignedAndDistributed() {
    Page page;
    PipelineEditor& editor = page.session().editor;
    editor.add("synthetic", QPointF(0, 0));
    editor.add("flip", QPointF(320, 64));
    editor.add("batch", QPointF(640, 16));
    page.session().selection.set({"synthetic", "flip", "batch"});
    editor.align(Qt::TopEdge);
    const auto& nodes = page.session().geometry.layout().nodes;
    QCOMPARE(nodes.at("flip").top(), 0.0);
    QCOMPARE(nodes.at("batch").top(), 0.0);
    editor.align(Qt::LeftEdge);
    QCOMPARE(nodes.at("batch").left(), 0.0);
    QVERIFY(isTidy(page.session().geometry.layout()));
    editor.move({{"flip", QPointF(0, 120)}, {"batch", QPointF(0, 480)}});
    editor.distribute(Qt::Vertical);
    QCOMPARE(nodes.at("flip").top(), 240.0);
    for (int i = 0; i < 4; ++i) page.document().undoStack().undo();
    QCOMPARE(nodes.at("flip").topLeft(), QPointF(320, 64));
  }

  void wiresLeadAroundNodes() {
    Page page;
    PipelineEditor& editor = page.session().editor;
    editor.add("synthetic", QPointF(0, 0));
    editor.add("flip", QPointF(280, 0));
    editor.add("batch", QPointF(560, 0));
    editor.add("drain", QPointF(0, 300));
    page.settle();
    // Straight through Flip, and back through it.
    QVERIFY(editor.connectNodes("synthetic", "batch"));
    QVERIFY(editor.connectNodes("batch", "drain"));
    editor.move({{"flip", QPointF(280, 136)}});
    const auto crossed = [&] {
      const CanvasLayout& layout = page.session().geometry.layout();
      QStringList found;
      for (const WireShape& wire : layout.wires)
        for (const auto& [id, body] : layout.nodes)
          if (QPainterPathStroker().createStroke(wire.path).intersects(body.adjusted(2, 2, -2, -2)))
            found << QString::fromStdString(wire.key.from + " through " + id);
      return found;
    };
    QCOMPARE(crossed(), QStringList());
    editor.move({{"flip", QPointF(280, 0)}});
    QCOMPARE(crossed(), QStringList());
  }

  void aWireStaysVisibleWhileTheChoiceIsOpen() {
    Page page("classification");
    page.session().editor.removeSelected(Healing::Cut);
    page.view().showAll();
    const QRectF all = page.session().geometry.layout().bounds();
    page.drag(page.out("shuffle"), page.at(all.topRight() + QPointF(-20, 20)));
    QVERIFY(page.view().search().isVisible());
    QVERIFY(page.scene().isLooseWireShown());
    QTest::keyClick(&page.view().search().line(), Qt::Key_Escape);
    QVERIFY(!page.scene().isLooseWireShown());
  }

  void repeatedSpacesDoNotFillTheSearch() {
    Page page;
    page.key(Qt::Key_Space);
    SearchPopup& search = page.view().search();
    QVERIFY(search.isVisible());
    for (int i = 0; i < 3; ++i) QTest::keyClick(&search.line(), Qt::Key_Space);
    QVERIFY(search.line().text().isEmpty());
    QTest::keyClicks(&search.line(), "image folder");
    QCOMPARE(search.line().text(), QString("image folder"));
  }

  void onlyKindsThatFitAreOffered() {
    Page page("classification");
    page.session().selection.set({"image_folder"});
    page.view().searchAfterCurrent();
    QStringList offered;
    const QListWidget& list = page.view().search().list();
    for (int row = 0; row < list.count(); ++row)
      offered << list.item(row)->data(Qt::UserRole).toString();
    QVERIFY(offered.contains("decode") && offered.contains("shuffle"));
    for (const char* kind : {"example_parse", "bit_unpack", "raw_to_array"})
      QVERIFY2(!offered.contains(kind), kind);
  }

  void aKindThatDoesNotFitIsExplained_data() {
    QTest::addColumn<QString>("after");
    QTest::addColumn<QString>("typed");
    QTest::newRow("no pictures yet") << "image_folder" << "Resize";
    QTest::newRow("no such field") << "decode" << "Parse example";
    QTest::newRow("a source") << "decode" << "Image folder";
    QTest::newRow("in the wrong place") << "decode" << "Prefetch";
  }
  void aKindThatDoesNotFitIsExplained() {
    QFETCH(QString, after);
    QFETCH(QString, typed);
    Page page("classification");
    page.session().selection.set({fromQt(after)});
    const QString said =
        typed + " cannot follow " + page.session().editor.titleOf(fromQt(after)) + ": ";
    page.view().searchAfterCurrent();
    SearchPopup& search = page.view().search();
    const auto* note = search.findChild<QLabel*>("searchNote");
    QVERIFY(!note->isVisible());
    QTest::keyClicks(&search.line(), typed.toLower());
    QVERIFY(note->isVisible());
    QVERIFY2(note->text().startsWith(said), qPrintable(note->text()));
    QVERIFY2(note->text().endsWith('.') && !note->text().contains('`'), qPrintable(note->text()));
    QVERIFY(note->height() >= note->heightForWidth(note->width()));
    // It cannot be chosen.
    QTest::keyClick(&search.line(), Qt::Key_Return);
    QCOMPARE(page.steps(), 0);
    search.line().setText("no such thing");
    QCOMPARE(note->text(), QString("No matches. Esc closes."));
  }

  void nothingFitsAfterAConsumer() {
    Page page("classification");
    page.session().selection.set({"drain"});
    page.view().searchAfterCurrent();
    const SearchPopup& search = page.view().search();
    QCOMPARE(search.findChild<QLabel*>("searchNote")->text(),
             QString("Nothing fits here. Type a name to see why."));
  }

  void aPasteThatCannotKeepTheIncomingWireSaysSo() {
    Page page("classification");
    QSignalSpy said(&page.document(), &Document::refused);
    page.session().selection.set({"flip"});
    page.session().editor.copy();
    page.session().editor.paste(Incoming::Keep);
    QCOMPARE(said.count(), 1);
    QVERIFY2(said[0][0].toString().startsWith("Pasted without the incoming wire"),
             qPrintable(said[0][0].toString()));
    page.document().undoStack().undo();
    // The output is free again once the node is cut.
    page.session().selection.set({"flip"});
    page.session().editor.cut();
    page.session().editor.paste(Incoming::Keep);
    QVERIFY(page.leads("random_resized_crop", "flip"));
    page.session().editor.paste(Incoming::Drop);
    QCOMPARE(said.count(), 1);
  }

  void undoRestoresTheSelection() {
    Page page("classification");
    page.session().selection.set({"flip"});
    QVERIFY(page.session().editor.addAfter("blur", "flip"));
    QCOMPARE(page.session().selection.nodes(), std::vector<NodeId>{"blur"});
    page.document().undoStack().undo();
    QCOMPARE(page.session().selection.nodes(), std::vector<NodeId>{"flip"});
  }

  void aDrainIsOfferedOnlyWhereItWorks() {
    Page page("classification");
    page.session().selection.set({"decode"});
    QVERIFY(page.session().editor.whyNotPlain());
    page.session().editor.add("emulated_step");
    QCOMPARE(page.session().selection.current(), NodeId("emulated_step"));
    QVERIFY(!page.session().editor.whyNotPlain());
  }

  void aRightClickConcernsWhatWasClicked() {
    Page page("classification");
    page.session().selection.set({"flip"});
    CanvasThing thing;
    connect(&page.view(), &CanvasView::menuRequested, this,
            [&](QPoint, const CanvasThing& asked) { thing = asked; });
    const auto rightClick = [&](QPoint at) {
      QContextMenuEvent event(QContextMenuEvent::Mouse, at, page.view().mapToGlobal(at));
      QCoreApplication::sendEvent(page.view().viewport(), &event);
    };
    rightClick(page.middleOf("decode"));
    QVERIFY(thing.kind == CanvasThing::Kind::Nodes);
    QCOMPARE(page.session().selection.nodes(), std::vector<NodeId>{"decode"});
    rightClick(QPoint(3, 3));
    QVERIFY(thing.kind == CanvasThing::Kind::Empty);
    QVERIFY(page.session().selection.isEmpty());
    rightClick(page.out("decode"));
    QVERIFY(thing.kind == CanvasThing::Kind::Port && thing.port.isOutput);
    rightClick(page.out("decode") + QPoint(static_cast<int>(20 * page.view().zoom()), 0));
    QVERIFY(thing.kind == CanvasThing::Kind::Wire);
    QVERIFY(page.session().selection.wire().has_value());
  }
};

}  // namespace millrace

using millrace::TestCanvasHands;
MILLRACE_TEST_CASE(TestCanvasHands)
#include "tst_canvas_hands.moc"
