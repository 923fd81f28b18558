// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The GPU monitor on a real device: it must answer, in sensible units. What it does with the
// answers is tested with scripted ones (tests/core/monitor).
#include "core/monitor/gpu/gpu_monitor.h"

#include "tests/support/test_case.h"

namespace millrace {

class TestGpuWatch : public QObject {
  Q_OBJECT
 private slots:
  void aRealDeviceTellsSensibleValuesAtLittleCost() {
    auto started = GpuMonitor::start();
    if (!started) QSKIP(started.error().message.c_str());
    const std::unique_ptr<GpuMonitor> monitor = started.take();
    // Twelve samples: the monitor only ends on its own if the device does.
    const SteadyTime until = std::chrono::steady_clock::now() + std::chrono::milliseconds(1250);
    QVERIFY2(!monitor->waitForEnd(until), monitor->figures().ended.c_str());
    const GpuFigures figures = monitor->figures();
    const GpuValues& values = figures.values;
    QVERIFY(!figures.name.empty() && figures.samples >= 5);
    QVERIFY(values.memoryUsedBytes && values.memoryTotalBytes);
    QVERIFY(*values.memoryTotalBytes > 1e9 && *values.memoryTotalBytes < 1e13);
    QVERIFY(*values.memoryUsedBytes > 0 && *values.memoryUsedBytes <= *values.memoryTotalBytes);
    for (const auto& share : {values.utilisation, values.memoryUtilisation, values.throttledShare,
                              values.decoderUtilisation, values.jpegUtilisation})
      QVERIFY(!share || (*share >= 0 && *share <= 1));
    QVERIFY(!values.powerWatts || (*values.powerWatts > 1 && *values.powerWatts < 3000));
    QVERIFY(!values.temperatureCelsius ||
            (*values.temperatureCelsius > 5 && *values.temperatureCelsius < 120));
    QVERIFY(!values.smClockMhz || (*values.smClockMhz > 50 && *values.smClockMhz < 5000));
    for (const auto& rate : {values.pcieRxBytesPerSecond, values.pcieTxBytesPerSecond})
      QVERIFY(!rate || (*rate >= 0 && *rate < 1e12));
    for (const GpuField& field : gpuFields())
      if (const auto& value = values.*field.value)
        qInfo("%s %g", std::string(field.key).c_str(), *value);
  }
};

}  // namespace millrace

using millrace::TestGpuWatch;
MILLRACE_TEST_CASE(TestGpuWatch)
#include "tst_gpu_watch.moc"
