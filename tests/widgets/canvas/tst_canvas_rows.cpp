// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#minimap-arrange-group, #zoom-and-pan: rows that suit the view, what is readable
// in it, and what is inserted into rows.
#include <set>

#include <QFontMetricsF>
#include <QLabel>

#include "core/graph/edit/graph_edit.h"
#include "core/graph/json/graph_json.h"
#include "tests/support/test_case.h"
#include "tests/widgets/canvas_page.h"
#include "widgets/canvas/canvas_items.h"
#include "widgets/canvas/editor/drawn_edit.h"
#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/canvas/layout/wire_route.h"
#include "widgets/canvas/minimap.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/models/node_display.h"

namespace millrace {

namespace {

using Page = tests::CanvasPage;

std::string longPipeline(int members) {
  Graph graph;
  std::vector<std::string> kinds{"synthetic", "shuffle", "workers"};
  kinds.insert(kinds.end(), static_cast<std::size_t>(members), "flip");
  for (const char* kind : {"batch", "prefetch", "drain"}) kinds.emplace_back(kind);
  NodeId last;
  for (const std::string& kind : kinds) {
    AddedNode added = addNode(std::move(graph), builtinCatalog(), kind).take();
    graph = std::move(added.graph);
    if (!last.empty()) graph.wires.push_back({last, added.id, {}});
    last = added.id;
  }
  return graphText(graph, builtinCatalog());
}

std::size_t rowsIn(const CanvasLayout& layout) {
  std::set<double> tops;
  for (const auto& [id, body] : layout.nodes)
    if (layout.headed(id) == nullptr) tops.insert(body.top());
  return tops.size();
}

bool isSeen(Page& page, const QRectF& box) {
  const QRect view = page.view().viewport()->rect();
  return view.contains(page.view().mapFromScene(box).boundingRect());
}

}  // namespace

class TestCanvasRows : public QObject {
  Q_OBJECT
 private slots:
  /// Wherever it is added, even on a region, which an unconnected node has to leave.
  void aNewUnconnectedNodeCoversNoOther() {
    for (const char* over : {"crop", "precision", "flip", "batch", "drain"}) {
      Page page("classification");
      const auto& nodes = page.session().geometry.layout().nodes;
      const auto at = nodes.find(over);
      const QPointF place = at == nodes.end() ? page.view().middle() : at->second.topLeft();
      const auto added = page.session().editor.add("resize", place);
      QVERIFY(added.has_value());
      const CanvasLayout& layout = page.session().geometry.layout();
      QVERIFY2(pushedOut(layout).empty(), over);
      for (const auto& [id, body] : layout.nodes)
        QVERIFY2(id == *added || !body.intersects(layout.nodes.at(*added)),
                 (std::string(over) + ": " + id).c_str());
    }
  }

  void aClickOnTheFiguresOfANodeSelectsIt() {
    Page page("classification");
    const QRectF body = page.session().geometry.layout().nodes.at("decode");
    const QPoint figures = page.at({body.center().x(), body.bottom() + canvas::kStrip / 2});
    page.click(figures);
    QVERIFY(page.session().selection.nodes().empty());
    RunOverlay run;
    run.shown = true;
    run.nodes["decode"].rate = "804 /s";
    page.scene().showRun(run);
    page.click(figures);
    QCOMPARE(page.session().selection.nodes(), std::vector<NodeId>{"decode"});
  }

  void rowsWrapByTheShapeOfTheView() {
    Page page("classification");
    const auto rowsAt = [&](QSize size) {
      page.widget().resize(size);
      QCoreApplication::processEvents();
      page.view().fit();
      return rowsIn(page.session().geometry.layout());
    };
    const std::size_t wide = rowsAt({1700, 560});
    const std::size_t narrow = rowsAt({620, 1200});
    QVERIFY2(narrow > wide, qPrintable(QString("%1 and %2").arg(narrow).arg(wide)));
    QVERIFY(!page.document().isModified());
  }

