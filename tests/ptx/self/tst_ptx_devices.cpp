// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Two devices: core/cuda/cuda_scope.cu must restore a thread's current device, and the engine's
// calls must reach their device from any thread.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <optional>
#include <thread>

#include "core/cuda/cuda_facts.h"
#include "core/cuda/cuda_scope.h"
#include "core/cuda/spin.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestPtxDevices : public QObject {
  Q_OBJECT

  static CUcontext currentContext() {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found{};
    (void)cudaGetDriverEntryPointByVersion("cuCtxGetCurrent", &function, 4000, cudaEnableDefault,
                                           &found);
    CUcontext context = nullptr;
    (void)reinterpret_cast<CUresult (*)(CUcontext*)>(function)(&context);
    return context;
  }
  static int currentDevice() {
    int device = -1;
    (void)cudaGetDevice(&device);
    return device;
  }
  /// The thread's mode; does not change it.
  static cudaStreamCaptureMode captureMode() {
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    (void)cudaThreadExchangeStreamCaptureMode(&mode);
    cudaStreamCaptureMode again = mode;
    (void)cudaThreadExchangeStreamCaptureMode(&again);
    return mode;
  }
  template <class Work>
  static void onANewThread(const Work& work) {
    std::thread(work).join();
  }

 private slots:
  void initTestCase() {
    qputenv("MILLRACE_PTX_DEVICES", "2");
    QCOMPARE(cudaFacts().devices.size(), std::size_t{2});
    QVERIFY(!openCudaDevice(2).ok());
  }

  void aScopeLeavesTheThreadAsItWas() {
    onANewThread([] {
      QVERIFY(currentContext() == nullptr);
      {
        const auto scope = enterCudaDevice(1);
        QCOMPARE(currentDevice(), 1);
        QCOMPARE(captureMode(), cudaStreamCaptureModeRelaxed);
      }
      QVERIFY(currentContext() == nullptr);
      QCOMPARE(captureMode(), cudaStreamCaptureModeGlobal);
    });
    onANewThread([] {
      (void)cudaSetDevice(1);
      {
        const auto scope = enterCudaDevice(0);
      }
      QCOMPARE(currentDevice(), 1);
    });
  }

  void openingADeviceLeavesTheThreadAsItWas() {
    onANewThread([] {
      const auto device = openCudaDevice(1);
      QVERIFY(device.ok());
      QCOMPARE((*device)->facts().ordinal, 1);
      QVERIFY(currentContext() == nullptr);
    });
  }

  /// Streams and events refuse calls from a thread with another current device.
  void callsReachTheirDeviceFromAnyThread() {
    const auto device = openCudaDevice(1).take();
    std::unique_ptr<Stream> stream;
    std::unique_ptr<Event> event;
    std::optional<DeviceBuffer> memory;
    onANewThread([&] {
      stream = device->makeStream("test").take();
      event = device->makeEvent(EventKind::Timed).take();
      memory = device->deviceMemory(100).take();
    });
    onANewThread([&] {
      (void)cudaSetDevice(0);
      QVERIFY(stream->fill(memory->data(), 3, 100).ok());
    });
    onANewThread([&] { QVERIFY(stream->record(*event).ok()); });
    onANewThread([&] { QVERIFY(stream->wait(*event).ok()); });
    onANewThread([&] { QVERIFY(spin(*stream, 1, std::chrono::microseconds(10)).ok()); });
    onANewThread([&] {
      (void)cudaSetDevice(0);
      QVERIFY(event->wait().ok() && stream->synchronise().ok());
      memory.reset();
      event.reset();
      stream.reset();
    });
  }

  void aProgramsStreamIsItsOwn() {
    const auto device = openCudaDevice(0).take();
    const auto scope = device->enter();
    cudaStream_t own = nullptr;
    QCOMPARE(cudaStreamCreate(&own), cudaSuccess);
    {
      const auto stream = device->programStream(own).take();
      const auto legacy = device->programStream(nullptr).take();
      QVERIFY(legacy->native() == cudaStreamLegacy);
      const DeviceBuffer memory = device->deviceMemory(100).take();
      QVERIFY(stream->fill(memory.data(), 3, 100).ok());
      QVERIFY(legacy->fill(memory.data(), 4, 100).ok());
      QVERIFY(legacy->synchronise().ok());
    }
    QCOMPARE(cudaStreamSynchronize(own), cudaSuccess);
    QCOMPARE(cudaStreamDestroy(own), cudaSuccess);
  }
};

}  // namespace millrace

using millrace::TestPtxDevices;
MILLRACE_TEST_CASE(TestPtxDevices)
#include "tst_ptx_devices.moc"
