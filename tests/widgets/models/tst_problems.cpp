// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#problems: each problem has its place and a remedy, and leads to the place.
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>

#include "app/workbench/window/main_window.h"
#include "core/graph/edit/graph_edit.h"
#include "core/nodes/builtin.h"
#include "tests/support/test_case.h"
#include "tests/widgets/opened_files.h"
#include "tests/widgets/patience.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/common/strings.h"
#include "widgets/inspector/inspector_panel.h"
#include "widgets/models/document.h"
#include "widgets/models/problem_words.h"
#include "widgets/panels/problems_panel.h"

namespace millrace {

namespace {

/// An example with far too many threads and no data.
class ProblemsBench {
 public:
  ProblemsBench() : window(builtinCatalog()) {
    window.resize(1389, 868);
    window.show();
    window.activateWindow();
    ready = QTest::qWaitForWindowActive(&window) && tests::openIn(window, "classification");
    const auto set = [this](const NodeId& node, const char* param, const Value& value) {
      session().editor.setParameter({node}, *session().document.specOf(node)->param(param), value);
    };
    set("workers", "count", Value{std::int64_t{1000}});
    set("image_folder", "paths", Value{TextList{}});
    ready = ready && QTest::qWaitFor(
                         [this] {
                           return session().check.isCurrent() && rowOf("workers") >= 0 &&
                                  rowOf("image_folder") >= 0;
                         },
                         tests::kGenerousMs);
  }
  EditSession& session() { return window.page()->session(); }
  ProblemsPanel& panel() { return *window.findChild<ProblemsPanel*>(); }
  int rowOf(const NodeId& node) {
    for (int row = 0; row < session().problems.rowCount(); ++row)
      if (session().problems.problemAt(row).node == node) return row;
    return -1;
  }
  QString said(int row, int role) { return session().problems.index(row).data(role).toString(); }

  MainWindow window;
  bool ready = false;
};

}  // namespace

class TestProblems : public QObject {
  Q_OBJECT
 private slots:
  void problemsNameNodesAndParametersByTheirTitles() {
    Document document(builtinCatalog());
    Graph graph = addNode(Graph{}, builtinCatalog(), "batch")->graph;
    graph = addNode(graph, builtinCatalog(), "random_crop")->graph;
    document.edit("Add", graph);
    const Problem problem{Severity::Error, "batch", "",
                          "rows of `image` differ after random_crop in /data/random_crop/pad_width",
                          "set pad_height and pad_width, or `drop_last=true`"};
    const Problem shown = withTitles(problem, document);
    QCOMPARE(
        shown.message,
        std::string("rows of `image` differ after Random crop in /data/random_crop/pad_width"));
    QCOMPARE(shown.remedy, "set " + document.specOf("batch")->param("pad_height")->label + " and " +
                               document.specOf("batch")->param("pad_width")->label + ", or " +
                               document.specOf("batch")->param("drop_last")->label + " = true");
  }

  void eachProblemHasSeverityPlaceMessageAndRemedy() {
    ProblemsBench bench;
    QVERIFY(bench.ready);
    const int threads = bench.rowOf("workers");
    QCOMPARE(bench.said(threads, ProblemsModel::PlaceRole), QString("Workers › Threads"));
    QVERIFY(bench.said(threads, ProblemsModel::MessageRole).contains("core"));
    QVERIFY(bench.said(threads, ProblemsModel::RemedyRole).endsWith('.'));
    QVERIFY(bench.said(threads, Qt::AccessibleTextRole).startsWith("Warning: Workers"));
    const int paths = bench.rowOf("image_folder");
    QVERIFY(bench.session().problems.index(paths).data(ProblemsModel::SeverityRole).toBool());
    QVERIFY(bench.said(paths, Qt::AccessibleTextRole).startsWith("Error: Image folder"));
    QVERIFY(bench.window.findChild<QDockWidget*>("problems")->windowTitle().endsWith("2"));
  }

