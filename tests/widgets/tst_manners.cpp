// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// INTERACTION 28 and 32: shortcuts, help, notices, small windows, several documents.
#include <QAction>
#include <QClipboard>
#include <QDockWidget>
#include <QGuiApplication>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>

#include "app/workbench/data_desk.h"
#include "app/workbench/help_window.h"
#include "app/workbench/main_window.h"
#include "app/workbench/page_notices.h"
#include "app/workbench/run_desk.h"
#include "app/workbench/shortcut_book.h"
#include "app/workbench/shortcuts_dialog.h"
#include "app/workbench/sweep_desk.h"
#include "app/workbench/tune_desk.h"
#include "core/nodes/builtin.h"
#include "core/samples/examples.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/opened_files.h"
#include "tests/widgets/patience.h"
#include "widgets/canvas/minimap.h"
#include "widgets/canvas/pipeline_page.h"
#include "widgets/common/notice_bar.h"
#include "widgets/common/search_popup.h"
#include "widgets/common/strings.h"
#include "widgets/sweep/sweep_dialog.h"
#include "widgets/tune/tune_dialog.h"

namespace millrace {

namespace {

using tests::kGenerousMs;

std::string pipelineText(const std::string& source) {
  return R"({"format_version": 1, "nodes": [)" + source + R"(,
  {"id": "workers", "kind": "workers", "params": {"count": 1}},
  {"id": "batch", "kind": "batch", "params": {"size": 10}},
  {"id": "prefetch", "kind": "prefetch", "params": {"batches": 2}},
  {"id": "step", "kind": "emulated_step", "params": {"seconds": 0.01}}],
  "wires": [{"from": "source", "to": "workers"}, {"from": "workers", "to": "batch"},
            {"from": "batch", "to": "prefetch"}, {"from": "prefetch", "to": "step"}]})";
}
std::string runnable() {
  return pipelineText(R"({"id": "source", "kind": "synthetic", "params": {"count": 100000}})");
}

/// A window with one pipeline file open.
struct Desk {
  explicit Desk(const std::string& text = runnable()) : window(builtinCatalog()) {
    folder.write("mine.millrace.json", text);
    window.resize(1389, 868);
    window.show();
    opened = tests::openIn(window, path("mine.millrace.json"));
  }
  QString path(const std::string& name) const { return fileText(folder.path() / name); }
  Document& document() { return window.page()->session().document; }
  QStringList noticed() {
    QStringList words;
    for (const Notice& notice : window.notices().notices()) words << notice.sentence;
    return words;
  }
  void answer(const QString& text) {
    for (auto* button : window.notices().findChildren<QPushButton*>())
      if (button->text() == text) return button->click();
    QFAIL(qPrintable("no answer " + text));
  }
  template <class Condition>
  bool soon(Condition condition) {
    return QTest::qWaitFor(condition, kGenerousMs);
  }

  tests::TemporaryFolder folder;
  MainWindow window;
  bool opened = false;
};

}  // namespace

class TestManners : public QObject {
  Q_OBJECT
 private slots:
  void point28_keysOfAnotherActionAreAConflictUntilTheyAreTaken() {
    MainWindow window(builtinCatalog());
    ShortcutsDialog dialog(window.shortcuts());
    dialog.choose("arrange");
    dialog.keys().setKeySequence(QKeySequence("Ctrl+S"));
    QVERIFY2(dialog.message().contains("Ctrl+S is “Save” already"), qPrintable(dialog.message()));
    QCOMPARE(window.action("save")->shortcut(), QKeySequence("Ctrl+S"));
    dialog.takeButton().click();
    QCOMPARE(window.action("arrange")->shortcut(), QKeySequence("Ctrl+S"));
    QVERIFY(window.action("save")->shortcut().isEmpty());
    QVERIFY(window.action("arrange")->toolTip().endsWith("(Ctrl+S)"));
    dialog.keys().setKeySequence(QKeySequence("Space"));
    QVERIFY2(dialog.message().contains("the canvas's"), qPrintable(dialog.message()));
    QCOMPARE(window.action("arrange")->shortcut(), QKeySequence("Ctrl+S"));
    window.shortcuts().resetAll();
  }

