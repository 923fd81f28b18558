// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#zoom-and-pan, #minimap-arrange-group, #live-figures: what is readable when
// zoomed out, and that titles of groups and regions do not overlap.
#include <QImage>
#include <QLineEdit>
#include <QPainter>

#include "core/tune/advice_edit.h"
#include "tests/support/test_case.h"
#include "tests/widgets/canvas_page.h"
#include "widgets/canvas/node_painter.h"
#include "widgets/canvas/note_items.h"
#include "widgets/canvas/overlay_painter.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

constexpr double kAfar = 0.47;  ///< the zoom at which an example fits into a small window
const QRectF kBody(10, 10, 200, 56);

/// The number of pixel rows, in a box of the scene, with a pixel closer to the text's colour than
/// to the background.
int rowsOfText(const QImage& picture, const QRectF& box, double zoom) {
  int rows = 0;
  const int ground = qGray(theme()[Tone::Node].rgb());
  const int text = qGray(theme()[Tone::Text].rgb());
  for (int y = qRound(box.top() * zoom); y < qRound(box.bottom() * zoom); ++y)
    for (int x = qRound(box.left() * zoom); x < qRound(box.right() * zoom); ++x)
      if (std::abs(qGray(picture.pixel(x, y)) - text) <
          std::abs(qGray(picture.pixel(x, y)) - ground)) {
        ++rows;
        break;
      }
  return rows;
}

template <class Paint>
QImage drawn(double zoom, const Paint& paint) {
  QImage picture(QSize(240, 140) * zoom, QImage::Format_RGB32);
  picture.fill(theme()[Tone::Node]);
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.scale(zoom, zoom);
  paint(painter);
  return picture;
}

NodeDisplay display() {
  NodeDisplay display;
  display.title = "Hg";
  display.settings = "Hg";
  display.icon = "batch";
  return display;
}

}  // namespace

