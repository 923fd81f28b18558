// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/gpu/gpu_sampler.h"

#include <fstream>

#include "core/monitor/environment.h"
#include "tests/core/monitor/fake_gpu.h"
#include "tests/core/monitor/fake_root.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::FakeGpu;
using tests::kWholeCard;

SteadyTime at(int milliseconds) { return SteadyTime(std::chrono::milliseconds(milliseconds)); }

/// A sampler for the GPU that the environment selects.
struct Opened {
  explicit Opened(FakeGpu& fake, const GpuVisibility& visibility = {},
                  const GpuAsker& asker = {11, true, 0, "/"})
      : library(GpuLibrary::open(fake.file()).take()),
        devices(library->devices()),
        sampler(*library, devices, chooseGpu(devices, visibility).value(), asker) {}

  std::unique_ptr<GpuLibrary> library;
  std::vector<GpuDevice> devices;
  GpuSampler sampler;
};

std::string withLines(std::string script, const std::string& lines) { return script + lines; }

}  // namespace

class TestGpuSampler : public QObject {
  Q_OBJECT
 private slots:
  void aCardTellsEverythingInBaseUnits() {
    FakeGpu fake(kWholeCard);
    Opened opened(fake);
    QCOMPARE(opened.sampler.name(), std::string("NVIDIA H200"));
    VERIFY_OK(opened.sampler.sample(at(0)));
    const Result<GpuValues> values = opened.sampler.sample(at(100));
    VERIFY_OK(values);
    QCOMPARE(*values->utilisation, 0.4);
    QCOMPARE(*values->memoryUtilisation, 0.3);
    QCOMPARE(*values->memoryUsedBytes, 60e9);
    QCOMPARE(*values->memoryTotalBytes, 150e9);
    QCOMPARE(*values->powerWatts, 412.5);
    QCOMPARE(*values->powerLimitWatts, 700.0);
    QCOMPARE(*values->smClockMhz, 1980.0);
    QCOMPARE(*values->memoryClockMhz, 3201.0);
    QCOMPARE(*values->temperatureCelsius, 61.0);
    QCOMPARE(*values->throttledShare, 1.0);
    QCOMPARE(gpuThrottleNames(values->throttleReasons),
             (std::vector<std::string>{"power cap", "too hot"}));
    // 500 bytes in 0.1 s to the card.
    QCOMPARE(*values->pcieRxBytesPerSecond, 5000.0);
    QCOMPARE(*values->pcieTxBytesPerSecond, 2000.0);
    QCOMPARE(*values->decoderUtilisation, 0.0);
    QCOMPARE(*values->jpegUtilisation, 0.87);
    // 10 and 12 compute, 12 and 13 draw, 11 is the asking process.
    QCOMPARE(*values->otherProcesses, 3.0);
    QVERIFY(!values->monitorCpuShare);
  }

  void theFirstSampleHasNoBusTrafficYet() {
    FakeGpu fake(kWholeCard);
    Opened opened(fake);
    const Result<GpuValues> first = opened.sampler.sample(at(0));
    QVERIFY(first->utilisation && !first->pcieRxBytesPerSecond && !first->pcieTxBytesPerSecond);
  }

  void anIdleCardIsNotThrottled() {
    FakeGpu fake(withLines(kWholeCard, "0.reasons = 0x1\n"));
    Opened opened(fake);
    const Result<GpuValues> values = opened.sampler.sample(at(0));
    QCOMPARE(*values->throttledShare, 0.0);
    QCOMPARE(values->throttleReasons, std::uint64_t{0});
  }