  void point28_keysOfAPersonAreKeptForTheNextStart() {
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

  void point28_noTwoActionsShareKeys() {
    MainWindow window(builtinCatalog());
    for (const ShortcutBook::Entry& entry : window.shortcuts().entries())
      for (const QKeySequence& keys : entry.keys)
        QVERIFY2(window.shortcuts().conflict(entry.name, keys).sentence.isEmpty(),
                 qPrintable(entry.name));
  }

  void point28_theHelpOpensAtTheSelectedNode() {
    Desk desk;
    desk.window.page()->session().selection.set({"batch"});
    desk.window.action("help")->trigger();
    auto* help = desk.window.findChild<HelpWindow*>();
    QVERIFY(help != nullptr && help->isVisible());
    QVERIFY2(help->shownText().startsWith("Batch"), qPrintable(help->shownText()));
    desk.window.page()->session().selection.clear();
    desk.window.action("help")->trigger();
    QVERIFY2(help->shownText().contains("Ctrl+Shift+P"), qPrintable(help->shownText()));
  }

  void point28_thePaletteOpensExamples() {
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

  void point28_aSmallWindowFoldsItsDocksAndALargeOneUnfoldsThem() {
    Desk desk;
    auto* nodes = desk.window.findChild<QDockWidget*>("nodes");
    auto* inspector = desk.window.findChild<QDockWidget*>("inspector");
    QVERIFY(desk.window.tabifiedDockWidgets(inspector).contains(nodes) == false);
    desk.window.resize(800, 600);
    QVERIFY(desk.soon([&] { return desk.window.tabifiedDockWidgets(inspector).contains(nodes); }));
    QCOMPARE(desk.window.size(), QSize(800, 600));
    QVERIFY(desk.window.page()->view().width() >= 440);
    desk.window.resize(1389, 868);
    QVERIFY(desk.soon([&] { return !desk.window.tabifiedDockWidgets(inspector).contains(nodes); }));
    QVERIFY(nodes->isVisible() && inspector->isVisible());
  }

  void point32_aFileThatChangedOutsideIsOfferedForReload() {
    Desk desk;
    QVERIFY(desk.opened && desk.noticed().isEmpty());
    std::string other = runnable();
    other.replace(other.find("\"size\": 10"), 10, "\"size\": 20");
    desk.folder.write("mine.millrace.json", other);
    QVERIFY(desk.soon([&] { return desk.noticed().size() == 1; }));
    QVERIFY2(desk.noticed()[0].contains("changed by another program"),
             qPrintable(desk.noticed()[0]));
    desk.answer("Reload");
    QVERIFY(desk.soon([&] { return desk.noticed().isEmpty(); }));
    QVERIFY(desk.document().text().find("\"size\": 20") != std::string::npos);
    QVERIFY(!desk.document().isModified());
  }

  void point32_onesOwnSavingIsNoChangeOutside() {
    Desk desk;
    desk.document().edit("test", Graph());
    VERIFY_OK(tests::saveFile(desk.document(), desk.document().filePath()));
    FileWatch& file = desk.window.page()->findChild<PageNotices*>()->file();
    const auto seen = [&](const std::function<void()>& act) {
      QSignalSpy looked(&file, &FileWatch::looked);
      act();
      return looked.wait(kGenerousMs) ? std::optional(file.state()) : std::nullopt;
    };
    const auto look = [&] { file.look(); };
    QVERIFY(seen(look) == FileWatch::State::Same);
    desk.folder.write("mine.millrace.json", "{}");
    QVERIFY(seen(look) == FileWatch::State::Changed);
    QVERIFY(seen([&] { file.accept(); }) == FileWatch::State::Same);
    QVERIFY(seen(look) == FileWatch::State::Same);
    QFile::remove(desk.document().filePath());
    QVERIFY(seen(look) == FileWatch::State::Gone);
  }

  void point32_dataThatIsGoneCanBeLocated() {
    Desk desk(pipelineText(R"({"id": "source", "kind": "paired_folders",
      "params": {"input": "old/lr", "target": "old/hr"}})"));
    QVERIFY(desk.soon([&] { return desk.noticed().size() == 2; }));
    QVERIFY2(desk.noticed()[0].contains("nothing is at old/lr"), qPrintable(desk.noticed()[0]));
    auto* ready = desk.window.findChild<QLabel*>("ready");
    QVERIFY2(ready->text().startsWith("Not ready: nothing is at 2 paths, first old/lr."),
             qPrintable(ready->text()));
    desk.folder.makeFolder("new/lr");
    desk.folder.makeFolder("new/hr");
    auto* notices = desk.window.page()->findChild<PageNotices*>();
    notices->setChoose([&](const MissingPath&, const QString&) { return desk.path("new/lr"); });
    emit ready->linkActivated("locate");
    QVERIFY(desk.soon([&] { return desk.noticed().isEmpty(); }));
    QVERIFY(desk.soon([&] { return ready->text().startsWith("Ready to run"); }));
    const std::string text = desk.document().text();
    QVERIFY2(text.find("\"input\": \"new/lr\"") != std::string::npos &&
                 text.find("\"target\": \"new/hr\"") != std::string::npos,
             text.c_str());
    QCOMPARE(desk.document().undoStack().count(), 1);
  }

  void point32_whileDataIsMissingNothingCanBeMeasuredAndItIsSaidWhy() {
    Desk desk(pipelineText(R"({"id": "source", "kind": "paired_folders",
      "params": {"input": "old/lr", "target": "old/hr"}})"));
    QAction* run = desk.window.action("run");
    QVERIFY(desk.soon([&] { return !desk.noticed().isEmpty() && !run->isEnabled(); }));
    const QString why = "Nothing is at 2 paths, first old/lr.";
    QVERIFY2(run->toolTip().startsWith(why) && run->toolTip().contains("Locate data"),
             qPrintable(run->toolTip()));
    QAction* diagnose = desk.window.action("diagnose");
    QVERIFY(!diagnose->isEnabled());
    QVERIFY2(diagnose->toolTip().startsWith(why), qPrintable(diagnose->toolTip()));
    desk.window.action("sweep")->trigger();
    SweepDialog& sweep = *desk.window.sweeps().dialog();
    QVERIFY2(sweep.words().startsWith(why), qPrintable(sweep.words()));
    QVERIFY(!sweep.startButton().isEnabled());
    desk.window.action("tune")->trigger();
    TuneDialog& tune = *desk.window.tunes().dialog();
    QVERIFY2(tune.words().startsWith(why), qPrintable(tune.words()));
    QVERIFY(!tune.startButton().isEnabled());
    // Neither begins by another way, such as the notice of one that was not finished.
    desk.window.sweeps().start(*desk.window.page(), {});
    QVERIFY(!desk.window.sweeps().isRunning());

    // It comes back: nobody has to press anything for that to be seen.
    desk.folder.makeFolder("old/lr");
    desk.folder.makeFolder("old/hr");
    QVERIFY(desk.soon([&] { return desk.noticed().isEmpty(); }));
    QVERIFY(desk.soon([&] { return run->isEnabled() && diagnose->isEnabled(); }));
    QVERIFY2(!tune.words().startsWith(why), qPrintable(tune.words()));
  }

  void point32_dataThatGoesWhileItsDocumentIsOpenIsOfferedToBeLocated() {
    Desk desk(pipelineText(R"({"id": "source", "kind": "paired_folders",
      "params": {"input": "lr", "target": "hr"}})"));
    desk.folder.makeFolder("lr");
    desk.folder.makeFolder("hr");
    QEvent back(QEvent::ActivationChange);
    QCoreApplication::sendEvent(&desk.window, &back);
    auto* ready = desk.window.findChild<QLabel*>("ready");
    const auto isReady = [&] { return ready->text().startsWith("Ready to run"); };
    QVERIFY(desk.soon([&] { return desk.noticed().isEmpty() && isReady(); }));
    std::filesystem::rename(desk.folder.path() / "hr", desk.folder.path() / "moved");
    // Once the person comes back to the window, at the latest.
    desk.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&desk.window));
    QCoreApplication::sendEvent(&desk.window, &back);
    QVERIFY(desk.soon([&] { return desk.noticed().join(' ').contains("nothing is at hr"); }));
    QVERIFY2(ready->text().contains("Locate data"), qPrintable(ready->text()));
    const ProblemsModel& problems = desk.window.page()->session().problems;
    const auto isTold = [&] {
      for (int row = 0; row < problems.rowCount(); ++row) {
        const QString words = problems.index(row).data().toString();
        if (words.contains("Nothing is at hr.") && words.contains("Locate data…")) return true;
      }
      return false;
    };
    QVERIFY(desk.soon(isTold));
    QVERIFY(desk.soon([&] { return !desk.window.action("run")->isEnabled(); }));
    std::filesystem::rename(desk.folder.path() / "moved", desk.folder.path() / "hr");
    QVERIFY(desk.soon([&] { return desk.noticed().isEmpty() && isReady(); }));
  }

