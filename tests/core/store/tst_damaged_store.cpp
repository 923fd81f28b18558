// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A store with damage in one place loses no more than what was there.
#include <fstream>

#include "tests/core/store/rich_run.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

/// Overwrites the page whose number is the first column of the SQL's result.
bool damagePage(const std::filesystem::path& file, const std::string& pageSql) {
  rawText(file, "PRAGMA wal_checkpoint(TRUNCATE)");
  const long page = std::strtol(rawText(file, pageSql).c_str(), nullptr, 10);
  if (page < 2) return false;
  std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
  bytes.seekp((page - 1) * 4096);
  bytes << std::string(4096, '\xa5');
  return bytes.good();
}

}  // namespace

class TestDamagedStore : public QObject {
  Q_OBJECT
 private slots:
  void oneDamagedPageCostsItsOwnRunsAlone() {
    const StoreFolder folder;
    constexpr int kRuns = 200;
    {
      auto store = RunStore::open(folder.file());
      for (int i = 0; i < kRuns; ++i) QVERIFY(richRun(*store, "run") == RunNumber{i + 1});
    }
    QVERIFY(damagePage(folder.file(),
                       "SELECT pageno FROM dbstat WHERE name = 'runs' AND pagetype = 'leaf' "
                       "ORDER BY pageno LIMIT 1 OFFSET 2"));
    auto store = RunStore::open(folder.file());
    VERIFY_OK(store);
    RunQuery query;
    query.limit = kRuns;
    const auto list = store->search(query);
    VERIFY_OK(list);
    QVERIFY(list->unreadable > 0 && list->unreadable < kRuns / 2);
    QCOMPARE(static_cast<std::int64_t>(list->runs.size()) + list->unreadable, std::int64_t{kRuns});
    QVERIFY(list->damage.find("is damaged") != std::string::npos);
    // The undamaged runs can be copied to a new store.
    const StoreFolder to;
    auto target = RunStore::open(to.file());
    auto source = RunStore::openSource(folder.file());
    for (const RunSummary& run : list->runs)
      QVERIFY(*target->importRun(*source, run.number) == RunStore::Import::Added);
    QCOMPARE(target->search(query)->matching, static_cast<std::int64_t>(list->runs.size()));
  }

  void aRunIsShownWithoutWhatIsDamaged() {
    const StoreFolder folder;
    VERIFY_OK(RunStore::open(folder.file()));
    {
      auto store = RunStore::open(folder.file());
      QVERIFY(richRun(*store, "run") == RunNumber{1});
    }
    QVERIFY(damagePage(folder.file(), "SELECT rootpage FROM sqlite_schema WHERE name = 'windows'"));
    auto store = RunStore::open(folder.file());
    const auto details = store->show(RunNumber{1});
    VERIFY_OK(details);
    QCOMPARE(details->unreadable, std::vector<std::string>{"windows of repeat 1"});
    QCOMPARE(details->settings.size(), std::size_t{2});
    QCOMPARE(details->repeats.at(0).nodes.size(), std::size_t{1});
    const StoreFolder to;
    auto target = RunStore::open(to.file());
    auto source = RunStore::openSource(folder.file());
    QVERIFY(*target->importRun(*source, RunNumber{1}) == RunStore::Import::Unreadable);
    QVERIFY2(target->list({})->empty(), "half of a run was imported");
  }
};

}  // namespace millrace

using millrace::TestDamagedStore;
MILLRACE_TEST_CASE(TestDamagedStore)
#include "tst_damaged_store.moc"
