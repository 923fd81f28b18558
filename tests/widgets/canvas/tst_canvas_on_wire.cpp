// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#insert-into-a-wire: a node that is inserted into a wire, and one that is
// deleted from a chain.
#include <tuple>

#include <QImage>
#include <QMimeData>
#include <QPainter>
#include <QSignalSpy>

#include "tests/support/test_case.h"
#include "tests/widgets/canvas_page.h"
#include "widgets/canvas/drop_hint.h"
#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/common/theme.h"
#include "widgets/models/library_model.h"

namespace millrace {

namespace {

using Page = tests::CanvasPage;

constexpr QSize kView(600, 200);

/// The place and colours of a painted hint.
struct Painted {
  QRect box;
  bool hasAccent = false;
  bool hasWarning = false;
};

Painted paintedAt(const DropHint& hint, QPointF at) {
  QImage image(kView, QImage::Format_RGB32);
  image.fill(Qt::magenta);
  QPainter painter(&image);
  paintDropHint(painter, hint, at, QRectF(QPointF(), kView));
  painter.end();
  Painted painted;
  for (int y = 0; y < kView.height(); ++y)
    for (int x = 0; x < kView.width(); ++x) {
      const QColor colour = image.pixelColor(x, y);
      if (colour == QColor(Qt::magenta)) continue;
      painted.box |= QRect(x, y, 1, 1);
      painted.hasAccent = painted.hasAccent || colour == theme()[Tone::Accent];
      painted.hasWarning = painted.hasWarning || colour == theme()[Tone::Warning];
    }
  return painted;
}

}  // namespace

class TestCanvasOnWire : public QObject {
  Q_OBJECT
 private slots:
  void anUnconnectedNodeDroppedOnAWireIsInserted() {
    Page page("classification");
    page.session().editor.add("blur", QPointF(0, -300));
    page.settle();
    page.view().fit();
    const QRectF decode = page.session().geometry.layout().nodes.at("decode");
    const QPointF wire = page.session().geometry.layout().outPort("decode") + QPointF(28, 0);
    QVERIFY(decode.isValid());
    const int before = page.steps();
    page.drag(page.middleOf("blur"), page.at(wire));
    QCOMPARE(page.steps(), before + 1);
    QVERIFY(page.leads("decode", "blur"));
    QVERIFY(page.leads("blur", "random_resized_crop"));
    // It fits between them: the nodes after it have moved over.
    const auto& nodes = page.session().geometry.layout().nodes;
    for (const auto& [id, place] : nodes)
      QVERIFY2(id == "blur" || !place.intersects(nodes.at("blur")), id.c_str());
  }

  void aHintAnnouncesWhatADropOnAWireWillDo() {
    Page page("classification");
    page.session().editor.add("blur", QPointF(0, -300));
    page.settle();
    page.view().fit();
    const QPoint wire =
        page.at(page.session().geometry.layout().outPort("decode") + QPointF(28, 0));
    QWidget* viewport = page.view().viewport();
    const QPoint from = page.middleOf("blur");
    QTest::mousePress(viewport, Qt::LeftButton, Qt::NoModifier, from);
    QTest::mouseMove(viewport, from + (wire - from) / 2);
    QVERIFY(page.scene().marks().hint.words.isEmpty());
    QTest::mouseMove(viewport, wire);
    QCOMPARE(page.scene().marks().hint.words,
             QString("Between Decode image and Random resized crop"));
    QVERIFY(page.scene().marks().hint.goesIn);
    QTest::keyClick(&page.view(), Qt::Key_Escape);
    QVERIFY(page.scene().marks().hint.words.isEmpty());
    // A node for pictures cannot be placed where batches leave.
    const QPoint batches =
        page.at(page.session().geometry.layout().outPort("batch") + QPointF(28, 0));
    page.drag(page.middleOf("blur"), page.at(QPointF(0, -420)));
    const int steps = page.steps();
    const QPoint now = page.middleOf("blur");
    QTest::mousePress(viewport, Qt::LeftButton, Qt::NoModifier, now);
    QTest::mouseMove(viewport, now + (batches - now) / 2);
    QTest::mouseMove(viewport, batches);
    QVERIFY2(page.scene().marks().hint.words.startsWith("Will not connect: "),
             qPrintable(page.scene().marks().hint.words));
    QTest::mouseRelease(viewport, Qt::LeftButton, Qt::NoModifier, batches);
    QCOMPARE(page.steps(), steps);
    QVERIFY(page.leads("batch", "prefetch"));
  }

