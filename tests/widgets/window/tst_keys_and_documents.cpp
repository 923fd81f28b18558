// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#window-and-keys, #documents: shortcuts, help, notices, small windows, several
// documents.
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTabBar>
#include <QTabWidget>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextLayout>
#include <QTextTable>
#include <QTimer>
#include <QTreeWidget>

#include "app/workbench/controllers/data_controller.h"
#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/controllers/runs_controller.h"
#include "app/workbench/controllers/sweep_controller.h"
#include "app/workbench/controllers/tune_controller.h"
#include "app/workbench/dialogs/help_window.h"
#include "app/workbench/dialogs/shortcut_book.h"
#include "app/workbench/dialogs/shortcuts_dialog.h"
#include "app/workbench/window/main_window.h"
#include "app/workbench/window/page_notices.h"
#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "tests/support/places.h"
#include "tests/support/test_case.h"
#include "tests/widgets/document_bench.h"
#include "tests/widgets/opened_files.h"
#include "tests/widgets/patience.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/canvas/minimap.h"
#include "widgets/common/search_popup.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

using tests::DocumentBench;
using tests::kGenerousMs;
using tests::runnable;

}  // namespace

class TestKeysAndDocuments : public QObject {
  Q_OBJECT
 private slots:
  void keysOfAnotherActionAreAConflictUntilReassigned() {
    MainWindow window(builtinCatalog());
    ShortcutsDialog dialog(window.shortcuts());
    dialog.choose("arrange");
    dialog.keys().setKeySequence(QKeySequence("Ctrl+S"));
    QVERIFY2(dialog.message().contains("Ctrl+S is already used by “Save”"),
             qPrintable(dialog.message()));
    QCOMPARE(window.action("save")->shortcut(), QKeySequence("Ctrl+S"));
    dialog.takeButton().click();
    QCOMPARE(window.action("arrange")->shortcut(), QKeySequence("Ctrl+S"));
    QVERIFY(window.action("save")->shortcut().isEmpty());
    QVERIFY(window.action("arrange")->toolTip().endsWith("(Ctrl+S)"));
    dialog.keys().setKeySequence(QKeySequence("Space"));
    QVERIFY2(dialog.message().contains("used by the canvas"), qPrintable(dialog.message()));
    QCOMPARE(window.action("arrange")->shortcut(), QKeySequence("Ctrl+S"));
    window.shortcuts().resetAll();
  }

  void theUsersKeysAreKeptForTheNextStart() {
    {
      MainWindow window(builtinCatalog());
      window.shortcuts().assign("arrange", QKeySequence("Ctrl+Alt+K"));
      window.shortcuts().assign("fit", {});
    }
    MainWindow window(builtinCatalog());
    QCOMPARE(window.action("arrange")->shortcut(), QKeySequence("Ctrl+Alt+K"));
    QVERIFY(window.action("fit")->shortcuts().isEmpty());
    window.shortcuts().reset("fit");
    QCOMPARE(window.action("fit")->shortcuts().size(), 2);
    window.shortcuts().resetAll();
    QCOMPARE(window.action("arrange")->shortcut(), QKeySequence("Ctrl+L"));
  }

  /// Alt and a letter would otherwise only move between them.
  void noTwoEntriesOfAMenuShareALetter() {
    MainWindow window(builtinCatalog());
    window.show();
    window.open("classification");
    window.runs().open();
    QStringList shared;
    for (QMenu* menu : window.menuBar()->findChildren<QMenu*>()) {
      emit menu->aboutToShow();  // Some are filled then.
      QStringList letters;
      for (const QAction* action : menu->actions()) {
        const QString letter = QKeySequence::mnemonic(action->text()).toString();
        if (letters.contains(letter)) shared << menu->title() + ": " + action->text();
        if (!letter.isEmpty()) letters << letter;
      }
    }
    QVERIFY2(shared.isEmpty(), qPrintable(shared.join(", ")));
  }

  void noTwoActionsShareKeys() {
    MainWindow window(builtinCatalog());
    for (const ShortcutBook::Entry& entry : window.shortcuts().entries())
      for (const QKeySequence& keys : entry.keys)
        QVERIFY2(window.shortcuts().conflict(entry.name, keys).sentence.isEmpty(),
                 qPrintable(entry.name));
  }

