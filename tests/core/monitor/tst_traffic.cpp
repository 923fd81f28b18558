// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/traffic.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <fcntl.h>
#include <linux/magic.h>
#include <spawn.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/text/shell_word.h"
#include "core/metrics/metric_spec.h"
#include "core/monitor/process_family.h"
#include "tests/core/monitor/fake_root.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::FakeRoot;

FlowTotals totalsIn(const FakeRoot& root) {
  return flowTotals(root.path() / "proc", root.path() / "sys");
}
FlowTotals totalsNow() { return flowTotals("/proc", "/sys"); }

/// 0 if the command fails. popen and posix_spawn instead of QProcess: the thread sanitizer crashes
/// in QProcess's child.
std::size_t bytesPrintedBy(const std::string& command) {
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return 0;
  std::size_t bytes = 0;
  while (std::fgetc(pipe) != EOF) ++bytes;
  return pclose(pipe) == 0 ? bytes : 0;
}

/// A line of /proc/diskstats with these sectors.
std::string disk(const std::string& name, int read, int written) {
  return " 8 0 " + name + " 1 0 " + std::to_string(read) + " 0 1 0 " + std::to_string(written) +
         " 0 0 0 0\n";
}
std::string interface(const std::string& name, int received, int sent) {
  return name + ": " + std::to_string(received) + " 1 0 0 0 0 0 0 " + std::to_string(sent) +
         " 1 0 0 0 0 0 0\n";
}

/// Text that no file system compresses, on the disk once this returns.
void writeToDisk(const std::filesystem::path& file, std::size_t bytes) {
  std::mt19937_64 random(1);
  std::string text;
  while (text.size() < bytes) {
    const std::uint64_t word = random();
    text.append(reinterpret_cast<const char*>(&word), sizeof word);
  }
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  QVERIFY(descriptor >= 0);
  QCOMPARE(write(descriptor, text.data(), bytes), static_cast<ssize_t>(bytes));
  QCOMPARE(fsync(descriptor), 0);
  QCOMPARE(posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED), 0);
  close(descriptor);
}

bool isOnADisk(const std::filesystem::path& folder) {
  struct statfs info{};
  if (statfs(folder.c_str(), &info) != 0) return false;
  const std::set<std::uint64_t> kinds = {EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC};
  return kinds.contains(static_cast<std::uint64_t>(info.f_type));
}

std::uint64_t grown(const FlowTotals& before, const FlowTotals& after, Flow flow) {
  return growthOf(before[flow], after[flow]).value_or(0);
}

}  // namespace

class TestTraffic : public QObject {
  Q_OBJECT
 private slots:
  void everyFlowHasItsKeyAndItsMetric() {
    std::set<std::string_view> keys;
    for (std::size_t i = 0; i < flowSpecs().size(); ++i) {
      const FlowSpec& spec = flowSpecs()[i];
      QCOMPARE(static_cast<std::size_t>(spec.flow), i);
      keys.insert(spec.key);
      const MetricSpec* metric = findMetric(spec.metric);
      QVERIFY2(metric != nullptr, spec.metric.data());
      QCOMPARE(metric->unit, std::string_view("B/s"));
    }
    QCOMPARE(keys.size(), kFlows);
  }

  void aDiskCountsOnceWhateverLiesOnIt() {
    const FakeRoot root;
    root.put("sys/block/sda/device/model", "disk\n");
    root.put("sys/block/cciss!c0d0/device/model", "old\n");
    for (const char* name : {"dm-0", "md0", "loop0", "ram0", "zram0"})
      root.put(std::string("sys/block/") + name + "/size", "8\n");
    root.put("proc/diskstats", disk("sda", 100, 10) + disk("sda1", 90, 10) + disk("dm-0", 90, 10) +
                                   disk("md0", 90, 10) + disk("loop0", 4000, 0) +
                                   disk("ram0", 1, 1) + disk("zram0", 7, 7) +
                                   disk("cciss/c0d0", 1, 2) + disk("cciss/c0d0p1", 1, 2));
    const FlowTotals totals = totalsIn(root);
    QCOMPARE(totals[Flow::DiskRead], std::optional<std::uint64_t>(512 * 101));
    QCOMPARE(totals[Flow::DiskWritten], std::optional<std::uint64_t>(512 * 12));
  }

  void thePathsOfAnNvmeDiskCountAndNotTheDiskThatJoinsThem() {
    const FakeRoot root;
    namespace fs = std::filesystem;
    root.put("sys/virtual/nvme-subsys0/model", "joined\n");
    root.put("sys/virtual/nvme0/model", "path\n");
    for (const char* name : {"nvme0n1", "nvme0c0n1"})
      fs::create_directories(root.path() / "sys/block" / name);
    fs::create_symlink("../../virtual/nvme-subsys0", root.path() / "sys/block/nvme0n1/device");
    fs::create_symlink("../../virtual/nvme0", root.path() / "sys/block/nvme0c0n1/device");
    root.put("proc/diskstats", disk("nvme0n1", 8, 0) + disk("nvme0c0n1", 8, 0));
    QCOMPARE(totalsIn(root)[Flow::DiskRead], std::optional<std::uint64_t>(512 * 8));
  }

