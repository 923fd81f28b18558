// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#keyboard-and-screen-reader: what a screen reader finds. Every control that the
// keyboard reaches says what it is, and the outline mirrors the canvas.
#include <QAbstractScrollArea>
#include <QAccessible>
#include <QAction>
#include <QDialog>
#include <QTabBar>
#include <QTreeView>

#include "app/workbench/controllers/data_report_controller.h"
#include "app/workbench/controllers/runs_controller.h"
#include "app/workbench/controllers/sweep_controller.h"
#include "app/workbench/controllers/tune_controller.h"
#include "app/workbench/dialogs/measure_dialog.h"
#include "app/workbench/window/main_window.h"
#include "app/workbench/window/runs_area.h"
#include "core/nodes/builtin.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "widgets/models/outline_model.h"
#include "widgets/sweep/sweep_dialog.h"
#include "widgets/tune/tune_dialog.h"

namespace millrace {

namespace {

/// "QTableView under runs_page": enough to find it.
QString placeOf(const QWidget& widget) {
  QString text = QString(widget.metaObject()->className()) + ' ' + widget.objectName();
  for (const QWidget* up = widget.parentWidget(); up != nullptr; up = up->parentWidget())
    if (!up->objectName().isEmpty() && !up->objectName().startsWith("qt_"))
      return text + " under " + up->objectName();
  return text;
}

/// The controls that Tab reaches and that have no name for a screen reader.
QStringList speechless(QWidget& window) {
  QStringList found;
  for (const QWidget* widget : window.findChildren<QWidget*>()) {
    if (!widget->isVisible() || widget->focusProxy() != nullptr) continue;
    if ((widget->focusPolicy() & Qt::TabFocus) == 0) continue;
    // Qt's own widgets are named by their parent, tab bars by their tabs.
    if (widget->objectName().startsWith("qt_") || widget->inherits("QTabBar")) continue;
    QAccessibleInterface* accessible =
        QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
    if (accessible == nullptr || accessible->text(QAccessible::Name).trimmed().isEmpty())
      found << placeOf(*widget);
  }
  return found;
}

class ExampleBench {
 public:
  ExampleBench() {
    qputenv("MILLRACE_STORE", QByteArray::fromStdString((folder.path() / "runs.db").string()));
    window = std::make_unique<MainWindow>(builtinCatalog());
    qunsetenv("MILLRACE_STORE");
    window->resize(1389, 868);
    window->show();
    window->open("classification");
    window->page()->session().selection.set({"workers"});
    QCoreApplication::processEvents();
  }

  tests::TemporaryFolder folder;
  std::unique_ptr<MainWindow> window;
};

}  // namespace

class TestAccessible : public QObject {
  Q_OBJECT
 private slots:
  void everyControlOfTheWindowHasAName() {
    ExampleBench bench;
    const QStringList found = speechless(*bench.window);
    QVERIFY2(found.isEmpty(), qPrintable(found.join("\n")));
  }

  void everyControlOfTheTabsHasAName() {
    ExampleBench bench;
    bench.window->runs().open();
    QCoreApplication::processEvents();
    QStringList found = speechless(*bench.window);
    bench.window->sweeps().show();
    found += speechless(*bench.window);
    bench.window->tunes().show();
    found += speechless(*bench.window);
    bench.window->dataReports().show();
    found += speechless(*bench.window);
    QVERIFY2(found.isEmpty(), qPrintable(found.join("\n")));
  }

  void everyControlOfTheDialogsHasAName() {
    ExampleBench bench;
    bench.window->sweeps().ask("workers", "count");
    QStringList found = speechless(*bench.window->sweeps().dialog());
    bench.window->tunes().ask();
    found += speechless(*bench.window->tunes().dialog());
    MeasureDialog measure({});
    measure.show();
    found += speechless(measure);
    QVERIFY2(found.isEmpty(), qPrintable(found.join("\n")));
  }

  void theOutlineMirrorsTheCanvasForScreenReaders() {
    ExampleBench bench;
    auto* tree = bench.window->findChild<QWidget*>("outline")->findChild<QTreeView*>();
    QVERIFY(tree != nullptr);
    QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(tree);
    QVERIFY(accessible != nullptr);
    QCOMPARE(accessible->role(), QAccessible::Tree);
    // Every node is a row with its title and state.
    const Graph& graph = bench.window->page()->session().document.graph();
    QStringList rows;
    for (int i = 0; i < accessible->childCount(); ++i)
      if (QAccessibleInterface* child = accessible->child(i))
        rows << child->text(QAccessible::Name);
    for (const GraphNode& node : graph.nodes) {
      const QString title = bench.window->page()->session().editor.titleOf(node.id);
      QVERIFY2(std::ranges::any_of(rows, [&](const QString& row) { return row.contains(title); }),
               qPrintable(title + " is not among " + rows.join(" | ")));
    }
  }

  /// Tab, or keys like F6, reach every part of the window; none keeps the focus.
  void tabReachesEveryPartOfTheWindow() {
    ExampleBench bench;
    bench.window->activateWindow();
    bench.window->page()->view().setFocus();
    QCoreApplication::processEvents();
    QSet<QString> docks;
    const QWidget* first = QApplication::focusWidget();
    QVERIFY(first != nullptr);
    int steps = 0;
    for (; steps < 400; ++steps) {
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
      QWidget* now = QApplication::focusWidget();
      QVERIFY(now != nullptr);
      for (QWidget* up = now; up != nullptr; up = up->parentWidget())
        if (up->inherits("QDockWidget")) docks << up->objectName();
      if (now == first) break;
    }
    QVERIFY2(steps < 400, qPrintable("Tab stays at " + placeOf(*QApplication::focusWidget())));
    for (const char* dock : {"nodes", "outline", "inspector"}) QVERIFY2(docks.contains(dock), dock);
  }
};

}  // namespace millrace

using millrace::TestAccessible;
MILLRACE_TEST_CASE(TestAccessible)
#include "tst_accessible.moc"