  void theHelpOpensAtTheSelectedNode() {
    DocumentBench controller;
    controller.window.page()->session().selection.set({"batch"});
    controller.window.action("help")->trigger();
    auto* help = controller.window.findChild<HelpWindow*>();
    QVERIFY(help != nullptr && help->isVisible());
    QVERIFY2(help->shownText().startsWith("Batch"), qPrintable(help->shownText()));
    controller.window.page()->session().selection.clear();
    controller.window.action("help")->trigger();
    QVERIFY2(help->shownText().startsWith("First steps"), qPrintable(help->shownText()));
    help->showPage("view:shortcuts");
    QVERIFY2(help->shownText().contains("Ctrl+Shift+P"), qPrintable(help->shownText()));
    QVERIFY2(help->shownText().indexOf("Pipeline") < help->shownText().indexOf("Ctrl+L"),
             "by menu");
  }

  void theHelpIsSearchedInFullAndByKeys() {
    DocumentBench controller;
    controller.window.action("help")->trigger();
    auto* help = controller.window.findChild<HelpWindow*>();
    auto* filter = help->findChild<QLineEdit*>();
    auto* list = help->findChild<QListWidget*>();
    // The user may type at once.
    QTest::keyClicks(help->focusWidget(), "cold");
    QCOMPARE(filter->text(), QString("cold"));
    filter->setText("cold cache");
    QTest::keyClick(filter, Qt::Key_Down);
    QCOMPARE(help->focusWidget(), static_cast<QWidget*>(list));
    QVERIFY2(help->shownText().startsWith("Measuring"), qPrintable(help->shownText()));
    const QDir pages(":/millrace/help/views");
    QVERIFY(pages.entryList().size() >= 7);
    static const QRegularExpression picture("\\]\\(../../(pictures/[^)]+)\\)");
    int pictures = 0;
    for (const QString& page : pages.entryList()) {
      QFile file(pages.filePath(page));
      QVERIFY(file.open(QIODevice::ReadOnly));
      for (const auto& match : picture.globalMatch(QString::fromUtf8(file.readAll()))) {
        const QString light = ":/millrace/" + match.captured(1);
        QVERIFY2(!QImage(light).isNull(), qPrintable(light));
        QVERIFY2(!QImage(QString(light).replace("-light.", "-dark.")).isNull(), qPrintable(light));
        ++pictures;
      }
    }
    QVERIFY(pictures >= 2);
  }

  void theHelpBreaksNoNameOfAParameter() {
    DocumentBench controller;
    controller.window.action("help")->trigger();
    auto* help = controller.window.findChild<HelpWindow*>();
    for (const char* kind : {"paired_folders", "image_folder"}) {
      help->showPage(kind);
      const QTextDocument* page = help->findChild<QTextBrowser*>()->document();
      [[maybe_unused]] const QSizeF laidOut = page->size();
      for (const QTextFrame* frame : page->rootFrame()->childFrames()) {
        const auto* table = qobject_cast<const QTextTable*>(frame);
        for (int row = 0; table != nullptr && row < table->rows(); ++row) {
          const QTextBlock name = table->cellAt(row, 0).firstCursorPosition().block();
          QVERIFY2(name.layout()->lineCount() == 1, qPrintable(name.text()));
        }
      }
    }
  }

  void shortcutsAreGroupedByMenu() {
    MainWindow window(builtinCatalog());
    QStringList menus;
    for (const ShortcutBook::Entry& entry : window.shortcuts().entries()) {
      if (menus.isEmpty() || menus.back() != entry.menu) menus << entry.menu;
      QVERIFY2(entry.text != "100 %" && entry.text != "chess", qPrintable(entry.text));
    }
    qsizetype actions = 0;
    for (const QAction* action : window.findChildren<QAction*>())
      if (action->objectName().startsWith("action_")) ++actions;
    QCOMPARE(window.shortcuts().entries().size(), static_cast<std::size_t>(actions));
    QCOMPARE(menus, QStringList({"File", "Edit", "View", "Pipeline", "Run", "Runs", "Help"}));
    ShortcutsDialog dialog(window.shortcuts());
    auto* tree = dialog.findChild<QTreeWidget*>();
    QCOMPARE(tree->topLevelItemCount(), menus.size());
    QVERIFY(!(tree->topLevelItem(0)->flags() & Qt::ItemIsSelectable));
    dialog.findChild<QLineEdit*>()->setText("example chess");
    QCOMPARE(tree->topLevelItemCount(), 1);
    QCOMPARE(tree->topLevelItem(0)->child(0)->text(0), QString("Open example chess"));
  }

