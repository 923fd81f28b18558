// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#window-and-keys: the docks of documents while something else is in front, and
// in windows of every size.
#include "app/workbench/window/document_docks.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QSettings>
#include <QTabWidget>
#include <QTreeView>

#include "app/workbench/controllers/runs_controller.h"
#include "app/workbench/controllers/start_controller.h"
#include "app/workbench/window/main_window.h"
#include "app/workbench/window/runs_area.h"
#include "core/nodes/builtin.h"
#include "tests/support/test_case.h"
#include "tests/widgets/kept_store.h"
#include "tests/widgets/opened_files.h"
#include "tests/widgets/patience.h"
#include "widgets/panels/library_panel.h"

namespace millrace {

namespace {

constexpr QSize kLargeWindow(1389, 868);
constexpr QSize kSmallWindow(800, 600);

/// The window with an open example and a separate store.
class DocksBench {
 public:
  DocksBench() {
    qputenv("MILLRACE_STORE", QByteArray::fromStdString(kept.file().string()));
    window = std::make_unique<MainWindow>(builtinCatalog());
    qunsetenv("MILLRACE_STORE");
    window->resize(kLargeWindow);
    window->show();
    window->activateWindow();
    ready = QTest::qWaitForWindowActive(window.get()) && tests::openIn(*window, "classification") &&
            settles();
  }
  QDockWidget* dock(const QString& name) { return window->findChild<QDockWidget*>(name); }
  bool isFolded() { return window->tabifiedDockWidgets(dock("inspector")).contains(dock("nodes")); }
  /// Waits for what the window does in the next turn of the event loop.
  static bool settles() {
    for (int i = 0; i < 5; ++i) QTest::qWait(1);
    return true;
  }
  void resize(QSize size) {
    window->resize(size);
    settles();
  }
  /// Shortcuts only work in the active window.
  bool pressF9() {
    window->activateWindow();
    const bool active = QTest::qWaitForWindowActive(window.get());
    QTest::keyClick(window.get(), Qt::Key_F9);
    return active && settles();
  }
  void showRuns() {
    window->runs().open();
    settles();
  }
  void showDocument() {
    window->tabs().setCurrentIndex(0);
    settles();
  }
  int shownDocks() {
    int count = 0;
    for (const QDockWidget* dock : docks()) count += dock->isVisible() ? 1 : 0;
    return count;
  }
  QList<QDockWidget*> docks() {
    return window->findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly);
  }

  tests::KeptStore kept;
  std::unique_ptr<MainWindow> window;
  bool ready = false;
};

}  // namespace

class TestDocumentDocks : public QObject {
  Q_OBJECT
 private slots:
  void init() { QSettings("millrace", "workbench").clear(); }
  void cleanup() { QSettings("millrace", "workbench").clear(); }

  void documentDocksStayHiddenWithoutADocument() {
    DocksBench bench;
    QVERIFY(bench.ready);
    QAction* swap = bench.window->action("swap_docks");
    QVERIFY(swap->isEnabled());
    bench.showRuns();
    QVERIFY(!swap->isEnabled() && !bench.window->action("reset_layout")->isEnabled());
    QVERIFY(bench.pressF9());
    QCOMPARE(bench.shownDocks(), 0);
    bench.showDocument();
    QVERIFY(swap->isEnabled());
    QVERIFY(bench.pressF9());
    QVERIFY(bench.dock("run_throughput")->isVisible());
    // Nor on the start page.
    bench.window->start().show();
    QVERIFY(bench.window->start().isShown() && !swap->isEnabled());
    bench.window->start().leave();
    QVERIFY(swap->isEnabled());
  }

