// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <future>

#include "core/cuda/cuda_facts.h"
#include "core/cuda/emulated_device.h"
#include "core/cuda/launch.h"
#include "core/cuda/spin.h"
#include "core/kernels/host_device.h"
#include "tests/support/stream_gate.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// Counts the calls for each place, so that a missing or repeated call shows.
struct CountPlace {
  int* counts;
  Extent extent;
  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    ++counts[(z * extent.y + y) * extent.x + x];
  }
};

struct AddOne {
  std::uint8_t* values;
  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t, std::uint32_t) const {
    ++values[x];
  }
};

}  // namespace

class TestEmulatedDevice : public QObject {
  Q_OBJECT

  std::shared_ptr<Device> m_device = makeEmulatedDevice();

 private slots:
  void copiesAndKernelsRunInTheirOrder() {
    const auto stream = m_device->makeStream("test").take();
    const DeviceBuffer device = m_device->deviceMemory(1000).take();
    const PinnedBuffer host = m_device->pinnedMemory(1000).take();
    const PinnedBuffer back = m_device->pinnedMemory(1000).take();
    std::memset(host.data(), 5, 1000);
    QVERIFY(stream->fill(device.data(), 9, 1000).ok());
    QVERIFY(stream->copyToDevice(device.data(), host.data(), 999).ok());
    for (int i = 0; i < 3; ++i)
      QVERIFY(
          forEach(*stream, "addOne", {1000}, AddOne{reinterpret_cast<std::uint8_t*>(device.data())})
              .ok());
    QVERIFY(stream->copyToHost(back.data(), device.data(), 1000).ok());
    QVERIFY(stream->synchronise().ok());
    QCOMPARE(std::to_integer<int>(back.data()[0]), 8);
    QCOMPARE(std::to_integer<int>(back.data()[998]), 8);
    QCOMPARE(std::to_integer<int>(back.data()[999]), 12);
  }

  void aLaunchVisitsEveryPlaceOnce() {
    const auto stream = m_device->makeStream("test").take();
    const Extent extent{7, 5, 3};
    std::vector<int> counts(7 * 5 * 3);
    QVERIFY(forEach(*stream, "count", extent, CountPlace{counts.data(), extent}).ok());
    QVERIFY(forEach(*stream, "none", {0, 5, 3}, CountPlace{nullptr, extent}).ok());
    QVERIFY(stream->synchronise().ok());
    QCOMPARE(counts, std::vector<int>(7 * 5 * 3, 1));
  }

  void nothingIsDoneWhenItIsEnqueued() {
    const auto stream = m_device->makeStream("test").take();
    const auto event = m_device->makeEvent(EventKind::Ordering).take();
    QVERIFY(*event->passed());  // never recorded
    tests::StreamGate gate;
    QVERIFY(gate.holdUp(*stream).ok());
    QVERIFY(stream->record(*event).ok());
    QVERIFY(!*event->passed());
    gate.open();
    QVERIFY(event->wait().ok());
    QVERIFY(*event->passed());
  }

  void aStreamWaitsForTheLastRecordOfAnEventAtThatTime() {
    const auto first = m_device->makeStream("first").take();
    const auto second = m_device->makeStream("second").take();
    const auto event = m_device->makeEvent(EventKind::Ordering).take();
    tests::StreamGate gate;
    int value = 0;
    int seen = -1;
    QVERIFY(gate.holdUp(*first).ok());
    QVERIFY(first->enqueue("set", [&] { value = 1; }).ok());
    QVERIFY(first->record(*event).ok());
    QVERIFY(second->wait(*event).ok());
    QVERIFY(second->enqueue("see", [&] { seen = value; }).ok());
    gate.open();
    QVERIFY(second->synchronise().ok());
    QCOMPARE(seen, 1);
    // Only later waits wait for the later record: this wait must not hang.
    QVERIFY(second->wait(*event).ok());
    QVERIFY(second->synchronise().ok());
  }

