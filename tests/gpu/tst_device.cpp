// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The device interface on a real GPU, and pipelines that copy batches to it.
#include <QTemporaryDir>

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/cuda/cuda_facts.h"
#include "core/cuda/device_clock.h"
#include "core/cuda/spin.h"
#include "tests/core/run/run_support.h"
#include "tests/gpu/place_counts.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;  // NOLINT(google-build-using-namespace): everything here is a test

class TestDevice : public QObject {
  Q_OBJECT

  std::shared_ptr<Device> m_device;
  QTemporaryDir m_folder;

  /// For example by a sanitizer: durations then mean nothing.
  static bool slowed() { return qEnvironmentVariableIsSet("MILLRACE_TEST_SLOWED"); }

 private slots:
  void initTestCase() {
    const CudaFacts facts = cudaFacts();
    if (!facts.trouble.empty()) QSKIP(facts.trouble.c_str());
    auto device = openCudaDevice(0);
    QVERIFY2(device.ok(), device.ok() ? "" : device.error().message.c_str());
    m_device = device.take();
    writePictures(m_folder.path().toStdString(), 23);
  }
  void cleanup() { qunsetenv("MILLRACE_BACKEND"); }

  void theDeviceSaysWhatItIs() {
    const DeviceFacts& facts = m_device->facts();
    QVERIFY(!facts.name.empty());
    QVERIFY(facts.major >= 7);
    QVERIFY(facts.multiprocessors > 0);
    QVERIFY(facts.freeBytes > 0 && facts.freeBytes <= facts.memoryBytes);
  }

  void bytesGoThereAndBack() {
    constexpr std::size_t kBytes = 3'000'001;
    const auto stream = m_device->makeStream("test").take();
    const DeviceBuffer there = m_device->deviceMemory(kBytes).take();
    const PinnedBuffer from = m_device->pinnedMemory(kBytes).take();
    const PinnedBuffer back = m_device->pinnedMemory(kBytes).take();
    for (std::size_t i = 0; i < kBytes; ++i) from.data()[i] = static_cast<std::byte>(i * 31 >> 3);
    QVERIFY(stream->fill(there.data(), 7, kBytes).ok());
    QVERIFY(stream->copyToDevice(there.data(), from.data(), kBytes - 1).ok());
    QVERIFY(stream->copyToHost(back.data(), there.data(), kBytes).ok());
    QVERIFY(stream->synchronise().ok());
    QVERIFY(std::memcmp(from.data(), back.data(), kBytes - 1) == 0);
    QCOMPARE(std::to_integer<int>(back.data()[kBytes - 1]), 7);
  }

  void aLaunchVisitsEveryPlaceOnce_data() {
    QTest::addColumn<unsigned>("x");
    QTest::addColumn<unsigned>("y");
    QTest::addColumn<unsigned>("z");
    QTest::newRow("one") << 1U << 1U << 1U;
    QTest::newRow("odd") << 33U << 7U << 5U;
    QTest::newRow("wide") << 100'003U << 3U << 2U;
    QTest::newRow("more rows than a grid has") << 3U << 70'001U << 1U;
    QTest::newRow("deeper than a grid is") << 2U << 1U << 70'003U;
  }

  void aLaunchVisitsEveryPlaceOnce() {
    QFETCH(unsigned, x);
    QFETCH(unsigned, y);
    QFETCH(unsigned, z);
    const std::size_t places = std::size_t{x} * y * z;
    const auto stream = m_device->makeStream("test").take();
    const DeviceBuffer counts = m_device->deviceMemory(places * 4).take();
    std::vector<std::uint32_t> back(places);
    QVERIFY(stream->fill(counts.data(), 0, places * 4).ok());
    const Status launched =
        countPlaces(*stream, {x, y, z}, reinterpret_cast<std::uint32_t*>(counts.data()));
    QVERIFY2(launched.ok(), launched.ok() ? "" : launched.error().message.c_str());
    QVERIFY(stream->copyToHost(back.data(), counts.data(), places * 4).ok());
    QVERIFY(stream->synchronise().ok());
    QVERIFY(std::ranges::all_of(back, [](std::uint32_t count) { return count == 1; }));
  }

