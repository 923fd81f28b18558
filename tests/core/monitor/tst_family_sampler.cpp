// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/family_sampler.h"

#include <algorithm>

#include <unistd.h>

#include "tests/core/monitor/fake_root.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// A process that has used so many ticks, and whose ended children have used others.
void putProcess(const tests::FakeRoot& root, int id, int parent, int ticks, int childTicks,
                int majorFaults = 0) {
  root.put("proc/" + std::to_string(id) + "/stat",
           std::to_string(id) + " (a (b) c) S " + std::to_string(parent) + " 1 1 0 -1 0 0 0 " +
               std::to_string(majorFaults) + " 0 " + std::to_string(ticks) + " 0 " +
               std::to_string(childTicks) + " 0 20 0 1 0 7");
}

double secondsOf(int ticks) {
  return static_cast<double>(ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace

class TestFamilySampler : public QObject {
  Q_OBJECT
 private slots:
  void everythingBelowTheGuardCounts() {
    const tests::FakeRoot root;
    putProcess(root, 100, 1, 7, 40);         // the guard, which has adopted and collected a process
    putProcess(root, 101, 100, 200, 10, 3);  // the program, one of whose workers has ended
    putProcess(root, 102, 101, 500, 0, 2);
    putProcess(root, 103, 102, 50, 0);
    putProcess(root, 104, 100, 5, 0);  // adopted by the guard
    putProcess(root, 200, 1, 9000, 9000, 99);
    root.put("proc/not-a-process/stat", "x");
    root.put("proc/105/stat", "105 (cut) S 101 1");
    FamilySampler sampler(100, 101, steadyClock(), root.path() / "proc");
    const FamilySample sample = sampler.sample();
    QCOMPARE(sample.host.cpuSeconds, secondsOf(40 + 210 + 500 + 50 + 5));
    QCOMPARE(sample.programCpuSeconds, secondsOf(200));
    QCOMPARE(sample.workers, std::size_t{3});
    QCOMPARE(sample.host.majorFaults, std::uint64_t{5});
    // What this process and the guard use is not that of other programs.
    const auto& ancestors = sample.host.ancestors;
    QVERIFY(std::ranges::any_of(ancestors, [](const auto& one) { return one.id == getpid(); }));
    const auto guard = std::ranges::find(ancestors, 100, &ProcessCpu::id);
    QVERIFY(guard != ancestors.end());
    QCOMPARE(guard->seconds, secondsOf(7));
  }

  void sharedMemoryCountsInParts() {
    const tests::FakeRoot root;
    putProcess(root, 100, 1, 0, 0);
    putProcess(root, 101, 100, 0, 0);
    putProcess(root, 102, 101, 0, 0);
    root.put("proc/100/smaps_rollup", "x\nPss:   900 kB\n");
    root.put("proc/101/smaps_rollup", "55-77 ---p 0 00:00 0 [rollup]\nRss: 80 kB\nPss:   60 kB\n");
    root.put("proc/102/status", "VmHWM: 99 kB\nVmRSS: 30 kB\n");  // an old kernel
    FamilySampler sampler(100, 101, steadyClock(), root.path() / "proc");
    QCOMPARE(*sampler.sample().host.memory.rssBytes, std::uint64_t{90 * 1024});
    root.put("proc/101/smaps_rollup", "Pss:   5000 kB\n");
    // Not read again at once.
    QCOMPARE(*sampler.sample().host.memory.peakRssBytes, std::uint64_t{90 * 1024});
  }

  void aFamilyThatIsGoneHasUsedNothing() {
    const tests::FakeRoot root;
    putProcess(root, 200, 1, 10, 10);
    FamilySampler sampler(100, 101, steadyClock(), root.path() / "proc");
    const FamilySample sample = sampler.sample();
    QCOMPARE(sample.host.cpuSeconds, 0.0);
    QCOMPARE(sample.workers, std::size_t{0});
    QVERIFY(!sample.host.memory.rssBytes);
  }
};

MILLRACE_TEST_CASE(TestFamilySampler)

}  // namespace millrace

#include "tst_family_sampler.moc"
