// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/cpu_speed.h"

#include "tests/core/monitor/fake_root.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

const std::string kCpufreq = "sys/devices/system/cpu/cpu0/cpufreq/";

std::vector<Problem> doubts(const tests::FakeRoot& root) {
  Problems problems;
  warnOfSlowCores(problems, root.path());
  return problems.all();
}

}  // namespace

class TestCpuSpeed : public QObject {
  Q_OBJECT
 private slots:
  void coresThatMayRunAreNoReasonToDoubt() {
    const tests::FakeRoot root;
    QVERIFY2(doubts(root).empty(), "a machine that tells nothing");
    root.put(kCpufreq + "scaling_governor", "schedutil\n");
    root.put(kCpufreq + "scaling_driver", "acpi-cpufreq\n");
    root.put(kCpufreq + "cpuinfo_max_freq", "3800000\n");
    root.put(kCpufreq + "scaling_max_freq", "3790000\n");
    QVERIFY(doubts(root).empty());
    root.put(kCpufreq + "scaling_max_freq", "<unknown>\n");
    QVERIFY(doubts(root).empty());
  }

  void powersaveHoldsTheCoresWhereTheDriverDoesNotChoose() {
    const tests::FakeRoot root;
    root.put(kCpufreq + "scaling_governor", "powersave\n");
    root.put(kCpufreq + "scaling_driver", "acpi-cpufreq\n");
    const std::vector<Problem> all = doubts(root);
    QCOMPARE(all.size(), std::size_t{1});
    QCOMPARE(all[0].severity, Severity::Warning);
    QVERIFY(all[0].message.find("lowest frequency") != std::string::npos);
    for (const char* driver : {"intel_pstate\n", "amd-pstate-epp\n"}) {
      root.put(kCpufreq + "scaling_driver", driver);
      QVERIFY2(doubts(root).empty(), driver);
    }
  }

  void throttlesOfAllCoresAreAddedUp() {
    const tests::FakeRoot root;
    QVERIFY(!thermalThrottles(root.path()));
    root.put("sys/devices/system/cpu/cpu0/topology/core_id", "0\n");
    QVERIFY(!thermalThrottles(root.path()));
    root.put("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "3\n");
    root.put("sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "4\n");
    QCOMPARE(thermalThrottles(root.path()).value_or(0), std::uint64_t{7});
  }

  void aCapOnTheFrequencyIsNamed() {
    const tests::FakeRoot root;
    root.put(kCpufreq + "cpuinfo_max_freq", "3800000\n");
    root.put(kCpufreq + "scaling_max_freq", "1200000\n");
    const std::vector<Problem> all = doubts(root);
    QCOMPARE(all.size(), std::size_t{1});
    QVERIFY2(all[0].message.find("1.2 of 3.8 GHz") != std::string::npos, all[0].message.c_str());
  }
};

MILLRACE_TEST_CASE(TestCpuSpeed)

}  // namespace millrace

#include "tst_cpu_speed.moc"