  void anInterfaceCountsOnceAndTheLoopbackNever() {
    const FakeRoot root;
    root.put("sys/class/net/eth0/device/vendor", "1\n");
    root.put("sys/class/net/docker0/address", "1\n");
    // Of a pair that shares its work, as in Azure, the first one counts for both.
    root.put("sys/class/net/enP1s1/device/vendor", "1\n");
    root.put("sys/class/net/enP1s1/master/device/vendor", "1\n");
    root.put("proc/net/dev", "Inter-| Receive\n face |bytes\n" + interface("    lo", 9000, 9000) +
                                 interface("  eth0", 100, 10) + interface("docker0", 50, 5) +
                                 interface("enP1s1", 100, 10));
    FlowTotals totals = totalsIn(root);
    QCOMPARE(totals[Flow::NetworkReceived], std::optional<std::uint64_t>(100));
    QCOMPARE(totals[Flow::NetworkSent], std::optional<std::uint64_t>(10));
    // A container has no hardware.
    const FakeRoot container;
    container.put("proc/net/dev", interface("lo", 9000, 9000) + interface("eth0", 3, 4));
    totals = totalsIn(container);
    QCOMPARE(totals[Flow::NetworkReceived], std::optional<std::uint64_t>(3));
    // Alone with its loopback nothing is known of a network.
    const FakeRoot alone;
    alone.put("proc/net/dev", interface("lo", 9000, 9000));
    QVERIFY(!totalsIn(alone)[Flow::NetworkReceived]);
  }

  void readsOfTheFamilyAreAddedUp() {
    const FakeRoot root;
    root.put("proc/self/io", "rchar: 9\nread_bytes: 100\n");
    root.put("proc/self/task/1/children", "42 ");
    root.put("proc/self/task/2/children", "43 44\n");
    root.put("proc/42/io", "read_bytes: 20\n");
    root.put("proc/42/task/42/children", "45\n");
    root.put("proc/45/io", "read_bytes: 3\n");
    root.put("proc/44/task/44/children", "");  // may not be read
    QCOMPARE(totalsIn(root)[Flow::ProcessRead], std::optional<std::uint64_t>(123));
    std::vector<int> family = descendants(root.path() / "proc");
    std::ranges::sort(family);
    QCOMPARE(family, (std::vector<int>{42, 43, 44, 45}));
  }

  void whatTheKernelDoesNotCountIsAbsentAndNotZero() {
    const FakeRoot root;
    root.put("proc/diskstats", disk("loop0", 1, 1));
    QVERIFY(totalsIn(root) == FlowTotals());
    QVERIFY(!growthOf(std::nullopt, 5) && !growthOf(5, std::nullopt) && !growthOf(6, 5));
    QCOMPARE(growthOf(5, 5), std::optional<std::uint64_t>(0));
  }

  void aRealWriteAndARealReadAreCounted() {
    const tests::TemporaryFolder folder;
    const FlowTotals before = totalsNow();
    if (!before[Flow::DiskRead] || !isOnADisk(folder.path()))
      QSKIP("the folder for temporary files is not on a disk that the kernel counts");
    constexpr std::size_t kBytes = 8U << 20U;
    writeToDisk(folder.path() / "file", kBytes);
    const FlowTotals written = totalsNow();
    QVERIFY(grown(before, written, Flow::DiskWritten) >= kBytes);
    // A program that this one starts reads it.
    QCOMPARE(bytesPrintedBy("cat " + shellWord((folder.path() / "file").string())), kBytes);
    const FlowTotals read = totalsNow();
    QVERIFY(grown(written, read, Flow::DiskRead) >= kBytes);
    if (read[Flow::ProcessRead]) QVERIFY(grown(written, read, Flow::ProcessRead) >= kBytes);
  }

  void aProgramThatStillRunsBelongsToTheFamily() {
    std::string name = "sleep";
    std::string seconds = "60";
    char* const words[] = {name.data(), seconds.data(), nullptr};
    pid_t process = 0;
    QCOMPARE(posix_spawnp(&process, "sleep", nullptr, nullptr, words, environ), 0);
    const std::vector<int> family = descendants("/proc");
    ::kill(process, SIGKILL);
    QCOMPARE(::waitpid(process, nullptr, 0), process);
    if (family.empty()) QSKIP("the kernel does not list the children of a process");
    QVERIFY(std::ranges::find(family, process) != family.end());
  }
};

}  // namespace millrace

using millrace::TestTraffic;
MILLRACE_TEST_CASE(TestTraffic)
#include "tst_traffic.moc"
