// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#open-a-file and #documents with a file system that does not respond, such as a
// lost network drive: the window stays usable, and shows what it is waiting for.
#include <optional>

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>
#include <QSettings>
#include <QSignalSpy>
#include <QThreadPool>
#include <QTimer>

#include "app/workbench/controllers/start_controller.h"
#include "tests/support/test_case.h"
#include "tests/widgets/hung_bench.h"
#include "widgets/bridge/file_save.h"
#include "widgets/export/export_dialog.h"

namespace millrace {

using tests::HungBench;
using tests::HungFolder;
using tests::kGenerousMs;

class TestHungFolder : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    if (const QString why = HungFolder::obstacle(); !why.isEmpty()) QSKIP(qPrintable(why));
  }
  void init() { QSettings("millrace", "workbench").clear(); }
  void cleanup() { QSettings("millrace", "workbench").clear(); }

  void openingAnUnresponsiveFileDoesNotBlockTheWindow() {
    HungBench bench;
    bench.hang();
    bench.window.open(bench.file());
    QVERIFY(bench.notices("Still waiting for " + bench.file() + "…"));
    QVERIFY(HungFolder::waiting() > 0);
    // Meanwhile everything else works.
    bench.window.open("classification");
    QVERIFY(bench.isInFront("classification"));
    QVERIFY(bench.soon([&] { return bench.window.page()->session().check.isCurrent(); }));
    bench.edit(7);
    QCOMPARE(HungFolder::askedByGui().join(' '), QString());
    bench.hung.answer();
    QVERIFY(bench.soon([&] { return bench.isInFront("mine.millrace.json"); }));
    QCOMPARE(bench.noticed(), QString());
    QVERIFY(!bench.document().isModified());
    QCOMPARE(bench.window.tabs().count(), 2);
  }

  void waitingCanBeGivenUpAndRetried() {
    HungBench bench;
    bench.hang();
    bench.window.open(bench.file());
    QVERIFY(bench.notices("Still waiting"));
    bench.answer("Give up");
    QVERIFY(bench.notices("was not opened: its file system does not respond. Open it again"));
    QVERIFY(!bench.window.isWaitingForFiles());
    bench.answer("OK");
    QVERIFY(bench.soon([&] { return bench.noticed().isEmpty(); }));
    // An answer that is no longer waited for opens nothing.
    bench.hung.answer();
    QVERIFY(bench.soon([] { return HungFolder::waiting() == 0; }));
    QVERIFY(tests::openIn(bench.window, bench.file()));
    QCOMPARE(bench.window.tabs().count(), 1);
    QCOMPARE(HungFolder::askedByGui().join(' '), QString());
  }

  void theStartPageAndRecentFilesDoNotWaitForFolders() {
    HungBench bench;
    QVERIFY(tests::openIn(bench.window, bench.file()));
    bench.window.action("close")->trigger();
    QVERIFY(bench.window.start().isShown());
    bench.hang();
    bench.window.start().leave();
    bench.window.start().show();  // With the recent files.
    for (QMenu* menu : bench.window.findChildren<QMenu*>())
      if (menu->title() == "Open &recent") menu->actions().first()->trigger();
    QVERIFY(bench.notices("Still waiting"));
    QVERIFY(bench.window.start().isShown() && bench.window.notices().isVisible());
    QCOMPARE(HungFolder::askedByGui().join(' '), QString());
    bench.hung.answer();
    QVERIFY(bench.soon([&] { return bench.isInFront("mine.millrace.json"); }));
    QVERIFY(!bench.window.start().isShown());
  }

  void theFileDialogStartsInAFolderThatResponds() {
    HungBench bench;
    QVERIFY(tests::openIn(bench.window, bench.file()));
    bench.hang();
    bench.window.action("open")->trigger();
    QFileDialog* dialog = nullptr;
    QTimer poll;
    QString folder;
    connect(&poll, &QTimer::timeout, [&] {
      dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr) return;
      folder = dialog->directory().absolutePath();
      dialog->reject();
    });
    poll.start(5);
    QVERIFY(bench.soon([&] { return !folder.isEmpty(); }));
    QCOMPARE(folder, QDir::homePath());
    QCOMPARE(HungFolder::askedByGui().join(' '), QString());
  }

  void anExportDoesNotBlockTheWindow() {
    HungBench bench;
    bench.window.open("classification");
    bench.window.action("export")->trigger();
    auto* dialog = bench.window.findChild<ExportDialog*>();
    QVERIFY(dialog != nullptr && bench.soon([&] { return dialog->isReady(); }));
    const QString file = fileText(bench.folder.path() / "net/loader.py");
    bench.hang();
    dialog->saveTo(file);
    QVERIFY(bench.soon([&] { return dialog->message().startsWith("Still waiting for " + file); }));
    QCOMPARE(HungFolder::askedByGui().join(' '), QString());
    bench.hung.answer();
    QVERIFY(bench.soon([&] { return dialog->message() == "Saved as " + file + '.'; }));
    QCOMPARE(tests::contentOf(pathOf(file)), dialog->text());
  }

  void savingAViewDoesNotBlockTheWindow() {
    HungBench bench;
    const QString file = fileText(bench.folder.path() / "net/chart.csv");
    bench.hang();
    std::optional<bool> written;
    saveFile(bench.window, file, "seconds\n", [&](const Status& status) { written = status.ok(); });
    const auto isSaid = [&] {
      for (const auto* box : bench.window.findChildren<QMessageBox*>())
        if (box->isVisible() && box->text().contains("Still waiting for " + file)) return true;
      return false;
    };
    QVERIFY(bench.soon(isSaid));
    QVERIFY(!written.has_value());
    QCOMPARE(HungFolder::askedByGui().join(' '), QString());
    bench.hung.answer();
    QVERIFY(bench.soon([&] { return written.has_value(); }));
    QVERIFY(*written && !isSaid());
    QCOMPARE(tests::contentOf(pathOf(file)), std::string("seconds\n"));
  }

  void dataCanBeLocatedInAFolderThatDoesNotRespondYet() {
    HungBench bench;
    bench.folder.makeFolder("net/cats");
    bench.folder.write("near.millrace.json",
                       R"({"format_version": 1, "wires": [], "nodes": [{"id": "source",
        "kind": "image_folder", "params": {"paths": ["gone/cats"]}}]})");
    QVERIFY(tests::openIn(bench.window, fileText(bench.folder.path() / "near.millrace.json")));
    QVERIFY(bench.notices("gone/cats does not exist"));
    auto* notices = bench.window.page()->findChild<PageNotices*>();
    const QString place = fileText(bench.folder.path() / "net/cats");
    notices->setChoose([&](const MissingPath&, const QString&) { return place; });
    bench.hang();
    notices->locateFirst();
    QVERIFY(bench.notices("Still waiting for " + place));
    bench.answer("Give up");
    QVERIFY(bench.soon([&] { return !bench.noticed().contains("Still waiting"); }));
    notices->locateFirst();
    QVERIFY(bench.notices("Still waiting for " + place));
    bench.edit(7);
    QCOMPARE(HungFolder::askedByGui().join(' '), QString());
    bench.hung.answer();
    QVERIFY(bench.soon(
        [&] { return bench.document().text().find("\"net/cats\"") != std::string::npos; }));
    // Edits made meanwhile are kept.
    QCOMPARE(bench.document().graph().seed, std::uint64_t{7});
  }

  void theFileWatchContinuesWhenTheFolderRespondsAgain() {
    HungBench bench;
    QVERIFY(tests::openIn(bench.window, bench.file()));
    auto* notices = bench.window.page()->findChild<PageNotices*>();
    QSignalSpy checked(&notices->file(), &FileWatch::checked);
    notices->file().check();
    QVERIFY(checked.wait(kGenerousMs));
    bench.hang();
    // However often the user returns to the window, only one thread waits.
    for (int i = 0; i < 20; ++i) notices->checkAgain();
    QVERIFY(bench.soon([] { return HungFolder::waiting() > 0; }));
    QCOMPARE(HungFolder::waiting(), 1);
    QCOMPARE(HungFolder::askedByGui().join(' '), QString());
    bench.hung.answer();
    bench.folder.write("net/mine.millrace.json", *exampleJson("classification"));
    QVERIFY(bench.notices("was changed by another program"));
  }

  void unresponsiveDataDoesNotPreventChecks() {
    HungBench bench;
    bench.folder.makeFolder("net/cats");
    bench.hang();
    bench.folder.write("near.millrace.json",
                       R"({"format_version": 1, "wires": [], "nodes": [{"id": "source",
        "kind": "image_folder", "params": {"path": ")" +
                           (bench.folder.path() / "net/cats").string() + R"("}}]})");
    QVERIFY(tests::openIn(bench.window, fileText(bench.folder.path() / "near.millrace.json")));
    for (std::uint64_t seed = 1; seed < 10; ++seed) {
      bench.edit(seed);
      bench.window.page()->findChild<PageNotices*>()->checkAgain();
      QVERIFY(bench.soon([&] { return bench.window.page()->session().check.isCurrent(); }));
    }
    QVERIFY(QThreadPool::globalInstance()->waitForDone(kGenerousMs));
    QCOMPARE(HungFolder::askedByGui().join(' '), QString());
  }
};

}  // namespace millrace

using millrace::TestHungFolder;
MILLRACE_TEST_CASE(TestHungFolder)
#include "tst_hung_folder.moc"