  void aStreamOfTheProgramIsTheSameForTheSameNumber() {
    int first = 0;
    int second = 0;
    const std::shared_ptr<Stream> stream = m_device->programStream(&first).take();
    QCOMPARE(m_device->programStream(&first).take(), stream);
    QVERIFY(m_device->programStream(&second).take() != stream);
    int value = 0;
    QVERIFY(stream->enqueue("set", [&] { value = 1; }).ok());
    QVERIFY(stream->synchronise().ok());
    QCOMPARE(value, 1);
  }

  void eventsTellTheTimeBetweenThem() {
    const auto stream = m_device->makeStream("test").take();
    const auto begin = m_device->makeEvent(EventKind::Timed).take();
    const auto end = m_device->makeEvent(EventKind::Timed).take();
    QVERIFY(stream->record(*begin).ok());
    QVERIFY(spin(*stream, 1, std::chrono::milliseconds(2)).ok());
    QVERIFY(stream->record(*end).ok());
    QVERIFY(end->wait().ok());
    QVERIFY(*end->since(*begin) >= std::chrono::milliseconds(2));
  }

  void timesAreThereForTimedEventsThatHavePassed() {
    const auto stream = m_device->makeStream("test").take();
    const auto begin = m_device->makeEvent(EventKind::Timed).take();
    const auto end = m_device->makeEvent(EventKind::Timed).take();
    const auto bare = m_device->makeEvent(EventKind::Ordering).take();
    const auto refused = [](const Event& from, const Event& to, const char* why) {
      const auto time = to.since(from);
      QVERIFY(!time.ok());
      QVERIFY2(time.error().message.find(why) != std::string::npos, time.error().message.c_str());
    };
    VERIFY_OK(stream->record(*begin));
    VERIFY_OK(stream->record(*bare));
    VERIFY_OK(stream->synchronise());
    refused(*begin, *end, "never recorded");
    refused(*end, *begin, "never recorded");
    refused(*begin, *bare, "without timing");
    refused(*bare, *begin, "without timing");
    tests::StreamGate gate;
    VERIFY_OK(gate.holdUp(*stream));
    VERIFY_OK(stream->record(*end));
    refused(*begin, *end, "not passed yet");
    gate.open();
    VERIFY_OK(stream->synchronise());
    VERIFY_OK(end->since(*begin));
    // In the opposite order the time is undefined.
    QCOMPARE(begin->since(*end).take(), std::chrono::nanoseconds(0));
  }

  void anEventIsRecordedOnItsOwnDeviceAndWaitedForOnAny() {
    EmulatedOptions options;
    options.ordinal = 1;
    const std::shared_ptr<Device> other = makeEmulatedDevice(options);
    const auto here = m_device->makeStream("here").take();
    const auto there = other->makeStream("there").take();
    const auto event = other->makeEvent(EventKind::Timed).take();
    const Status refused = here->record(*event);
    QVERIFY(!refused.ok());
    QVERIFY2(refused.error().message.find("another device") != std::string::npos,
             refused.error().message.c_str());
    tests::StreamGate gate;
    int value = 0;
    int seen = -1;
    VERIFY_OK(gate.holdUp(*there));
    VERIFY_OK(there->enqueue("set", [&] { value = 1; }));
    VERIFY_OK(there->record(*event));
    VERIFY_OK(here->wait(*event));
    VERIFY_OK(here->enqueue("see", [&] { seen = value; }));
    const auto own = m_device->makeEvent(EventKind::Timed).take();
    VERIFY_OK(here->record(*own));
    gate.open();
    VERIFY_OK(here->synchronise());
    QCOMPARE(seen, 1);
    QVERIFY(own->since(*event).error().message.find("two devices") != std::string::npos);
    QVERIFY(event->since(*own).error().message.find("GPU 1") != std::string::npos);
  }

