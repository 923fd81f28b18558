// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#bypass-and-drain, #undo: B and D in the window, the drawing of a bypassed node,
// and that undo is total for any edits in any order.
#include <algorithm>
#include <random>

#include <QAction>
#include <QImage>
#include <QPainter>

#include "app/workbench/window/main_window.h"
#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/opened_files.h"
#include "tests/widgets/stepped_pipeline.h"
#include "widgets/canvas/editor/edit_session.h"
#include "widgets/canvas/node_painter.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

/// Pictures that are large enough for their crop after resizing.
const char* const kSmallPictures = R"({"format_version": 1, "nodes": [
  {"id": "source", "kind": "synthetic",
   "params": {"content": "image", "height": 60, "width": 80, "channels": 3}},
  {"id": "workers", "kind": "workers", "params": {"count": 1}},
  {"id": "resize", "kind": "resize", "params": {"height": 96, "width": 96}},
  {"id": "crop", "kind": "crop", "params": {"height": 90, "width": 90}},
  {"id": "batch", "kind": "batch"}, {"id": "prefetch", "kind": "prefetch"},
  {"id": "drain", "kind": "drain"}],
  "wires": [{"from": "source", "to": "workers"}, {"from": "workers", "to": "resize"},
            {"from": "resize", "to": "crop"}, {"from": "crop", "to": "batch"},
            {"from": "batch", "to": "prefetch"}, {"from": "prefetch", "to": "drain"}]})";

/// A node drawn at full size on the canvas's background.
QImage drawnNode(bool bypassed) {
  QImage image(QSize(220, 80), QImage::Format_RGB32);
  image.fill(theme()[Tone::Canvas]);
  QPainter painter(&image);
  NodeDisplay display;
  display.title = "Flip";
  display.icon = "flip";
  display.category = Category::Geometry;
  display.bypassed = bypassed;
  paintNode(painter, display, QRectF(10, 14, 200, 56), {}, 1);
  return image;
}

/// How often a row of pixels changes from one colour to another.
int changesAlong(const QImage& image, int y, int from, int to) {
  int changes = 0;
  for (int x = from + 1; x < to; ++x) changes += image.pixel(x, y) != image.pixel(x - 1, y) ? 1 : 0;
  return changes;
}

/// Makes random edits of a document, as a user could.
class Hands {
 public:
  explicit Hands(EditSession& session) : m_session(session) {}

  void act() {
    if (graph().nodes.empty()) return void(m_session.editor.add(kind(), place()));
    switch (number(16)) {
      case 0: m_session.editor.add(kind(), place()); break;
      case 1: choose(1), m_session.editor.removeSelected(Healing::Cut); break;
      case 2: choose(2), m_session.editor.removeSelected(Healing::Heal); break;
      case 3: m_session.editor.connectNodes(node(), node()); break;
      case 4: m_session.editor.move({{node(), place()}}); break;
      case 5: choose(2), m_session.editor.toggleBypass(); break;
      case 6: choose(1), m_session.editor.togglePlainConsumer(); break;
      case 7: choose(3), m_session.editor.cut(); break;
      case 8: choose(3), m_session.editor.copy(); break;
      case 9: m_session.editor.paste(number(2) == 0 ? Incoming::Keep : Incoming::Drop); break;
      case 10: setSomething(); break;
      case 11: m_session.editor.addComment("a thought", place()); break;
      case 12: choose(2), m_session.editor.groupSelected("some"); break;
      case 13: m_session.editor.arrange(); break;
      case 14: choose(2), m_session.editor.chooseAmongSelected(); break;
      default: m_session.editor.rename(node(), "n" + std::to_string(++m_renamed)); break;
    }
  }
  int number(int below) { return static_cast<int>(m_random() % static_cast<unsigned>(below)); }

 private:
  const Graph& graph() const { return m_session.document.graph(); }
  NodeId node() {
    return graph()
        .nodes[static_cast<std::size_t>(number(static_cast<int>(graph().nodes.size())))]
        .id;
  }
  std::string kind() {
    const auto& kinds = builtinCatalog().all();
    return kinds[static_cast<std::size_t>(number(static_cast<int>(kinds.size())))].kind;
  }
  QPointF place() { return {number(900) * 1.0, number(600) * 1.0}; }
  void choose(int count) {
    std::vector<NodeId> ids;
    for (int i = 0; i < count; ++i)
      if (const NodeId id = node(); std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    m_session.selection.set(ids);
  }
  void setSomething() {
    const NodeId id = node();
    const NodeSpec* spec = m_session.document.specOf(id);
    if (spec == nullptr || spec->params.empty()) return;
    const auto which = static_cast<std::size_t>(number(static_cast<int>(spec->params.size())));
    const ParamSpec& param = spec->params[which];
    // A forbidden edit is refused, and changes nothing either.
    if (param.type == ParamType::Boolean)
      m_session.editor.setParameter({id}, param, Value{number(2) == 0});
    if (param.type == ParamType::Integer)
      m_session.editor.setParameter({id}, param, Value{std::int64_t{number(300)}});
    if (param.type == ParamType::Real)
      m_session.editor.setParameter({id}, param, Value{number(100) / 64.0});
  }

  EditSession& m_session;
  std::mt19937 m_random{8};
  int m_renamed = 0;
};

}  // namespace

