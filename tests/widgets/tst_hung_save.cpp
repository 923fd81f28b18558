// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// INTERACTION 27 where a file system does not answer: what is saved of the runs waits beside the
// window and their store.
#include <functional>

#include <QApplication>
#include <QMessageBox>
#include <QSettings>
#include <QSignalSpy>

#include "app/workbench/runs_area.h"
#include "core/nodes/builtin.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/hung_folder.h"
#include "tests/widgets/kept_store.h"
#include "tests/widgets/patience.h"
#include "widgets/common/strings.h"
#include "widgets/compare/compare_set.h"
#include "widgets/compare/differences_panel.h"
#include "widgets/runs/runs_page.h"

namespace millrace {

namespace {

using tests::HungFolder;
using tests::kGenerousMs;

/// Two runs that are compared, and a folder apart from their store that can cease to answer.
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

}  // namespace

class TestHungSave : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    if (const QString why = HungFolder::obstacle(); !why.isEmpty()) QSKIP(qPrintable(why));
  }

  void point27_theTableOfRunsWaitsBesideTheWindowAndTheStore() {
    HungRuns runs;
    QVERIFY(runs.ready);
    QSignalSpy said(&runs.page(), &RunsPage::said);
    const QString file = runs.fileIn("runs.csv");
    runs.hung.hang();
    runs.page().exportTable(file);
    QVERIFY(runs.saysThatItWaits(file));
    // The store is read meanwhile.
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

  void point27_aComparisonWaitsBesideTheWindow() {
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
    QCOMPARE(said[0][0].toString(), "The comparison is written to " + file + '.');
    QVERIFY(tests::contentOf(pathOf(file)).ends_with("</html>\n"));
  }
};

}  // namespace millrace

using millrace::TestHungSave;
MILLRACE_TEST_CASE(TestHungSave)
#include "tst_hung_save.moc"
