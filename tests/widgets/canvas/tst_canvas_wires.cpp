// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#search-to-add to #refuse-a-wire: where the search opens and what it finds, how
// far a wire snaps, which body accepts one, and why one is refused.
#include <cmath>

#include <QImage>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QSignalSpy>

#include "tests/support/test_case.h"
#include "tests/widgets/canvas_page.h"
#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/canvas/node_painter.h"
#include "widgets/common/search_popup.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/models/node_place.h"

namespace millrace {

namespace {

using Page = tests::CanvasPage;

/// Two nodes that a wire may connect, and room around them.
class LoosePair : public Page {
 public:
  LoosePair() {
    session().editor.add("synthetic", QPointF(0, 0));
    session().editor.add("shuffle", QPointF(400, 120));
    settle();
    view().setZoom(1, {0, 0});
    view().centerOn(300, 120);
  }
};

/// The kind that a row of the search adds.
QString keyAt(SearchPopup& search, int row) {
  return search.list().item(row)->data(Qt::UserRole).toString();
}

/// The colour of a node's band, drawn on a node's background and so zoomed out that it has no icon.
QColor bandOf(const NodeStyle& style) {
  QImage image(QSize(120, 60), QImage::Format_RGB32);
  image.fill(theme()[Tone::Node]);
  QPainter painter(&image);
  NodeDisplay display;
  display.category = Category::Consumer;
  paintNode(painter, display, QRectF(10, 2, 100, 56), style, 0.2);
  painter.end();
  return image.pixelColor(28, 30);
}

}  // namespace

class TestCanvasWires : public QObject {
  Q_OBJECT
 private slots:
  void spaceOpensTheSearchWhenReleased() {
    Page page;
    QTest::keyPress(&page.view(), Qt::Key_Space);
    QVERIFY(!page.view().search().isVisible());
    QTest::keyRelease(&page.view(), Qt::Key_Space);
    QVERIFY(page.view().search().isVisible());
  }