  void docksKeepTheirSizesWhileTheRunsAreShown() {
    DocksBench bench;
    QVERIFY(bench.ready);
    const auto sizes = [&] {
      QList<QSize> all;
      for (const char* name : {"nodes", "outline", "inspector", "problems"})
        all << bench.dock(name)->size();
      return all;
    };
    bench.window->resizeDocks({bench.dock("nodes"), bench.dock("inspector")}, {251, 377},
                              Qt::Horizontal);
    bench.window->resizeDocks({bench.dock("problems")}, {287}, Qt::Vertical);
    bench.settles();
    const QList<QSize> before = sizes();
    QCOMPARE(before[2].width(), 377);
    for (int i = 0; i < 3; ++i) {
      bench.showRuns();
      bench.showDocument();
      QCOMPARE(sizes(), before);
    }
    // The docks of running, too.
    bench.window->action("swap_docks")->trigger();
    bench.window->resizeDocks({bench.dock("run_throughput"), bench.dock("run_queueFill")},
                              {331, 241}, Qt::Horizontal);
    bench.window->resizeDocks({bench.dock("run_advice")}, {377}, Qt::Horizontal);
    bench.window->resizeDocks({bench.dock("run_throughput")}, {241}, Qt::Vertical);
    bench.settles();
    const auto running = [&] {
      QList<QSize> all;
      for (const char* name : {"run_throughput", "run_queueFill", "run_nodeTime", "run_cores",
                               "run_advice", "run_figures"})
        all << bench.dock(name)->size();
      return all;
    };
    const QList<QSize> chosen = running();
    for (int i = 0; i < 2; ++i) {
      bench.showRuns();
      bench.showDocument();
      QCOMPARE(running(), chosen);
    }
    // And those of a small window.
    bench.resize(kSmallWindow);
    bench.window->resizeDocks({bench.dock("run_advice")}, {290}, Qt::Horizontal);
    bench.window->resizeDocks({bench.dock("run_throughput")}, {191}, Qt::Vertical);
    bench.settles();
    const QList<QSize> folded = running();
    bench.showRuns();
    bench.showDocument();
    QCOMPARE(running(), folded);
  }

  void aWindowThatGrewWhileTheRunsWereShownUnfoldsItsDocks() {
    DocksBench bench;
    QVERIFY(bench.ready);
    bench.resize(kSmallWindow);
    QVERIFY(bench.isFolded());
    bench.showRuns();
    bench.resize(kLargeWindow);
    QCOMPARE(bench.shownDocks(), 0);
    bench.showDocument();
    QVERIFY(!bench.isFolded());
    QVERIFY(bench.dock("nodes")->isVisible() && bench.dock("inspector")->isVisible());
  }

  void aWindowThatShrankWhileTheRunsWereShownFoldsItsDocks() {
    DocksBench bench;
    QVERIFY(bench.ready);
    bench.showRuns();
    bench.resize(kSmallWindow);
    bench.showDocument();
    QVERIFY(bench.isFolded());
    QCOMPARE(bench.window->size(), kSmallWindow);
    QVERIFY2(bench.window->minimumSizeHint().width() <= kSmallWindow.width(),
             qPrintable(QString::number(bench.window->minimumSizeHint().width())));
    bench.resize(kLargeWindow);
    QVERIFY(!bench.isFolded());
    QVERIFY(bench.dock("nodes")->isVisible() && bench.dock("inspector")->isVisible());
  }

  void foldingDoesNotMoveTheDocksOfComparisons() {
    DocksBench bench;
    QVERIFY(bench.ready);
    bench.showRuns();
    bench.showDocument();
    bench.resize(kSmallWindow);
    bench.resize(kLargeWindow);
    RunsArea& area = *bench.window->runs().area();
    for (const char* name : {"runs_differences", "runs_lines", "runs_graph"})
      QVERIFY2(area.dockWidgetArea(bench.dock(name)) != Qt::NoDockWidgetArea, name);
  }

  /// However many docks are shown: they do not determine the window's least size, or it could never
  /// become small enough for them to fold.
  void withEveryDockShownTheWindowCanStillBecomeSmall() {
    DocksBench bench;
    QVERIFY(bench.ready);
    bench.window->action("swap_docks")->trigger();
    for (QDockWidget* dock : bench.docks()) dock->show();
    bench.settles();
    bench.resize(kSmallWindow);
    QCOMPARE(bench.window->size(), kSmallWindow);
    QVERIFY(bench.isFolded());
    QVERIFY2(bench.window->minimumSizeHint().width() <= kSmallWindow.width(),
             qPrintable(QString::number(bench.window->minimumSizeHint().width())));
  }

