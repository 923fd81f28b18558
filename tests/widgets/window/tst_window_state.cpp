// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#open-a-file, #save-and-recover, #window-and-keys, #documents: what the window
// keeps from one start to the next, its appearance, and its messages about files that it cannot
// open or save.
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QMessageBox>
#include <QScreen>
#include <QSettings>
#include <QTimer>
#include <QUndoView>

#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/window/main_window.h"
#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/full_disk.h"
#include "tests/widgets/opened_files.h"
#include "tests/widgets/patience.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

/// The text of the box that `act` opens, at once or later; the box is then closed.
QString boxOf(const std::function<void()>& act) {
  QString said;
  QTimer poll;
  QObject::connect(&poll, &QTimer::timeout, [&said] {
    if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
      said = box->text() + ": " + box->informativeText();
      box->reject();
    }
  });
  poll.start(5);
  act();
  const bool isSaid = QTest::qWaitFor([&] { return !said.isEmpty(); }, tests::kGenerousMs);
  return isSaid ? said : "no box appeared";
}

QMenu* recentMenu(MainWindow& window) {
  for (QMenu* menu : window.findChildren<QMenu*>())
    if (menu->title() == "Open &recent") return menu;
  return nullptr;
}

}  // namespace

class TestWindowState : public QObject {
  Q_OBJECT
 private slots:
  void init() { QSettings("millrace", "workbench").clear(); }
  void cleanup() { QSettings("millrace", "workbench").clear(); }

  void aWindowFromALargerScreenFitsThisOne() {
    {
      MainWindow window(builtinCatalog());
      window.show();
      window.resize(3000, 2000);
      QSettings("millrace", "workbench").setValue("geometry", window.saveGeometry());
    }
    MainWindow window(builtinCatalog());
    window.show();
    const QRect room = window.screen()->availableGeometry();
    QVERIFY(QTest::qWaitFor([&] { return room.contains(window.frameGeometry()); }, 5000));
    QTest::qWait(50);  // Docks that are laid out later must not make it grow again.
    QVERIFY2(room.contains(window.frameGeometry()),
             qPrintable(QString("%1 x %2").arg(window.width()).arg(window.height())));
  }

  void theLayoutIsKeptAndCanBeReset() {
    {
      MainWindow window(builtinCatalog());
      window.show();
      QVERIFY(tests::openIn(window, "classification"));
      window.findChild<QDockWidget*>("outline")->hide();
      window.close();
    }
    MainWindow window(builtinCatalog());
    window.show();
    QVERIFY(tests::openIn(window, "classification"));
    auto* outline = window.findChild<QDockWidget*>("outline");
    QVERIFY(outline->isHidden());
    window.action("reset_layout")->trigger();
    QVERIFY(!outline->isHidden());
  }

  void theAppearanceIsChosenAndKept() {
    {
      MainWindow window(builtinCatalog());
      window.action("appearance_dark")->trigger();
      QVERIFY(theme().isDark());
      window.action("appearance_light")->trigger();
      QVERIFY(!theme().isDark());
      window.action("appearance_dark")->trigger();
    }
    MainWindow window(builtinCatalog());
    QVERIFY(window.action("appearance_dark")->isChecked());
    applyTheme(Appearance::Light);
  }

  void anUnreadableFileNamesItsLineAndLeavesNoPage() {
    const tests::TemporaryFolder folder;
    folder.write("bad.millrace.json", "{\n\"nodes\": [\n}");
    MainWindow window(builtinCatalog());
    window.show();
    QVERIFY(tests::openIn(window, "classification"));
    const QString said = boxOf([&] { window.open(fileText(folder.path() / "bad.millrace.json")); });
    QVERIFY2(said.contains("Cannot open bad.millrace.json") && said.contains("Line 3"),
             qPrintable(said));
    QCOMPARE(window.tabs().count(), 1);
    QCOMPARE(window.page()->session().document.title(), QString("classification"));
  }

  void codeInASentenceIsFormattedAsCode() {
    MainWindow window(builtinCatalog());
    window.show();
    const QString said = boxOf([&] { emit window.controller().gpuHelpRequested(); });
    QVERIFY2(!said.contains('`') && said.contains("<code>millrace doctor</code>"),
             qPrintable(said));
  }