  void theHintIsNextToTheCursorAndInsideTheView() {
    const DropHint in{"Between Decode image and Flip", true};
    QVERIFY(paintedAt({}, {100, 80}).box.isNull());
    const Painted middle = paintedAt(in, {100, 80});
    QVERIFY(middle.box.left() > 100 && middle.box.top() > 80);
    QVERIFY(middle.box.width() > 150 && middle.box.right() < kView.width() - 4);
    // No icon under the cursor, and the text is not cut, even in the corner.
    const Painted corner = paintedAt(in, {kView.width() - 5.0, kView.height() - 5.0});
    QVERIFY(QRect(QPoint(), kView).contains(corner.box));
    QCOMPARE(corner.box.size(), middle.box.size());
    QVERIFY(corner.box.bottom() < kView.height() - 5);
    QVERIFY(middle.hasAccent && !middle.hasWarning);
    const Painted refused = paintedAt({"Stays out: it needs a batch", false}, {100, 80});
    QVERIFY(refused.hasWarning && !refused.hasAccent);
  }

  void aKindHeldOverAWireShowsWhereItWillBePlaced() {
    Page page("classification");
    const QPoint wire =
        page.at(page.session().geometry.layout().outPort("decode") + QPointF(28, 0));
    QMimeData mime;
    mime.setData(kKindMime, "blur");
    QDragEnterEvent enter(wire, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(page.view().viewport(), &enter);
    QDragMoveEvent over(wire, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(page.view().viewport(), &over);
    QVERIFY2(page.scene().marks().hint.goesIn, qPrintable(page.scene().marks().hint.words));
    mime.setData(kKindMime, "image_folder");
    QDragLeaveEvent leave;
    QCoreApplication::sendEvent(page.view().viewport(), &leave);
    QVERIFY(page.scene().marks().hint.words.isEmpty());
    QCoreApplication::sendEvent(page.view().viewport(), &enter);
    QCoreApplication::sendEvent(page.view().viewport(), &over);
    QVERIFY2(page.scene().marks().hint.words.startsWith("Will be placed next to the wire: "),
             qPrintable(page.scene().marks().hint.words));
    // It is placed there and overlaps nothing.
    QDropEvent drop(wire, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(page.view().viewport(), &drop);
    const auto& nodes = page.session().geometry.layout().nodes;
    const QRectF added = nodes.at("image_folder_2");
    for (const auto& [id, place] : nodes)
      if (id != "image_folder_2" && id != "workers") QVERIFY2(!place.intersects(added), id.c_str());
  }

  void deleteAndReconnectJoinsTheNeighbours() {
    Page page("classification");
    page.session().selection.set({"flip"});
    page.session().editor.removeSelected(Healing::Heal);
    QVERIFY(page.leads("random_resized_crop", "normalise"));
    QCOMPARE(page.steps(), 1);
    page.document().undoStack().undo();
    QVERIFY(page.leads("flip", "normalise"));
  }

  void deleteReconnectsOnlyIfTheTypesAllow() {
    Page page("classification");
    QSignalSpy refused(&page.document(), &Document::refused);
    // A crop does not accept undecoded files, nor a queue of batches single samples.
    for (const auto& [gone, before, behind] :
         {std::tuple("decode", "workers", "random_resized_crop"),
          std::tuple("batch", "precision", "prefetch")}) {
      page.settle();
      page.session().selection.set({gone});
      page.session().editor.removeSelected(Healing::Heal);
      QVERIFY(page.graph().node(gone) == nullptr);
      QVERIFY2(!page.leads(before, behind), gone);
      QCOMPARE(page.document().undoStack().index(), 1);
      QCOMPARE(refused.count(), 1);
      const QString why = refused.takeFirst().front().toString();
      QVERIFY2(why.startsWith("Not reconnected: ") && why.endsWith('.'), qPrintable(why));
      page.document().undoStack().undo();
      QVERIFY(page.leads(before, gone) && page.leads(gone, behind));
    }
    page.session().selection.set({"flip", "normalise"});
    page.session().editor.removeSelected(Healing::Heal);
    QVERIFY(page.leads("random_resized_crop", "precision"));
    QCOMPARE(refused.count(), 0);
  }
};

}  // namespace millrace

using millrace::TestCanvasOnWire;
MILLRACE_TEST_CASE(TestCanvasOnWire)
#include "tst_canvas_on_wire.moc"
