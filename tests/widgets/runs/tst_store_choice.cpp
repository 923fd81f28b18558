// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#table-of-runs: another store is chosen, a new one included, and what is no
// store is refused.
#include "widgets/runs/store_choice.h"

#include <QAbstractButton>
#include <QApplication>
#include <QFileInfo>
#include <QMessageBox>
#include <QTimer>

#include "tests/support/test_case.h"
#include "tests/widgets/kept_store.h"
#include "tests/widgets/patience.h"
#include "tests/widgets/run_table.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

using tests::kGenerousMs;
using Table = tests::RunTable;

/// What the page asks when it is given a file that does not exist; the answer is this button.
QString askedFor(Table& table, const QString& file, const QString& answer) {
  QString asked;
  QTimer poll;
  QObject::connect(&poll, &QTimer::timeout, [&] {
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (box == nullptr) return;
    asked = box->text() + ' ' + box->informativeText();
    for (QAbstractButton* button : box->buttons())
      if (button->text().remove('&') == answer) return button->click();
  });
  poll.start(5);
  table.page.takeStore(file);
  return QTest::qWaitFor([&] { return !asked.isEmpty(); }, kGenerousMs) ? asked : "nothing";
}

}  // namespace

class TestStoreChoice : public QObject {
  Q_OBJECT
 private slots:
  void aNewStoreIsMadeIfTheUserAgrees() {
    const tests::KeptStore kept;
    kept.add({.workers = 1});
    Table table(kept.file());
    const QString file = fileText(kept.folder() / "below" / "new.db");
    const QString asked = askedFor(table, file, "Cancel");
    for (const QString& part :
         {QString("no file new.db"), QString("empty store"), fileText(kept.file()) + " stay there"})
      QVERIFY2(asked.contains(part), qPrintable(asked));
    QVERIFY(!QFileInfo::exists(file));
    QCOMPARE(fileText(table.store.file()), fileText(kept.file()));
    QSignalSpy chosen(&table.page, &RunsPage::storeChosen);
    askedFor(table, file, "Make a new store");
    QVERIFY(chosen.count() > 0 || chosen.wait(kGenerousMs));
    QVERIFY(table.settles());
    QVERIFY(QFileInfo(file).isFile());
    QCOMPARE(fileText(table.store.file()), file);
    QVERIFY2(table.page.problem().isEmpty(), qPrintable(table.page.problem()));
    QCOMPARE(table.page.model().rowCount(), 0);
  }

  void foldersAndForeignFilesAreRefusedAndTheStoreStays_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("why");
    QTest::newRow("a folder") << "" << "is a folder";
    QTest::newRow("a text") << "notes.txt" << "not an SQLite database";
  }
  void foldersAndForeignFilesAreRefusedAndTheStoreStays() {
    QFETCH(QString, name);
    QFETCH(QString, why);
    const tests::KeptStore kept;
    kept.add({.workers = 1});
    const tests::TemporaryFolder folder;
    folder.write("notes.txt", std::string(5000, 'x'));
    const std::string before = tests::contentOf(folder.path() / "notes.txt");
    Table table(kept.file());
    table.page.takeStore(fileText(folder.path()) + (name.isEmpty() ? "" : "/" + name));
    QVERIFY(QTest::qWaitFor([&] { return !table.page.problem().isEmpty(); }, kGenerousMs));
    QVERIFY2(table.page.problem().contains(why), qPrintable(table.page.problem()));
    QCOMPARE(table.store.file(), kept.file());
    QCOMPARE(table.page.model().rowCount(), 1);
    QVERIFY(tests::contentOf(folder.path() / "notes.txt") == before);
  }

  void aStoreThatCannotBeMadeIsASentence() {
    const tests::KeptStore kept;
    kept.add({.workers = 1});
    const tests::TemporaryFolder folder;
    folder.write("notes.txt", "a file, not a folder");
    Table table(kept.file());
    askedFor(table, fileText(folder.path() / "notes.txt" / "new.db"), "Make a new store");
    QVERIFY(QTest::qWaitFor([&] { return !table.page.problem().isEmpty(); }, kGenerousMs));
    QVERIFY2(table.page.problem().contains("notes.txt"), qPrintable(table.page.problem()));
    QCOMPARE(table.store.file(), kept.file());
  }
};

}  // namespace millrace

using millrace::TestStoreChoice;
MILLRACE_TEST_CASE(TestStoreChoice)
#include "tst_store_choice.moc"
