// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/gpu/gpu_monitor.h"

#include <filesystem>

#include "core/metrics/metric_spec.h"
#include "tests/core/monitor/fake_gpu.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::FakeGpu;
using tests::kWholeCard;

GpuMonitorOptions quickly(const FakeGpu& fake) {
  GpuMonitorOptions options;
  options.library = fake.file();
  options.period = std::chrono::milliseconds(1);
  options.visibility = GpuVisibility{};
  options.asker = {1, true, 0, "/"};
  return options;
}

SteadyTime generous() { return std::chrono::steady_clock::now() + std::chrono::seconds(60); }

}  // namespace

class TestGpuMonitor : public QObject {
  Q_OBJECT
 private slots:
  void itSamplesUntilTheDeviceIsLostAndSaysWhy() {
    FakeGpu fake(std::string(kWholeCard) + "lost_after = 200\n");
    const auto monitor = GpuMonitor::start(quickly(fake)).take();
    QCOMPARE(monitor->name(), std::string("NVIDIA H200"));
    QVERIFY(monitor->waitForEnd(generous()));
    const GpuFigures figures = monitor->figures();
    QVERIFY(figures.samples > 5);
    QCOMPARE(*figures.values.utilisation, 0.4);
    QVERIFY(figures.values.monitorCpuShare);
    QVERIFY2(figures.ended.find("GPU is lost") != std::string::npos, figures.ended.c_str());
    GpuNews news = monitor->news();
    QCOMPARE(news.samples.size(), figures.samples);
    QVERIFY(news.samples.front().at < news.samples.back().at);
    QCOMPARE(news.ended, figures.ended);
    news = monitor->news();
    QVERIFY(news.samples.empty() && !news.ended.empty());
    // The library was shut down with the sampling.
    QCOMPARE(fake.users(), 0);
  }

  void aSpanBeginsWhereItIsAsked() {
    FakeGpu fake(std::string(kWholeCard) + "lost_after = 100\n");
    const auto monitor = GpuMonitor::start(quickly(fake)).take();
    QVERIFY(monitor->waitForEnd(generous()));
    monitor->beginSpan();
    const GpuFigures figures = monitor->figures();
    QCOMPARE(figures.samples, std::uint64_t{0});
    QVERIFY(!figures.values.utilisation);
    QVERIFY(!figures.ended.empty());
  }

  void itStopsWhenNobodyWantsItAnyMore() {
    FakeGpu fake(kWholeCard);
    {
      const auto monitor = GpuMonitor::start(quickly(fake)).take();
    }
    QCOMPARE(fake.users(), 0);
  }

  void withoutAnythingToWatchItDoesNotStart() {
    FakeGpu fake(kWholeCard);
    GpuMonitorOptions options = quickly(fake);
    options.visibility->visibleDevices = "";
    QVERIFY(GpuMonitor::start(options).error().message.find("hidden") != std::string::npos);
    QCOMPARE(fake.users(), 0);
    options.library = "libmillrace-none.so";
    QVERIFY(!GpuMonitor::start(options));
  }

  void aPersonMayLeaveTheGpuUnwatched() {
    FakeGpu fake(kWholeCard);
    qputenv("MILLRACE_GPU_FIGURES", "0");
    const auto monitor = GpuMonitor::start(quickly(fake));
    qunsetenv("MILLRACE_GPU_FIGURES");
    QVERIFY(!monitor);
    QCOMPARE(fake.users(), 0);
    QVERIFY(GpuMonitor::start(quickly(fake)).ok());
  }

  void aDriverThatHangsIsNotWaitedForTwice() {
    FakeGpu fake("hangs = 1\n");
    GpuMonitorOptions options = quickly(fake);
    // A library that hung is remembered by its file name, so use one that no other test uses.
    options.library = std::filesystem::path(fake.file()).parent_path() / "." / "libnvidia-ml.so.1";
    options.patience = std::chrono::milliseconds(20);
    for (int i = 0; i < 2; ++i) {
      const auto monitor = GpuMonitor::start(options);
      QVERIFY(!monitor);
      QVERIFY2(monitor.error().message.find("does not answer") != std::string::npos,
               monitor.error().message.c_str());
      options.patience = std::chrono::hours(1);
    }
    // The abandoned thread ends later; it then initialises and shuts down the library.
    fake.set(kWholeCard);
    QTRY_COMPARE_WITH_TIMEOUT(fake.calls("shutdown"), 1, 60000);
    QCOMPARE(fake.users(), 0);
  }

  void ticksKeepTheirPeriodAndNeverRunBackToBack() {
    using namespace std::chrono_literals;
    const SteadyTime begin{};
    QCOMPARE(nextTick(begin, begin + 1ms, 100ms), begin + 100ms);
    QCOMPARE(nextTick(begin, begin + 40ms, 100ms), begin + 100ms);
    QCOMPARE(nextTick(begin, begin + 120ms, 100ms), begin + 170ms);
  }

  void aSpansFiguresAreMeansPeaksAndEveryReason() {
    GpuMeans means;
    GpuValues a;
    a.utilisation = 0.2;
    a.memoryUsedBytes = 500;
    a.temperatureCelsius = 70;
    a.throttledShare = 0;
    GpuValues b = a;
    b.utilisation = 0.4;
    b.memoryUsedBytes = 300;
    b.temperatureCelsius.reset();
    b.throttledShare = 1;
    b.throttleReasons = 0x4;
    means.add(a);
    means.add(b);
    const GpuValues values = means.values();
    QVERIFY(std::abs(*values.utilisation - 0.3) < 1e-12);
    QCOMPARE(*values.memoryUsedBytes, 500.0);
    QCOMPARE(*values.temperatureCelsius, 70.0);
    QCOMPARE(*values.throttledShare, 0.5);
    QVERIFY(!values.powerWatts);
    QCOMPARE(values.throttleReasons, std::uint64_t{0x4});
  }

  void repeatsAreCombinedAndAnAbsentOneIsNone() {
    QVERIFY(!combineGpu({}));
    GpuFigures first{"H200", {}, 10, ""};
    first.values.utilisation = 0.5;
    GpuFigures second{"H200", {}, 20, "GPU is lost"};
    second.values.utilisation = 0.7;
    const std::vector<GpuFigures> both = {first, second};
    const std::optional<GpuFigures> all = combineGpu(both);
    QVERIFY(std::abs(*all->values.utilisation - 0.6) < 1e-12);
    QCOMPARE(all->samples, std::uint64_t{30});
    QCOMPARE(all->ended, std::string("GPU is lost"));
  }

  void everyValueIsDescribedAndEveryReasonHasABitBack() {
    for (const GpuField& field : gpuFields())
      QVERIFY2(findMetric("accelerator." + std::string(field.key)) != nullptr,
               std::string(field.key).c_str());
    const std::uint64_t all = gpuThrottling(~std::uint64_t{0});
    std::uint64_t bits = 0;
    for (const std::string& name : gpuThrottleNames(all)) bits |= gpuThrottleBit(name);
    QCOMPARE(bits, all);
    QCOMPARE(gpuThrottleBit("no such"), std::uint64_t{0});
  }
};

}  // namespace millrace

using millrace::TestGpuMonitor;
MILLRACE_TEST_CASE(TestGpuMonitor)
#include "tst_gpu_monitor.moc"
