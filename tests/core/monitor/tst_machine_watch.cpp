// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/machine_watch.h"

#include "tests/core/monitor/fake_root.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

void putDisks(const tests::FakeRoot& root, const std::string& sectors, const std::string& read) {
  root.put("proc/diskstats", "8 0 sda 1 0 " + sectors + " 0 1 0 0 0 0 0 0\n" + "253 0 dm-0 1 0 " +
                                 sectors + " 0 1 0 0 0 0 0 0\n");
  root.put("proc/self/io", "read_bytes: " + read + "\nwrite_bytes: 0\n");
}

}  // namespace

class TestMachineWatch : public QObject {
  Q_OBJECT
 private slots:
  void aCoreHasASpeed() {
    const tests::FakeRoot nothing;
    const MachineState state = machineState(nothing.path());
    QVERIFY(state.coreSpeed > 1e6);
    QVERIFY(!state.throttles && !state.diskBytes && !state.own.storageBytes);
  }

  void theSlowerMomentCountsWhicheverItIs() {
    QVERIFY(
        qFuzzyCompare(changeBetween({1e9, {}, {}, {}}, {9e8, {}, {}, {}}).coreSpeedChange, 0.1));
    QVERIFY(
        qFuzzyCompare(changeBetween({9e8, {}, {}, {}}, {1e9, {}, {}, {}}).coreSpeedChange, 0.1));
    const MachineChange same = changeBetween({1e9, 4, {}, {}}, {1e9, 6, {}, {}});
    QCOMPARE(same.coreSpeedChange, 0.0);
    QCOMPARE(same.throttles.value_or(0), std::uint64_t{2});
    QVERIFY(!changeBetween({}, {}).throttles);
  }

  void disksCountOnceAndOnlyWhileTheProcessReadsFromThem() {
    const tests::FakeRoot root;
    root.put("sys/block/sda/device/model", "disk\n");
    root.put("sys/block/dm-0/size", "8\n");
    putDisks(root, "1000", "0");
    const MachineState begin = machineState(root.path());
    putDisks(root, "11000", "900000");  // 5.12 MB, of which 0.9 MB are its own
    QVERIFY(!changeBetween(begin, machineState(root.path())).otherDiskShare);
    putDisks(root, "11000", "2560000");
    const auto half = changeBetween(begin, machineState(root.path())).otherDiskShare;
    QVERIFY(half && qFuzzyCompare(*half, 0.5));
    putDisks(root, "2000", "2560000");  // most of the data came from a network
    QCOMPARE(changeBetween(begin, machineState(root.path())).otherDiskShare.value_or(1), 0.0);
  }
};

}  // namespace millrace

using millrace::TestMachineWatch;
MILLRACE_TEST_CASE(TestMachineWatch)
#include "tst_machine_watch.moc"