  void thePaletteOpensExamples() {
    MainWindow window(builtinCatalog());
    window.show();
    window.action("palette")->trigger();
    SearchPopup* popup = nullptr;
    for (auto* candidate : window.findChildren<SearchPopup*>())
      if (candidate->isVisible()) popup = candidate;
    QVERIFY(popup != nullptr);
    QTest::keyClicks(&popup->line(), "open example deblur");
    QTest::keyClick(&popup->line(), Qt::Key_Return);
    QCOMPARE(window.page()->session().document.title(), QString("deblurring"));
  }

  void allTabsButTheOneInFrontCanBeClosed() {
    MainWindow window(builtinCatalog());
    window.show();
    QVERIFY(!window.action("close_others")->isEnabled());
    for (const char* example : {"classification", "segmentation", "deblurring"})
      window.open(example);
    QTabWidget& tabs = window.tabs();
    QCOMPARE(tabs.count(), 3);
    // A right click on a tab offers what concerns that tab.
    QTimer::singleShot(0, this, [] {
      auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      if (menu == nullptr) return;
      for (QAction* action : menu->actions())
        if (action->objectName() == "action_close_others") action->trigger();
      menu->close();
    });
    emit tabs.tabBar()->customContextMenuRequested(tabs.tabBar()->tabRect(1).center());
    QCOMPARE(tabs.count(), 1);
    QCOMPARE(window.page()->session().document.title(), QString("segmentation"));
    QVERIFY(!window.action("close_others")->isEnabled());
  }

  void aSmallWindowFoldsItsDocksAndALargeOneUnfoldsThem() {
    DocumentBench controller;
    auto* nodes = controller.window.findChild<QDockWidget*>("nodes");
    auto* inspector = controller.window.findChild<QDockWidget*>("inspector");
    QVERIFY(controller.window.tabifiedDockWidgets(inspector).contains(nodes) == false);
    controller.window.resize(800, 600);
    QVERIFY(controller.soon(
        [&] { return controller.window.tabifiedDockWidgets(inspector).contains(nodes); }));
    QCOMPARE(controller.window.size(), QSize(800, 600));
    QVERIFY(controller.window.page()->view().width() >= 440);
    controller.window.resize(1389, 868);
    QVERIFY(controller.soon(
        [&] { return !controller.window.tabifiedDockWidgets(inspector).contains(nodes); }));
    QVERIFY(nodes->isVisible() && inspector->isVisible());
  }

  void aFileChangedByAnotherProgramIsOfferedForReload() {
    DocumentBench controller;
    QVERIFY(controller.opened && controller.noticed().isEmpty());
    std::string other = runnable();
    other.replace(other.find("\"size\": 10"), 10, "\"size\": 20");
    controller.folder.write("mine.millrace.json", other);
    QVERIFY(controller.soon([&] { return controller.noticed().size() == 1; }));
    QVERIFY2(controller.noticed()[0].contains("changed by another program"),
             qPrintable(controller.noticed()[0]));
    controller.answer("Reload");
    QVERIFY(controller.soon([&] { return controller.noticed().isEmpty(); }));
    QVERIFY(controller.document().text().find("\"size\": 20") != std::string::npos);
    QVERIFY(!controller.document().isModified());
  }

  void savingHereIsNotAnExternalChange() {
    DocumentBench controller;
    controller.document().edit("test", Graph());
    VERIFY_OK(tests::saveFile(controller.document(), controller.document().filePath()));
    FileWatch& file = controller.window.page()->findChild<PageNotices*>()->file();
    const auto seen = [&](const std::function<void()>& act) {
      QSignalSpy checked(&file, &FileWatch::checked);
      act();
      return checked.wait(kGenerousMs) ? std::optional(file.state()) : std::nullopt;
    };
    const auto check = [&] { file.check(); };
    QVERIFY(seen(check) == FileWatch::State::Same);
    controller.folder.write("mine.millrace.json", "{}");
    QVERIFY(seen(check) == FileWatch::State::Changed);
    QVERIFY(seen([&] { file.accept(); }) == FileWatch::State::Same);
    QVERIFY(seen(check) == FileWatch::State::Same);
    QFile::remove(controller.document().filePath());
    QVERIFY(seen(check) == FileWatch::State::Gone);
  }

