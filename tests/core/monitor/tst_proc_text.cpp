// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/proc_text.h"

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

  void bytesOfDisksAreAddedUp() {
    const std::string text =
        "   8 0 sda 10 1 100 7 20 2 50 9 0 1 2\n   8 1 sda1 9 1 90 7 20 2 50 9 0 1 2\n"
        " 259 0 nvme0n1 1 0 8 0 0 0 2 0 0 0 0\n 7 0 loop0 5 0 4000 0 0 0 0 0 0 0 0\ntorn 1\n";
    const auto disks = [](std::string_view name) { return name == "sda" || name == "nvme0n1"; };
    QCOMPARE(parseDiskBytes(text, disks).value_or(0), std::uint64_t{512 * 160});
    QVERIFY(!parseDiskBytes(text, [](std::string_view) { return false; }));
    QVERIFY(!parseDiskBytes("", disks));
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
