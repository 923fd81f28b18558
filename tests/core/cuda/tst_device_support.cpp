// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/device_support.h"

#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <utility>
#include <vector>

#include "core/cuda/device.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestDeviceSupport : public QObject {
  Q_OBJECT

  static CudaFacts machineOf(const std::vector<std::pair<int, int>>& capabilities) {
    CudaFacts facts;
    facts.architectures = "90";
    for (const auto& [major, minor] : capabilities) {
      DeviceFacts device;
      device.ordinal = static_cast<int>(facts.devices.size());
      device.name = "NVIDIA X";
      device.major = major;
      device.minor = minor;
      facts.devices.push_back(device);
    }
    return facts;
  }

  /// Whether it holds in a newly forked child.
  static bool holdsInAForkedChild(const std::function<bool()>& holds) {
    const pid_t child = fork();
    if (child == 0) _exit(holds() ? 0 : 1);
    int ended = -1;
    return waitpid(child, &ended, 0) == child && ended == 0;
  }

 private slots:
  void init() { qputenv("MILLRACE_BACKEND", "emulated"); }
  void cleanup() {
    qunsetenv("MILLRACE_BACKEND");
    qunsetenv("MILLRACE_EMULATED_GPUS");
  }

  void theFirstDeviceThatKernelsFitIsTheOneToUse() {
    const auto first = [](const std::vector<std::pair<int, int>>& capabilities) {
      const DeviceSupport support = supportOf(machineOf(capabilities));
      return support.usable ? support.ordinal : -1;
    };
    QCOMPARE(first({{9, 0}}), 0);
    QCOMPARE(first({{9, 0}, {9, 0}}), 0);
    QCOMPARE(first({{7, 5}, {9, 0}}), 1);
    QCOMPARE(first({{7, 5}, {8, 6}, {10, 0}}), 2);
    QCOMPARE(first({{7, 5}, {8, 6}}), -1);
  }

  void whereKernelsFitNoneTheReasonNamesTheFirst() {
    const DeviceSupport support = supportOf(machineOf({{7, 5}, {8, 6}, {8, 9}}));
    for (const char* part :
         {"GPU 0 (NVIDIA X), compute capability 7.5", "any of 2 other devices", "90"})
      QVERIFY2(support.reason.find(part) != std::string::npos, support.reason.c_str());
    QVERIFY2(support.remedy.find("=75") != std::string::npos, support.remedy.c_str());
    CudaFacts none;
    none.trouble = "no driver";
    none.remedy = "install it";
    QVERIFY(!supportOf(none).usable);
    QCOMPARE(supportOf(none).reason, none.trouble);
    QCOMPARE(supportOf(none).remedy, none.remedy);
  }

  void theEmulatedMachineHasAsManyDevicesAsItIsTold() {
    QVERIFY(openDevice(1).error().message.find("there is no GPU 1; this machine has 1") !=
            std::string::npos);
    qputenv("MILLRACE_EMULATED_GPUS", "2");
    const auto second = openDevice(1);
    VERIFY_OK(second);
    QCOMPARE((*second)->facts().ordinal, 1);
    QVERIFY(second.value() != openDevice(0).value());
    QCOMPARE(openDevice().value(), openDevice(0).value());
    QVERIFY(openDevice(2).error().message.find("there is no GPU 2; this machine has 2") !=
            std::string::npos);
    QVERIFY(!openDevice(-1).ok());
    for (const char* wrong : {"0", "many", "1000"}) {
      qputenv("MILLRACE_EMULATED_GPUS", wrong);
      QCOMPARE(openDevice(0).error().message, "MILLRACE_EMULATED_GPUS=" + std::string(wrong) +
                                                  ": expected a whole number from 1 to 64");
    }
  }

  void aStreamOfTheProgramIsOnItsOwnDeviceAndADefaultOneOnAll() {
    qputenv("MILLRACE_EMULATED_GPUS", "2");
    const std::shared_ptr<Device> first = openDevice(0).take();
    const std::shared_ptr<Device> second = openDevice(1).take();
    int number = 0;
    const auto there = second->programStream(&number).take();
    const auto found = programStreams(&number, first);
    VERIFY_OK(found);
    QCOMPARE(found->size(), std::size_t{1});
    QCOMPARE(found->front().device, second);
    QCOMPARE(found->front().stream, there);
    for (const std::uintptr_t native : {0, 1, 2}) {
      const auto defaults = programStreams(reinterpret_cast<void*>(native), first);
      VERIFY_OK(defaults);
      QCOMPARE(defaults->size(), std::size_t{2});
      QCOMPARE((*defaults)[0].device, first);
      QCOMPARE((*defaults)[1].device, second);
    }
    int unknown = 0;
    const auto begun = programStreams(&unknown, second);
    VERIFY_OK(begun);
    QCOMPARE(begun->front().device, second);
  }

  void aForkedProcessIsToldThatCudaDoesNotWorkThere() {
    VERIFY_OK(openDevice());
    QVERIFY(holdsInAForkedChild([] {
      const DeviceSupport support = deviceSupport();
      const auto opened = openDevice(0);
      return !support.usable &&
             support.reason.find("forked from one that had already looked for a GPU") !=
                 std::string::npos &&
             support.remedy.find("spawn") != std::string::npos && !opened.ok() &&
             opened.error().message.find("forked") != std::string::npos;
    }));
    QVERIFY(deviceSupport().usable);
  }

  void whereThereIsNoDeviceAForkChangesNothing() {
    qunsetenv("MILLRACE_BACKEND");
    const DeviceSupport before = deviceSupport();
    if (before.usable) QSKIP("this machine has a GPU");
    QVERIFY(holdsInAForkedChild([&] { return deviceSupport().reason == before.reason; }));
    qputenv("MILLRACE_BACKEND", "cpu");
    QVERIFY(holdsInAForkedChild(
        [] { return deviceSupport().reason.find("forbids") != std::string::npos; }));
  }
};

}  // namespace millrace

using millrace::TestDeviceSupport;
MILLRACE_TEST_CASE(TestDeviceSupport)
#include "tst_device_support.moc"