  void whatADeviceRefusesIsAbsentAndNotAskedAgain() {
    FakeGpu fake("devices = 1\n0.name = Small\n0.memory = 1000 400\n0.power = !4\n0.jpeg = !3\n");
    Opened opened(fake);
    for (int i = 0; i < 5; ++i) {
      const Result<GpuValues> values = opened.sampler.sample(at(100 * i));
      VERIFY_OK(values);
      QCOMPARE(*values->memoryUsedBytes, 400.0);
      for (const GpuField& field : gpuFields())
        if (!field.key.starts_with("memory_used") && !field.key.starts_with("memory_total"))
          QVERIFY2(!((*values).*field.value), std::string(field.key).c_str());
    }
    for (const char* once : {"utilisation", "power", "jpeg", "reasons", "bus", "temperature"})
      QCOMPARE(fake.calls(once), 1);
    QCOMPARE(fake.calls("memory"), 5);
  }

  void anErrorThatPassesLeavesOneValueOut() {
    FakeGpu fake(withLines(kWholeCard, "0.power = !999\n"));
    Opened opened(fake);
    const Result<GpuValues> without = opened.sampler.sample(at(0));
    QVERIFY(without->utilisation && !without->powerWatts);
    fake.set(kWholeCard);
    QCOMPARE(*opened.sampler.sample(at(100))->powerWatts, 412.5);
  }

  void aBusWithoutCountersIsAskedForItsRate() {
    FakeGpu fake("devices = 1\n0.memory = 1000 400\n0.throughput = 7 8\n");
    Opened opened(fake);
    const Result<GpuValues> values = opened.sampler.sample(at(0));
    QCOMPARE(*values->pcieRxBytesPerSecond, 7000.0);
    QCOMPARE(*values->pcieTxBytesPerSecond, 8000.0);
  }

  void aBusThatIsMeasuredIsAskedOneDirectionATime() {
    FakeGpu fake("devices = 1\n0.memory = 1000 400\n0.throughput = 7 8\n");
    Opened opened(fake);
    VERIFY_OK(opened.sampler.sample(at(0)));
    for (int i = 1; i < 5; ++i) {
      const Result<GpuValues> values = opened.sampler.sample(at(100 * i));
      QCOMPARE(*values->pcieRxBytesPerSecond, 7000.0);
      QCOMPARE(*values->pcieTxBytesPerSecond, 8000.0);
    }
    QCOMPARE(fake.calls("throughput"), 6);
  }

  void aCounterOf32BitsGoesOnBehindItsEnd_data() {
    QTest::addColumn<QString>("type");
    QTest::newRow("32 bits in a field of 64") << "3";
    QTest::newRow("a field of 32 bits") << "1";
  }
  void aCounterOf32BitsGoesOnBehindItsEnd() {
    QFETCH(QString, type);
    const auto counts = [&](const char* text) {
      return withLines(kWholeCard, "0.bus_type = " + type.toStdString() + "\n0.counts = " + text);
    };
    FakeGpu fake(counts("4294967000 100"));
    Opened opened(fake);
    QVERIFY(!opened.sampler.sample(at(0))->pcieRxBytesPerSecond);
    fake.set(counts("204 300"));
    const Result<GpuValues> values = opened.sampler.sample(at(100));
    QCOMPARE(*values->pcieRxBytesPerSecond, 5000.0);
    QCOMPARE(*values->pcieTxBytesPerSecond, 2000.0);
  }

  void aCounterBeyond32BitsIsNotTakenModulo() {
    FakeGpu fake(withLines(kWholeCard, "0.link = 5 16\n0.counts = 1000 0\n"));
    Opened opened(fake);
    VERIFY_OK(opened.sampler.sample(at(0)));
    fake.set(withLines(kWholeCard, "0.link = 5 16\n0.counts = 6000001000 0\n"));
    QCOMPARE(*opened.sampler.sample(at(100))->pcieRxBytesPerSecond, 60e9);
    QVERIFY(!opened.sampler.needsPoll(std::chrono::milliseconds(100)));
    // A counter that is back at 0 gives no rate.
    fake.set(withLines(kWholeCard, "0.link = 5 16\n0.counts = 2000 0\n"));
    QVERIFY(!opened.sampler.sample(at(200))->pcieRxBytesPerSecond);
  }

