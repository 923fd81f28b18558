// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#table-of-runs: views of the table, saved under a name.
#include "widgets/runs/saved_views.h"

#include <QAction>
#include <QApplication>
#include <QInputDialog>
#include <QMenu>
#include <QTimer>
#include <QToolButton>

#include "tests/support/test_case.h"
#include "tests/widgets/kept_store.h"
#include "tests/widgets/patience.h"
#include "tests/widgets/run_table.h"

namespace millrace {

namespace {

using Table = tests::RunTable;

/// The menu of the button, filled as when it is opened.
QMenu& menuOf(Table& table) {
  QMenu& menu = *table.page.findChild<QToolButton*>("runs_views")->menu();
  emit menu.aboutToShow();
  return menu;
}

QAction* entry(QMenu& menu, const QString& text) {
  for (QAction* action : menu.actions())
    if (action->text().remove('&') == text) return action;
  return nullptr;
}

void saveAs(Table& table, const QString& name) {
  QTimer::singleShot(0, [name] {
    auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
    QVERIFY(dialog != nullptr);
    dialog->setTextValue(name);
    dialog->accept();
  });
  entry(menuOf(table), "Save this view…")->trigger();
}

}  // namespace

class TestSavedViews : public QObject {
  Q_OBJECT
 private slots:
  void aViewHasQueryColumnsOrderAndGroupingAndIsKept() {
    const tests::KeptStore kept;
    for (int i = 1; i <= 4; ++i) kept.add({.workers = i, .rates = {100.0 * i}});
    {
      Table table(kept.file());
      QVERIFY(table.asks("workers.count > 2"));
      RunListRequest request = table.page.model().listRequest();
      request.columns = QStringList{"number", "samples_per_second"};
      request.sortedBy = "samples_per_second";
      request.descending = false;
      table.page.model().setRequest(request);
      QVERIFY(table.settles());
      saveAs(table, "many & fast");
      QVERIFY(table.asks(""));
      saveAs(table, "all");
    }
    Table table(kept.file());
    QVERIFY(table.settled && table.asks("workers.count = 1"));
    QAction* view = entry(menuOf(table), "many  fast");
    QVERIFY(view != nullptr && !view->isChecked());
    view->trigger();
    QVERIFY(QTest::qWaitFor([&] { return table.numbers() == QStringList({"3", "4"}); },
                            tests::kGenerousMs));
    QCOMPARE(table.page.queryLine().text(), QString("workers.count > 2"));
    QCOMPARE(table.page.model().columnCount(), 2);
    QVERIFY(entry(menuOf(table), "many  fast")->isChecked());
    QVERIFY(!entry(menuOf(table), "all")->isChecked());
  }

  void aViewOfTheSameNameIsReplacedAndAViewCanBeRemoved() {
    const tests::KeptStore kept;
    kept.add({.workers = 1});
    Table table(kept.file());
    saveAs(table, "mine");
    QVERIFY(table.asks("workers.count = 1"));
    saveAs(table, "mine");
    QCOMPARE(table.page.savedViews().all().size(), 1);
    QCOMPARE(table.page.savedViews().all().front().query, QString("workers.count = 1"));
    saveAs(table, " ");  // No name: nothing is saved.
    QCOMPARE(table.page.savedViews().all().size(), 1);
    QAction* removing = entry(menuOf(table), "Remove");
    removing->menu()->actions().front()->trigger();
    QVERIFY(table.page.savedViews().all().isEmpty());
    QVERIFY(!entry(menuOf(table), "Remove")->isEnabled());
    const SavedViews again(table.settings);
    QVERIFY(again.all().isEmpty());
  }
};

}  // namespace millrace

using millrace::TestSavedViews;
MILLRACE_TEST_CASE(TestSavedViews)
#include "tst_saved_views.moc"
