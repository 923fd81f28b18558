// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Batches on a device, here the emulated one, whose memory is the host's, and in pinned memory.
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "app/capi/dlpack_abi.h"
#include "core/cuda/device.h"
#include "tests/capi/opened.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::bytesOf;
using tests::contentOf;
using tests::gate;
using tests::kChain;
using tests::Opened;
using tests::restOfEpoch;
using tests::skip;

/// A loader on a device that lends all it has.
std::function<void(millrace_options&)> on(const char* device) {
  return [device](millrace_options& options) {
    options.device = device;
    options.held = 0;
  };
}

/// Stands for a cudaStream_t of the program.
void* const kStream = reinterpret_cast<void*>(5);

std::shared_ptr<Stream> programStream() {
  return openDevice().take()->programStream(kStream).take();
}

/// The program's own work on a batch: held up by the gate, it then reads the first field.
class Reading {
 public:
  explicit Reading(millrace_batch& batch)
      : m_expected(bytesOf(batch, batch.fields[0].data, batch.fields[0].bytes)),
        m_seen(m_expected.size(), '\0') {
    gate().close();
    m_enqueued = m_stream->enqueue("gate", [] { gate().pass(); }).ok() &&
                 m_stream->copyToHost(m_seen.data(), batch.fields[0].data, m_seen.size()).ok() &&
                 millrace_read_on(&batch, kStream) == MILLRACE_OK;
  }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading() { (void)readsTheBatch(); }

  /// Lets it go on; whether it read what the batch held.
  bool readsTheBatch() {
    gate().open();
    return m_enqueued && m_stream->synchronise().ok() && m_seen == m_expected;
  }

 private:
  const std::shared_ptr<Stream> m_stream = programStream();
  const std::string m_expected;
  std::string m_seen;
  bool m_enqueued = false;
};

/// Takes and keeps batches until none comes for a moment; the status then.
millrace_status takeAll(millrace_loader* loader, std::vector<millrace_batch*>& taken) {
  for (;;) {
    millrace_batch* batch = nullptr;
    const millrace_status status = millrace_next(loader, 0.2, &batch);
    if (batch != nullptr) taken.push_back(batch);
    if (status != MILLRACE_OK && status != MILLRACE_EPOCH_END) return status;
  }
}

}  // namespace

class TestDeviceBatches : public QObject {
  Q_OBJECT
 private slots:
  void init() { qputenv("MILLRACE_BACKEND", "emulated"); }
  void cleanup() {
    gate().open();
    qunsetenv("MILLRACE_BACKEND");
  }

  void batchesAreThoseOfTheHost() {
    const tests::TemporaryFolder folder;
    for (int i = 0; i < 7; ++i)
      folder.write("a/" + std::to_string(i) + ".jpg", std::string(std::size_t(i) * 100, 'x'));
    const std::string path = folder.path().string();
    const std::string ragged = "image_folder {\"paths\": [\"" + path + "\"]}\nshuffle {}\n";
    for (const std::string& chain :
         {kChain, ragged + "batch {\"size\": 3}\ndrain {}\n",
          std::string("synthetic {\"count\": 22}\nbatch {\"size\": 4}\ntransfer {\"slots\": 2}\n"
                      "prefetch {\"batches\": 3}\ndrain {}\n")}) {
      const Opened host(chain);
      QVERIFY2(host.status == MILLRACE_OK, host.error.c_str());
      for (const char* place : {"cuda:0", "pinned"}) {
        const Opened device(chain, on(place));
        QVERIFY2(device.status == MILLRACE_OK, device.error.c_str());
        for (std::uint32_t epoch = 0; epoch < 2; ++epoch) {
          QCOMPARE(millrace_set_epoch(host.loader, epoch), MILLRACE_OK);
          QCOMPARE(restOfEpoch(device.loader), restOfEpoch(host.loader));
        }
      }
    }
  }

