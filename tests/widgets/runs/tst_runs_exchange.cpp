// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#table-of-runs: kept runs leave the table as files and commands, and come from
// other stores.
#include "widgets/runs/runs_page.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "tests/support/test_case.h"
#include "tests/widgets/kept_store.h"
#include "tests/widgets/patience.h"
#include "tests/widgets/run_table.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

using tests::kGenerousMs;
using Table = tests::RunTable;

}  // namespace

class TestRunsExchange : public QObject {
  Q_OBJECT
 private slots:
  void theTableIsWrittenAsCsvAndJson() {
    const tests::KeptStore kept;
    for (int i = 1; i <= 150; ++i) kept.add({.name = "a, \"b\"", .workers = i});
    Table table(kept.file());
    QSignalSpy said(&table.page, &RunsPage::said);
    const QString csv = fileText(kept.folder() / "t.csv");
    table.page.exportTable(csv);
    QVERIFY(said.wait(kGenerousMs));
    QFile file(csv);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), 151);
    QVERIFY2(lines[0].startsWith("number,name,tags,notes,workers.count,samples_per_second,"),
             lines[0].constData());
    QVERIFY2(lines[1].startsWith("150,\"a, \"\"b\"\"\",,,150,101,98.98,"), lines[1].constData());
    table.page.exportTable(fileText(kept.folder() / "t.json"));
    QVERIFY(said.wait(kGenerousMs));
    QFile json(fileText(kept.folder() / "t.json"));
    QVERIFY(json.open(QIODevice::ReadOnly));
    const QJsonArray runs = QJsonDocument::fromJson(json.readAll()).array();
    QCOMPARE(runs.size(), 150);
    QCOMPARE(runs[0].toObject()["workers.count"].toInt(), 150);
    table.page.exportTable(fileText(kept.folder() / "t.txt"));
    QVERIFY(table.page.problem().contains(".csv or .json"));
    table.page.exportTable("/nowhere/at/all/t.csv");
    const auto isReported = [&] {
      return table.page.problem().contains("/nowhere/at/all/t.csv: ");
    };
    QVERIFY(QTest::qWaitFor(isReported, kGenerousMs));
    QVERIFY2(table.page.problem().endsWith("choose another folder."),
             qPrintable(table.page.problem()));
  }

  void withoutKeptRunsNoTableIsWritten() {
    const tests::TemporaryFolder folder;
    Table table(folder.path() / "runs.db");
    QSignalSpy said(&table.page, &RunsPage::said);
    const QString csv = fileText(folder.path() / "t.csv");
    table.page.exportTable(csv);
    QVERIFY(said.wait(kGenerousMs));
    QCOMPARE(said[0][0].toString(), QString("There are no runs yet, so no file was written."));
    QVERIFY(!QFileInfo::exists(csv));
  }

  void runsComeFromAnotherStore() {
    const tests::KeptStore kept;
    const tests::KeptStore other;
    kept.add({.name = "mine"});
    for (int i = 1; i <= 30; ++i) other.add({.name = "theirs", .workers = i});
    Table table(kept.file());
    QSignalSpy said(&table.page, &RunsPage::said);
    table.page.importFrom(fileText(other.file()));
    QVERIFY(said.wait(kGenerousMs));
    QCOMPARE(said[0][0].toString(), QString("30 runs imported."));
    QVERIFY(QTest::qWaitFor([&] { return table.page.model().rowCount() == 31; }, kGenerousMs));
    table.page.importFrom(fileText(other.file()));
    QVERIFY(said.wait(kGenerousMs));
    QCOMPARE(said[1][0].toString(), QString("0 runs imported, 30 were here already."));
    table.page.importFrom(fileText(kept.file()));
    QVERIFY2(table.page.problem().contains("current store"), qPrintable(table.page.problem()));
  }

  void copyAsCommandNamesTheSameRuns() {
    const tests::KeptStore kept;
    for (int i = 1; i <= 3; ++i) kept.add({.workers = i});
    Table table(kept.file());
    const QString store = " --store " + fileText(kept.file());
    QVERIFY(table.asks("workers.count > 1"));
    QCOMPARE(table.page.command(),
             "millrace runs list 'workers.count > 1' --columns "
             "number,name,tag,notes,workers.count,samples_per_second,started" +
                 store);
    table.choose({RunNumber{2}, RunNumber{3}});
    QCOMPARE(table.page.command(), "millrace runs compare 2 3" + store);
    table.choose({RunNumber{3}});
    QCOMPARE(table.page.command(), "millrace runs show 3" + store);
  }
};

}  // namespace millrace

using millrace::TestRunsExchange;
MILLRACE_TEST_CASE(TestRunsExchange)
#include "tst_runs_exchange.moc"