class TestCanvasEdits : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { applyTheme(Appearance::Light); }

  void aBypassedNodeIsDashedAndLabelled() {
    const QImage on = drawnNode(false);
    const QImage off = drawnNode(true);
    // Along its lower edge, clear of the rounded corners.
    QCOMPARE(changesAlong(on, 69, 30, 190), 0);
    QVERIFY2(changesAlong(off, 69, 30, 190) >= 20,
             qPrintable(QString::number(changesAlong(off, 69, 30, 190))));
    // The word is on the upper edge, where an active node has none.
    QCOMPARE(changesAlong(on, 12, 120, 205), 0);
    QVERIFY2(changesAlong(off, 12, 120, 205) >= 10,
             qPrintable(QString::number(changesAlong(off, 12, 120, 205))));
  }

  void bypassIsGreyedIfTheTypesForbidIt() {
    const tests::TemporaryFolder folder;
    folder.write("mine.millrace.json", kSmallPictures);
    MainWindow window(builtinCatalog());
    window.show();
    QVERIFY(tests::openIn(window, fileText(folder.path() / "mine.millrace.json")));
    EditSession& session = window.page()->session();
    const QAction* bypass = window.action("bypass");
    session.selection.set({"resize"});
    // The streams between nodes are known once the check has finished.
    QVERIFY(QTest::qWaitFor([&] { return !bypass->isEnabled(); }, tests::kGenerousMs));
    QVERIFY2(bypass->toolTip().startsWith("Crop cannot follow Workers: the pictures are") &&
                 bypass->toolTip().endsWith('.'),
             qPrintable(bypass->toolTip()));
    session.editor.toggleBypass();
    QCOMPARE(session.document.undoStack().count(), 0);
    // Both together may be bypassed, and bypassed nodes may be used again.
    session.selection.set({"crop", "resize"});
    QVERIFY(bypass->isEnabled());
    session.editor.toggleBypass();
    QVERIFY(session.document.graph().node("crop")->state == NodeState::Bypass);
    QVERIFY(bypass->isEnabled());
    session.editor.toggleBypass();
    QVERIFY(session.document.graph().node("crop")->state == NodeState::On);
  }

  void dReplacesAConsumerByADrainAndBack() {
    const tests::TemporaryFolder folder;
    folder.write("mine.millrace.json", tests::kLongPipeline);
    MainWindow window(builtinCatalog());
    window.show();
    QVERIFY(tests::openIn(window, fileText(folder.path() / "mine.millrace.json")));
    EditSession& session = window.page()->session();
    const std::string before = session.document.text();
    session.selection.set({"step"});
    // Keys only reach the active window, and reading the file has deactivated it.
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    window.page()->view().setFocus();
    QTest::keyClick(&window.page()->view(), Qt::Key_D);
    const NodeId drain = session.selection.current();
    QCOMPARE(session.document.graph().node(drain)->kind, std::string("drain"));
    QVERIFY(session.document.graph().node("step") == nullptr);
    QTest::keyClick(&window.page()->view(), Qt::Key_D);
    QCOMPARE(session.document.text(), before);
    QCOMPARE(session.document.undoStack().count(), 2);
  }

  void undoingAllRandomEditsRestoresTheFile() {
    EditSession session(builtinCatalog());
    VERIFY_OK(session.document.openText(*exampleJson("classification"), "c"));
    QUndoStack& stack = session.document.undoStack();
    std::vector<std::string> texts{session.document.text()};
    Hands hands(session);
    for (int i = 0; i < 400; ++i) {
      hands.act();
      // Values set consecutively are one step: only the last one counts.
      texts.resize(static_cast<std::size_t>(stack.index()));
      texts.push_back(session.document.text());
      QVERIFY2(stack.index() == stack.count(), "an edit removed another one from the stack");
    }
    QVERIFY2(stack.count() > 100, qPrintable(QString::number(stack.count())));
    while (stack.canUndo()) {
      stack.undo();
      QCOMPARE(session.document.text(), texts[static_cast<std::size_t>(stack.index())]);
    }
    QCOMPARE(session.document.text(), *exampleJson("classification"));
    QVERIFY(!session.document.isModified());
    while (stack.canRedo()) {
      stack.redo();
      QCOMPARE(session.document.text(), texts[static_cast<std::size_t>(stack.index())]);
    }
  }
};

}  // namespace millrace

using millrace::TestCanvasEdits;
MILLRACE_TEST_CASE(TestCanvasEdits)
#include "tst_canvas_edits.moc"
