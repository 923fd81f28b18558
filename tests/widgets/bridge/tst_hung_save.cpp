// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#export and #window-and-keys with a file system that does not respond: saving
// blocks neither the window nor the store of runs, and file dialogs wait for nothing.
#include <functional>

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QMessageBox>
#include <QPointer>
#include <QSettings>
#include <QSignalSpy>
#include <QTimer>
#include <QUrl>

#include "app/workbench/window/runs_area.h"
#include "core/nodes/builtin.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/hung_folder.h"
#include "tests/widgets/kept_store.h"
#include "tests/widgets/patience.h"
#include "widgets/common/file_dialogs.h"
#include "widgets/common/strings.h"
#include "widgets/compare/compare_set.h"
#include "widgets/compare/differences_panel.h"
#include "widgets/runs/runs_page.h"

namespace millrace {

namespace {

using tests::HungFolder;
using tests::kGenerousMs;

/// Two runs that are compared, and a folder, separate from their store, that can stop responding.
class HungRuns {
 public:
  HungRuns()
      : settings(fileText(kept.folder() / "runs.ini"), QSettings::IniFormat),
        store(withTwoRuns(kept)),
        hung(folder.path() / "net") {
    folder.makeFolder("net");
    area.show();
    const bool isListed = soon([this] { return page().model().rowCount() == 2; });
    page().view().choose({RunNumber{1}, RunNumber{2}});
    const auto isCompared = [this] { return area.set().comparison() != nullptr; };
    ready = isListed && soon([&] { return isCompared() && area.isSettled(); });
  }
  static bool soon(const std::function<bool()>& condition) {
    return QTest::qWaitFor(condition, kGenerousMs);
  }
  RunsPage& page() { return area.page(); }
  QString fileIn(const char* name) const { return fileText(folder.path() / "net" / name); }
  bool saysThatItWaits(const QString& file) const {
    return soon([&] {
      for (const auto* box : area.findChildren<QMessageBox*>())
        if (box->isVisible() && box->text().contains("Still waiting for " + file)) return true;
      return false;
    });
  }

  tests::KeptStore kept;
  tests::TemporaryFolder folder;
  QSettings settings;
  StoreThread store;
  RunsArea area{store, builtinCatalog(), settings, {"number", "name", "samples_per_second"}};
  HungFolder hung;
  bool ready = false;

 private:
  static std::filesystem::path withTwoRuns(const tests::KeptStore& kept) {
    for (const int workers : {2, 4}) kept.add({.workers = workers});
    return kept.file();
  }
};

/// Does something with the next file dialog, as soon as possible.
class NextDialog {
 public:
  using May = std::function<bool(QFileDialog&)>;
  explicit NextDialog(const May& act) {
    QObject::connect(&m_look, &QTimer::timeout, &m_look, [this, act] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr || !act(*dialog)) return;
      m_look.stop();
      isDone = true;
    });
    m_look.start(5);
  }
  bool isDone = false;

 private:
  QTimer m_look;
};

}  // namespace

