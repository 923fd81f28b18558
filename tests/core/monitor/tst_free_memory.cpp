// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/free_memory.h"

#include "tests/core/monitor/fake_root.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::FakeRoot;

class TestFreeMemory : public QObject {
  Q_OBJECT

 private slots:
  void thisMachineTells() { QVERIFY(*freeMemoryBytes() > 0); }

  void withoutAWordOfTheKernelNothingIsSaid() { QVERIFY(!freeMemoryBytes(FakeRoot().path())); }

  void aGroupLeavesWhatItsProcessesDoNotUse() {
    const FakeRoot root;
    root.put("proc/meminfo", "MemTotal: 9000 kB\nMemAvailable: 8000 kB\n");
    QCOMPARE(*freeMemoryBytes(root.path()), std::uint64_t{8000 * 1024});
    root.put("proc/self/cgroup", "0::/a/b\n");
    root.put("sys/fs/cgroup/a/memory.max", "5000000\n");
    root.put("sys/fs/cgroup/a/memory.current", "4000000\n");
    root.put("sys/fs/cgroup/a/memory.stat", "anon 1\ninactive_file 500000\n");
    root.put("sys/fs/cgroup/a/b/memory.max", "max\n");
    root.put("sys/fs/cgroup/a/b/memory.current", "3000000\n");
    QCOMPARE(*freeMemoryBytes(root.path()), std::uint64_t{1500000});
    root.put("sys/fs/cgroup/a/memory.current",
             "7000000\n");  // a limit may be lowered below the current use
    QCOMPARE(*freeMemoryBytes(root.path()), std::uint64_t{0});
  }

  void groupsOfVersion1AreRead() {
    const FakeRoot root;
    root.put("proc/meminfo", "MemAvailable: 8000 kB\n");
    root.put("proc/self/cgroup", "2:memory:/a\n0::/\n");
    root.put("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "1000\n");
    root.put("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "400\n");
    root.put("sys/fs/cgroup/memory/a/memory.stat", "inactive_file 1\ntotal_inactive_file 100\n");
    QCOMPARE(*freeMemoryBytes(root.path()), std::uint64_t{700});
  }
};

}  // namespace millrace

using millrace::TestFreeMemory;
MILLRACE_TEST_CASE(TestFreeMemory)
#include "tst_free_memory.moc"
