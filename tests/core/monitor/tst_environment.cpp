// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/environment.h"

#include <algorithm>
#include <fstream>

#include <unistd.h>
#include <QTemporaryDir>

#include "tests/core/monitor/fake_root.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// The root folder of a machine with a processor and memory.
class MachineRoot : public tests::FakeRoot {
 public:
  MachineRoot() {
    put("proc/meminfo", "MemTotal: 1000000 kB\n");
    put("proc/cpuinfo", "model name : Test CPU\nflags : fpu\n");
  }
};

}  // namespace

class TestEnvironment : public QObject {
  Q_OBJECT
 private slots:
  void thisMachineIsDescribed() {
    const Environment environment = readEnvironment();
    QVERIFY(environment.coresOnline >= 1);
    QVERIFY(environment.coresUsable > 0 && environment.coresUsable <= environment.coresOnline);
    QVERIFY(*environment.memoryBytes > 0);
    QVERIFY(environment.kernel.starts_with("Linux "));
    QVERIFY(!environment.compiler.empty() && !environment.architecture.empty());
  }

  void theTightestGroupOfVersion2Limits() {
    const MachineRoot root;
    root.put("proc/self/cgroup", "0::/a/b\n");
    root.put("sys/fs/cgroup/a/cpu.max", "50000 100000\n");
    root.put("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    root.put("sys/fs/cgroup/a/memory.max", "4000000\n");
    root.put("sys/fs/cgroup/a/b/memory.max", "5000000\n");
    const Environment environment = readEnvironment(root.path());
    QCOMPARE(environment.coresUsable, 0.5);
    QCOMPARE(*environment.memoryLimitBytes, std::uint64_t{4000000});
    QCOMPARE(*environment.memoryBytes, std::uint64_t{1024000000});
    QCOMPARE(*environment.cpuModel, std::string("Test CPU"));
  }

  void limitsOfVersion1AreRead() {
    const MachineRoot root;
    root.put("proc/self/cgroup", "3:cpu,cpuacct:/a\n2:memory:/not/seen/inside\n0::/\n");
    root.put("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "25000\n");
    root.put("sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
    root.put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9000000\n");
    const Environment environment = readEnvironment(root.path());
    QCOMPARE(environment.coresUsable, 0.25);
    QCOMPARE(*environment.memoryLimitBytes, std::uint64_t{9000000});
  }

  void aLimitBeyondTheMemoryIsNone() {
    const MachineRoot root;
    root.put("proc/self/cgroup", "2:memory:/\n");
    root.put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    QVERIFY(!readEnvironment(root.path()).memoryLimitBytes);
  }

  void aMachineWithoutTheLibraryHasNoGpu() {
    QVERIFY(readGpus("libmillrace-no-such-library.so").empty());
    // A library that is not NVIDIA's.
    QVERIFY(readGpus("libc.so.6").empty());
  }

  void absentFactsAreLeftOut() {
    Environment environment;
    environment.kernel = "Linux 6.1";
    environment.coresUsable = 1.5;
    std::vector<std::string> keys;
    for (const auto& [key, value] : environmentFacts(environment)) keys.push_back(key);
    QCOMPARE(keys, (std::vector<std::string>{"architecture", "cores_online", "cores_usable",
                                             "kernel", "virtualised", "compiler"}));
    environment.gpus = {{"A", "580.1"}, {"B", "580.1"}};
    const auto facts = environmentFacts(environment);
    QVERIFY(std::ranges::count(facts, std::pair<std::string, std::string>("gpu", "A, B")) == 1);
    QVERIFY(std::ranges::count(facts, std::pair<std::string, std::string>("cores_usable", "1.5")) ==
            1);
  }
};

}  // namespace millrace

using millrace::TestEnvironment;
MILLRACE_TEST_CASE(TestEnvironment)
#include "tst_environment.moc"