  void aFastLinkIsLookedAtHalfWay() {
    const auto counts = [](const char* text) {
      return withLines(kWholeCard, std::string("0.link = 5 16\n0.counts = ") + text);
    };
    FakeGpu fake(counts("4000000000 0"));
    Opened opened(fake);
    VERIFY_OK(opened.sampler.sample(at(0)));
    QVERIFY(opened.sampler.needsPoll(std::chrono::milliseconds(100)));
    // 3 GB in each half: the counter wraps between the samples.
    fake.set(counts("2705032704 0"));
    opened.sampler.poll(at(50));
    fake.set(counts("1410065408 0"));
    QCOMPARE(*opened.sampler.sample(at(100))->pcieRxBytesPerSecond, 60e9);
    // In 100 ms it could have wrapped twice.
    fake.set(counts("1410065408 0"));
    QVERIFY(!opened.sampler.sample(at(200))->pcieRxBytesPerSecond);
    opened.sampler.poll(at(250));
    QCOMPARE(*opened.sampler.sample(at(300))->pcieRxBytesPerSecond, 0.0);
  }

  void aSlowLinkNeedsNoSecondLook() {
    FakeGpu fake(kWholeCard);
    Opened opened(fake);
    VERIFY_OK(opened.sampler.sample(at(0)));
    QVERIFY(!opened.sampler.needsPoll(std::chrono::milliseconds(100)));
  }

  void countersThatFailThreeTimesInARowAreGivenUp() {
    FakeGpu fake(withLines(kWholeCard, "0.bus = !999\n0.throughput = 7 8\n"));
    Opened opened(fake);
    for (int i = 0; i < 2; ++i) QVERIFY(!opened.sampler.sample(at(100 * i))->pcieRxBytesPerSecond);
    QCOMPARE(*opened.sampler.sample(at(200))->pcieRxBytesPerSecond, 7000.0);
    VERIFY_OK(opened.sampler.sample(at(300)));
    QCOMPARE(fake.calls("bus"), 3);
  }

  void aCounterThatBeginsAnewTellsNothing() {
    FakeGpu fake(kWholeCard);
    Opened opened(fake);
    VERIFY_OK(opened.sampler.sample(at(0)));
    VERIFY_OK(opened.sampler.sample(at(100)));
    fake.set(kWholeCard);  // its counters are back at 0
    const Result<GpuValues> values = opened.sampler.sample(at(200));
    VERIFY_OK(values);
    QVERIFY(!values->pcieRxBytesPerSecond && values->utilisation);
    QCOMPARE(*opened.sampler.sample(at(300))->pcieRxBytesPerSecond, 5000.0);
  }

  void anOldLibraryTellsWhatItCan() {
    FakeGpu fake(kWholeCard, tests::kFakeNvmlOld);
    Opened opened(fake);
    VERIFY_OK(opened.sampler.sample(at(0)));
    const Result<GpuValues> values = opened.sampler.sample(at(100));
    VERIFY_OK(values);
    QCOMPARE(*values->utilisation, 0.4);
    QCOMPARE(*values->throttledShare, 1.0);  // the old name of the same function
    QVERIFY(!values->jpegUtilisation && !values->otherProcesses && !values->pcieRxBytesPerSecond);
    QVERIFY(!opened.library->cudaVersion() && !opened.library->libraryVersion());
    QCOMPARE(*opened.library->driverVersion(), std::string("580.95"));
    QVERIFY(!opened.devices.front().mig);
  }

  void aDeviceThatIsLostEndsTheSampling() {
    FakeGpu fake(kWholeCard);
    Opened opened(fake);
    VERIFY_OK(opened.sampler.sample(at(0)));
    fake.set(withLines(kWholeCard, "0.power = !15\n"));
    const Result<GpuValues> lost = opened.sampler.sample(at(100));
    QVERIFY(!lost);
    QCOMPARE(lost.error().message, std::string("NVIDIA H200: GPU is lost (power)"));
    fake.set(kWholeCard);
    QVERIFY(!opened.sampler.sample(at(200)));
  }

