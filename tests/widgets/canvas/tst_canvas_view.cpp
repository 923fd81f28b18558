// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#copy-and-paste, #zoom-and-pan, #minimap-arrange-group, #streams-on-wires: the
// effect of wheel, mouse and keys on the view, labels on wires, and pasting of text that is not
// part of a pipeline.
#include <cmath>

#include <QAction>
#include <QClipboard>
#include <QMimeData>
#include <QScrollBar>
#include <QSignalSpy>
#include <QWheelEvent>

#include "app/workbench/window/main_window.h"
#include "tests/support/test_case.h"
#include "tests/widgets/canvas_page.h"
#include "tests/widgets/opened_files.h"

namespace millrace {

namespace {

using Page = tests::CanvasPage;

void turnWheel(CanvasView& view, QPointF at, QPoint turn, Qt::KeyboardModifiers modifiers = {}) {
  QWheelEvent event(at, view.viewport()->mapToGlobal(at), {}, turn, Qt::NoButton, modifiers,
                    Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(view.viewport(), &event);
}

QPointF sceneAt(const CanvasView& view, QPointF at) {
  return view.viewportTransform().inverted().map(at);
}

QPoint scrolled(const CanvasView& view) {
  return {view.horizontalScrollBar()->value(), view.verticalScrollBar()->value()};
}

/// Zooms in until the view can be scrolled to every side.
void comeNear(CanvasView& view) {
  view.setZoom(3, view.viewport()->rect().center());
  view.showNode("decode");
}

}  // namespace

class TestCanvasView : public QObject {
  Q_OBJECT
 private slots:
  void ctrlWheelZoomsAtTheCursor() {
    Page page("classification");
    const QPointF cursor(411, 237);
    for (const int turn : {120, 120, -120, 240, -360}) {
      const QPointF before = sceneAt(page.view(), cursor);
      const double zoom = page.view().zoom();
      turnWheel(page.view(), cursor, {0, turn}, Qt::ControlModifier);
      QVERIFY(turn > 0 ? page.view().zoom() > zoom : page.view().zoom() < zoom);
      const QPointF now = page.view().viewportTransform().map(before);
      QVERIFY(std::hypot(now.x() - cursor.x(), now.y() - cursor.y()) <= 1.0);
    }
  }

  void theWheelScrolls() {
    Page page("classification");
    comeNear(page.view());
    const QPoint before = scrolled(page.view());
    const double zoom = page.view().zoom();
    turnWheel(page.view(), {300, 300}, {0, -60});
    QVERIFY(scrolled(page.view()).y() > before.y());
    QCOMPARE(scrolled(page.view()).x(), before.x());
    turnWheel(page.view(), {300, 300}, {0, -60}, Qt::ShiftModifier);
    QVERIFY(scrolled(page.view()).x() > before.x());
    QCOMPARE(page.view().zoom(), zoom);
  }

  void aDragWithTheMiddleButtonOrSpacePans() {
    Page page("classification");
    comeNear(page.view());
    QWidget* port = page.view().viewport();
    const auto drag = [&](Qt::MouseButton button) {
      QTest::mousePress(port, button, {}, QPoint(400, 300));
      QMouseEvent move(QEvent::MouseMove, QPointF(340, 260), port->mapToGlobal(QPointF(340, 260)),
                       Qt::NoButton, button, {});
      QCoreApplication::sendEvent(port, &move);
      QTest::mouseRelease(port, button, {}, QPoint(340, 260));
    };
    const QPoint before = scrolled(page.view());
    drag(Qt::MiddleButton);
    QCOMPARE(scrolled(page.view()) - before, QPoint(60, 40));
    QTest::keyPress(&page.view(), Qt::Key_Space);
    drag(Qt::LeftButton);
    QTest::keyRelease(&page.view(), Qt::Key_Space);
    QCOMPARE(scrolled(page.view()) - before, QPoint(120, 80));
    QCOMPARE(page.steps(), 0);
  }

  void keysShowEverythingOrFullSize() {
    MainWindow window(builtinCatalog());
    window.resize(1389, 868);
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window) && tests::openIn(window, "classification"));
    CanvasView& view = window.page()->view();
    const auto showsAll = [&] {
      return view.mapToScene(view.viewport()->rect())
          .boundingRect()
          .contains(window.page()->scene().contentRect());
    };
    const auto comeNearAndPress = [&](Qt::Key key, Qt::KeyboardModifiers modifiers) {
      comeNear(view);
      view.setFocus();
      QTest::keyClick(&view, key, modifiers);
    };
    comeNearAndPress(Qt::Key_0, Qt::ControlModifier);
    QVERIFY(showsAll());
    comeNearAndPress(Qt::Key_F, Qt::NoModifier);
    QVERIFY(showsAll());
    comeNearAndPress(Qt::Key_1, Qt::ControlModifier);
    QCOMPARE(view.zoom(), 1.0);
    QVERIFY(window.action("minimap")->isChecked());
    comeNearAndPress(Qt::Key_M, Qt::AltModifier);
    QVERIFY(!window.action("minimap")->isChecked() && !window.page()->isMinimapShown());
  }

  void streamsAreWrittenOnWiresOnDemand() {
    Page page("classification");
    page.session().editor.move({{"image_folder", {-900, -300}}, {"shuffle", {-200, -300}}});
    page.view().fit();
    page.view().setZoom(0.8, page.view().viewport()->rect().center());
    page.view().centerOn(-450, -270);
    const QImage without = page.view().grab().toImage();
    page.scene().setStreamsShown(true);
    const QImage with = page.view().grab().toImage();
    QVERIFY(with != without);
    page.scene().setStreamsShown(false);
    QCOMPARE(page.view().grab().toImage(), without);
  }

  void garbageIsNotPasted_data() {
    QTest::addColumn<QString>("mime");
    QTest::addColumn<QByteArray>("content");
    const auto row = [](const char* name, const char* mime, const QByteArray& content) {
      QTest::newRow(name) << QString(mime) << content;
    };
    row("a sentence", "text/plain", "what is this");
    row("nothing", "text/plain", "");
    row("other JSON", "text/plain", R"({"nodes": 3})");
    row("a list", "text/plain", "[1, 2, 3]");
    row("nodes of another form", "text/plain", R"({"nodes": [{"id": 7}], "wires": "x"})");
    row("a picture", "image/png", QByteArray("\x89PNG\r\n\x1a\n", 8));
    row("garbage of our own type", kNodesMime, QByteArray(5000, '\xff'));
    row("nested without end", "text/plain", QByteArray(100000, '['));
  }
  void garbageIsNotPasted() {
    QFETCH(QString, mime);
    QFETCH(QByteArray, content);
    Page page("classification");
    const std::string before = page.document().text();
    auto* data = new QMimeData;
    data->setData(mime, content);
    QGuiApplication::clipboard()->setMimeData(data);
    QSignalSpy refused(&page.document(), &Document::refused);
    page.session().editor.paste(Incoming::Drop);
    QCOMPARE(refused.count(), 1);
    QVERIFY2(refused[0][0].toString().endsWith('.'), qPrintable(refused[0][0].toString()));
    QCOMPARE(page.document().text(), before);
    QCOMPARE(page.steps(), 0);
  }
};

}  // namespace millrace

using millrace::TestCanvasView;
MILLRACE_TEST_CASE(TestCanvasView)
#include "tst_canvas_view.moc"