  void aHiddenPageShowsEverythingWhenItComesToTheFront() {
    DocumentBench controller;
    QVERIFY(tests::openIn(controller.window, "classification"));
    auto* tabs = controller.window.findChild<QTabWidget*>();
    auto* behind = qobject_cast<PipelinePage*>(tabs->widget(0));
    const auto isWhole = [&] {
      const QRect room = behind->view().viewport()->rect();
      const QRectF seen = behind->view().mapToScene(room).boundingRect();
      return room.contains(behind->findChild<Minimap*>()->geometry()) &&
             seen.contains(behind->scene().contentRect());
    };
    controller.window.resize(1389, 640);
    tabs->setCurrentIndex(0);
    QVERIFY(controller.soon(isWhole));
    controller.window.resize(1100, 700);
    QVERIFY(controller.soon(isWhole));
    // A zoom chosen by the user is kept.
    behind->view().setZoom(0.5, {0, 0});
    controller.window.resize(1389, 868);
    QVERIFY(controller.soon([&] { return behind->view().width() > 600; }));
    QCOMPARE(behind->view().zoom(), 0.5);
  }

  void runsOfSeveralDocumentsWaitForEachOther() {
    DocumentBench controller;
    RunController& runs = controller.window.controller();
    runs.session().process().setProgram(tests::kMillrace);
    runs.setMeasure({0, 1000, 1});
    controller.folder.write("second.millrace.json", runnable());
    const auto canRun = [&] { return controller.window.action("run")->isEnabled(); };
    QVERIFY(controller.soon(canRun));
    runs.run();
    QVERIFY(runs.session().isRunning() && !canRun());
    QVERIFY(tests::openIn(controller.window, controller.path("second.millrace.json")));
    QVERIFY(controller.soon(canRun));
    runs.run();
    QCOMPARE(runs.waiting(), 1U);
    QVERIFY(!canRun());
    QCOMPARE(runs.session().run().title(), QString("mine.millrace.json"));
    runs.stop();
    QVERIFY(controller.soon([&] {
      return runs.session().isRunning() && runs.session().run().title() == "second.millrace.json";
    }));
    QCOMPARE(runs.waiting(), 0U);
    runs.stop();
    QVERIFY(controller.soon([&] { return !runs.session().isRunning(); }));
    QVERIFY(controller.soon(canRun));
  }

  void aRunWaitsForAMeasurementOfOtherRuns() {
    DocumentBench controller;
    RunController& runs = controller.window.controller();
    runs.session().process().setProgram(tests::kMillrace);
    runs.setMeasure({0, 1000, 1});
    QVERIFY(controller.soon([&] { return controller.window.action("run")->isEnabled(); }));
    QString measured = "runs 3 and 4 are measured";
    runs.setOther([&] { return measured; });
    runs.run();
    QVERIFY(!runs.session().isRunning());
    QCOMPARE(runs.waiting(), 1U);
    QCOMPARE(runs.statusText(), QString("1 run waits until runs 3 and 4 are measured"));
    measured.clear();
    runs.goOn();
    QVERIFY(controller.soon([&] { return runs.session().isRunning(); }));
    runs.stop();
    QVERIFY(controller.soon([&] { return !runs.session().isRunning(); }));
  }

  void systemInformationReachesTheClipboard() {
    DocumentBench controller;
    QApplication::clipboard()->clear();
    controller.window.action("copy_diagnosis")->trigger();
    QVERIFY(controller.soon([] { return !QApplication::clipboard()->text().isEmpty(); }));
    const QString text = QApplication::clipboard()->text();
    QVERIFY2(text.contains("platform offscreen") && text.contains("millrace"), qPrintable(text));
  }
};

}  // namespace millrace

using millrace::TestKeysAndDocuments;
MILLRACE_TEST_CASE(TestKeysAndDocuments)
#include "tst_keys_and_documents.moc"