  void point32_aRunWhoseDataIsGoneLeadsToWhereItIs() {
    Desk desk(pipelineText(R"({"id": "source", "kind": "image_folder",
      "params": {"paths": ["photos"]}})"));
    RunDesk& runs = desk.window.desk();
    runs.session().process().setProgram(MILLRACE_BINARY);
    desk.folder.makeFolder("photos");
    desk.window.page()->findChild<PageNotices*>()->lookAgain();
    QVERIFY(desk.soon([&] { return desk.window.action("run")->isEnabled(); }));
    // The looks that follow an edit are over.
    QVERIFY(desk.soon([&] { return !desk.window.data().look()->isAtWork(); }));
    std::filesystem::remove(desk.folder.path() / "photos");
    runs.run();
    QVERIFY(runs.session().isRunning());
    // Long before the next look by itself, and nobody has left the window.
    QVERIFY(QTest::qWaitFor([&] { return !desk.noticed().isEmpty(); }, 5000));
    QVERIFY(desk.soon([&] { return !runs.session().isRunning(); }));
    QVERIFY2(desk.window.findChild<QLabel*>("ready")->text().contains("Locate data"),
             qPrintable(desk.window.findChild<QLabel*>("ready")->text()));
  }

  void point32_shardsThatAreThereAreNotMissing() {
    const tests::TemporaryFolder folder;
    folder.write("a-00.tar", "");
    const std::vector<MissingPath> paths = {{"a", "paths", "a-{00..03}.tar"},
                                            {"a", "paths", "b-{00..03}.tar"}};
    QCOMPARE(missingOf(paths, folder.path()), std::vector<MissingPath>{paths[1]});
  }