  void everyExampleIsReadableInAnOrdinaryWindow() {
    // The canvas of a window of 1400 x 900 with the docks for editing.
    for (const Example& example : examples()) {
      Page page(std::string(example.name).c_str());
      page.widget().resize(880, 560);
      QCoreApplication::processEvents();
      page.view().fit();
      QVERIFY2(page.view().zoom() >= 0.85,
               qPrintable(QString("%1: %2").arg(toQt(example.name)).arg(page.view().zoom())));
      QVERIFY(isSeen(page, page.session().geometry.layout().bounds()));
    }
  }

  /// The threads that a run had are not shown as those of a pipeline that was edited since.
  void theHeadOfARegionKeepsSettingsAndFiguresApart() {
    Page page("classification");
    RunOverlay run;
    run.shown = run.over = true;
    run.label = "RUN 3";
    run.regions["workers"] = {"1 thread, busy 99 %", "1.22 ms per sample", 1.22};
    page.scene().showRun(run);
    const RegionItem* head = nullptr;
    for (const QGraphicsItem* item : page.scene().items())
      if (const auto* region = dynamic_cast<const RegionItem*>(item)) head = region;
    QVERIFY(head != nullptr);
    QCOMPARE(head->settings(), "1 thread, busy 99 %");
    QCOMPARE(head->remark(), "1.22 ms per sample");
    QVERIFY(page.session().editor.setParameter(
        {"workers"}, *page.document().specOf("workers")->param("count"), std::int64_t{7}));
    run.edited = {"workers"};
    page.scene().showRun(run);
    QVERIFY2(head->settings().startsWith("7"), qPrintable(head->settings()));
    QCOMPARE(head->remark(), "RUN 3: 1 thread, busy 99 %");
  }

  void theFirstExampleIsWholeWhileItRuns() {
    Page page("classification");
    // The canvas of a window of 1400 x 900 with the docks of a run and its progress.
    page.widget().resize(1066, 405);
    QCoreApplication::processEvents();
    page.view().fit();
    QVERIFY(isSeen(page, page.session().geometry.layout().bounds()));
  }

  void fitStaysReadableAndShowAllShowsEverything() {
    Page page;
    VERIFY_OK(page.document().openText(longPipeline(40), "long"));
    page.settle();
    page.view().fit();
    QCOMPARE(page.view().zoom(), canvas::kReadable);
    const auto& nodes = page.session().geometry.layout().nodes;
    QVERIFY(isSeen(page, nodes.at("synthetic")));
    QVERIFY(!isSeen(page, nodes.at("drain")));
    page.view().showAll();
    QVERIFY(page.view().zoom() < canvas::kReadable);
    QVERIFY(isSeen(page, page.session().geometry.layout().bounds()));
  }

  void titlesAndFirstSettingsAreWhole() {
    for (const Example& example : examples()) {
      Page page(std::string(example.name).c_str());
      for (const GraphNode& node : page.graph().nodes) {
        const CanvasLayout& layout = page.session().geometry.layout();
        if (layout.headed(node.id) != nullptr) continue;
        const NodeSpec* spec = page.document().specOf(node.id);
        const double room =
            layout.nodes.at(node.id).width() - canvas::kTextLeft - canvas::kTextRight + 4;
        const QString first = settingsLine(node, *spec).section(kDot, 0, 0);
        QVERIFY2(QFontMetricsF(uiFont(13, true)).horizontalAdvance(titleOf(node, spec)) <= room,
                 node.id.c_str());
        QVERIFY2(QFontMetricsF(uiFont(12)).horizontalAdvance(first) <= room, qPrintable(first));
      }
    }
  }

  void whatIsAddedAfterANodeKeepsTheRows() {
    Page page("classification");
    const CanvasGeometry& geometry = page.session().geometry;
    // Also in a file whose places are stored.
    for (const bool stored : {false, true}) {
      if (stored) page.session().editor.arrange();
      const NodePlaces before = geometry.places();
      QVERIFY(page.session().editor.addAfter("blur", "decode"));
      QVERIFY(offsetFromRows(geometry.places(), page.graph(), builtinCatalog(),
                             widthsOf(geometry, page.graph())));
      QVERIFY(isTidy(geometry.layout()));
      page.document().undoStack().undo();
      QVERIFY(geometry.places() == before);
    }
  }

