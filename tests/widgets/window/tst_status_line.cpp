// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#export: the status line reports where a chart was saved.
#include "widgets/common/status_line.h"

#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMainWindow>
#include <QStatusBar>
#include <QTimer>

#include "app/workbench/window/status_note.h"
#include "core/nodes/builtin.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/kept_store.h"
#include "tests/widgets/patience.h"
#include "tests/widgets/tune_from_events.h"
#include "widgets/common/dock.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/compare/box_view.h"
#include "widgets/tune/tune_plot.h"

namespace millrace {

namespace {

/// Answers the file dialog that `action` opens.
bool saveAs(QAction& action, const QString& file) {
  QTimer answer;
  bool isAnswered = false;
  QObject::connect(&answer, &QTimer::timeout, &answer, [&] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr) return;
    answer.stop();
    // selectFile does not change a line that has the focus.
    dialog->findChild<QLineEdit*>("fileNameEdit")->setText(file);
    QMetaObject::invokeMethod(dialog, "accept");
    isAnswered = true;
  });
  answer.start(20);
  action.trigger();
  return QTest::qWaitFor([&] { return isAnswered; }, tests::kGenerousMs);
}

}  // namespace

class TestStatusLine : public QObject {
  Q_OBJECT
 private slots:
  void anIconCoversNoTextInAnyAppearance() {
    applyTheme(Appearance::Light);
    QMainWindow window;
    auto* note = new StatusNote("folder");
    window.statusBar()->addWidget(note);
    window.show();
    for (const Appearance each : {Appearance::Dark, Appearance::Light}) {
      applyTheme(each);
      note->setText("HHHH");
      note->adjustSize();
      const QImage drawn = note->grab().toImage();
      note->setText(QString(4, kNoBreak));
      note->resize(drawn.size());
      const QImage empty = note->grab().toImage();
      int left = drawn.width();
      for (int y = 0; y < drawn.height(); ++y)
        for (int x = 0; x < left; ++x)
          if (drawn.pixel(x, y) != empty.pixel(x, y)) left = x;
      QVERIFY2(left >= 8 + 14 + 4 && left < drawn.width(), qPrintable(QString::number(left)));
    }
  }

  void theFileOfASavedChartIsReported() {
    tests::TuneFromEvents source;
    source.all();
    QMainWindow window;
    auto* plot = new TunePlot(source.tune);
    window.setCentralWidget(plot);
    window.show();
    const tests::TemporaryFolder folder;
    const QString file = fileText(folder.path() / "front.png");
    QVERIFY(saveAs(*plot->exportAction(), file));
    const auto isSaid = [&] { return window.statusBar()->currentMessage() == "Saved: " + file; };
    QVERIFY(QTest::qWaitFor(isSaid, tests::kGenerousMs));
    QVERIFY(QFileInfo::exists(file));
  }

  /// A comparison's charts are in docks of a window inside the window.
  void chartsOfAComparisonReportItInTheWindowToo() {
    const tests::KeptStore kept;
    kept.add({});
    StoreThread store(kept.file());
    CompareSet set(store, builtinCatalog(), nullptr);
    QMainWindow window;
    auto* area = new QMainWindow(nullptr, Qt::Widget);
    auto* view = new BoxView(set);
    area->addDockWidget(Qt::BottomDockWidgetArea, makeDock("boxes", "Boxes", view));
    window.setCentralWidget(area);
    window.show();
    const QString file = fileText(kept.folder() / "boxes.csv");
    QVERIFY(saveAs(*view->exportAction(), file));
    const auto isSaid = [&] { return window.statusBar()->currentMessage() == "Saved: " + file; };
    QVERIFY(QTest::qWaitFor(isSaid, tests::kGenerousMs));
    QVERIFY(QFileInfo::exists(file));
    QVERIFY(area->findChild<QStatusBar*>() == nullptr);
  }

  void withoutAWindowNothingIsReported() {
    QWidget lonely;
    showInStatusLine(lonely, "there is no status line");
    QVERIFY(lonely.children().isEmpty());
  }
};

}  // namespace millrace

using millrace::TestStatusLine;
MILLRACE_TEST_CASE(TestStatusLine)
#include "tst_status_line.moc"
