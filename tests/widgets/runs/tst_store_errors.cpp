// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#table-of-runs: a store that is damaged, newer, locked, read-only or on a full
// disk is reported in a sentence above the table, and the workbench stays usable.
#include <filesystem>
#include <fstream>

#include "core/store/database.h"
#include "core/store/migrations/migrations.h"
#include "tests/core/store/store_fixture.h"
#include "tests/support/test_case.h"
#include "tests/support/unprivileged.h"
#include "tests/widgets/full_disk.h"
#include "tests/widgets/kept_store.h"
#include "tests/widgets/run_table.h"
#include "tests/widgets/stall_watch.h"

namespace millrace {

namespace {

using Table = tests::RunTable;
using tests::kGenerousMs;

bool says(Table& table, const QString& words) {
  return QTest::qWaitFor([&] { return table.page.problem().contains(words); }, kGenerousMs);
}

/// The user edits a note; the page reports the result.
bool note(Table& table, RunNumber run, const QString& text) {
  return table.page.model().setData(table.cell(run, "notes"), text, Qt::EditRole);
}

}  // namespace

class TestStoreErrors : public QObject {
  Q_OBJECT
 private slots:
  void aStoreOfANewerVersionIsReportedAndNotChanged() {
    const tests::KeptStore kept;
    kept.add({.workers = 1});
    const std::size_t newer = migrations().size() + 1;
    QVERIFY(tests::rawSql(kept.file(), "PRAGMA user_version = " + std::to_string(newer)));
    Table table(kept.file());
    QVERIFY2(table.page.problem().contains("written by a newer Millrace"),
             qPrintable(table.page.problem()));
    QCOMPARE(table.page.model().rowCount(), 0);
    QCOMPARE(tests::rawText(kept.file(), "SELECT count(*) FROM runs"), std::string("1"));
  }

  void aDamagedStoreShowsItsReadableRuns() {
    const tests::KeptStore kept;
    {
      RunStore store = kept.open();
      for (int i = 1; i <= 60; ++i) tests::KeptStore::add(store, {.workers = i});
    }
    // Overwrites a quarter of the file, after its middle.
    const auto size = std::filesystem::file_size(kept.file());
    std::fstream file(kept.file(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(size / 2 / 4096 * 4096));
    file << std::string(size / 4 / 4096 * 4096, 'x');
    file.close();
    Table table(kept.file());
    QVERIFY(!table.page.problem().isEmpty());
    QVERIFY(table.page.model().rowCount() < 60);
    for (int row = 0; row < table.page.model().rowCount(); ++row)
      for (int column = 0; column < table.page.model().columnCount(); ++column)
        (void)table.page.model().index(row, column).data();
    QVERIFY(table.settles());
  }

  void aChangeRefusedByALockedStoreIsRevertedWithoutAStall() {
    const tests::KeptStore kept;
    const RunNumber run = kept.add({.workers = 1});
    Table table(kept.file());
    auto other = Database::open(kept.file());
    VERIFY_OK(other);
    {
      const Transaction held(*other);
      VERIFY_OK(held.begun());
      const tests::StallWatch stalls;
      QVERIFY(note(table, run, "while it is locked"));
      QVERIFY2(says(table, "is locked by another program"), qPrintable(table.page.problem()));
      QVERIFY2(stalls.worstMs() < 50, qPrintable(QString::number(stalls.worstMs())));
      // Meanwhile it can be read.
      QVERIFY(table.asks("workers.count = 1"));
      QCOMPARE(table.page.model().rowCount(), 1);
    }
    QVERIFY(QTest::qWaitFor([&] { return table.text(run, "notes").isEmpty(); }, kGenerousMs));
    QVERIFY(note(table, run, "afterwards"));
    QVERIFY(
        QTest::qWaitFor([&] { return kept.open().show(run)->notes == "afterwards"; }, kGenerousMs));
  }

  void aFullDiskIsReportedAndTheChangeReverted() {
    const tests::KeptStore kept;
    const RunNumber run = kept.add({.workers = 1});
    Table table(kept.file());
    {
      const tests::FullDisk full(40 << 10);
      QVERIFY(note(table, run, QString(200000, 'n')));
      QVERIFY2(says(table, "runs.db cannot"), qPrintable(table.page.problem()));
      QVERIFY(QTest::qWaitFor([&] { return table.text(run, "notes").isEmpty(); }, kGenerousMs));
    }
    QCOMPARE(tests::rawText(kept.file(), "PRAGMA integrity_check"), std::string("ok"));
    QVERIFY(kept.open().show(run)->notes.empty());
  }

  void aReadOnlyStoreIsShownAndRefusesChanges() {
    const tests::KeptStore kept;
    const RunNumber run = kept.add({.workers = 1});
    std::filesystem::permissions(kept.file(), std::filesystem::perms(0444));
    std::filesystem::permissions(kept.folder(), std::filesystem::perms(0555));
    {
      const tests::Unprivileged user;
      Table table(kept.file());
      QCOMPARE(table.page.model().rowCount(), 1);
      QVERIFY(note(table, run, "not written"));
      QVERIFY2(says(table, "is read-only"), qPrintable(table.page.problem()));
    }
    std::filesystem::permissions(kept.folder(), std::filesystem::perms(0755));
  }

  void aStoreDeletedWhileShownCountsAsEmpty() {
    const tests::KeptStore kept;
    kept.add({.workers = 1});
    Table table(kept.file());
    QCOMPARE(table.page.model().rowCount(), 1);
    for (const char* suffix : {"", "-wal", "-shm"})
      std::filesystem::remove(kept.file().string() + suffix);
    table.page.readAgain();
    QVERIFY(QTest::qWaitFor([&] { return table.page.model().rowCount() == 0; }, kGenerousMs));
    QVERIFY(!table.page.model().hasStore());
    QVERIFY2(table.page.problem().isEmpty(), qPrintable(table.page.problem()));
  }
};

}  // namespace millrace

using millrace::TestStoreErrors;
MILLRACE_TEST_CASE(TestStoreErrors)
#include "tst_store_errors.moc"
