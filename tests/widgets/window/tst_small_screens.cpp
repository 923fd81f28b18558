// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#window-and-keys: every view on a laptop's screen, 1280 x 720.
#include <algorithm>
#include <utility>

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QTabBar>
#include <QTabWidget>
#include <QToolBar>
#include <QToolButton>

#include <fmt/format.h>

#include "app/workbench/controllers/runs_controller.h"
#include "app/workbench/controllers/start_controller.h"
#include "app/workbench/window/main_window.h"
#include "app/workbench/window/runs_area.h"
#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "tests/support/test_case.h"
#include "tests/widgets/kept_store.h"
#include "tests/widgets/opened_files.h"
#include "tests/widgets/own_process.h"
#include "tests/widgets/patience.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/editor/edit_session.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/canvas/minimap.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/panels/outline_panel.h"
#include "widgets/runs/runs_page.h"

namespace millrace {

namespace {

constexpr QSize kLaptop(1280, 720);
constexpr int kRestMs = 200;
using tests::kGenerousMs;

/// Counts the layouts that a window is asked for.
class LayoutCount : public QObject {
 public:
  int requests = 0;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::LayoutRequest) ++requests;
    return QObject::eventFilter(watched, event);
  }
};

QList<QDockWidget*> docksOf(MainWindow& window) {
  return window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly);
}

class WiderFont {
 public:
  WiderFont() : m_before(QApplication::font()) {
    QFont wider = m_before;
    wider.setLetterSpacing(QFont::PercentageSpacing, 110);
    QApplication::setFont(wider);
  }
  ~WiderFont() { QApplication::setFont(m_before); }
  WiderFont(const WiderFont&) = delete;
  WiderFont& operator=(const WiderFont&) = delete;

 private:
  QFont m_before;
};

}  // namespace

class TestSmallScreens : public QObject {
  Q_OBJECT
 private slots:
  void init() { QSettings("millrace", "workbench").clear(); }

