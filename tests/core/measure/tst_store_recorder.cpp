// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/store_recorder.h"

#include <algorithm>

#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

RunSnapshot snapshotAt(double seconds, std::optional<std::uint64_t> read) {
  RunSnapshot snapshot;
  snapshot.seconds = seconds;
  snapshot.host.flows[Flow::DiskRead] = read;
  snapshot.host.flows[Flow::NetworkSent] = 7;
  return snapshot;
}

}  // namespace

class TestStoreRecorder : public QObject {
  Q_OBJECT
 private slots:
  void trafficIsKeptAsRatesAndWhatWasNotCountedIsNotKept() {
    const tests::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "runs.db";
    auto recorder = StoreRecorder::begin(file, {}, Plan(), "p.json", "{}", {}).take();
    for (std::size_t repeat = 0; repeat < 2; ++repeat) {
      recorder->onPhase({.repeat = repeat, .repeats = 2});
      recorder->onSnapshot(snapshotAt(1, 1000));
      recorder->onSnapshot(snapshotAt(1.5, 4000));
      recorder->onSnapshot(snapshotAt(2, {}));
      recorder->onSnapshot(snapshotAt(2.5, 9000));
      recorder->onSnapshot(snapshotAt(3, 8000));  // A disk was removed.
      recorder->onSnapshot(snapshotAt(4, 8000));
      recorder->onRepeat(repeat, {});
    }
    const RunNumber run = recorder->run();
    recorder->finish({});
    VERIFY_OK(recorder->close());
    RunStore store = RunStore::open(file).take();
    const RunDetails details = store.show(run).take();
    QCOMPARE(details.repeats.size(), std::size_t{2});
    for (const RepeatRecord& repeat : details.repeats) {
      const auto rates = store.series(repeat.id, "machine.disk_read_bytes_per_second").take();
      QCOMPARE(rates, (std::vector<SeriesPoint>{{1.5, 6000}, {4, 0}}));
      const auto sent = store.series(repeat.id, "machine.network_sent_bytes_per_second").take();
      QCOMPARE(sent.size(), std::size_t{5});
      QCOMPARE(sent[0].value, 0.0);
      QCOMPARE(std::ranges::count(repeat.seriesMetrics, "process.read_bytes_per_second"), 0);
    }
  }

  /// At the snapshots the queue happens to be empty, although it was half full in between.
  void theFillOfAQueueIsItsMeanSinceTheLastSnapshot() {
    const tests::TemporaryFolder folder;
    const auto file = folder.path() / "runs.db";
    auto recorder = StoreRecorder::begin(file, NewRun{}, {"prefetch"}).take();
    recorder->onPhase({});
    RunSnapshot snapshot;
    QueueTotals& queue = snapshot.totals.queues.emplace_back();
    for (const auto& [seconds, fill] : {std::pair(1.0, 0.5), {2.0, 2.0}, {4.0, 5.0}}) {
      snapshot.seconds = queue.seconds = seconds;
      queue.fillSeconds = fill;
      recorder->onSnapshot(snapshot);
    }
    recorder->onRepeat(0, {});
    const RunNumber run = recorder->run();
    recorder->finish({});
    VERIFY_OK(recorder->close());
    RunStore store = RunStore::open(file).take();
    const RepeatId repeat = store.show(run).take().repeats.front().id;
    QCOMPARE(store.series(repeat, "queue.fill/prefetch").take(),
             (std::vector<SeriesPoint>{{1, 0.5}, {2, 1.5}, {4, 1.5}}));
  }
};

}  // namespace millrace

using millrace::TestStoreRecorder;
MILLRACE_TEST_CASE(TestStoreRecorder)
#include "tst_store_recorder.moc"