  void aDeviceIsWaitedForWithAllItsStreams() {
    tests::StreamGate gate;
    int value = 0;
    const auto first = m_device->makeStream("first").take();
    const auto second = m_device->makeStream("second").take();
    VERIFY_OK(gate.holdUp(*first));
    VERIFY_OK(first->enqueue("set", [&] { value = 1; }));
    VERIFY_OK(second->enqueue("nothing", [] {}));
    std::future<Status> done =
        std::async(std::launch::async, [this] { return m_device->synchronise(); });
    // Long enough for a call that fails to wait to return.
    QVERIFY(done.wait_for(std::chrono::milliseconds(100)) == std::future_status::timeout);
    gate.open();
    VERIFY_OK(done.get());
    QCOMPARE(value, 1);
  }

  void recordsAndQueriesFailAsOftenAsTheyAreTold() {
    EmulatedOptions options;
    options.failingRecords = 2;
    options.failingQueries = 1;
    const std::shared_ptr<Device> device = makeEmulatedDevice(options);
    const auto stream = device->makeStream("test").take();
    const auto event = device->makeEvent(EventKind::Ordering).take();
    QVERIFY(!stream->record(*event).ok());
    QVERIFY(!stream->record(*event).ok());
    VERIFY_OK(stream->record(*event));
    QVERIFY(!event->passed().ok());
    VERIFY_OK(event->passed());
    VERIFY_OK(event->wait());
  }

  void afterAFaultEveryCallSaysSo() {
    std::byte memory[8]{};  // outlives the stream, which may work until it ends
    EmulatedOptions options;
    options.operationsUntilFault = 2;
    const std::shared_ptr<Device> device = makeEmulatedDevice(options);
    const auto stream = device->makeStream("test").take();
    const auto event = device->makeEvent(EventKind::Ordering).take();
    QVERIFY(stream->copyToDevice(memory, memory + 4, 4).ok());
    QVERIFY(stream->record(*event).ok());
    const Status third = stream->copyToDevice(memory, memory + 4, 4);
    QVERIFY(!third.ok());
    QVERIFY(third.error().message.find("cudaMemcpyAsync") != std::string::npos);
    QVERIFY(third.error().message.find("GPU 0 (emulated)") != std::string::npos);
    QVERIFY(!event->wait().ok());
    QVERIFY(!stream->synchronise().ok());
    QVERIFY(!device->synchronise().ok());
    QVERIFY(!device->makeEvent(EventKind::Ordering).ok());
  }

  void theBackendIsChosenByTheEnvironment() {
    const QByteArray before = qgetenv("MILLRACE_BACKEND");
    qputenv("MILLRACE_BACKEND", "emulated");
    QVERIFY(deviceSupport().usable);
    QVERIFY(openDevice().ok());
    QCOMPARE(openDevice().value().get(), openDevice().value().get());
    QVERIFY(openDevice(1).error().message.find("no GPU 1") != std::string::npos);
    qputenv("MILLRACE_BACKEND", "cpu");
    QVERIFY(!deviceSupport().usable);
    QVERIFY(!openDevice().ok());
    qputenv("MILLRACE_BACKEND", "opencl");
    QVERIFY(deviceSupport().reason.find("opencl") != std::string::npos);
    if (before.isEmpty())
      qunsetenv("MILLRACE_BACKEND");
    else
      qputenv("MILLRACE_BACKEND", before);
  }

  /// On every machine: whatever is missing has a reason and a remedy, and nothing crashes.
  void theFactsAboutCudaAreWhole() {
    const CudaFacts facts = cudaFacts();
    QCOMPARE(facts.trouble.empty(), !facts.devices.empty());
    QCOMPARE(facts.trouble.empty(), facts.remedy.empty());
    QCOMPARE(facts.built, !facts.toolkit.empty());
    const auto device = openCudaDevice(0);
    if (!facts.trouble.empty()) {
      QVERIFY(device.error().message.find(facts.trouble) != std::string::npos);
      QVERIFY(device.error().message.ends_with("MILLRACE_BACKEND=cpu"));
    }
    QVERIFY(!openCudaDevice(1000).ok());
  }
};

}  // namespace millrace

using millrace::TestEmulatedDevice;
MILLRACE_TEST_CASE(TestEmulatedDevice)
#include "tst_emulated_device.moc"
