// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/loader/slot_returns.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "core/cuda/emulated_device.h"
#include "tests/support/hand_clock.h"
#include "tests/support/stream_gate.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

class NoSlot final : public BatchSlot {};

/// A slot read by a stream of the program, which a gate holds up.
class ReadSlot {
 public:
  explicit ReadSlot(const EmulatedOptions& options = {}) : device(makeEmulatedDevice(options)) {
    int number = 0;
    stream = device->programStream(&number).take();
    (void)gate.holdUp(*stream);
    (void)stream->enqueue("read", [this] { read = true; });
  }
  /// Opens the gate, also after a failed test.
  ~ReadSlot() { gate.open(); }
  ReadSlot(const ReadSlot&) = delete;
  ReadSlot& operator=(const ReadSlot&) = delete;

  void comesBack() {
    const ProgramStream reader{device, stream};
    returns->add(slot, {&reader, 1});
  }
  void finishesReading() {
    gate.open();
    (void)stream->synchronise();
  }

  tests::StreamGate gate;
  std::atomic<bool> read{false};
  const std::shared_ptr<Device> device;
  std::shared_ptr<Stream> stream;
  NoSlot slot;
  tests::HandClock clock;
  std::vector<BatchSlot*> released;
  std::string error;
  std::unique_ptr<SlotReturns> returns = std::make_unique<SlotReturns>(
      SlotReturns::Engine{[this](BatchSlot& one) { released.push_back(&one); },
                          [this](const Error& failure) { error = failure.message; }},
      clock);
};

EmulatedOptions failing(std::uint64_t records, std::uint64_t queries = 0) {
  EmulatedOptions options;
  options.failingRecords = records;
  options.failingQueries = queries;
  return options;
}

}  // namespace

class TestSlotReturns : public QObject {
  Q_OBJECT
 private slots:
  void aSlotIsTheEnginesOnceItsStreamHasReadIt() {
    ReadSlot one;
    one.comesBack();
    QVERIFY(one.returns->collect());
    QVERIFY(one.released.empty());
    one.finishesReading();
    QVERIFY(!one.returns->collect());
    QCOMPARE(one.released, std::vector<BatchSlot*>{&one.slot});
    QVERIFY(!one.returns->collect());
    QCOMPARE(one.released.size(), std::size_t{1});
  }

  void aStreamThatCannotBeMarkedIsMarkedLater() {
    ReadSlot one(failing(2));
    one.comesBack();  // the first recording of an event fails
    for (int look = 0; look < 3; ++look) {
      QVERIFY(one.returns->collect());
      QVERIFY(one.released.empty());
    }
    one.finishesReading();
    QVERIFY(!one.returns->collect());
    QCOMPARE(one.released, std::vector<BatchSlot*>{&one.slot});
    QVERIFY2(one.error.empty(), one.error.c_str());
  }

  void aMarkThatCannotBeAskedIsSetAnew() {
    ReadSlot one(failing(0, 2));
    one.comesBack();
    for (int look = 0; look < 4; ++look) {
      QVERIFY(one.returns->collect());
      QVERIFY(one.released.empty());
    }
    one.finishesReading();
    QVERIFY(!one.returns->collect());
    QCOMPARE(one.released, std::vector<BatchSlot*>{&one.slot});
  }

  void afterItsPatienceTheWholeDeviceIsWaitedFor() {
    ReadSlot one(failing(UINT64_MAX - 1));
    one.comesBack();
    one.clock.pass(4.9);
    QVERIFY(one.returns->collect());
    QVERIFY(one.released.empty());
    one.clock.pass(0.2);
    std::thread opening([&] { one.gate.open(); });
    QVERIFY(!one.returns->collect());
    QVERIFY(one.read);
    opening.join();
    QCOMPARE(one.released, std::vector<BatchSlot*>{&one.slot});
    QVERIFY2(one.error.empty(), one.error.c_str());
  }

  void timeInWhichAStreamIsOnlySlowIsNoTrouble() {
    ReadSlot one(failing(1));
    one.comesBack();
    QVERIFY(one.returns->collect());
    one.clock.pass(3600);
    QVERIFY(one.returns->collect());
    QVERIFY(one.released.empty());
    one.finishesReading();
    QVERIFY(!one.returns->collect());
  }

  void aSlotThatNobodyCanWaitForIsLostAndEndsTheRun() {
    EmulatedOptions options;
    options.operationsUntilFault = 2;  // the gate and the read
    ReadSlot one(options);
    one.comesBack();
    QVERIFY(one.returns->collect());
    one.clock.pass(5);
    QVERIFY2(one.error.empty(), one.error.c_str());
    QVERIFY(!one.returns->collect());
    QVERIFY(one.released.empty());
    QVERIFY2(one.error.find("cudaDeviceSynchronize") != std::string::npos, one.error.c_str());
    QVERIFY2(one.error.find("faulted") != std::string::npos, one.error.c_str());
  }

  void everyStreamOfABatchCountsOnTheDeviceThatItIsOf() {
    EmulatedOptions second;
    second.ordinal = 1;
    ReadSlot one;
    ReadSlot other(second);
    const std::vector<ProgramStream> readers{{one.device, one.stream},
                                             {other.device, other.stream}};
    one.returns->add(one.slot, readers);
    one.finishesReading();
    QVERIFY(one.returns->collect());
    QVERIFY(one.released.empty());
    other.finishesReading();
    QVERIFY(!one.returns->collect());
    QCOMPARE(one.released.size(), std::size_t{1});
    one.returns.reset();  // before the devices of its events
  }

  void theEndWaitsAlsoForAStreamWithoutAMark() {
    for (const std::uint64_t records : {std::uint64_t{0}, UINT64_MAX - 1}) {
      ReadSlot one(failing(records));
      one.comesBack();
      std::thread opening([&] { one.gate.open(); });
      one.returns.reset();
      QVERIFY(one.read);
      opening.join();
    }
  }
};

}  // namespace millrace

using millrace::TestSlotReturns;
MILLRACE_TEST_CASE(TestSlotReturns)
#include "tst_slot_returns.moc"