class TestCanvasDrawing : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { applyTheme(Appearance::Light); }

  void titlesAreReadableWhenZoomedOut() {
    const QRectF texts = kBody.adjusted(50, 4, -6, -4);
    const auto rows = [&](double zoom) {
      return rowsOfText(drawn(zoom, [&](QPainter& p) { paintNode(p, display(), kBody, {}, zoom); }),
                        texts, zoom);
    };
    // As large as necessary for reading, although it is drawn at half the size.
    QVERIFY2(rows(kAfar) >= 7, qPrintable(QString::number(rows(kAfar))));
    // No text is better than specks.
    QCOMPARE(rows(0.25), 0);
    QVERIFY(rows(1) > rows(kAfar));
  }

  void runFiguresAreReadableWhenZoomedOut() {
    NodeOverlay overlay;
    overlay.rate = "804 /s";
    overlay.mean = "2.09 ms";
    overlay.share = 0.84;
    overlay.shareText = "84 %";
    const QRectF strip = stripOf(kBody);
    const auto rows = [&](const QRectF& half, double zoom) {
      return rowsOfText(drawn(zoom, [&](QPainter& p) { paintStrip(p, overlay, {}, kBody, zoom); }),
                        half.adjusted(3, 3, -3, -12), zoom);
    };
    QRectF left = strip;
    left.setRight(strip.center().x() - 10);
    QRectF right = strip;
    right.setLeft(strip.right() - 60);
    QVERIFY2(rows(left, kAfar) >= 6, qPrintable(QString::number(rows(left, kAfar))));
    QVERIFY2(rows(right, kAfar) >= 6, qPrintable(QString::number(rows(right, kAfar))));
  }

  void theRunsNumberLeavesTheProblemMarkFree() {
    const OverlayState state{true, "RUN 1234"};
    const double mark = kBody.right() - kProblemMarkReach;
    QVERIFY(runTagBox(state, kBody, true).right() <= mark);
    QVERIFY(runTagBox(state, kBody, false).right() > mark);
  }

  void aGroupsHeadShowsItsTimeAndIsGreyedAfterTheStop() {
    tests::CanvasPage page("classification");
    page.session().selection.set({"batch", "prefetch"});
    page.session().editor.groupSelected("To the step");
    page.settle();
    page.view().setZoom(1, {0, 0});
    const auto group = [&] {
      for (QGraphicsItem* item : page.scene().items())
        if (auto* found = dynamic_cast<GroupItem*>(item)) return found;
      return static_cast<GroupItem*>(nullptr);
    };
    QVERIFY(group() != nullptr && group()->time().isEmpty());
    page.view().centerOn(group()->head().center());
    RunOverlay run;
    run.shown = true;
    run.nodes["batch"].stage = run.nodes["prefetch"].stage = "workers";
    run.nodes["batch"].wallMs = 1.25;
    run.nodes["prefetch"].wallMs = 0.75;
    const QRect head = page.view().mapFromScene(group()->head()).boundingRect();
    const auto drawnHead = [&] { return page.view().viewport()->grab(head).toImage(); };
    const QImage before = drawnHead();
    page.scene().showRun(run);
    QCOMPARE(group()->time(), QString("2.00") + QChar(0xA0) + "ms");
    const QImage going = drawnHead();
    QVERIFY(going != before);
    run.over = true;
    page.scene().showRun(run);
    QVERIFY(drawnHead() != going);
    // It is not too small either when the whole pipeline is in view, or hidden by the strips below
    // a node.
    page.view().setZoom(kAfar, {0, 0});
    page.view().centerOn(group()->head().center());
    const auto afar = [&] {
      const QRect box = page.view().mapFromScene(group()->head()).boundingRect();
      return page.view().viewport()->grab(box).toImage();
    };
    const QImage withTime = afar();
    for (const NodeId& id : {NodeId("batch"), NodeId("prefetch")})
      QVERIFY(!stripOf(page.session().geometry.layout().nodes.at(id)).intersects(group()->head()));
    // An edit that rebuilds the groups keeps their figures; without a run there are none.
    page.session().editor.retitleGroup(0, "To the device");
    QVERIFY(!group()->time().isEmpty());
    page.session().editor.retitleGroup(0, "To the step");
    QCOMPARE(afar(), withTime);
    page.scene().showRun({});
    QVERIFY(group()->time().isEmpty());
    QVERIFY(afar() != withTime);
  }

  void aGroupsTitleDoesNotCoverARegionsHead() {
    tests::CanvasPage page("classification");
    const CanvasLayout& layout = page.session().geometry.layout();
    QVERIFY(!layout.regions.empty());
    for (const NodeId& id : {layout.regions.front().region.head, NodeId("batch")}) {
      page.session().selection.set({id});
      page.session().editor.groupSelected("All of it");
      page.settle();
    }
    // Also members of the region: their frame ends where its head is.
    page.session().selection.set({"decode"});
    page.session().editor.groupSelected("The first");
    page.settle();
    int groups = 0;
    for (QGraphicsItem* item : page.scene().items())
      if (const auto* group = dynamic_cast<GroupItem*>(item)) {
        ++groups;
        for (const RegionShape& region : layout.regions)
          QVERIFY(!group->head().intersects(region.head()));
      }
    QCOMPARE(groups, 3);
  }

  /// The tuner and the diagnosis add a cache by an edit without places.
  void aNodeAddedByAnEditCoversNoOther() {
    for (const bool placed : {false, true}) {
      tests::CanvasPage page("classification");
      if (placed) {
        page.session().selection.set({"decode"});
        page.key(Qt::Key_Right, Qt::ControlModifier);
        page.settle();
      }
      Advice cache;
      cache.edit = Advice::Edit::AddCache;
      cache.node = "workers";
      cache.to = "44389412";
      Result<Graph> edited = applyAdvice(page.graph(), builtinCatalog(), cache);
      QVERIFY2(edited.ok(), edited.ok() ? "" : edited.error().message.c_str());
      page.document().edit("Add a cache", edited.take());
      page.settle();
      const auto& nodes = page.session().geometry.layout().nodes;
      QCOMPARE(nodes.size(), page.graph().nodes.size());
      for (const auto& [id, body] : nodes)
        for (const auto& [other, there] : nodes)
          QVERIFY2(id == other || !body.intersects(there),
                   qPrintable(QString::fromStdString(id + " on " + other)));
    }
  }
};

}  // namespace millrace

using millrace::TestCanvasDrawing;
MILLRACE_TEST_CASE(TestCanvasDrawing)
#include "tst_canvas_drawing.moc"
