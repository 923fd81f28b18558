// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/proc_text.h"

#include <limits>

#include "tests/support/test_case.h"

namespace millrace {

class TestProcText : public QObject {
  Q_OBJECT
 private slots:
  void coresAreReadInSeconds() {
    const auto times = parseMachineTimes(
        "cpu  1000 20 300 40000 500 6 70 8 9 10\n"
        "cpu0 600 10 100 20000 300 2 30 4 0 0\n"
        "cpu3 400 10 200 20000 200 4 40 4 9 10\n"
        "intr 12345 0 1\nctxt 99\ncpu9 1 1 1 1 1 1 1 1\n",
        100.0);
    QVERIFY(times);
    QCOMPARE(times->all.core, -1);
    QCOMPARE(times->all.user, 10.2);
    QCOMPARE(times->all.system, 3.76);
    QCOMPARE(times->all.idle, 400.0);
    QCOMPARE(times->all.iowait, 5.0);
    QCOMPARE(times->all.steal, 0.08);
    QCOMPARE(times->cores.size(), std::size_t{2});
    QCOMPARE(times->cores[1].core, 3);
    QCOMPARE(times->cores[1].busy(), 4.1 + 2.44);
  }

  void aKernelThatTellsNothingGivesNothing() {
    QVERIFY(!parseMachineTimes("", 100));
    QVERIFY(!parseMachineTimes("intr 1 2\n", 100));
    QVERIFY(!parseMachineTimes("cpu  1 2 3\n", 100));
    QVERIFY(!parseMachineTimes("cpu  1 2 3 x 5 6 7 8\n", 100));
    QVERIFY(!parseProcessMemory("").rssBytes);
    QVERIFY(!parseProcessMemory("VmRSS:\t lots kB\n").rssBytes);
    QVERIFY(!parseProcessReads("rchar: -5\n").callBytes);
    QVERIFY(!parseThreadSchedule("0 0 0\n"));
    QVERIFY(!parseThreadSchedule("5 6\n"));
    QVERIFY(!parseMemoryTotal("MemFree: 5 kB\n"));
    QVERIFY(!parseCpuModel("processor\t: 0\nBogoMIPS\t: 50\n"));
    QVERIFY(!parseDistribution("ID=debian\n"));
  }

  void memoryIsReadInBytes() {
    const auto memory =
        parseProcessMemory("Name:\tmillrace\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\n");
    QCOMPARE(*memory.peakRssBytes, std::uint64_t{2048 * 1024});
    QCOMPARE(*memory.rssBytes, std::uint64_t{1024 * 1024});
    QCOMPARE(*parseMemoryTotal("MemTotal:       16384 kB\nMemFree: 1 kB\n"),
             std::uint64_t{16384 * 1024});
    QCOMPARE(*parseMemoryAvailable("MemTotal: 9 kB\nMemAvailable:    512 kB\n"),
             std::uint64_t{512 * 1024});
    QVERIFY(!parseMemoryAvailable("MemTotal: 9 kB\n"));
    QCOMPARE(*parseMemoryStat("anon 5\nfile 8\ninactive_file 7\n", "inactive_file"),
             std::uint64_t{7});
  }

  void readsAreToldApart() {
    const auto reads =
        parseProcessReads("rchar: 900\nwchar: 1\nsyscr: 7\nread_bytes: 512\nwrite_bytes: 3\n");
    QCOMPARE(*reads.callBytes, std::uint64_t{900});
    QCOMPARE(*reads.calls, std::uint64_t{7});
    QCOMPARE(*reads.storageBytes, std::uint64_t{512});
    QCOMPARE(*reads.storageWrittenBytes, std::uint64_t{3});
  }