  void aDeviceThatIsSilentForASecondEndsTheSampling() {
    FakeGpu fake(kWholeCard);
    Opened opened(fake);
    VERIFY_OK(opened.sampler.sample(at(0)));
    std::string silent = "devices = 1\n";
    for (const char* key : {"utilisation", "memory", "power", "power_limit", "sm_clock",
                            "memory_clock", "reasons", "temperature", "bus", "decoder", "jpeg"})
      silent += std::string("0.") + key + " = !999\n";
    fake.set(silent);
    for (int i = 1; i < 10; ++i) VERIFY_OK(opened.sampler.sample(at(100 * i)));
    const Result<GpuValues> gone = opened.sampler.sample(at(1000));
    QVERIFY(!gone);
    QVERIFY(gone.error().message.ends_with("it has not answered for a second"));
  }

  void inAContainerOtherProcessesCannotBeTold() {
    FakeGpu fake(kWholeCard);
    Opened opened(fake, {}, {11, false, 0, "/"});
    QVERIFY(!opened.sampler.sample(at(0))->otherProcesses);
    QCOMPARE(fake.calls("processes"), 0);
  }

  void processesAreListedOnceASecondHoweverMany() {
    std::string many = "0.processes =";
    for (int pid = 100; pid < 200; ++pid) many += " " + std::to_string(pid);
    FakeGpu fake(withLines(kWholeCard, many + "\n0.graphics = !3\n"));
    Opened opened(fake);
    for (int i = 0; i < 10; ++i)
      QCOMPARE(*opened.sampler.sample(at(100 * i))->otherProcesses, 100.0);
    QCOMPARE(fake.calls("processes"), 2);  // the first call did not have room for all
  }

  void entriesOfProcessesMayBeLonger() {
    std::string many = "0.graphics = !3\n0.processes =";
    for (int pid = 100; pid < 140; ++pid) many += " " + std::to_string(pid);
    FakeGpu fake(withLines(kWholeCard, many + "\n"), tests::kFakeNvmlLong);
    Opened opened(fake, {}, {105, true, 0, "/"});
    QCOMPARE(*opened.sampler.sample(at(0))->otherProcesses, 39.0);
  }

  void otherRanksOfTheRunAreNoStrangers() {
    const tests::FakeRoot root;
    root.put("proc/10/stat", "10 (millrace) S 7 7 7 0");
    root.put("proc/12/stat", "12 (a (b) S 9) R 8 7 7 0");
    FakeGpu fake(withLines(kWholeCard, "0.shares = 10 900 90\n"));
    Opened opened(fake, {}, {11, true, 7, root.path()});
    // 10, 12 and 13 use it, and 10 is a child of 7 like this process.
    QCOMPARE(*opened.sampler.sample(at(0))->otherProcesses, 2.0);
    fake.set(withLines(kWholeCard, "0.shares = 10 1500 90 12 1500 30\n"));
    for (int i = 1; i < 10; ++i) VERIFY_OK(opened.sampler.sample(at(100 * i)));
    QCOMPARE(*opened.sampler.sample(at(1000))->otherShare, 0.3);
  }

  void sharesOfManyProcessesAreAskedForOnceMore() {
    std::string many = "0.shares =";
    for (int pid = 100; pid < 400; ++pid) many += " " + std::to_string(pid) + " 2000 0";
    FakeGpu fake(withLines(kWholeCard, "0.shares = 10 1000 90\n"));
    Opened opened(fake);
    VERIFY_OK(opened.sampler.sample(at(0)));
    fake.set(withLines(kWholeCard, many + " 10 2000 50\n"));
    for (int i = 1; i < 10; ++i) VERIFY_OK(opened.sampler.sample(at(100 * i)));
    QCOMPARE(*opened.sampler.sample(at(1000))->otherShare, 0.5);
    QCOMPARE(fake.calls("shares"), 2);
  }

