// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/store/database.h"

#include <sys/stat.h>

#include <fstream>

#include "core/store/migrations/migrations.h"
#include "tests/core/store/store_fixture.h"
#include "tests/support/test_case.h"
#include "tests/support/unprivileged.h"

/// There is an error that names the file and contains the words.
#define VERIFY_REFUSED(result, file, words)                                   \
  do {                                                                        \
    QVERIFY(!(result).ok());                                                  \
    const std::string message = (result).error().message;                     \
    QVERIFY2(message.find((file).string()) != message.npos, message.c_str()); \
    QVERIFY2(message.find(words) != message.npos, message.c_str());           \
  } while (false)

namespace millrace {

using namespace tests;

namespace {

constexpr std::chrono::milliseconds kShort{20};

Database::Options reading() {
  Database::Options options;
  options.mode = Database::Mode::Read;
  return options;
}

void allow(const std::filesystem::path& path, unsigned mode) {
  std::filesystem::permissions(path, static_cast<std::filesystem::perms>(mode));
}

}  // namespace

class TestDatabase : public QObject {
  Q_OBJECT
 private slots:
  void makesTheFileAndItsFolders() {
    const StoreFolder folder;
    const auto file = folder.folder() / "a" / "b" / "runs.db";
    VERIFY_OK(Database::open(file));
    QVERIFY(std::filesystem::exists(file));
    QCOMPARE(rawText(file, "PRAGMA application_id"), std::to_string(kStoreApplicationId));
    QCOMPARE(rawText(file, "PRAGMA user_version"), std::to_string(migrations().size()));
    QCOMPARE(rawText(file, "PRAGMA journal_mode"), std::string("wal"));
  }

  void aPipeOrAFolderIsNotAStore() {
    const StoreFolder folder;
    const auto pipe = folder.folder() / "pipe";
    QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
    VERIFY_REFUSED(Database::open(pipe), pipe, "device or pipe");
    VERIFY_REFUSED(Database::open(folder.folder()), folder.folder(), "folder");
    QVERIFY(!std::filesystem::exists(pipe.string() + "-journal"));
  }

  void aStoreThatWasDeletedOrReplacedIsReported() {
    const StoreFolder folder;
    auto database = Database::open(folder.file());
    VERIFY_OK(database);
    VERIFY_OK(database->isStillThere());
    std::filesystem::rename(folder.file(), folder.folder() / "elsewhere.db");
    std::ofstream(folder.file()) << "another file";
    Transaction transaction(*database);
    VERIFY_OK(transaction.begun());
    VERIFY_REFUSED(transaction.commit(), folder.file(), "deleted, moved or replaced");
  }

  void enforcesForeignKeys() {
    const StoreFolder folder;
    auto database = Database::open(folder.file());
    VERIFY_OK(database);
    QVERIFY(!database->run("INSERT INTO tags(run_id, tag) VALUES(5, 'x')").ok());
  }

  void anEmptyFileBecomesAStore() {
    const StoreFolder folder;
    std::ofstream(folder.file()).close();
    VERIFY_OK(Database::open(folder.file()));
  }

