// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/host_sampler.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include <sys/mman.h>
#include <unistd.h>
#include <QTemporaryDir>

#include "core/base/thread_name.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

CoreTimes core(int number, double user, double idle, double iowait = 0, double steal = 0) {
  return {number, user, 0, idle, iowait, steal};
}

HostSample sampleAt(double seconds) {
  HostSample sample;
  sample.time = SteadyTime(std::chrono::milliseconds(static_cast<int>(seconds * 1000)));
  return sample;
}

}  // namespace

class TestHostSampler : public QObject {
  Q_OBJECT
 private slots:
  void sharesComeFromTwoSamples() {
    HostSample earlier = sampleAt(10);
    HostSample later = sampleAt(14);
    earlier.machine = MachineTimes{core(-1, 100, 500), {core(0, 50, 250), core(1, 50, 250)}};
    later.machine = MachineTimes{core(-1, 104, 502.8, 0.8, 0.4),
                                 {core(0, 53, 251), core(1, 51, 251.8, 0.8, 0.4)}};
    earlier.cpuSeconds = 7;
    later.cpuSeconds = 10;
    earlier.reads.callBytes = 1000;
    later.reads.callBytes = 5000;
    earlier.flows[Flow::ProcessRead] = 500;
    later.flows[Flow::ProcessRead] = 900;
    earlier.flows[Flow::DiskRead] = 9000;  // A disk was removed.
    later.flows[Flow::DiskRead] = 8000;
    earlier.threads = {{1, "main", ThreadSchedule{1, 1}}, {3, "gone", ThreadSchedule{1, 1}}};
    later.threads = {{1, "main", ThreadSchedule{3, 1.4}}, {4, "new", ThreadSchedule{1, 1}}};
    const HostShares shares = sharesBetween(earlier, later);
    QCOMPARE(shares.seconds, 4.0);
    QCOMPARE(*shares.coreBusyShare, 0.5);
    QCOMPARE(*shares.otherBusyShare, 0.125);
    QCOMPARE(*shares.iowaitShare, 0.1);
    QCOMPARE(*shares.stealShare, 0.05);
    QCOMPARE(shares.cores.size(), std::size_t{2});
    QCOMPARE(shares.cores[0].busy, 0.75);
    QCOMPARE(shares.processCpuShare, 0.75);
    QCOMPARE(*shares.bytesPerSecond[Flow::ProcessRead], 100.0);
    QVERIFY(!shares.bytesPerSecond[Flow::DiskRead] && !shares.bytesPerSecond[Flow::NetworkSent]);
    QCOMPARE(*shares.readCallBytesPerSecond, 1000.0);
    QCOMPARE(shares.threads.size(), std::size_t{1});
    QCOMPARE(shares.threads[0].cpuShare, 0.5);
    QVERIFY(std::abs(shares.threads[0].runDelayShare - 0.1) < 1e-12);
  }

  void theProgramThatStartedThisOneIsNoOtherProgram() {
    HostSample earlier = sampleAt(10);
    HostSample later = sampleAt(14);
    earlier.machine = MachineTimes{core(-1, 100, 500), {}};
    later.machine = MachineTimes{core(-1, 104, 504), {}};
    earlier.ancestors = {{71, 50}, {70, 5}};
    later.ancestors = {{71, 53}, {72, 900}};  // 72 is new, and its time is from before.
    QCOMPARE(*sharesBetween(earlier, later).otherBusyShare, 0.125);
  }

  void whatTheKernelDoesNotTellIsAbsent() {
    const HostShares shares = sharesBetween(sampleAt(1), sampleAt(2));
    QVERIFY(!shares.coreBusyShare && !shares.otherBusyShare && !shares.stealShare);
    QVERIFY(shares.bytesPerSecond == PerFlow<double>());
    QVERIFY(shares.cores.empty() && shares.threads.empty());
    HostSample zeros = sampleAt(1);
    zeros.machine = MachineTimes{};
    HostSample later = zeros;
    later.time += std::chrono::seconds(1);
    QVERIFY(!sharesBetween(zeros, later).coreBusyShare);
    QCOMPARE(sharesBetween(zeros, zeros).seconds, 0.0);
  }

