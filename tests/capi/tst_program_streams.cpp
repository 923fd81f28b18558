// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Streams of the program that read batches or write to them, on emulated devices.
#include <cstdint>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "tests/capi/on_device.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::bytesOf;
using tests::gate;
using tests::kChain;
using tests::kStream;
using tests::on;
using tests::Opened;
using tests::programStream;
using tests::Reading;
using tests::restOfEpoch;
using tests::takeAll;

}  // namespace

class TestProgramStreams : public QObject {
  Q_OBJECT
 private slots:
  void init() { qputenv("MILLRACE_BACKEND", "emulated"); }
  void cleanup() {
    gate().open();
    qunsetenv("MILLRACE_BACKEND");
    qunsetenv("MILLRACE_EMULATED_GPUS");
  }

  void theEngineWaitsForTheProgramsOwnWork() {
    for (const char* place : {"cuda:0", "pinned"}) {
      const Opened opened(kChain, on(place));
      QVERIFY2(opened.status == MILLRACE_OK, opened.error.c_str());
      millrace_batch* batch = nullptr;
      QCOMPARE(millrace_next(opened.loader, -1, &batch), MILLRACE_OK);
      Reading reading(*batch);
      millrace_release(batch);
      // All other slots are filled and taken; no message asks to release batches that are not held.
      std::vector<millrace_batch*> taken;
      QCOMPARE(takeAll(opened.loader, taken), MILLRACE_TIMEOUT);
      QVERIFY(!taken.empty());
      QVERIFY2(reading.readsTheBatch(), place);
      millrace_status next = millrace_next(opened.loader, -1, &batch);
      if (next == MILLRACE_EPOCH_END) next = millrace_next(opened.loader, -1, &batch);
      QCOMPARE(next, MILLRACE_OK);
      taken.push_back(batch);
      QCOMPARE(takeAll(opened.loader, taken), MILLRACE_HELD);
      for (millrace_batch* held : taken) millrace_release(held);
    }
  }

  void theEngineWaitsForWorkOnAnotherDeviceThanTheBatchs() {
    qputenv("MILLRACE_EMULATED_GPUS", "2");
    const std::shared_ptr<Device> other = openDevice(1).take();
    // A separate stream, the legacy default stream, and the thread's default stream.
    for (const std::uintptr_t number : {7, 0, 2})
      for (const char* place : {"cuda:0", "pinned"}) {
        void* const native = reinterpret_cast<void*>(number);
        const Opened opened(kChain, on(place));
        QVERIFY2(opened.status == MILLRACE_OK, opened.error.c_str());
        millrace_batch* batch = nullptr;
        QCOMPARE(millrace_next(opened.loader, -1, &batch), MILLRACE_OK);
        Reading reading(*batch, native, other->programStream(native).take());
        millrace_release(batch);
        std::vector<millrace_batch*> taken;
        QCOMPARE(takeAll(opened.loader, taken), MILLRACE_TIMEOUT);
        QVERIFY2(reading.readsTheBatch(), place);
        for (millrace_batch* held : taken) millrace_release(held);
      }
  }

  void aThreadThatWaitsGetsWhatAnotherOneGivesBackWithAStream() {
    const Opened opened(kChain, on("cuda:0"));
    QVERIFY2(opened.status == MILLRACE_OK, opened.error.c_str());
    std::vector<millrace_batch*> taken;
    QCOMPARE(takeAll(opened.loader, taken), MILLRACE_HELD);
    millrace_batch* next = nullptr;
    std::future<millrace_status> waiting = std::async(std::launch::async, [&] {
      millrace_status status = MILLRACE_EPOCH_END;
      // Refused while this thread finds out whether the other is waiting.
      while (status == MILLRACE_EPOCH_END || status == MILLRACE_ERROR_USE)
        status = millrace_next(opened.loader, 30, &next);
      return status;
    });
    // Until the other thread is waiting, this one would wait.
    for (int i = 0; i < 100000; ++i) {
      millrace_batch* none = nullptr;
      if (millrace_next(opened.loader, 0, &none) == MILLRACE_ERROR_USE) break;
    }
    QCOMPARE(millrace_read_on(taken.back(), kStream), MILLRACE_OK);
    millrace_release(taken.back());
    taken.pop_back();
    // Without a notification it would sleep for all of its 30 s and report that everything is held.
    QCOMPARE(waiting.get(), MILLRACE_OK);
    millrace_release(next);
    for (millrace_batch* held : taken) millrace_release(held);
  }

  void aCopyToTheHostIsBehindWhatTheProgramWritesThere() {
    const Opened opened(kChain, on("cuda:0"));
    QVERIFY2(opened.status == MILLRACE_OK, opened.error.c_str());
    millrace_batch* batch = nullptr;
    QCOMPARE(millrace_next(opened.loader, -1, &batch), MILLRACE_OK);
    const millrace_field& field = batch->fields[0];
    gate().close();
    const std::shared_ptr<Stream> stream = programStream();
    VERIFY_OK(stream->enqueue("gate", [] { gate().pass(); }));
    VERIFY_OK(stream->fill(field.data, 7, field.bytes));
    QCOMPARE(millrace_read_on(batch, kStream), MILLRACE_OK);
    std::future<std::string> copied =
        std::async(std::launch::async, [&] { return bytesOf(*batch, field.data, field.bytes); });
    // Long enough for a copy that does not wait.
    (void)copied.wait_for(std::chrono::milliseconds(200));
    gate().open();
    QCOMPARE(copied.get(), std::string(field.bytes, '\7'));
    millrace_release(batch);
  }

  void closingWaitsForTheProgramsOwnWork() {
    Opened opened(kChain, on("cuda:0"));
    millrace_batch* batch = nullptr;
    QCOMPARE(millrace_next(opened.loader, -1, &batch), MILLRACE_OK);
    Reading reading(*batch);
    millrace_release(batch);
    std::thread closing([&] { millrace_close(opened.loader); });
    // Uses memory that was returned too early.
    const Opened other(kChain, on("cuda:0"));
    (void)restOfEpoch(other.loader);
    const bool read = reading.readsTheBatch();
    closing.join();
    QVERIFY(read);
  }
};

}  // namespace millrace

using millrace::TestProgramStreams;
MILLRACE_TEST_CASE(TestProgramStreams)
#include "tst_program_streams.moc"
