// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Batches on a device (the emulated one, whose memory is host memory) and in pinned memory.
#include <dlpack/dlpack.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "core/cuda/device.h"
#include "tests/capi/on_device.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

using tests::bytesOf;
using tests::contentOf;
using tests::kChain;
using tests::on;
using tests::Opened;
using tests::restOfEpoch;
using tests::skip;

}  // namespace

class TestDeviceBatches : public QObject {
  Q_OBJECT
 private slots:
  void init() { qputenv("MILLRACE_BACKEND", "emulated"); }
  void cleanup() { qunsetenv("MILLRACE_BACKEND"); }

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
         {R"("device":"cuda:0")", "inserted before `drain`", "copy to the GPU", "of GPU memory"})
      QVERIFY2(device.find(part) != std::string::npos, device.c_str());
    const std::string pinned = told(Opened(kChain, on("pinned")));
    for (const char* part : {R"("device":"pinned")", ", pinned"})
      QVERIFY2(pinned.find(part) != std::string::npos, pinned.c_str());
    QVERIFY2(pinned.find("inserted before") == std::string::npos, pinned.c_str());
    const std::string host = told(Opened(kChain, on("cpu")));
    QVERIFY2(host.find(R"("device":"cpu")") != std::string::npos, host.c_str());
  }

  void theLastLoaderGivesTheDevicesMemoryBack() {
    const std::shared_ptr<Device> device = openDevice().take();
    for (const char* place : {"cuda:0", "pinned"}) {
      {
        const Opened opened(kChain, on(place));
        QVERIFY2(opened.status == MILLRACE_OK, opened.error.c_str());
        {
          const Opened other(kChain, on(place));
          (void)restOfEpoch(other.loader);
        }
        // Memory of the first loader is available for the next one.
        QVERIFY(device->pinnedTotals().heldBytes > device->pinnedTotals().usedBytes);
        QCOMPARE(millrace_set_epoch(opened.loader, 7), MILLRACE_OK);
        (void)restOfEpoch(opened.loader);
      }
      QCOMPARE(device->deviceTotals().heldBytes, std::size_t{0});
      QCOMPARE(device->pinnedTotals().heldBytes, std::size_t{0});
    }
  }

  void aBatchThatIsOutKeepsItsMemoryAndNoOther() {
    const std::shared_ptr<Device> device = openDevice().take();
    millrace_batch* batch = nullptr;
    {
      const Opened opened(kChain, on("cuda:0"));
      QCOMPARE(millrace_next(opened.loader, -1, &batch), MILLRACE_OK);
    }
    QVERIFY(device->deviceTotals().usedBytes > 0);
    millrace_release(batch);
    QCOMPARE(device->deviceTotals().heldBytes, std::size_t{0});
  }

  void aForkedChildIsToldThatCudaDoesNotWorkThere() {
    const Opened opened(kChain, on("cuda:0"));
    QCOMPARE(opened.status, MILLRACE_OK);
    const pid_t child = fork();
    if (child == 0) {
      bool told = true;
      for (const char* place : {"cuda:0", "pinned"}) {
        const Opened there(kChain, on(place));
        told = told && there.status == MILLRACE_ERROR_INPUT &&
               there.error.find("forked from one that had already looked for a GPU") !=
                   std::string::npos &&
               there.error.find("spawn or exec") != std::string::npos;
      }
      _exit(told ? 0 : 1);
    }
    int ended = -1;
    QCOMPARE(waitpid(child, &ended, 0), child);
    QCOMPARE(ended, 0);
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
      // The loader has been closed.
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

  void aRowThatDiffersInSizeIsNotCalledPinned() {
    const tests::TemporaryFolder folder;
    folder.write("a/0.jpg", "abc");
    const std::string path = folder.path().string();
    const Opened opened(
        "image_folder {\"paths\": [\"" + path + "\"]}\nbatch {\"size\": 1}\ndrain {}\n",
        on("pinned"));
    QVERIFY2(opened.status == MILLRACE_OK, opened.error.c_str());
    millrace_batch* batch = nullptr;
    QCOMPARE(millrace_next(opened.loader, -1, &batch), MILLRACE_OK);
    batch->device_type = MILLRACE_DEVICE_CUDA_HOST;  // as on a GPU
    for (std::size_t f = 0; f < batch->field_count; ++f) {
      const bool ragged = batch->fields[f].rows != nullptr;
      DLManagedTensor* const tensor = millrace_dlpack(batch, f, ragged ? 0 : -1);
      QVERIFY2(tensor != nullptr, millrace_last_error());
      QCOMPARE(tensor->dl_tensor.device.device_type,
               int{ragged ? MILLRACE_DEVICE_CPU : MILLRACE_DEVICE_CUDA_HOST});
      tensor->deleter(tensor);
    }
    millrace_release(batch);
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
    refused(Opened(kChain, on("gpu")), {"`gpu` is unknown", "`cuda:1`", "`pinned`"});
    refused(Opened(kChain, on("cuda:1")), {"cuda:1: there is no GPU 1", "ordinary memory"});
    const std::string demands = "synthetic {}\nbatch {}\ntransfer {\"place\": \"gpu\"}\ndrain {}\n";
    for (const char* place : {"cpu", "pinned"})
      refused(Opened(demands, on(place)), {"transfer.place", "open the loader with a device"});
    QCOMPARE(Opened(demands, on("cuda")).status, MILLRACE_OK);
    qputenv("MILLRACE_BACKEND", "cpu");
    for (const char* place : {"cuda", "pinned"})
      refused(Opened(kChain, on(place)), {"forbids the GPU", "unset", "ordinary memory"});
  }
};

}  // namespace millrace

using millrace::TestDeviceBatches;
MILLRACE_TEST_CASE(TestDeviceBatches)
#include "tst_device_batches.moc"