  void point32_aPageBehindIsShownWholeWhenItComesToTheFront() {
    Desk desk;
    QVERIFY(tests::openIn(desk.window, "classification"));
    auto* tabs = desk.window.findChild<QTabWidget*>();
    auto* behind = qobject_cast<PipelinePage*>(tabs->widget(0));
    const auto isWhole = [&] {
      const QRect room = behind->view().viewport()->rect();
      const QRectF seen = behind->view().mapToScene(room).boundingRect();
      return room.contains(behind->findChild<Minimap*>()->geometry()) &&
             seen.contains(behind->scene().contentRect());
    };
    desk.window.resize(1389, 640);
    tabs->setCurrentIndex(0);
    QVERIFY(desk.soon(isWhole));
    desk.window.resize(1100, 700);
    QVERIFY(desk.soon(isWhole));
    // Who has chosen a zoom keeps it.
    behind->view().setZoom(0.5, {0, 0});
    desk.window.resize(1389, 868);
    QVERIFY(desk.soon([&] { return behind->view().width() > 600; }));
    QCOMPARE(behind->view().zoom(), 0.5);
  }

  void point32_runsOfSeveralDocumentsFollowOneAnother() {
    Desk desk;
    RunDesk& runs = desk.window.desk();
    runs.session().process().setProgram(MILLRACE_BINARY);
    runs.setMeasure({0, 1000, 1});
    desk.folder.write("second.millrace.json", runnable());
    const auto canRun = [&] { return desk.window.action("run")->isEnabled(); };
    QVERIFY(desk.soon(canRun));
    runs.run();
    QVERIFY(runs.session().isRunning() && !canRun());
    QVERIFY(tests::openIn(desk.window, desk.path("second.millrace.json")));
    QVERIFY(desk.soon(canRun));
    runs.run();
    QCOMPARE(runs.waiting(), 1U);
    QVERIFY(!canRun());
    QCOMPARE(runs.session().run().title(), QString("mine.millrace.json"));
    runs.stop();
    QVERIFY(desk.soon([&] {
      return runs.session().isRunning() && runs.session().run().title() == "second.millrace.json";
    }));
    QCOMPARE(runs.waiting(), 0U);
    runs.stop();
    QVERIFY(desk.soon([&] { return !runs.session().isRunning(); }));
    QVERIFY(desk.soon(canRun));
  }

  void point32_aRunWaitsUntilOthersAreMeasuredAgain() {
    Desk desk;
    RunDesk& runs = desk.window.desk();
    runs.session().process().setProgram(MILLRACE_BINARY);
    runs.setMeasure({0, 1000, 1});
    QVERIFY(desk.soon([&] { return desk.window.action("run")->isEnabled(); }));
    QString measured = "runs 3 and 4 are measured";
    runs.setOther([&] { return measured; });
    runs.run();
    QVERIFY(!runs.session().isRunning());
    QCOMPARE(runs.waiting(), 1U);
    QCOMPARE(runs.statusWords(), QString("1 run waits until runs 3 and 4 are measured"));
    measured.clear();
    runs.goOn();
    QVERIFY(desk.soon([&] { return runs.session().isRunning(); }));
    runs.stop();
    QVERIFY(desk.soon([&] { return !runs.session().isRunning(); }));
  }

  void theDiagnosisReachesTheClipboard() {
    Desk desk;
    QGuiApplication::clipboard()->clear();
    desk.window.action("copy_diagnosis")->trigger();
    QVERIFY(desk.soon([] { return !QGuiApplication::clipboard()->text().isEmpty(); }));
    const QString text = QGuiApplication::clipboard()->text();
    QVERIFY2(text.contains("platform offscreen") && text.contains("millrace"), qPrintable(text));
  }
};

}  // namespace millrace

using millrace::TestManners;
MILLRACE_TEST_CASE(TestManners)
#include "tst_manners.moc"
