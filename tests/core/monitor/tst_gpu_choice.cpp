// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/gpu/gpu_choice.h"

#include "tests/support/test_case.h"

namespace millrace {

namespace {

GpuDevice gpu(const std::string& name, const std::string& uuid) {
  GpuDevice device;
  device.name = name;
  device.uuid = uuid;
  return device;
}

GpuDevice partedGpu(const std::string& uuid, const std::vector<std::string>& instances) {
  GpuDevice device = gpu("H200", uuid);
  device.mig = true;
  for (const std::string& each : instances)
    device.instances.push_back(
        {nullptr, "1g", each, std::to_string(device.instances.size() + 1) + "/0"});
  return device;
}

/// "1", or "0/2" for an instance, or the reason why there is none.
std::string chosen(const std::vector<GpuDevice>& devices, std::optional<std::string> visible,
                   std::optional<std::string> order = std::nullopt, std::string cudaUuid = {}) {
  const Result<GpuChoice> choice =
      chooseGpu(devices, {std::move(visible), std::move(order), std::move(cudaUuid)});
  if (!choice) return choice.error().message;
  const std::string device = std::to_string(choice->device);
  return choice->instance ? device + "/" + std::to_string(*choice->instance) : device;
}

}  // namespace

class TestGpuChoice : public QObject {
  Q_OBJECT
 private slots:
  void theFirstVisibleGpuIsChosen_data() {
    QTest::addColumn<QString>("visible");
    QTest::addColumn<QString>("expected");
    QTest::newRow("not set") << QString() << "0";
    QTest::newRow("number") << "2,0" << "2";
    QTest::newRow("spaces") << " 1 , 2" << "1";
    QTest::newRow("UUID") << "GPU-bb-2" << "1";
    QTest::newRow("beginning of a UUID") << "GPU-c" << "2";
    QTest::newRow("empty") << "" << "every GPU is hidden";
    QTest::newRow("-1") << "-1" << "every GPU is hidden";
    QTest::newRow("NoDevFiles") << "NoDevFiles" << "every GPU is hidden";
    QTest::newRow("too large") << "3" << "every GPU is hidden";
    QTest::newRow("UUID of another machine") << "GPU-dd" << "matches no GPU";
    QTest::newRow("ambiguous") << "GPU-" << "matches more than one GPU";
  }
  void theFirstVisibleGpuIsChosen() {
    QFETCH(QString, visible);
    QFETCH(QString, expected);
    const std::vector<GpuDevice> devices = {gpu("A", "GPU-aa-1"), gpu("A", "GPU-bb-2"),
                                            gpu("A", "GPU-cc-3")};
    const std::string got =
        chosen(devices, visible.isNull() ? std::nullopt : std::optional(visible.toStdString()));
    QVERIFY2(expected.size() == 1 ? got == expected.toStdString()
                                  : got.find(expected.toStdString()) != std::string::npos,
             got.c_str());
  }

  void amongDifferentGpusANumberNeedsTheOrderOfTheBus() {
    const std::vector<GpuDevice> devices = {gpu("small", "GPU-aa"), gpu("large", "GPU-bb")};
    QVERIFY(chosen(devices, {}).find("CUDA_DEVICE_ORDER=PCI_BUS_ID") != std::string::npos);
    QVERIFY(chosen(devices, "0", "FASTEST_FIRST").find("it is not known") != std::string::npos);
    QCOMPARE(chosen(devices, "1", "PCI_BUS_ID"), std::string("1"));
    QCOMPARE(chosen(devices, "GPU-bb"), std::string("1"));
  }

  void anInstanceIsChosenWhereAGpuIsParted() {
    const std::vector<GpuDevice> devices = {gpu("H200", "GPU-aa"),
                                            partedGpu("GPU-bb", {"MIG-1", "MIG-2"})};
    QCOMPARE(chosen(devices, "1"), std::string("1/0"));
    QCOMPARE(chosen(devices, "GPU-bb"), std::string("1/0"));
    QCOMPARE(chosen(devices, "MIG-2"), std::string("1/1"));
    QVERIFY(chosen({partedGpu("GPU-bb", {})}, {}).find("has no instance") != std::string::npos);
  }

  void anInstanceMayBeNamedByItsCardAndNumbers() {
    const std::vector<GpuDevice> devices = {partedGpu("GPU-aa", {"MIG-1", "MIG-2"}),
                                            partedGpu("GPU-bb", {"MIG-3", "MIG-4"})};
    QCOMPARE(chosen(devices, "MIG-GPU-bb/2/0"), std::string("1/1"));
    QCOMPARE(chosen(devices, "MIG-GPU-aa/1/0,MIG-GPU-bb/2/0"), std::string("0/0"));
    QVERIFY(chosen(devices, "MIG-GPU-bb/3/0").find("matches no GPU") != std::string::npos);
  }

  void whatCudaSaysGoesBeforeEveryRule() {
    const std::vector<GpuDevice> devices = {
        gpu("small", "GPU-aa"), partedGpu("GPU-bb", {"MIG-1", "MIG-2"}), gpu("large", "GPU-cc")};
    QCOMPARE(chosen(devices, {}, {}, "cc"), std::string("2"));
    QCOMPARE(chosen(devices, "0", "FASTEST_FIRST", "2"), std::string("1/1"));
    // CUDA may report the card if an instance is meant.
    QCOMPARE(chosen(devices, "MIG-2", {}, "bb"), std::string("1/1"));
    QCOMPARE(chosen(devices, "1", {}, "bb"), std::string("1/0"));
    // A device unknown to the management library is ignored; the rules decide.
    QCOMPARE(chosen(devices, "1", "PCI_BUS_ID", "dd"), std::string("1/0"));
  }

  void cardsThatMayNotBeOpenedAreNotCounted() {
    GpuDevice refused;
    refused.trouble = "Insufficient Permissions";
    const std::vector<GpuDevice> devices = {refused, gpu("A", "GPU-aa"), refused,
                                            gpu("A", "GPU-bb")};
    QCOMPARE(chosen(devices, {}), std::string("1"));
    QCOMPARE(chosen(devices, "1"), std::string("3"));
    QVERIFY(chosen(devices, "2").find("there are 2") != std::string::npos);
  }

  void withoutAGpuOrRightsItSaysSo() {
    QCOMPARE(chosen({}, {}), std::string("the driver finds no GPU"));
    GpuDevice refused;
    refused.trouble = "Insufficient Permissions";
    QVERIFY(chosen({refused}, {}).find("Insufficient Permissions") != std::string::npos);
  }
};

}  // namespace millrace

using millrace::TestGpuChoice;
MILLRACE_TEST_CASE(TestGpuChoice)
#include "tst_gpu_choice.moc"