  void aMissingRecentFileIsReportedAndRemovedFromTheList() {
    const tests::TemporaryFolder folder;
    folder.write("mine.millrace.json", *exampleJson("deblurring"));
    const QString file = fileText(folder.path() / "mine.millrace.json");
    MainWindow window(builtinCatalog());
    window.show();
    QVERIFY(tests::openIn(window, file));
    QMenu* recent = recentMenu(window);
    QVERIFY(recent != nullptr);
    QCOMPARE(recent->actions().size(), 1);
    window.action("close")->trigger();
    QVERIFY(QFile::remove(file));
    const QString said = boxOf([&] { recent->actions().first()->trigger(); });
    QVERIFY2(said.contains("No such file"), qPrintable(said));
    QVERIFY(QTest::qWaitFor([&] { return recent->isEmpty(); }));
  }

  void noTwoTabsOfDocumentsHaveOneName() {
    const tests::TemporaryFolder folder;
    for (const char* name : {"left/mine.millrace.json", "right/mine.millrace.json"})
      folder.write(name, *exampleJson("deblurring"));
    MainWindow window(builtinCatalog());
    window.show();
    for (const char* name : {"left/mine.millrace.json", "right/mine.millrace.json"})
      QVERIFY(tests::openIn(window, fileText(folder.path() / name)));
    for (int i = 0; i < 2; ++i) window.open("classification");
    QStringList titles;
    for (int i = 0; i < window.tabs().count(); ++i) titles << window.tabs().tabText(i);
    QCOMPARE(titles, QStringList({"mine.millrace.json (left)", "mine.millrace.json (right)",
                                  "classification", "classification (2)"}));
    window.tabs().setCurrentIndex(0);
    window.action("close")->trigger();
    QCOMPARE(window.tabs().tabText(0), QString("mine.millrace.json"));
  }

  void aFileIsOpenedOnceHoweverOftenItIsAskedFor() {
    const tests::TemporaryFolder folder;
    folder.write("mine.millrace.json", *exampleJson("deblurring"));
    MainWindow window(builtinCatalog());
    window.show();
    for (int i = 0; i < 3; ++i) window.open(fileText(folder.path() / "mine.millrace.json"));
    QVERIFY(QTest::qWaitFor([&] { return !window.isWaitingForFiles(); }, tests::kGenerousMs));
    QCOMPARE(window.tabs().count(), 1);
  }

  void theHistoryNamesEveryStepAndGoesBackSeveralAtOnce() {
    MainWindow window(builtinCatalog());
    window.show();
    QVERIFY(tests::openIn(window, "classification"));
    EditSession& session = window.page()->session();
    const std::string before = session.document.text();
    session.selection.set({"flip"});
    session.editor.toggleBypass();
    session.editor.add("blur");
    session.editor.removeSelected(Healing::Cut);
    window.action("history")->trigger();
    auto* history = window.findChild<QUndoView*>();
    QVERIFY(QTest::qWaitFor([&] { return history->isVisible() && window.focusWidget() == history; },
                            tests::kGenerousMs));
    QStringList steps;
    for (int row = 0; row < history->model()->rowCount(); ++row)
      steps << history->model()->index(row, 0).data().toString();
    QCOMPARE(steps.size(), 4);
    QCOMPARE(steps.front(), QString("As opened"));
    QVERIFY2(steps[1].contains("Flip") && steps[2].contains("Blur") && steps[3].contains("Blur"),
             qPrintable(steps.join(" | ")));
    history->setCurrentIndex(history->model()->index(0, 0));
    QCOMPARE(session.document.text(), before);
    QTest::keyClick(history, Qt::Key_End);
    QCOMPARE(session.document.undoStack().index(), 3);
    // The steps are those of the document in front.
    window.action("new")->trigger();
    QCOMPARE(history->model()->rowCount(), 1);
  }

  void savingOnAFullDiskIsReportedAndKeepsTheChanges() {
    const tests::TemporaryFolder folder;
    folder.write("mine.millrace.json", *exampleJson("deblurring"));
    MainWindow window(builtinCatalog());
    window.show();
    QVERIFY(tests::openIn(window, fileText(folder.path() / "mine.millrace.json")));
    Document& document = window.page()->session().document;
    window.page()->session().selection.set({"flip"});
    window.page()->session().editor.toggleBypass();
    QVERIFY(document.isModified());
    QString said;
    {
      const tests::FullDisk full(100);
      said = boxOf([&] { window.action("save")->trigger(); });
    }
    QVERIFY2(said.contains("Not saved") && said.contains("mine.millrace.json"), qPrintable(said));
    QVERIFY(document.isModified());
    QCOMPARE(tests::contentOf(folder.path() / "mine.millrace.json"), *exampleJson("deblurring"));
    window.action("save")->trigger();
    QVERIFY(QTest::qWaitFor([&] { return !document.isModified(); }, tests::kGenerousMs));
  }
};

}  // namespace millrace

using millrace::TestWindowState;
MILLRACE_TEST_CASE(TestWindowState)
#include "tst_window_state.moc"
