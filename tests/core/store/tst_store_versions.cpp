// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Stores of every released version.
#include "core/store/migrations/migrations.h"
#include "tests/core/store/rich_run.h"
#include "tests/support/places.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

/// A store as version `version` wrote it: the schema and rows of the first version, then the
/// released migrations.
bool makeFixture(const std::filesystem::path& file, std::size_t version) {
  const auto runFile = [&](const std::string& name) {
    const std::string sql = contentOf(tests::sourcePath("tests/core/store/fixtures/" + name));
    return !sql.empty() && rawSql(file, sql);
  };
  bool made = runFile("version_1.sql");
  for (std::size_t next = 2; next <= version; ++next)
    made = made && runFile("to_version_" + std::to_string(next) + ".sql");
  return made && rawText(file, "PRAGMA user_version") == std::to_string(version);
}

/// Every table and index of a store, as SQL, by name.
std::string schemaOf(const std::filesystem::path& file) {
  return rawText(file,
                 "SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema WHERE sql IS "
                 "NOT NULL ORDER BY name)");
}

}  // namespace

class TestStoreVersions : public QObject {
  Q_OBJECT
 private slots:
  void theMigrationsAreStillThoseThatWereReleased() {
    for (std::size_t version = 1; version < migrations().size(); ++version) {
      const StoreFolder released;
      const StoreFolder now;
      QVERIFY(makeFixture(released.file(), version));
      for (std::size_t i = 0; i < version; ++i) QVERIFY(rawSql(now.file(), migrations()[i]));
      QCOMPARE(schemaOf(now.file()), schemaOf(released.file()));
    }
  }

  void storesOfEveryEarlierVersionAreBroughtForward_data() {
    QTest::addColumn<int>("version");
    for (int version = 1; version < static_cast<int>(migrations().size()); ++version)
      QTest::addRow("version %d", version) << version;
  }
  void storesOfEveryEarlierVersionAreBroughtForward() {
    QFETCH(int, version);
    const StoreFolder folder;
    QVERIFY(makeFixture(folder.file(), static_cast<std::size_t>(version)));
    auto store = RunStore::open(folder.file());
    VERIFY_OK(store);
    const auto runs = store->list({});
    VERIFY_OK(runs);
    QCOMPARE(runs->size(), std::size_t{2});
    QCOMPARE((*runs)[0].state, RunState::Interrupted);
    QCOMPARE(*(*runs)[0].samplesPerSecond, 500.0);
    QVERIFY((*runs)[1].baseline);
    const auto details = store->show(RunNumber{1});
    QCOMPARE(details->notes, std::string("its \"quoted\""));
    QCOMPARE(details->repeats.at(0).seriesMetrics.size(), std::size_t{1});
    QCOMPARE(store->series(details->repeats[0].id, "process.rss_bytes")->at(1).value, 1.1e8);
    RunQuery query;
    query.where = parseQuery("workers.count > 2 and tag:keep", *store->vocabulary(), {}).condition;
    QCOMPARE(store->list(query)->size(), std::size_t{1});
    QCOMPARE(rawText(folder.file(), "PRAGMA integrity_check"), std::string("ok"));
    VERIFY_OK(store->beginRun(smallRun()));
  }

  void anOlderStoreIsImportedAndStaysOld() {
    for (std::size_t version = 1; version < migrations().size(); ++version) {
      const StoreFolder from;
      const StoreFolder to;
      QVERIFY(makeFixture(from.file(), version));
      const std::string before = contentOf(from.file());
      auto source = RunStore::openSource(from.file());
      VERIFY_OK(source);
      auto target = RunStore::open(to.file());
      for (const int run : {1, 2})
        QVERIFY(*target->importRun(*source, RunNumber{run}) == RunStore::Import::Added);
      for (const int run : {1, 2})
        QCOMPARE(fingerprint(*target, RunNumber{run}), fingerprint(*source, RunNumber{run}));
      QCOMPARE(contentOf(from.file()), before);
      const std::string predictions = rawText(to.file(), "SELECT count(*) FROM predictions");
      QCOMPARE(predictions, std::string(version < 2 ? "0" : "1"));
    }
  }
};

}  // namespace millrace

using millrace::TestStoreVersions;
MILLRACE_TEST_CASE(TestStoreVersions)
#include "tst_store_versions.moc"