  void whatOthersRunOnTheCardIsKnownFromTheSecondListOn() {
    const auto shares = [](const char* text) {
      return withLines(kWholeCard, std::string("0.shares = ") + text + "\n");
    };
    FakeGpu fake(shares("10 1000 90"));
    Opened opened(fake);
    QVERIFY(!opened.sampler.sample(at(0))->otherShare);
    // Process 11 is the asking process; for 10 the newer entries count.
    fake.set(shares("10 1000 90 10 1500 10 11 2000 50 10 2000 40 12 2000 5"));
    for (int i = 1; i < 10; ++i) QVERIFY(!opened.sampler.sample(at(100 * i))->otherShare);
    QCOMPARE(*opened.sampler.sample(at(1000))->otherShare, 0.45);
    for (int i = 11; i < 20; ++i) QCOMPARE(*opened.sampler.sample(at(100 * i))->otherShare, 0.45);
    QCOMPARE(*opened.sampler.sample(at(2000))->otherShare, 0.0);
  }

  void othersSharesOfTheCardCannotBeToldInAContainer() {
    FakeGpu fake(withLines(kWholeCard, "0.shares = 10 1000 90\n"));
    Opened opened(fake, {}, {11, false, 0, "/"});
    QVERIFY(!opened.sampler.sample(at(0))->otherShare);
    QCOMPARE(fake.calls("shares"), 0);
  }

  void anInstanceTellsItsMemoryAndTheCardsClocksAlone() {
    FakeGpu fake(withLines(kWholeCard,
                           "0.mig = 1\n0.utilisation = !3\n0.mig1.uuid = MIG-5555\n"
                           "0.mig1.name = NVIDIA H200 MIG 1g.18gb\n0.mig1.memory = 18000 300\n"
                           "0.mig1.processes = 11 20\n"));
    Opened opened(fake);
    QCOMPARE(opened.sampler.name(), std::string("NVIDIA H200 MIG 1g.18gb"));
    const Result<GpuValues> values = opened.sampler.sample(at(0));
    VERIFY_OK(values);
    QCOMPARE(*values->memoryTotalBytes, 18000.0);
    QCOMPARE(*values->smClockMhz, 1980.0);
    QCOMPARE(*values->otherProcesses, 1.0);
    // Figures of the whole card include other instances.
    QVERIFY(!values->utilisation && !values->powerWatts && !values->pcieRxBytesPerSecond &&
            !values->jpegUtilisation);
  }

  void aLibraryThatIsNoneOrDoesNotStartSaysWhy() {
    QCOMPARE(GpuLibrary::open("libmillrace-none.so").error().message,
             std::string("libmillrace-none.so is not installed"));
    const tests::TemporaryFolder folder;
    const std::string text = folder.path() / "libnvidia-ml.so.1";
    std::ofstream(text) << "no library";
    QCOMPARE(GpuLibrary::open(text).error().message,
             text + " cannot be loaded: " + text + ": file too short");
    QVERIFY(GpuLibrary::open("libc.so.6").error().message.find("not NVIDIA's management library") !=
            std::string::npos);
    FakeGpu fake("init = 9\n");
    QVERIFY(GpuLibrary::open(fake.file())
                .error()
                .message.ends_with("cannot be initialised: Driver Not Loaded"));
    fake.set(kWholeCard);
    {
      const auto library = GpuLibrary::open(fake.file());
      QCOMPARE(fake.users(), 1);
      QCOMPARE(*(*library)->cudaVersion(), std::string("13.0"));
    }
    QCOMPARE(fake.users(), 0);
  }

  void theMachinesGpusAreThoseThatMayBeUsed() {
    FakeGpu fake("devices = 3\ndriver = 580\n0.name = A\n1.handle = !4\n2.name = B\n");
    const std::vector<GpuInfo> gpus = readGpus(tests::kFakeNvml);
    QCOMPARE(gpus.size(), std::size_t{2});
    QCOMPARE(gpus[1].name, std::string("B"));
    QCOMPARE(gpus[1].driver, std::string("580"));
  }
};

}  // namespace millrace

using millrace::TestGpuSampler;
MILLRACE_TEST_CASE(TestGpuSampler)
#include "tst_gpu_sampler.moc"