  void theSavedLayoutIsThatOfDocumentsInALargeWindow() {
    {
      DocksBench bench;
      QVERIFY(bench.ready);
      bench.window->resizeDocks({bench.dock("inspector")}, {377}, Qt::Horizontal);
      bench.resize(kSmallWindow);
      bench.showRuns();
      QVERIFY(bench.window->close());
    }
    MainWindow again(builtinCatalog());
    again.show();
    DocksBench::settles();
    again.resize(kLargeWindow);  // Larger than this screen, to which a restored window is fitted.
    QVERIFY(tests::openIn(again, "classification"));
    DocksBench::settles();
    auto* inspector = again.findChild<QDockWidget*>("inspector");
    QVERIFY(inspector->isVisible());
    QVERIFY(!again.tabifiedDockWidgets(inspector).contains(again.findChild<QDockWidget*>("nodes")));
  }

  void docksKeepTheirSizesForTheNextStart_data() {
    QTest::addColumn<bool>("startPage");
    QTest::newRow("with a document") << false;
    QTest::newRow("from the start page") << true;
  }
  void docksKeepTheirSizesForTheNextStart() {
    QFETCH(bool, startPage);
    const auto sizes = [](MainWindow& window) {
      QList<int> all;
      for (const char* name : {"problems", "preview", "outline"})
        all << window.findChild<QDockWidget*>(name)->height();
      for (const char* name : {"nodes", "inspector"})
        all << window.findChild<QDockWidget*>(name)->width();
      return all;
    };
    // Larger than the screen of the tests, to which a restored window is fitted.
    constexpr QSize kWindow(1240, 700);
    QList<int> before;
    {
      DocksBench bench;
      QVERIFY(bench.ready);
      bench.resize(kWindow);
      bench.window->resizeDocks({bench.dock("problems")}, {237}, Qt::Vertical);
      bench.window->resizeDocks({bench.dock("nodes"), bench.dock("inspector")}, {251, 377},
                                Qt::Horizontal);
      bench.settles();
      before = sizes(*bench.window);
      QCOMPARE(before[0], 237);
      QVERIFY(bench.window->close());
    }
    QSettings("millrace", "workbench").remove("geometry");
    MainWindow again(builtinCatalog());
    again.resize(kWindow);
    again.show();
    if (startPage) again.start().show();
    DocksBench::settles();
    QVERIFY(tests::openIn(again, "classification"));
    DocksBench::settles();
    QCOMPARE(again.size(), kWindow);
    QCOMPARE(sizes(again), before);
  }

  void aLowerWindowLeavesRoomForTheCanvas() {
    DocksBench bench;
    QVERIFY(bench.ready);
    bench.window->resizeDocks({bench.dock("problems")}, {420}, Qt::Vertical);
    bench.settles();
    bench.resize({1389, 660});
    QVERIFY(!bench.isFolded());
    const int canvas = bench.window->page()->view().height();
    const int docks = bench.dock("problems")->height();
    QVERIFY2(canvas >= 250 && docks >= 150, qPrintable(QString("%1, %2").arg(canvas).arg(docks)));
    // Those of running, too.
    bench.window->action("swap_docks")->trigger();
    bench.settles();
    bench.resize(kLargeWindow);
    bench.window->resizeDocks({bench.dock("run_throughput")}, {420}, Qt::Vertical);
    bench.settles();
    bench.resize({1389, 660});
    const int running = bench.window->page()->view().height();
    QVERIFY2(running >= 250, qPrintable(QString::number(running)));
  }

  void everyNodesNameIsReadableAtFirst_data() {
    QTest::addColumn<bool>("startPage");
    QTest::newRow("with a document") << false;
    QTest::newRow("from the start page") << true;
  }
  void everyNodesNameIsReadableAtFirst() {
    QFETCH(bool, startPage);
    MainWindow window(builtinCatalog());
    window.resize(kLargeWindow);
    window.show();
    if (startPage) window.start().show();
    DocksBench::settles();
    QVERIFY(tests::openIn(window, "classification"));
    DocksBench::settles();
    const QTreeView& tree = window.findChild<LibraryPanel*>()->tree();
    const int names = static_cast<const QAbstractItemView&>(tree).sizeHintForColumn(0);
    QVERIFY2(tree.viewport()->width() >= names,
             qPrintable(QString("%1 of %2").arg(tree.viewport()->width()).arg(names)));
  }
};

}  // namespace millrace

using millrace::TestDocumentDocks;
MILLRACE_TEST_CASE(TestDocumentDocks)
#include "tst_document_docks.moc"