  void nodesAndKindsAreNamedByTheirTitles() {
    ProblemsBench bench;
    QVERIFY(bench.ready);
    bench.session().selection.set({"drain"});
    bench.session().editor.removeSelected(Healing::Cut);
    QVERIFY(
        QTest::qWaitFor([&] { return bench.session().check.isCurrent() && bench.rowOf("") >= 0; },
                        tests::kGenerousMs));
    const int row = bench.rowOf("");
    QCOMPARE(bench.said(row, ProblemsModel::PlaceRole), QString("Pipeline"));
    const QString remedy = bench.said(row, ProblemsModel::RemedyRole);
    QVERIFY2(remedy.contains("Emulated step") && !remedy.contains("emulated_step"),
             qPrintable(remedy));
  }

  void aProblemIsAsHighAsItsTextAlsoAfterTheWidthHasChanged() {
    ProblemsBench bench;
    QVERIFY(bench.ready);
    ProblemsPanel& panel = bench.panel();
    const auto fits = [&] {
      for (int row = 0; row < bench.session().problems.rowCount(); ++row) {
        const QModelIndex index = bench.session().problems.index(row);
        if (panel.visualRect(index).height() != panel.sizeHintForIndex(index).height())
          return false;
      }
      return true;
    };
    auto* dock = bench.window.findChild<QDockWidget*>("problems");
    for (const int width : {160, 420}) {
      bench.window.resizeDocks({dock}, {width}, Qt::Horizontal);
      QVERIFY2(QTest::qWaitFor(fits, tests::kGenerousMs), qPrintable(QString::number(width)));
    }
  }

  void enterShowsTheNodeAndFocusesItsField() {
    ProblemsBench bench;
    QVERIFY(bench.ready);
    CanvasView& view = bench.window.page()->view();
    // At another place, with a zoom at which the node is out of view.
    view.setZoom(3, view.viewport()->rect().center());
    bench.session().selection.set({"drain"});
    view.showNode("drain");
    const auto isInSight = [&] {
      const QRectF body = bench.session().geometry.layout().nodes.at("image_folder");
      return view.mapToScene(view.viewport()->rect()).boundingRect().contains(body.center());
    };
    QVERIFY(!isInSight());
    ProblemsPanel& panel = bench.panel();
    panel.setFocus();
    panel.setCurrentIndex(bench.session().problems.index(bench.rowOf("image_folder")));
    QTest::keyClick(&panel, Qt::Key_Return);
    QCOMPARE(bench.session().selection.nodes(), std::vector<NodeId>{"image_folder"});
    QVERIFY(isInSight());
    // The fields of another node are shown in the next turn of the event loop.
    const auto isInField = [&] {
      const QWidget* focus = bench.window.focusWidget();
      return std::ranges::any_of(bench.window.inspector().rows(), [&](const FieldRow* row) {
        return focus != nullptr && row->spec().name == "paths" && row->isAncestorOf(focus);
      });
    };
    QVERIFY2(QTest::qWaitFor(isInField, 5000),
             bench.window.focusWidget() == nullptr
                 ? "none"
                 : bench.window.focusWidget()->metaObject()->className());
  }

  /// Options of a command line are of no use here.
  void remediesAreThoseOfTheWorkbench() {
    ProblemsBench bench;
    QVERIFY(bench.ready);
    const int row = bench.rowOf("image_folder");
    const QString remedy = bench.said(row, ProblemsModel::RemedyRole);
    QVERIFY2(!remedy.isEmpty() && !remedy.contains("--") && !remedy.contains("millrace"),
             qPrintable(remedy));
  }

  void allProblemsCanBeCopiedAsText() {
    ProblemsBench bench;
    QVERIFY(bench.ready);
    bench.panel().findChild<QAction*>("copy_problems")->trigger();
    const QStringList lines = QApplication::clipboard()->text().split('\n');
    QCOMPARE(lines.size(), bench.session().problems.rowCount());
    QVERIFY2(lines.join('|').contains("warning: workers.count"), qPrintable(lines.join('|')));
  }
};

}  // namespace millrace

using millrace::TestProblems;
MILLRACE_TEST_CASE(TestProblems)
#include "tst_problems.moc"