  void eventsOrderStreamsAndTellTimes() {
    const auto first = m_device->makeStream("first").take();
    const auto second = m_device->makeStream("second").take();
    const auto begin = m_device->makeEvent(EventKind::Timed).take();
    const auto end = m_device->makeEvent(EventKind::Timed).take();
    const auto behind = m_device->makeEvent(EventKind::Timed).take();
    QVERIFY(first->record(*begin).ok());
    QVERIFY(spin(*first, m_device->facts().multiprocessors, std::chrono::milliseconds(20)).ok());
    QVERIFY(first->record(*end).ok());
    QVERIFY(slowed() || !*end->passed());
    QVERIFY(second->wait(*end).ok());
    QVERIFY(second->record(*behind).ok());
    QVERIFY(behind->wait().ok());
    QVERIFY(*end->passed());
    const auto took = *end->since(*begin);
    QVERIFY2(
        took > std::chrono::milliseconds(19) && (slowed() || took < std::chrono::milliseconds(25)),
        fmt::format("{} ns", took.count()).c_str());
    QVERIFY(*behind->since(*end) >= std::chrono::nanoseconds(0));
  }

  void theClockOfTheDeviceIsTheHosts() {
    const auto clock = DeviceClock::make(*m_device).take();
    const auto stream = m_device->makeStream("test").take();
    const auto event = m_device->makeEvent(EventKind::Timed).take();
    const auto now = [] {
      return static_cast<std::uint64_t>(
          std::chrono::steady_clock::now().time_since_epoch().count());
    };
    const std::uint64_t before = now();
    QVERIFY(stream->record(*event).ok());
    QVERIFY(event->wait().ok());
    const std::uint64_t after = now();
    const std::uint64_t at = clock->steadyNs(*event).take();
    QVERIFY(slowed() || (at + 200'000 >= before && at <= after + 200'000));
  }

  void tooMuchMemoryIsAnErrorThatSaysHowMuchIsFree() {
    const auto memory = m_device->deviceMemory(std::size_t{1} << 50U);
    QVERIFY(!memory.ok());
    QVERIFY2(memory.error().message.find("free") != std::string::npos,
             memory.error().message.c_str());
    QVERIFY(m_device->deviceMemory(1000).ok());
  }

  void batchesAreTheHosts() {
    const auto chain = [&](const char* transfer) {
      return fmt::format(
          "image_folder {{\"paths\": [\"{}\"]}}\nshuffle\nworkers\ndecode\n"
          "random_resized_crop {{\"height\": 24, \"width\": 20}}\nflip\n"
          "batch {{\"size\": 5}}\nprefetch\n{}\ndrain",
          m_folder.path().toStdString(), transfer);
    };
    qputenv("MILLRACE_BACKEND", "cpu");
    const Outcome host = runChain(chain("transfer"), epochs(4));
    qputenv("MILLRACE_BACKEND", "cuda");
    for (const char* transfer : {"transfer", R"(transfer {"slots": 2, "pinned": false})"}) {
      const Outcome device = runChain(chain(transfer), epochs(4));
      QVERIFY2(device.end == RunEnd::Finished, device.error.c_str());
      QVERIFY(device.batches == host.batches);
    }
  }

  void anEmulatedStepOccupiesTheDevice() {
    qputenv("MILLRACE_BACKEND", "cuda");
    const Outcome outcome = runChain(
        "synthetic\nbatch {\"size\": 4}\ntransfer\nemulated_step {\"seconds\": 0.02}", batches(10));
    QVERIFY2(outcome.end == RunEnd::Finished, outcome.error.c_str());
    QVERIFY2(outcome.totals.stepSeconds > 0.19 && (slowed() || outcome.totals.stepSeconds < 0.4),
             fmt::format("{} s", outcome.totals.stepSeconds).c_str());
  }
};

}  // namespace millrace

using millrace::TestDevice;
MILLRACE_TEST_CASE(TestDevice)
#include "tst_device.moc"