  void theSearchOpensAtTheCursorAndArrowsChoose() {
    Page page;
    const QPoint cursor(300, 60);
    const QPointF place = page.view().mapToScene(cursor);
    QTest::mouseDClick(page.view().viewport(), Qt::LeftButton, Qt::NoModifier, cursor);
    SearchPopup& search = page.view().search();
    QVERIFY(search.isVisible());
    const QPoint off = search.pos() - page.view().viewport()->mapToGlobal(cursor);
    QVERIFY2(off.manhattanLength() <= canvas::kGrid,
             qPrintable(QString("%1 %2").arg(off.x()).arg(off.y())));
    // The middle of a name is enough.
    QTest::keyClicks(&search.line(), "efetc");
    QStringList found;
    for (int row = 0; row < search.list().count(); ++row) found << keyAt(search, row);
    QVERIFY2(found.contains("prefetch") && !found.contains("flip"), qPrintable(found.join(' ')));
    search.line().clear();
    const QString second = keyAt(search, 1);
    for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Down, Qt::Key_Up, Qt::Key_Return})
      QTest::keyClick(&search.line(), key);
    QCOMPARE(page.graph().nodes.size(), std::size_t{1});
    QCOMPARE(toQt(page.graph().nodes.front().kind), second);
    const QPointF way = *placeOf(page.graph().nodes.front()) - place;
    QVERIFY(std::hypot(way.x(), way.y()) <= canvas::kGrid);
  }

  void aWireFromAnInputOffersKindsThatComeBefore() {
    LoosePair page;
    const int before = page.steps();
    page.drag(page.in("shuffle"), page.in("shuffle") + QPoint(-90, 110));
    QVERIFY(page.view().search().isVisible());
    for (int row = 0; row < page.view().search().list().count(); ++row)
      QVERIFY(keyAt(page.view().search(), row) != "drain");
    page.choose("image folder");
    QCOMPARE(page.steps(), before + 1);
    QVERIFY(page.leads("image_folder", "shuffle"));
  }

  void aWireDoesNotSnapBeyond24Pixels() {
    LoosePair page;
    page.drag(page.out("synthetic"), page.in("shuffle") + QPoint(-20, -20));
    QVERIFY(!page.leads("synthetic", "shuffle"));
    QVERIFY(page.view().search().isVisible());
    page.view().search().close();
    page.drag(page.out("synthetic"), page.in("shuffle") + QPoint(-16, -17));
    QVERIFY(page.leads("synthetic", "shuffle"));
  }

  void aBodyWithATakenInputKeepsItsWireAndReportsWhy() {
    LoosePair page;
    page.session().editor.add("synthetic", QPointF(0, 260));
    page.settle();
    page.drag(page.out("synthetic"), page.middleOf("shuffle"));
    QVERIFY(page.leads("synthetic", "shuffle"));
    const int steps = page.steps();
    QSignalSpy refused(&page.document(), &Document::refused);
    page.drag(page.out("synthetic_2"), page.middleOf("shuffle"));
    QVERIFY(page.leads("synthetic", "shuffle") && !page.leads("synthetic_2", "shuffle"));
    QCOMPARE(page.steps(), steps);
    QVERIFY(!page.view().search().isVisible());
    QCOMPARE(refused.count(), 1);
    QVERIFY2(refused[0][0].toString().contains("input of Shuffle is already connected"),
             qPrintable(refused[0][0].toString()));
    // A drop on the port itself replaces the wire (#one-wire-per-input).
    page.drag(page.out("synthetic_2"), page.in("shuffle"));
    QVERIFY(page.leads("synthetic_2", "shuffle") && !page.leads("synthetic", "shuffle"));
    QCOMPARE(page.steps(), steps + 1);
  }

  void portsThatDoNotFitAreDrawnAt30Percent() {
    for (const Appearance appearance : {Appearance::Light, Appearance::Dark}) {
      applyTheme(appearance);
      NodeStyle faded;
      faded.dimmed = true;
      const QColor whole = bandOf({});
      const QColor seen = bandOf(faded);
      const QColor ground = theme()[Tone::Node];
      const auto mixed = [](int of, int on) { return 0.3 * of + 0.7 * on; };
      QVERIFY(whole != ground);
      QVERIFY(std::abs(seen.red() - mixed(whole.red(), ground.red())) <= 2);
      QVERIFY(std::abs(seen.green() - mixed(whole.green(), ground.green())) <= 2);
      QVERIFY(std::abs(seen.blue() - mixed(whole.blue(), ground.blue())) <= 2);
    }
    applyTheme(Appearance::Light);
  }

  void portsFadeOnlyWhileAWireIsDrawn() {
    Page page("classification");
    page.view().fit();
    QWidget* viewport = page.view().viewport();
    QTest::mousePress(viewport, Qt::LeftButton, Qt::NoModifier, page.out("decode"));
    QTest::mouseMove(viewport, page.out("decode") + QPoint(20, 60));
    QVERIFY(page.scene().marks().fitting.has_value());
    const std::vector<PortHit> fitting = *page.scene().marks().fitting;
    QVERIFY(std::ranges::find(fitting, PortHit{"flip", false}) != fitting.end());
    QVERIFY(std::ranges::find(fitting, PortHit{"prefetch", false}) == fitting.end());
    QTest::keyClick(&page.view(), Qt::Key_Escape);
    QVERIFY(!page.scene().marks().fitting.has_value());
    QTest::mouseRelease(viewport, Qt::LeftButton, Qt::NoModifier, QPoint(5, 5));
    QCOMPARE(page.steps(), 0);
  }

  void eachRefusalIsExplained_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("said");
    QTest::newRow("level") << "decode" << "prefetch" << "batches";
    QTest::newRow("schema") << "shuffle" << "resize" << "Decode";
    QTest::newRow("arity, a source's input") << "decode" << "image_folder" << "has no input";
    QTest::newRow("arity, a consumer's output") << "drain" << "flip" << "has no output";
    QTest::newRow("cycle") << "flip" << "decode" << "loop";
  }
  void eachRefusalIsExplained() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, said);
    Page page("classification");
    page.session().editor.add("resize", QPointF(0, -300));
    page.settle();
    const std::string before = page.document().text();
    const int steps = page.steps();
    QSignalSpy refused(&page.document(), &Document::refused);
    QVERIFY(!page.session().editor.connectNodes(fromQt(from), fromQt(to)));
    QCOMPARE(refused.count(), 1);
    const QString why = refused[0][0].toString();
    QVERIFY2(why.contains(said, Qt::CaseInsensitive) && why.endsWith('.'), qPrintable(why));
    // It names both ends.
    const QString head = page.session().editor.titleOf(fromQt(to)) + " cannot follow " +
                         page.session().editor.titleOf(fromQt(from)) + ": ";
    QVERIFY2(why.startsWith(head), qPrintable(why));
    QCOMPARE(page.document().text(), before);
    QCOMPARE(page.steps(), steps);
  }

  void aWireReleasedOnAForbiddenPortIsExplained() {
    Page page("classification");
    page.view().fit();
    const std::string before = page.document().text();
    QSignalSpy refused(&page.document(), &Document::refused);
    page.drag(page.out("decode"), page.in("prefetch"));
    QCOMPARE(refused.count(), 1);
    QVERIFY2(refused[0][0].toString().contains("batches"), qPrintable(refused[0][0].toString()));
    QCOMPARE(page.document().text(), before);
    QCOMPARE(page.steps(), 0);
    QVERIFY(!page.view().search().isVisible());
  }
};

}  // namespace millrace

using millrace::TestCanvasWires;
MILLRACE_TEST_CASE(TestCanvasWires)
#include "tst_canvas_wires.moc"