  void theTitlesOnTheTabsOfDocksAreWhole() {
    applyTheme(Appearance::Light);
    MainWindow window(builtinCatalog());
    window.resize(800, 600);
    window.show();
    QVERIFY(tests::openIn(window, "classification"));
    window.action("swap_docks")->trigger();
    const QList<QTabBar*> bars =
        window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly);
    // An empty one would cover another one.
    const auto covers = [](const QTabBar* bar) {
      return bar->count() < 2 && !bar->visibleRegion().isEmpty();
    };
    QVERIFY(QTest::qWaitFor([&] { return std::ranges::none_of(bars, covers); }, kGenerousMs));
    int tabs = 0;
    for (const QTabBar* bar : bars)
      for (int i = 0; i < bar->count(); ++i, ++tabs) {
        const int words = bar->fontMetrics().horizontalAdvance(bar->tabText(i));
        QVERIFY2(bar->tabRect(i).width() > words, qPrintable(bar->tabText(i)));
        QCOMPARE(bar->elideMode(), Qt::ElideNone);
      }
    QVERIFY(tabs >= 6);
  }

  /// A window that lays itself out without end takes a core from what it measures.
  void aWindowAtRestAsksForNoLayout_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("laptop") << kLaptop;
    QTest::newRow("desktop") << QSize(1440, 900);
  }

  void aWindowAtRestAsksForNoLayout() {
    QFETCH(QSize, size);
    applyTheme(Appearance::Light);
    MainWindow window(builtinCatalog());
    window.resize(size);
    window.show();
    QVERIFY(tests::openIn(window, "classification"));
    window.action("swap_docks")->trigger();
    window.action("swap_docks")->trigger();
    LayoutCount count;
    window.installEventFilter(&count);
    const auto rests = [&] {
      count.requests = 0;
      QTest::qWait(kRestMs);
      return count.requests == 0;
    };
    QVERIFY2(QTest::qWaitFor(rests, kGenerousMs), qPrintable(QString::number(count.requests)));
  }

  void theDocksOfARunDoNotWidenTheWindow() {
    MainWindow window(builtinCatalog());
    window.resize(kLaptop);
    window.show();
    QVERIFY(tests::openIn(window, "classification"));
    window.action("swap_docks")->trigger();
    QVERIFY(window.findChild<QDockWidget*>("run_throughput")->isVisible());
    QVERIFY(window.findChild<QDockWidget*>("nodes")->isHidden());
    QTest::qWait(0);
    QCOMPARE(window.size(), kLaptop);
    window.action("swap_docks")->trigger();
    QVERIFY(window.findChild<QDockWidget*>("run_throughput")->isHidden());
    QVERIFY(window.findChild<QDockWidget*>("nodes")->isVisible());
  }

  void whatDoesNotFitOnTheToolBarIsBehindAButtonThatIsSeen() {
    MainWindow window(builtinCatalog());
    window.resize(800, 600);
    window.show();
    auto* more =
        window.findChild<QToolBar*>("main_bar")->findChild<QToolButton*>("qt_toolbar_ext_button");
    QVERIFY(QTest::qWaitFor([&] { return more->isVisible(); }, kGenerousMs));
    QVERIFY2(more->width() >= 24, qPrintable(QString::number(more->width())));
    const QImage drawn = more->grab().toImage();
    int dark = 0;
    for (int y = 0; y < drawn.height(); ++y)
      for (int x = 0; x < drawn.width(); ++x) dark += qGray(drawn.pixel(x, y)) < 100 ? 1 : 0;
    QVERIFY2(dark > 5, "its icon is drawn");
  }

  void throughputIsInFrontWhereTheDocksOfARunAreTabs() {
    MainWindow window(builtinCatalog());
    window.resize(800, 600);
    window.show();
    QVERIFY(tests::openIn(window, "classification"));
    auto* throughput = window.findChild<QDockWidget*>("run_throughput");
    auto* cores = window.findChild<QDockWidget*>("run_cores");
    auto* nodes = window.findChild<QDockWidget*>("nodes");
    QVERIFY(
        QTest::qWaitFor([&] { return !window.tabifiedDockWidgets(nodes).isEmpty(); }, kGenerousMs));
    window.action("swap_docks")->trigger();
    QVERIFY(QTest::qWaitFor([&] { return !throughput->visibleRegion().isEmpty(); }, kGenerousMs));
    QVERIFY(cores->visibleRegion().isEmpty());
  }

  void aDocumentThatIsOpenedAfterARunIsEdited() {
    MainWindow window(builtinCatalog());
    window.resize(1389, 868);
    window.show();
    QVERIFY(tests::openIn(window, "classification"));
    window.action("swap_docks")->trigger();
    auto* throughput = window.findChild<QDockWidget*>("run_throughput");
    QVERIFY(throughput->isVisible());
    QVERIFY(tests::openIn(window, "segmentation"));
    QVERIFY(QTest::qWaitFor([&] { return !throughput->isVisible(); }, kGenerousMs));
    QVERIFY(window.findChild<QDockWidget*>("nodes")->isVisible());
  }

  void titlesOfNodesAreWholeInTheOutline() {
    MainWindow window(builtinCatalog());
    window.resize(1389, 868);
    window.show();
    QVERIFY(tests::openIn(window, "classification"));
    auto* outline = window.findChild<OutlinePanel*>();
    QVERIFY(outline->width() >= 190);
    const QFontMetrics metrics(outline->font());
    const int title = metrics.horizontalAdvance("Random resized crop");
    QCOMPARE(outlineRow("Random resized crop", "224 × 224", metrics, title + 20),
             QString("Random resized crop"));
    QCOMPARE(outlineRow("Random resized crop", "224 × 224", metrics, title + 200),
             QString("Random resized crop · 224 × 224"));
    // No setting is cut: those that fit whole are shown.
    QCOMPARE(outlineRow("Random resized crop", "224 × 224", metrics, title + 60),
             QString("Random resized crop"));
    const int one = metrics.horizontalAdvance("Flip · horizontal 0.5");
    QCOMPARE(outlineRow("Flip", "horizontal 0.5 · vertical 0.5", metrics, one + 5),
             QString("Flip · horizontal 0.5"));
  }

  void theTableOfRunsKeepsItsRoomInAWindowThatBecomesLower() {
    MainWindow window(builtinCatalog());
    window.resize(1440, 900);
    window.show();
    window.runs().open();
    RunsArea& area = *window.runs().area();
    auto* below = area.findChild<QDockWidget*>("runs_differences");
    QVERIFY(QTest::qWaitFor([&] { return below->height() > 300; }, kGenerousMs));
    window.resize(kLaptop);
    QVERIFY2(QTest::qWaitFor([&] { return area.page().height() >= 200; }, kGenerousMs),
             qPrintable(QString::number(area.page().height())));
  }

  void theTableOfRunsHasMostOfALowWindow() {
    for (const auto& [size, least] : {std::pair(QSize(800, 600), 225), {kLaptop, 300}}) {
      for (const char* key : {"runs/layout", "runs/layout_small"})
        QSettings("millrace", "workbench").remove(key);
      MainWindow window(builtinCatalog());
      window.resize(size);
      window.show();
      window.runs().open();
      RunsArea& area = *window.runs().area();
      QVERIFY2(QTest::qWaitFor([&] { return area.page().height() >= least; }, kGenerousMs),
               qPrintable(QString("%1 of %2").arg(area.page().height()).arg(area.height())));
    }
  }

  void theTitleOfTheProblemsIsWholeInEveryWidth() {
    MainWindow window(builtinCatalog());
    window.resize(1389, 868);
    window.show();
    QVERIFY(tests::openIn(window, "classification"));
    auto* problems = window.findChild<QDockWidget*>("problems");
    auto* preview = window.findChild<QDockWidget*>("preview");
    window.resizeDocks({problems, preview}, {20, 900}, Qt::Horizontal);
    QTest::qWait(0);
    const auto* title = problems->titleBarWidget()->findChild<QLabel*>("dockName");
    const int words = title->fontMetrics().horizontalAdvance("Problems");
    QVERIFY2(title->width() >= words, qPrintable(QString::number(title->width() - words)));
  }

  void allDocksAtOnceFitALaptop() {
    MainWindow window(builtinCatalog());
    window.resize(kLaptop);
    window.show();
    window.action("swap_docks")->trigger();
    for (QDockWidget* dock : docksOf(window)) dock->show();
    QTest::qWait(0);
    QVERIFY2(window.minimumSizeHint().width() <= kLaptop.width(),
             qPrintable(QString::number(window.minimumSizeHint().width())));
    QVERIFY(window.minimumSizeHint().height() <= kLaptop.height());
  }

  /// docs/look.md was drawn in Noto Sans; other systems' fonts run wider.
  void aFontATenthWiderFits() {
    const WiderFont wider;
    for (const QSize size : {QSize(800, 600), kLaptop}) {
      MainWindow window(builtinCatalog());
      window.resize(size);
      window.show();
      window.start().show();
      QTest::qWait(0);
      QCOMPARE(window.size(), size);
      QVERIFY(tests::openIn(window, "classification"));
      QTest::qWait(0);
      QCOMPARE(window.size(), size);
      window.action("swap_docks")->trigger();
      QTest::qWait(0);
      QCOMPARE(window.size(), size);
      QVERIFY2(window.minimumSizeHint().width() <= size.width(),
               qPrintable(QString::number(window.minimumSizeHint().width())));
      window.runs().open();
      QTest::qWait(0);
      QCOMPARE(window.size(), size);
    }
  }

  void theZoomBarCoversNoNode() {
    for (const Example& example : examples()) {
      MainWindow window(builtinCatalog());
      window.resize(800, 600);
      window.show();
      QVERIFY(tests::openIn(window, toQt(example.name)));
      PipelinePage& page = *window.page();
      const auto covered = [&page] {
        const auto* bar = page.view().findChild<QFrame*>("floatingBar");
        if (!bar->isVisible()) return std::string();
        const QRectF place = page.view().mapToScene(bar->geometry()).boundingRect();
        for (const auto& [id, body] : page.session().geometry.layout().nodes)
          if (body.intersects(place)) return id;
        return std::string();
      };
      const auto coversMinimap = [&page] {
        const auto* bar = page.view().findChild<QFrame*>("floatingBar");
        const auto* map = page.view().findChild<Minimap*>();
        return bar->isVisible() && map->isVisible() && bar->geometry().intersects(map->geometry());
      };
      for (const QSize size :
           {QSize(800, 600), QSize(1240, 700), QSize(1389, 868), QSize(1440, 870)})
        for (int docks = 0; docks < 2; ++docks) {
          window.resize(size);
          QTest::qWait(0);
          const std::string what =
              fmt::format("{} at {} x {}", example.name, size.width(), size.height());
          page.view().showAll();
          QVERIFY2(covered().empty(), (what + ", whole: " + covered()).c_str());
          QVERIFY(page.view().findChild<QFrame*>("floatingBar")->isVisible());
          QVERIFY(page.view()
                      .mapToScene(page.view().viewport()->rect())
                      .boundingRect()
                      .contains(page.session().geometry.layout().bounds()));
          // Readable, so that not everything is in view: a pipeline is opened and run so.
          page.view().fit();
          QVERIFY2(covered().empty(), (what + ": " + covered()).c_str());
          QVERIFY2(!coversMinimap(), what.c_str());
          window.action("swap_docks")->trigger();
        }
    }
  }

  void atTwiceTheScaleEveryPictureIsSharp() {
    constexpr const char* kScale = "QT_SCALE_FACTOR";
    if (qgetenv(kScale) != "2") {
      const auto large = tests::runInOwnProcess("tst_small_screens", kScale, "2");
      QVERIFY2(large.passed, large.said.constData());
      return;
    }
    constexpr QSize kSmall(800, 600);
    MainWindow window(builtinCatalog());
    window.resize(kSmall);
    window.show();
    const auto check = [&] {
      QTest::qWait(0);
      QCOMPARE(window.size(), kSmall);
      QCOMPARE(window.grab().size(), 2 * kSmall);
      for (const QLabel* label : window.findChildren<QLabel*>()) {
        const QPixmap picture = label->pixmap();
        QVERIFY2(picture.isNull() || picture.devicePixelRatio() == 2,
                 qPrintable(label->parent()->objectName() + " " + label->objectName()));
      }
    };
    window.start().show();
    check();
    QVERIFY(tests::openIn(window, "classification"));
    check();
    window.action("swap_docks")->trigger();
    check();
    window.runs().open();
    check();
  }

  void showingTheRunsDoesNotChangeTheWindowsSize() {
    MainWindow window(builtinCatalog());
    window.resize(kLaptop);
    window.show();
    QVERIFY(tests::openIn(window, "classification"));
    window.action("swap_docks")->trigger();
    window.runs().open();
    QTest::qWait(0);
    window.tabs().setCurrentIndex(0);
    QTest::qWait(0);
    QVERIFY(window.findChild<QDockWidget*>("run_throughput")->isVisible());
    QCOMPARE(window.size(), kLaptop);
  }

  void theRunsOpenWithoutTheDocksHiddenByTheStartPage() {
    MainWindow window(builtinCatalog());
    window.show();
    window.start().show();
    window.runs().open();
    for (const QDockWidget* dock : docksOf(window))
      QVERIFY2(dock->isHidden(), qPrintable(dock->objectName()));
    QVERIFY(!window.start().isShown());
  }

  void theTableOfRunsNeedsNoHorizontalScrollBar() {
    const tests::KeptStore kept;
    kept.add({.name = "a run whose name is long enough to be cut somewhere", .tags = {"start"}});
    QSettings settings(fileText(kept.file()) + ".ini", QSettings::IniFormat);
    StoreThread store(kept.file());
    const QStringList columns = {"number",
                                 "name",
                                 "tag",
                                 "workers.count",
                                 "prefetch.batches",
                                 "samples_per_second",
                                 "change",
                                 "verdict",
                                 "step_share",
                                 "cpu_seconds_per_1000_samples",
                                 "environment.page_cache",
                                 "started"};
    RunsPage page(store, builtinCatalog(), settings, columns);
    page.resize(kLaptop);
    page.show();
    QVERIFY(QTest::qWaitFor([&] { return page.model().rowCount() == 1; }, kGenerousMs));
    QTest::qWait(0);
    QCOMPARE(page.view().horizontalScrollBar()->maximum(), 0);
    // A width chosen by the user is kept when the window is resized.
    page.view().horizontalHeader()->resizeSection(1, 231);
    page.resize(1500, 720);
    QTest::qWait(0);
    QCOMPARE(page.view().columnWidth(1), 231);
  }
};

}  // namespace millrace

using millrace::TestSmallScreens;
MILLRACE_TEST_CASE(TestSmallScreens)
#include "tst_small_screens.moc"