  void theLoaderTellsWhereItsBatchesLie() {
    const auto told = [](const Opened& opened) {
      return opened.taken(millrace_describe(opened.loader));
    };
    const std::string device = told(Opened(kChain, on("cuda")));
    for (const char* part :
         {R"("device":"cuda:0")", "put in front of `drain`", "copy to the GPU", "of GPU memory"})
      QVERIFY2(device.find(part) != std::string::npos, device.c_str());
    const std::string pinned = told(Opened(kChain, on("pinned")));
    for (const char* part : {R"("device":"pinned")", ", pinned"})
      QVERIFY2(pinned.find(part) != std::string::npos, pinned.c_str());
    QVERIFY2(pinned.find("put in front") == std::string::npos, pinned.c_str());
    const std::string host = told(Opened(kChain, on("cpu")));
    QVERIFY2(host.find(R"("device":"cpu")") != std::string::npos, host.c_str());
  }

  void theEngineWaitsForTheProgramsOwnWork() {
    for (const char* place : {"cuda:0", "pinned"}) {
      const Opened opened(kChain, on(place));
      QVERIFY2(opened.status == MILLRACE_OK, opened.error.c_str());
      millrace_batch* batch = nullptr;
      QCOMPARE(millrace_next(opened.loader, -1, &batch), MILLRACE_OK);
      Reading reading(*batch);
      millrace_release(batch);
      // Everything else is filled and taken; no one is told to release what nobody holds.
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

  void closingWaitsForTheProgramsOwnWork() {
    Opened opened(kChain, on("cuda:0"));
    millrace_batch* batch = nullptr;
    QCOMPARE(millrace_next(opened.loader, -1, &batch), MILLRACE_OK);
    Reading reading(*batch);
    millrace_release(batch);
    std::thread closing([&] { millrace_close(opened.loader); });
    // Takes memory that was given back too early.
    const Opened other(kChain, on("cuda:0"));
    (void)restOfEpoch(other.loader);
    const bool read = reading.readsTheBatch();
    closing.join();
    QVERIFY(read);
  }

  void aTensorKeepsItsBatchAndSaysWhatItIs() {
    const std::string chain =
        "synthetic {\"count\": 22, \"content\": \"image\", \"height\": 6, \"width\": 5}\n"
        "workers {}\nprecision {\"dtype\": \"bf16\"}\nbatch {\"size\": 4}\ndrain {}\n";
    for (const char* place : {"cuda:0", "cpu"}) {
      DLManagedTensor* tensor = nullptr;
      std::string content;
      {
        const Opened opened(chain, on(place));
        QVERIFY2(opened.status == MILLRACE_OK, opened.error.c_str());
        millrace_batch* batch = nullptr;
        QCOMPARE(millrace_next(opened.loader, -1, &batch), MILLRACE_OK);
        const millrace_field& field = batch->fields[0];
        QCOMPARE(std::string(field.dtype), std::string("bf16"));
        tensor = millrace_dlpack(batch, 0, -1);
        QVERIFY2(tensor != nullptr, millrace_last_error());
        QCOMPARE(millrace_dlpack(batch, 9, -1), nullptr);
        QVERIFY2(std::strstr(millrace_last_error(), "no field 9"), millrace_last_error());
        QCOMPARE(millrace_dlpack(batch, 0, 1), nullptr);
        QVERIFY2(std::strstr(millrace_last_error(), "whole field"), millrace_last_error());
        const DLTensor& made = tensor->dl_tensor;
        QCOMPARE(made.data, field.data);
        QCOMPARE(made.device.device_type, int{MILLRACE_DEVICE_CPU});
        QCOMPARE(made.ndim, field.ndim);
        QVERIFY(std::equal(field.shape, field.shape + field.ndim, made.shape));
        QCOMPARE(made.strides[made.ndim - 1], std::int64_t{1});
        QCOMPARE(made.strides[0] * made.shape[0] * 2, static_cast<std::int64_t>(field.bytes));
        QCOMPARE(int{made.dtype.code}, int{kDLBfloat});
        QCOMPARE(int{made.dtype.bits}, 16);
        content = bytesOf(*batch, field.data, field.bytes);
        millrace_release(batch);
        for (int epoch = 0; epoch < 3; ++epoch) (void)restOfEpoch(opened.loader);
        QVERIFY(std::memcmp(made.data, content.data(), content.size()) == 0);
      }
      // The loader is closed.
      QVERIFY(std::memcmp(tensor->dl_tensor.data, content.data(), content.size()) == 0);
      std::thread([&] { tensor->deleter(tensor); }).join();
    }
  }

  void rowsThatDifferInSizeAreTensorsOfTheirOwn() {
    const tests::TemporaryFolder folder;
    folder.write("a/0.jpg", "abc");
    folder.write("a/1.jpg", "de");
    const std::string path = folder.path().string();
    const Opened opened(
        "image_folder {\"paths\": [\"" + path + "\"]}\nbatch {\"size\": 2}\ndrain {}\n",
        on("cuda:0"));
    QVERIFY2(opened.status == MILLRACE_OK, opened.error.c_str());
    millrace_batch* batch = nullptr;
    QCOMPARE(millrace_next(opened.loader, -1, &batch), MILLRACE_OK);
    QCOMPARE(millrace_dlpack(batch, 0, -1), nullptr);
    QVERIFY2(std::strstr(millrace_last_error(), "one row at a time"), millrace_last_error());
    QCOMPARE(millrace_dlpack(batch, 0, 2), nullptr);
    QVERIFY2(std::strstr(millrace_last_error(), "no row 2 of 2"), millrace_last_error());
    DLManagedTensor* const row = millrace_dlpack(batch, 0, 1);
    QVERIFY2(row != nullptr, millrace_last_error());
    millrace_release(batch);
    QCOMPARE(row->dl_tensor.shape[0], std::int64_t{2});
    QCOMPARE(std::string(static_cast<const char*>(row->dl_tensor.data), 2), std::string("de"));
    row->deleter(row);
  }

  void aStateGoesOnWhereverBatchesLie() {
    const Opened whole;
    const auto all = restOfEpoch(whole.loader);
    const Opened before(kChain, on("cuda:0"));
    skip(before.loader, 2);
    const std::string state = before.state();
    const Opened after;
    QCOMPARE(millrace_restore(after.loader, state.c_str()), MILLRACE_OK);
    QCOMPARE(restOfEpoch(after.loader), std::vector<std::string>(all.begin() + 2, all.end()));
    const Opened back(kChain, on("cuda:0"));
    const std::string hosts = after.state();
    QCOMPARE(millrace_restore(back.loader, hosts.c_str()), MILLRACE_OK);
    QVERIFY(restOfEpoch(back.loader).front().starts_with("1:0 "));
  }

  void whatCannotBeHadIsRefusedWithARemedy() {
    const auto refused = [](const Opened& opened, const std::vector<const char*>& parts) {
      QCOMPARE(opened.status, MILLRACE_ERROR_INPUT);
      for (const char* part : parts)
        QVERIFY2(opened.error.find(part) != std::string::npos, opened.error.c_str());
    };
    refused(Opened(kChain, on("gpu")), {"`gpu` is none", "`cuda:1`", "`pinned`"});
    refused(Opened(kChain, on("cuda:1")), {"cuda:1: there is no GPU 1", "without a device"});
    const std::string demands = "synthetic {}\nbatch {}\ntransfer {\"place\": \"gpu\"}\ndrain {}\n";
    for (const char* place : {"cpu", "pinned"})
      refused(Opened(demands, on(place)), {"transfer.place", "open the loader with a device"});
    QCOMPARE(Opened(demands, on("cuda")).status, MILLRACE_OK);
    qputenv("MILLRACE_BACKEND", "cpu");
    for (const char* place : {"cuda", "pinned"})
      refused(Opened(kChain, on(place)), {"forbids the GPU", "unset", "without a device"});
  }
};

}  // namespace millrace

using millrace::TestDeviceBatches;
MILLRACE_TEST_CASE(TestDeviceBatches)
#include "tst_device_batches.moc"
