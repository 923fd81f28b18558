// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#keyboard-and-screen-reader: the control that has the keyboard focus shows it,
// in both appearances.
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QTabBar>

#include "app/workbench/controllers/data_report_controller.h"
#include "app/workbench/controllers/runs_controller.h"
#include "app/workbench/controllers/start_controller.h"
#include "app/workbench/controllers/sweep_controller.h"
#include "app/workbench/controllers/tune_controller.h"
#include "app/workbench/dialogs/measure_dialog.h"
#include "app/workbench/dialogs/shortcuts_dialog.h"
#include "app/workbench/window/main_window.h"
#include "core/nodes/builtin.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/patience.h"
#include "widgets/common/theme.h"
#include "widgets/sweep/sweep_dialog.h"
#include "widgets/tune/tune_dialog.h"

namespace millrace {

namespace {

using tests::kGenerousMs;

/// The pixels that change around a control when it gets the focus from the Tab key.
int changedPixels(QWidget& control) {
  QWidget& window = *control.window();
  constexpr int kRing = 3;
  const QRect box = QRect(control.mapTo(&window, QPoint()), control.size())
                        .adjusted(-kRing, -kRing, kRing, kRing);
  if (QWidget* other = QApplication::focusWidget()) other->clearFocus();
  const QImage before = window.grab(box).toImage();
  control.setFocus(Qt::TabFocusReason);
  const QImage after = window.grab(box).toImage();
  int changed = 0;
  for (int y = 0; y < std::min(before.height(), after.height()); ++y)
    for (int x = 0; x < before.width(); ++x)
      changed += before.pixel(x, y) != after.pixel(x, y) ? 1 : 0;
  return changed;
}

/// The controls that Tab reaches and that look the same with the focus. A text cursor alone, which
/// is 2 px wide, is not enough.
QStringList unmarked(QWidget& window) {
  constexpr int kLeastChange = 40;
  window.setAttribute(Qt::WA_KeyboardFocusChange);  // As after a key.
  window.activateWindow();
  QStringList found;
  // QTest::qWaitForWindowActive is content with a window's parent.
  if (!QTest::qWaitFor([&] { return QApplication::activeWindow() == &window; }, kGenerousMs))
    return {"the window is not active"};
  for (auto* control : window.findChildren<QWidget*>()) {
    const bool isReached = control->isVisible() && control->isEnabled() &&
                           control->focusProxy() == nullptr && control->window() == &window &&
                           (control->focusPolicy() & Qt::TabFocus) == Qt::TabFocus &&
                           !control->visibleRegion().isEmpty();
    if (!isReached || changedPixels(*control) >= kLeastChange) continue;
    found << QString("%1 %2 %3 in %4%5")
                 .arg(control->metaObject()->className(), control->objectName(),
                      control->accessibleName(), control->parentWidget()->metaObject()->className(),
                      control->hasFocus() ? "" : ", which does not get it");
  }
  return found;
}

class FocusBench {
 public:
  FocusBench() {
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

class TestVisibleFocus : public QObject {
  Q_OBJECT
 private slots:
  void cleanup() { applyTheme(Appearance::Light); }

  void everyControlShowsThatItHasTheFocus_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void everyControlShowsThatItHasTheFocus() {
    QFETCH(bool, dark);
    applyTheme(dark ? Appearance::Dark : Appearance::Light);
    FocusBench bench;
    MainWindow& window = *bench.window;
    QStringList found = unmarked(window);
    window.action("swap_docks")->trigger();
    QCoreApplication::processEvents();
    found += unmarked(window);
    window.action("start_page")->trigger();
    QCoreApplication::processEvents();
    found += unmarked(window);
    window.runs().open();
    QCoreApplication::processEvents();
    found += unmarked(window);
    window.sweeps().show();
    found += unmarked(window);
    window.tunes().show();
    found += unmarked(window);
    window.dataReports().show();
    found += unmarked(window);
    window.tabs().setCurrentIndex(0);
    window.sweeps().ask("workers", "count");
    found += unmarked(*window.sweeps().dialog());
    window.sweeps().dialog()->reject();
    window.tunes().ask();
    found += unmarked(*window.tunes().dialog());
    window.tunes().dialog()->reject();
    MeasureDialog measure({});
    measure.show();
    found += unmarked(measure);
    ShortcutsDialog shortcuts(window.shortcuts());
    shortcuts.show();
    found += unmarked(shortcuts);
    found.removeDuplicates();
    QVERIFY2(found.isEmpty(), qPrintable(found.join("\n")));
  }
};

}  // namespace millrace

using millrace::TestVisibleFocus;
MILLRACE_TEST_CASE(TestVisibleFocus)
#include "tst_visible_focus.moc"