  void storesOfEveryEarlierVersionOpen() {
    for (std::size_t version = 1; version <= migrations().size(); ++version) {
      const StoreFolder folder;
      for (std::size_t i = 0; i < version; ++i) QVERIFY(rawSql(folder.file(), migrations()[i]));
      QVERIFY(rawSql(folder.file(), "PRAGMA application_id = 1298754668"));
      QVERIFY(rawSql(folder.file(), "PRAGMA user_version = " + std::to_string(version)));
      QVERIFY(rawSql(folder.file(), R"(
        INSERT INTO experiments(name, created_ms) VALUES('old', 1);
        INSERT INTO pipelines(digest, json) VALUES('d', '{}');
        INSERT INTO runs(uid, experiment_id, pipeline_id, pipeline_name, name, notes,
          engine_version, state, started_ms, boot_id, pid_namespace, pid, pid_start, heartbeat_ms)
          VALUES('u', 1, 1, 'p', 'kept', '', '0', 'finished', 5, 'b', 'n', 1, 1, 5);)"));
      auto store = RunStore::open(folder.file());
      VERIFY_OK(store);
      const auto runs = store->list({});
      VERIFY_OK(runs);
      QCOMPARE(runs->size(), std::size_t{1});
      QCOMPARE(runs->front().name, std::string("kept"));
      QCOMPARE(rawText(folder.file(), "PRAGMA user_version"), std::to_string(migrations().size()));
    }
  }

  void aMigrationThatFailsChangesNothing() {
    const StoreFolder folder;
    QVERIFY(rawSql(folder.file(), migrations()[0]));
    QVERIFY(rawSql(folder.file(),
                   "PRAGMA application_id = 1298754668; PRAGMA user_version = 1;"
                   "CREATE TABLE trials(x)"));
    QVERIFY(!Database::open(folder.file()).ok());
    QCOMPARE(rawText(folder.file(), "PRAGMA user_version"), std::string("1"));
    QCOMPARE(rawText(folder.file(), "SELECT count(*) FROM sqlite_schema WHERE name='predictions'"),
             std::string("0"));
  }

  void refusesANewerStore() {
    const StoreFolder folder;
    VERIFY_OK(Database::open(folder.file()));
    QVERIFY(rawSql(folder.file(), "PRAGMA user_version = 99"));
    VERIFY_REFUSED(Database::open(folder.file()), folder.file(),
                   "newer Millrace (store version 99");
  }

  void refusesAnotherProgramsDatabaseAndLeavesItAlone() {
    const StoreFolder folder;
    QVERIFY(rawSql(folder.file(), "CREATE TABLE bookmarks(url)"));
    VERIFY_REFUSED(Database::open(folder.file()), folder.file(), "is not a Millrace store");
    QCOMPARE(rawText(folder.file(), "PRAGMA journal_mode"), std::string("delete"));
    QCOMPARE(rawText(folder.file(), "SELECT count(*) FROM sqlite_schema"), std::string("1"));
    QVERIFY(rawSql(folder.file(), "PRAGMA application_id = 7"));
    VERIFY_REFUSED(Database::open(folder.file()), folder.file(), "is not a Millrace store");
  }

  void refusesAFileThatIsNoDatabaseAndLeavesItAlone() {
    const StoreFolder folder;
    const std::string text(5000, 'x');
    std::ofstream(folder.file()) << text;
    VERIFY_REFUSED(Database::open(folder.file()), folder.file(), "not an SQLite database");
    QCOMPARE(std::filesystem::file_size(folder.file()), std::uintmax_t{5000});
  }

  void refusesAFolder() {
    const StoreFolder folder;
    VERIFY_REFUSED(Database::open(folder.folder()), folder.folder(), "it is a folder");
  }

  void namesADamagedFile_data() {
    QTest::addColumn<bool>("truncate");
    QTest::newRow("cut in half") << true;
    QTest::newRow("pages overwritten") << false;
  }
  void namesADamagedFile() {
    QFETCH(bool, truncate);
    const StoreFolder folder;
    VERIFY_OK(RunStore::open(folder.file())->beginRun(smallRun()));
    const auto size = std::filesystem::file_size(folder.file());
    if (truncate) {
      std::filesystem::resize_file(folder.file(), size / 2);
    } else {
      std::fstream file(folder.file(), std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(4096);
      file << std::string(size - 4096, '\xa5');
    }
    auto store = RunStore::open(folder.file());
    if (!store.ok()) {
      VERIFY_REFUSED(store, folder.file(), "is damaged");
      return;
    }
    VERIFY_REFUSED(store->list({}), folder.file(), "is damaged");
  }

  void saysThatAnotherProgramHoldsTheLock() {
    const StoreFolder folder;
    auto other = Database::open(folder.file());
    VERIFY_OK(other);
    Database::Options options;
    options.busyTimeout = kShort;
    auto store = RunStore::open(folder.file(), options);
    VERIFY_OK(store);
    const Transaction held(*other);
    VERIFY_OK(held.begun());
    VERIFY_REFUSED(store->beginRun(smallRun()), folder.file(), "is locked by another program");
    // Readers are not blocked.
    VERIFY_OK(store->list({}));
  }

  void aFullDiskIsAnErrorAndTheFileStaysSound() {
    const StoreFolder folder;
    VERIFY_OK(Database::open(folder.file()));
    Database::Options options;
    options.maxPages = 64;
    auto store = RunStore::open(folder.file(), options);
    VERIFY_OK(store);
    const auto run = store->beginRun(smallRun());
    VERIFY_OK(run);
    Status written;
    int before = 0;
    const std::string sample(500, 's');
    for (; written.ok() && before < 1000; before += written.ok() ? 1 : 0) {
      const std::array failures = {FailureRecord{sample, "broken"}};
      written = store->addFailures(*run, failures, before + 1);
    }
    VERIFY_REFUSED(written, folder.file(), "the disk is full");
    QCOMPARE(rawText(folder.file(), "PRAGMA integrity_check"), std::string("ok"));
    const auto details = store->show(*run);
    VERIFY_OK(details);
    QCOMPARE(details->failures.size(), static_cast<std::size_t>(before));
    QCOMPARE(details->summary.failedSamples, before);
  }

  void aReadOnlyFileIsAnErrorForAWriterOnly() {
    const StoreFolder folder;
    VERIFY_OK(RunStore::open(folder.file())->beginRun(smallRun()));
    allow(folder.file(), 0444);
    allow(folder.folder(), 0555);
    {
      const tests::Unprivileged user;
      VERIFY_REFUSED(Database::open(folder.file()), folder.file(), "is read-only");
      auto reader = RunStore::open(folder.file(), reading());
      VERIFY_OK(reader);
      QCOMPARE(reader->list({})->size(), std::size_t{1});
      const auto absent = folder.folder() / "new" / "runs.db";
      VERIFY_REFUSED(Database::open(absent), absent.parent_path(), "cannot make the folder");
    }
    allow(folder.folder(), 0755);
  }

  void aReadOnlyStoreOfAnEarlierVersionSaysSo() {
    const StoreFolder folder;
    QVERIFY(rawSql(folder.file(), migrations()[0]));
    QVERIFY(rawSql(folder.file(), "PRAGMA application_id = 1298754668; PRAGMA user_version = 1"));
    allow(folder.file(), 0444);
    allow(folder.folder(), 0555);
    {
      const tests::Unprivileged user;
      VERIFY_REFUSED(Database::open(folder.file(), reading()), folder.file(), "older version");
    }
    allow(folder.folder(), 0755);
  }

  void readingMakesNoFile() {
    const StoreFolder folder;
    VERIFY_REFUSED(Database::open(folder.file(), reading()), folder.file(), "cannot be opened");
    QVERIFY(!std::filesystem::exists(folder.file()));
  }

  void networkFileSystemsGetNoLogFile() {
    QCOMPARE(journalFor(0xEF53), Journal::Wal);           // ext4
    QCOMPARE(journalFor(0x01021994), Journal::Wal);       // tmpfs
    QCOMPARE(journalFor(0x794c7630), Journal::Wal);       // overlayfs
    QCOMPARE(journalFor(0x6969), Journal::Rollback);      // NFS
    QCOMPARE(journalFor(0xFF534D42), Journal::Rollback);  // CIFS
    QCOMPARE(journalFor(0x65735546), Journal::Rollback);  // FUSE
  }
};

}  // namespace millrace

using millrace::TestDatabase;
MILLRACE_TEST_CASE(TestDatabase)
#include "tst_database.moc"
