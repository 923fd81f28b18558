// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// What a program's loader delivers on a real GPU, through the C interface.
#include <dlpack/dlpack.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "core/cuda/cuda_facts.h"
#include "core/cuda/spin.h"
#include "tests/capi/opened.h"
#include "tests/support/test_case.h"

namespace millrace {

using tests::bytesOf;
using tests::kChain;
using tests::Opened;
using tests::restOfEpoch;

class TestLoaderBatches : public QObject {
  Q_OBJECT

  static std::function<void(millrace_options&)> on(const char* device) {
    return [device](millrace_options& options) { options.device = device; };
  }

 private slots:
  void initTestCase() {
    const CudaFacts facts = cudaFacts();
    if (!facts.trouble.empty()) QSKIP(facts.trouble.c_str());
  }

  void batchesAreThoseOfTheHost() {
    const Opened host;
    for (const char* place : {"cuda:0", "pinned"}) {
      const Opened device(kChain, on(place));
      QVERIFY2(device.status == MILLRACE_OK, device.error.c_str());
      for (std::uint32_t epoch = 0; epoch < 3; ++epoch) {
        QCOMPARE(millrace_set_epoch(host.loader, epoch), MILLRACE_OK);
        QCOMPARE(restOfEpoch(device.loader), restOfEpoch(host.loader));
      }
    }
  }

  void aBatchSaysWhereItLies() {
    for (const auto& [place, type] : {std::pair{"cuda:0", MILLRACE_DEVICE_CUDA},
                                      std::pair{"pinned", MILLRACE_DEVICE_CUDA_HOST}}) {
      const Opened opened(kChain, on(place));
      QVERIFY2(opened.status == MILLRACE_OK, opened.error.c_str());
      millrace_batch* batch = nullptr;
      QCOMPARE(millrace_next(opened.loader, -1, &batch), MILLRACE_OK);
      QCOMPARE(batch->device_type, static_cast<int>(type));
      DLManagedTensor* const tensor = millrace_dlpack(batch, 0, -1);
      QVERIFY2(tensor != nullptr, millrace_last_error());
      QCOMPARE(tensor->dl_tensor.device.device_type, static_cast<int>(type));
      QCOMPARE(tensor->dl_tensor.device.device_id, 0);
      tensor->deleter(tensor);
      millrace_release(batch);
    }
  }

  void theEngineWaitsForTheProgramsOwnWork() {
    const std::shared_ptr<Device> device = openDevice().take();
    const auto stream = device->makeStream("program").take();
    for (const char* place : {"cuda:0", "pinned"}) {
      const Opened opened(kChain, on(place));
      QVERIFY2(opened.status == MILLRACE_OK, opened.error.c_str());
      millrace_batch* batch = nullptr;
      QCOMPARE(millrace_next(opened.loader, -1, &batch), MILLRACE_OK);
      const millrace_field& field = batch->fields[0];
      const std::string expected = bytesOf(*batch, field.data, field.bytes);
      const DeviceBuffer there = device->deviceMemory(field.bytes).take();
      const PinnedBuffer seen = device->pinnedMemory(field.bytes).take();
      // Longer than the epochs below.
      QVERIFY(spin(*stream, device->facts().multiprocessors, std::chrono::seconds(1)).ok());
      if (batch->device_type == MILLRACE_DEVICE_CUDA)
        QVERIFY(stream->copyOnDevice(there.data(), field.data, field.bytes).ok());
      else
        QVERIFY(stream->copyToDevice(there.data(), field.data, field.bytes).ok());
      QVERIFY(stream->copyToHost(seen.data(), there.data(), field.bytes).ok());
      QCOMPARE(millrace_read_on(batch, stream->native()), MILLRACE_OK);
      millrace_release(batch);
      for (int epoch = 0; epoch < 5; ++epoch) (void)restOfEpoch(opened.loader);
      QVERIFY(stream->synchronise().ok());
      QVERIFY2(std::memcmp(seen.data(), expected.data(), expected.size()) == 0, place);
    }
  }

  void aStreamOfTheProgramIsMarkedOnItsOwnGpu() {
    const std::shared_ptr<Device> device = openDevice().take();
    const auto own = device->makeStream("program").take();
    const auto found = programStreams(own->native(), device);
    VERIFY_OK(found);
    QCOMPARE(found->size(), std::size_t{1});
    QCOMPARE(found->front().device, device);
    const auto defaults = programStreams(nullptr, device);
    VERIFY_OK(defaults);
    QVERIFY(!defaults->empty());
    VERIFY_OK(device->synchronise());
  }

  void aStreamOfAnotherGpuIsMarkedThere() {
    const std::shared_ptr<Device> device = openDevice().take();
    if (cudaFacts().devices.size() < 2) QSKIP("this machine has one GPU");
    const auto other = openDevice(1);
    VERIFY_OK(other);
    const auto there = (*other)->makeStream("program").take();
    const auto elsewhere = programStreams(there->native(), device);
    VERIFY_OK(elsewhere);
    QCOMPARE(elsewhere->size(), std::size_t{1});
    QCOMPARE(elsewhere->front().device, *other);
    const auto event = (*other)->makeEvent(EventKind::Ordering).take();
    VERIFY_OK(elsewhere->front().stream->record(*event));
    VERIFY_OK(event->wait());
    const std::vector<ProgramStream> defaults = programStreams(nullptr, device).take();
    QVERIFY(std::ranges::count(defaults, *other, &ProgramStream::device) == 1);
  }

  void aThreadsCurrentGpuStaysWhatItIs() {
    const auto before = currentDevice();
    const std::shared_ptr<Device> device = openDevice().take();
    const Opened opened(kChain, on("pinned"));
    QVERIFY2(opened.status == MILLRACE_OK, opened.error.c_str());
    (void)restOfEpoch(opened.loader);
    QCOMPARE(currentDevice(), before);
  }
};

}  // namespace millrace

using millrace::TestLoaderBatches;
MILLRACE_TEST_CASE(TestLoaderBatches)
#include "tst_loader_batches.moc"
