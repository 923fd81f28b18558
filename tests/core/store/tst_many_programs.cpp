// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Programs that use one store at the same time, and programs that are killed while writing.
// Children are forked before the parent opens the store, because a connection must not be used
// across a fork.
#include <csignal>
#include <cstdio>

#include "tests/core/store/store_fixture.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

/// Writes a run with `windows` windows and a series; returns 0 on success.
int writeRun(const std::filesystem::path& file, int windows) {
  auto store = RunStore::open(file);
  if (!store.ok()) {
    std::fprintf(stderr, "%s\n", store.error().message.c_str());
    return 1;
  }
  const auto run = store->beginRun(smallRun());
  if (!run.ok()) return 2;
  const auto repeat = store->beginRepeat(*run, 0);
  if (!repeat.ok()) return 3;
  for (int i = 0; i < windows; ++i) {
    const std::array points = {SeriesPoint{i * 0.2, 1.0 * i}};
    if (!store->addWindow(*repeat, {1.0 * i, 1.0, 10, 1}).ok()) return 4;
    if (!store->addSeries(*repeat, "process.rss_bytes", points).ok()) return 5;
  }
  return store->finishRun(*run, RunState::Finished, "", {}).ok() ? 0 : 6;
}

/// Like writeRun, but does not end; writes a byte to `pipe` once `windows` windows are written.
int writeForEver(const std::filesystem::path& file, int windows, int pipe) {
  auto store = RunStore::open(file);
  const auto run = store->beginRun(smallRun("killed"));
  const auto repeat = store->beginRepeat(*run, 0);
  const std::array points = {SeriesPoint{1, 2}};
  for (int i = 0;; ++i) {
    if (i == windows && write(pipe, "x", 1) != 1) return 1;
    if (!store->addWindow(*repeat, {1.0 * i, 1.0, 10, 1}).ok()) return 2;
    if (!store->addSeries(*repeat, "process.rss_bytes", points).ok()) return 3;
  }
}

/// Leaves a transaction open with everything in it, writes a byte, and waits to be killed.
int stopWithinATransaction(const std::filesystem::path& file, int pipe) {
  auto database = Database::open(file);
  const Transaction transaction(*database);
  const bool inserted =
      database->run("INSERT INTO experiments(name, created_ms) VALUES('half', 1)").ok() &&
      database->run("PRAGMA cache_spill = 1").ok();
  if (!inserted || write(pipe, "x", 1) != 1) return 1;
  pause();
  return 2;
}

/// Starts `work` in a child and kills it once it has written a byte; false if it ended before that.
bool killOnceItSays(const std::function<int(int)>& work) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return false;
  const pid_t child = inChild([&] { return work(ends[1]); });
  close(ends[1]);
  char byte = 0;
  const bool said = read(ends[0], &byte, 1) == 1;
  close(ends[0]);
  kill(child, SIGKILL);
  return exitOf(child) == -1 && said;
}

}  // namespace

class TestManyPrograms : public QObject {
  Q_OBJECT
 private slots:
  void aKilledWritersRunIsThereAndInterrupted() {
    const StoreFolder folder;
    constexpr int kRounds = 8;
    for (int round = 0; round < kRounds; ++round)
      QVERIFY(killOnceItSays(
          [&](int pipe) { return writeForEver(folder.file(), 3 + round * 7, pipe); }));
    QCOMPARE(rawText(folder.file(), "PRAGMA integrity_check"), std::string("ok"));
    auto store = RunStore::open(folder.file());
    VERIFY_OK(store);
    const auto runs = store->list({});
    VERIFY_OK(runs);
    QCOMPARE(runs->size(), static_cast<std::size_t>(kRounds));
    for (std::size_t i = 0; i < runs->size(); ++i) {
      QCOMPARE((*runs)[i].state, RunState::Interrupted);
      QVERIFY(!(*runs)[i].reason.empty());
      QCOMPARE(*(*runs)[i].samplesPerSecond, 10.0);
      const auto details = store->show((*runs)[i].number);
      QVERIFY(details->repeats.at(0).windows.size() >= 3 + (kRounds - 1 - i) * 7);
      QVERIFY(!details->repeats[0].finished);
    }
  }

  void aWriterKilledWithinATransactionLeavesNothingOfIt() {
    const StoreFolder folder;
    QVERIFY(killOnceItSays([&](int pipe) { return stopWithinATransaction(folder.file(), pipe); }));
    QCOMPARE(rawText(folder.file(), "PRAGMA integrity_check"), std::string("ok"));
    QCOMPARE(rawText(folder.file(), "SELECT count(*) FROM experiments"), std::string("0"));
    QCOMPARE(exitOf(inChild([&] { return writeRun(folder.file(), 3); })), 0);
  }

  void twoWritersAndAReaderWorkAtOnce() {
    const StoreFolder folder;
    constexpr int kWindows = 100;
    const auto writer = [&] { return writeRun(folder.file(), kWindows); };
    const pid_t first = inChild(writer);
    const pid_t second = inChild(writer);
    auto store = RunStore::open(folder.file());
    VERIFY_OK(store);
    int reads = 0;
    int left = 2;
    while (left > 0) {
      const auto runs = store->list({});
      VERIFY_OK(runs);
      for (const RunSummary& run : *runs) VERIFY_OK(store->show(run.number));
      ++reads;
      int status = 0;
      const pid_t ended = waitpid(-1, &status, WNOHANG);
      if (ended != first && ended != second) continue;
      QCOMPARE(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0);
      --left;
    }
    QVERIFY(reads > 0);
    const auto runs = store->list({});
    QCOMPARE(runs->size(), std::size_t{2});
    for (const RunSummary& run : *runs) {
      QCOMPARE(run.state, RunState::Finished);
      const auto details = store->show(run.number);
      QCOMPARE(details->repeats.at(0).windows.size(), std::size_t{kWindows});
      QCOMPARE(store->series(details->repeats[0].id, "process.rss_bytes")->size(),
               std::size_t{kWindows});
    }
  }

  void programsThatMakeTheSameStoreAtOnceAllSucceed() {
    for (int round = 0; round < 5; ++round) {
      const StoreFolder folder;
      std::array<pid_t, 4> children{};
      for (pid_t& child : children) child = inChild([&] { return writeRun(folder.file(), 2); });
      for (const pid_t child : children) QCOMPARE(exitOf(child), 0);
      QCOMPARE(rawText(folder.file(), "SELECT count(*) FROM runs"), std::string("4"));
    }
  }
};

}  // namespace millrace

using millrace::TestManyPrograms;
MILLRACE_TEST_CASE(TestManyPrograms)
#include "tst_many_programs.moc"