  void totalsThatStepBackGiveNoNegativeShare() {
    HostSample earlier = sampleAt(1);
    HostSample later = sampleAt(2);
    earlier.machine = MachineTimes{core(-1, 10, 10, 5), {}};
    later.machine = MachineTimes{core(-1, 11, 11, 4.9), {}};
    earlier.cpuSeconds = 0;
    later.cpuSeconds = 1.2;
    const HostShares shares = sharesBetween(earlier, later);
    QCOMPARE(*shares.iowaitShare, 0.0);
    QCOMPARE(*shares.otherBusyShare, 0.0);
  }

  void thisProcessIsSampled() {
    const HostSample sample = HostSampler().sample();
    QCOMPARE(sample.ancestors.empty() ? getppid() : sample.ancestors.front().id, getppid());
    QVERIFY(sample.machine && sample.machine->all.total() > 0);
    QVERIFY(!sample.machine->cores.empty());
    QVERIFY(sample.cpuSeconds > 0);
    QVERIFY(*sample.memory.rssBytes > 1'000'000);
    QVERIFY(*sample.memory.peakRssBytes >= *sample.memory.rssBytes);
    QVERIFY(!sample.threads.empty());
    QCOMPARE(sample.threads.front().id, static_cast<int>(getpid()));
    QVERIFY(HostSampler().sample(false).threads.empty());
  }

  void threadsAreSampledByName() {
    std::atomic<int> phase{0};
    std::thread worker([&] {
      setThreadName("decode[1]");
      phase = 1;
      phase.notify_all();
      phase.wait(1);
    });
    phase.wait(0);
    const HostSample sample = HostSampler().sample();
    phase = 2;
    phase.notify_all();
    worker.join();
    const auto found = std::ranges::find(sample.threads, "decode[1]", &ThreadSample::name);
    QVERIFY(found != sample.threads.end());
    if (found->schedule) QVERIFY(found->schedule->ranSeconds > 0);
  }

  void workDoneShowsInTheProcessesTime() {
    const HostSampler sampler;
    const HostSample earlier = sampler.sample();
    volatile double sum = 0;
    HostSample later = earlier;
    // Loop until CPU time has passed, not wall time, so that a busy machine does not matter.
    while (later.cpuSeconds - earlier.cpuSeconds < 0.02) {
      for (int i = 0; i < 100000; ++i) sum = sum + i;
      later = sampler.sample();
    }
    const HostShares shares = sharesBetween(earlier, later);
    QVERIFY(shares.processCpuShare > 0);
    QVERIFY(*shares.readCallBytesPerSecond > 0);
  }

  void aMissingProcGivesAbsentFigures() {
    const QTemporaryDir folder;
    const HostSample sample = HostSampler(steadyClock(), folder.path().toStdString()).sample();
    QVERIFY(!sample.machine && !sample.memory.rssBytes && sample.threads.empty());
  }

  void thePeakOfMemoryCanBeReset() {
    // Mapped directly, because a sanitizer's allocator would keep freed memory.
    constexpr std::size_t kBlock = 64U << 20U;
    void* block = mmap(nullptr, kBlock, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    QVERIFY(block != MAP_FAILED);
    munmap(block, kBlock);
    const auto before = *HostSampler().sample(false).memory.peakRssBytes;
    if (!resetPeakMemory()) QSKIP("the kernel refuses /proc/self/clear_refs");
    QVERIFY(*HostSampler().sample(false).memory.peakRssBytes + kBlock / 2 < before);
  }
};

}  // namespace millrace

using millrace::TestHostSampler;
MILLRACE_TEST_CASE(TestHostSampler)
#include "tst_host_sampler.moc"