  void anInsertionIntoADrawingByHandLeavesNothingCovered() {
    Page page("classification");
    EditSession& session = page.session();
    // One row without room between the nodes, to which a search's best adds a cache.
    NodePlaces row;
    for (const GraphNode& node : page.graph().nodes)
      row[node.id] = QPointF(240.0 * static_cast<double>(row.size()), 0);
    session.editor.move(row);
    Graph edited = page.graph();
    edited = insertNode(edited, builtinCatalog(), "memory_cache", "decode", "random_resized_crop")
                 ->graph;
    page.document().edit("Apply", drawnEdit(session, edited));
    QVERIFY(isTidy(session.geometry.layout()));
  }

  void theViewScrollsToWhatIsInserted() {
    Page page("classification");
    page.view().setZoom(3, {0, 0});
    page.view().showNode("image_folder");
    QVERIFY(page.session().editor.addAfter("blur", "flip"));
    QVERIFY(isSeen(page, page.session().geometry.layout().nodes.at("blur")));
  }

  void overlaysCoverNoNode() {
    Page page("classification");
    page.widget().say("A message that is as long as messages of this kind usually are.");
    const auto coversNode = [&](const QWidget& overlay) {
      const QRectF covered = page.view().mapToScene(overlay.geometry()).boundingRect();
      const CanvasLayout& layout = page.session().geometry.layout();
      return std::ranges::any_of(layout.nodes, [&](const auto& node) {
        return layout.headed(node.first) == nullptr && node.second.intersects(covered);
      });
    };
    const auto* minimap = page.widget().findChild<Minimap*>();
    for (const QSize size : {QSize(1100, 700), QSize(880, 560), QSize(700, 700), QSize(724, 372)}) {
      page.widget().resize(size);
      QCoreApplication::processEvents();
      page.widget().say("A message that is as long as messages of this kind usually are.");
      QVERIFY(minimap->isHidden() || !coversNode(*minimap));
      for (const QLabel* label : page.widget().findChildren<QLabel*>())
        if (label->text().startsWith("A message")) {
          const QWidget& message = *label->parentWidget();
          QVERIFY(!coversNode(message));
          QVERIFY(minimap->isHidden() || !minimap->geometry().intersects(message.geometry()));
        }
    }
  }

  /// Where it would cover a node on the canvas, it is above it.
  void aLongMessageCoversNoNodeAndNamesSettingsByTheirTitles() {
    Page page("classification");
    page.widget().resize(802, 506);
    page.view().fit();
    QCoreApplication::processEvents();
    QString sentence = "Set `flip.horizontal` of `decode`.";
    for (int i = 0; i < 8; ++i) sentence += " This is one more sentence to read.";
    const auto message = [&]() -> QLabel* {
      for (QLabel* label : page.widget().findChildren<QLabel*>())
        if (label->text().startsWith("Set ")) return label;
      return nullptr;
    };
    page.widget().say(sentence);
    QCoreApplication::processEvents();
    QLabel* words = message();
    QVERIFY(words != nullptr && words->isVisible());
    QVERIFY2(words->text().startsWith("Set Flip › Horizontal of Decode image."),
             qPrintable(words->text()));
    const QWidget& box = *words->parentWidget();
    const QRect canvas(page.view().mapTo(&page.widget(), QPoint()), page.view().size());
    QVERIFY(!canvas.intersects(QRect(box.mapTo(&page.widget(), QPoint()), box.size())));
    QVERIFY(words->height() >= words->heightForWidth(words->width()));
    // A short one is on the canvas again, and an edit hides both.
    page.widget().say("Set it.");
    QCOMPARE(message()->parentWidget()->parentWidget(), static_cast<QWidget*>(&page.view()));
    page.session().editor.addAfter("blur", "flip");
    QVERIFY(!message()->isVisible());
  }

 private:
  static NodeWidths widthsOf(const CanvasGeometry& geometry, const Graph& graph) {
    NodeWidths widths;
    for (const GraphNode& node : graph.nodes) widths[node.id] = geometry.widthOf(node);
    return widths;
  }
};

}  // namespace millrace

using millrace::TestCanvasRows;
MILLRACE_TEST_CASE(TestCanvasRows)
#include "tst_canvas_rows.moc"