class TestHungSave : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    if (const QString why = HungFolder::obstacle(); !why.isEmpty()) QSKIP(qPrintable(why));
  }

  /// The first test, because dialogs remember the folder of the one before.
  void theFirstDialogDoesNotAccessAnotherProgramsLastFolder() {
    const tests::TemporaryFolder folder;
    folder.makeFolder("net");
    folder.makeFolder("here");
    HungFolder hung(folder.path() / "net");
    QSettings(QSettings::UserScope, "QtProject")
        .setValue("FileDialog/lastVisited",
                  QUrl::fromLocalFile(fileText(folder.path() / "net")).toString());
    hung.hang();
    const NextDialog leaves([](QFileDialog& dialog) {
      dialog.reject();
      return true;
    });
    QVERIFY(askOpenFile(nullptr, "Open", fileText(folder.path() / "here")).isEmpty());
    QVERIFY(leaves.isDone);
    QCOMPARE(HungFolder::askedByGui(), QStringList());
  }

  void exportingTheTableOfRunsBlocksNeitherWindowNorStore() {
    HungRuns runs;
    QVERIFY(runs.ready);
    QSignalSpy said(&runs.page(), &RunsPage::said);
    const QString file = runs.fileIn("runs.csv");
    runs.hung.hang();
    runs.page().exportTable(file);
    QVERIFY(runs.saysThatItWaits(file));
    // Meanwhile the store is read.
    QSignalSpy listed(&runs.page().model(), &RunTableModel::listed);
    runs.page().readAgain();
    QVERIFY(listed.wait(kGenerousMs));
    QCOMPARE(said.count(), 0);
    QCOMPARE(HungFolder::askedByGui(), QStringList());
    runs.hung.answer();
    QVERIFY(said.wait(kGenerousMs));
    QCOMPARE(said[0][0].toString(), "2 runs written to " + file + '.');
    QVERIFY(tests::contentOf(pathOf(file)).starts_with("number,name,"));
  }

  void savingAComparisonDoesNotBlockTheWindow() {
    HungRuns runs;
    QVERIFY(runs.ready);
    QSignalSpy said(&runs.page(), &RunsPage::said);
    const QString file = runs.fileIn("page.html");
    runs.hung.hang();
    runs.area.differences().save(file);
    QVERIFY(runs.saysThatItWaits(file));
    QCOMPARE(said.count(), 0);
    QCOMPARE(HungFolder::askedByGui(), QStringList());
    runs.hung.answer();
    QVERIFY(said.wait(kGenerousMs));
    QCOMPARE(said[0][0].toString(), "The comparison was saved as " + file + '.');
    QVERIFY(tests::contentOf(pathOf(file)).ends_with("</html>\n"));
  }

  void aDialogDoesNotStartInAnUnresponsiveLastFolder() {
    HungRuns runs;
    QVERIFY(runs.ready);
    {
      const NextDialog saves(
          [](QFileDialog& dialog) { return QMetaObject::invokeMethod(&dialog, "accept"); });
      QVERIFY(!askSaveFile(nullptr, "Save", runs.fileIn("a.csv")).isEmpty());
    }
    QCOMPARE(lastDialogFolder(), fileText(runs.folder.path() / "net"));
    runs.hung.hang();
    // Files to open, and files to save.
    for (const char* action : {"import", "export_table"}) {
      QString folder;
      const NextDialog leaves([&](QFileDialog& dialog) {
        folder = dialog.directory().absolutePath();
        dialog.reject();
        return true;
      });
      runs.page().action(action)->trigger();
      QVERIFY(HungRuns::soon([&] { return leaves.isDone; }));
      QCOMPARE(folder, QDir::homePath());
    }
    QCOMPARE(HungFolder::askedByGui(), QStringList());
  }

  void aDialogClosesWhileAnEntryOfItsFolderDoesNotRespond() {
    const tests::TemporaryFolder folder;
    folder.makeFolder("net");
    folder.write("near.db");
    HungFolder hung(folder.path() / "net");
    hung.hang();
    QPointer<QFileDialog> left;
    const NextDialog leaves([&](QFileDialog& dialog) {
      if (HungFolder::waiting() == 0) return false;
      left = &dialog;
      dialog.reject();
      return true;
    });
    QVERIFY(askOpenFile(nullptr, "Open", fileText(folder.path())).isEmpty());
    // The dialog is closed before the thread that lists the folder has its answer.
    QVERIFY(leaves.isDone && HungFolder::waiting() > 0);
    QCOMPARE(HungFolder::askedByGui(), QStringList());
    QVERIFY(left);
    hung.answer();
    QVERIFY(HungRuns::soon([&] { return left.isNull(); }));
  }
};

}  // namespace millrace

using millrace::TestHungSave;
MILLRACE_TEST_CASE(TestHungSave)
#include "tst_hung_save.moc"