  void everyDiskHasItsBytes() {
    // Lines of Linux 2.6, 4.18 (discards) and 5.5 (flushes) have 14, 18 and 20 words.
    const auto disks = parseDisks(
        "   8 0 sda 10 1 100 7 20 2 50 9 0 1 2\n"
        " 254       0 vda 43912 16617 3490282 63079 39274 43854 3402336 17570 0 38332 81561 2741 0 "
        "343256 649 3319 261\n"
        "torn 1\n   8 2 sdb 1 0 x 0 0 0 2 0 0 0 0\n\n   8 3 sdc 1 0 8 0 0 0 -2 0 0 0 0\n");
    QCOMPARE(disks.size(), std::size_t{2});
    QCOMPARE(disks[0].name, std::string("sda"));
    QCOMPARE(disks[0].in, std::uint64_t{512 * 100});
    QCOMPARE(disks[0].out, std::uint64_t{512 * 50});
    QCOMPARE(disks[1].in, std::uint64_t{512} * 3490282);
    QVERIFY(parseDisks("").empty());
  }

  void everyInterfaceHasItsBytes() {
    const auto interfaces = parseInterfaces(
        "Inter-|   Receive                                                |  Transmit\n"
        " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs "
        "drop fifo colls carrier compressed\n"
        "    lo:    3267      29    0    0    0     0          0         0     3267      29    0   "
        " "
        "0    0     0       0          0\n"
        "enp0s3:18446744073709551615 1 0 0 0 0 0 0 7 1 0 0 0 0 0 0\n"
        "  cut: 5 6 7\n none 1 2 3 4 5 6 7 8 9\n : 1 2 3 4 5 6 7 8 9\n"
        "  odd: x 2 3 4 5 6 7 8 9\n");
    QCOMPARE(interfaces.size(), std::size_t{2});
    QCOMPARE(interfaces[0].name, std::string("lo"));
    QCOMPARE(interfaces[0].in, std::uint64_t{3267});
    QCOMPARE(interfaces[1].name, std::string("enp0s3"));
    QCOMPARE(interfaces[1].in, std::numeric_limits<std::uint64_t>::max());
    QCOMPARE(interfaces[1].out, std::uint64_t{7});
  }

  void childrenAreNumbers() {
    QCOMPARE(parseChildren("42 7 \n"), (std::vector<int>{42, 7}));
    QVERIFY(parseChildren("").empty() && parseChildren("x -1").empty());
  }

  void aThreadsScheduleIsInSeconds() {
    const auto schedule = parseThreadSchedule("1500000000 250000000 42\n");
    QCOMPARE(schedule->ranSeconds, 1.5);
    QCOMPARE(schedule->waitedSeconds, 0.25);
  }

  void theMachineIsNamed() {
    const std::string cpus =
        "processor\t: 0\nmodel name\t: AMD EPYC 9V74: 80-Core\nflags\t\t: fpu sse hypervisor avx\n";
    QCOMPARE(*parseCpuModel(cpus), std::string("AMD EPYC 9V74: 80-Core"));
    QVERIFY(parseVirtualised(cpus));
    QVERIFY(!parseVirtualised("flags : fpu sse\n"));
    QCOMPARE(*parseDistribution("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n"),
             std::string("Debian GNU/Linux 12 (bookworm)"));
    QCOMPARE(*parseDistribution("PRETTY_NAME=Arch"), std::string("Arch"));
    QCOMPARE(*parseDistribution("PRETTY_NAME=\""), std::string("\""));
  }

  void cgroupLimitsAreRead() {
    QCOMPARE(*parseCpuMax("150000 100000\n"), 1.5);
    QVERIFY(!parseCpuMax("max 100000\n"));
    QVERIFY(!parseCpuMax("-1\n 100000\n"));
    QVERIFY(!parseCpuMax("5 0"));
    QCOMPARE(*parseByteLimit("1073741824\n"), std::uint64_t{1} << 30U);
    QVERIFY(!parseByteLimit("max\n"));
    const std::string groups = "8:cpu,cpuacct:/a:b\n4:memory:/x\n0::/user.slice/y\n";
    QCOMPARE(*parseCgroupPath(groups, ""), std::string("/user.slice/y"));
    QCOMPARE(*parseCgroupPath(groups, "cpu"), std::string("/a:b"));
    QCOMPARE(*parseCgroupPath(groups, "memory"), std::string("/x"));
    QVERIFY(!parseCgroupPath(groups, "pids"));
    QVERIFY(!parseCgroupPath("nonsense", ""));
  }
};

}  // namespace millrace

using millrace::TestProcText;
MILLRACE_TEST_CASE(TestProcText)
#include "tst_proc_text.moc"
