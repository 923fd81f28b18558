// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The fake CUDA runtime: what it refuses, with the errors documented for the CUDA Runtime API, and
// the order that it keeps.
#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "core/cuda/cuda_facts.h"
#include "tests/ptx/device_memory.h"
#include "tests/ptx/self/planted.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestPtxRuntime : public QObject {
  Q_OBJECT

  cudaStream_t m_stream = nullptr;
  std::byte* m_device = nullptr;
  std::byte* m_pinned = nullptr;
  static constexpr std::size_t kBytes = 1024;

  cudaError_t launch(const char* kernel, dim3 grid, dim3 block, std::size_t shared = 0,
                     std::uint32_t count = 1) const {
    std::byte* data = m_device;
    void* arguments[] = {&data, &data, &count};
    return cudaLaunchKernel(tests::plantedKernels().at(kernel), grid, block, arguments, shared,
                            m_stream);
  }
  cudaError_t toDevice(const void* from, std::size_t bytes, std::size_t at = 0) const {
    return cudaMemcpyAsync(m_device + at, from, bytes, cudaMemcpyHostToDevice, m_stream);
  }

 private slots:
  void initTestCase() {
    QCOMPARE(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking), cudaSuccess);
    QCOMPARE(cudaMalloc(reinterpret_cast<void**>(&m_device), kBytes), cudaSuccess);
    QCOMPARE(cudaHostAlloc(reinterpret_cast<void**>(&m_pinned), kBytes, cudaHostAllocPortable),
             cudaSuccess);
    QCOMPARE(cudaMemsetAsync(m_device, 0, kBytes, m_stream), cudaSuccess);
  }

  void copiesStayWithinOneBlock() {
    std::vector<std::byte> host(2 * kBytes);
    QCOMPARE(toDevice(host.data(), kBytes), cudaSuccess);
    QCOMPARE(toDevice(host.data(), kBytes, 1), cudaErrorInvalidValue);
    QCOMPARE(toDevice(m_pinned + 1, kBytes), cudaErrorInvalidValue);
    QCOMPARE(toDevice(m_device, 8), cudaErrorInvalidValue);
    QCOMPARE(toDevice(nullptr, 8), cudaErrorInvalidValue);
    QCOMPARE(cudaMemcpyAsync(host.data(), m_device, 8, cudaMemcpyHostToDevice, m_stream),
             cudaErrorInvalidValue);
    QCOMPARE(cudaMemcpyAsync(m_device, host.data(), 8, static_cast<cudaMemcpyKind>(9), m_stream),
             cudaErrorInvalidMemcpyDirection);
    QCOMPARE(cudaMemsetAsync(m_device + 1, 0, kBytes, m_stream), cudaErrorInvalidValue);
    QCOMPARE(cudaMemsetAsync(m_device, 0, kBytes, m_stream), cudaSuccess);
    QCOMPARE(cudaStreamSynchronize(m_stream), cudaSuccess);
  }

  void onlyWholeBlocksAreFreed() {
    void* block = nullptr;
    QCOMPARE(cudaMalloc(&block, 100), cudaSuccess);
    QCOMPARE(cudaFree(static_cast<std::byte*>(block) + 4), cudaErrorInvalidValue);
    QCOMPARE(cudaFree(block), cudaSuccess);
    QCOMPARE(cudaFree(block), cudaErrorInvalidValue);
    QCOMPARE(cudaFree(nullptr), cudaSuccess);
    QCOMPARE(toDevice(block, 4), cudaErrorInvalidValue);
    int local = 0;
    QCOMPARE(cudaFreeHost(&local), cudaErrorInvalidValue);
    QCOMPARE(cudaMalloc(&block, std::size_t{1} << 50U), cudaErrorMemoryAllocation);
  }

  void handlesEndWhenTheyAreDestroyed() {
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
    QCOMPARE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    QCOMPARE(cudaEventCreateWithFlags(&event, cudaEventBlockingSync), cudaSuccess);
    QCOMPARE(cudaEventRecord(event, stream), cudaSuccess);
    QCOMPARE(cudaStreamDestroy(stream), cudaSuccess);
    QCOMPARE(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
    QCOMPARE(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
    QCOMPARE(cudaEventRecord(event, stream), cudaErrorInvalidResourceHandle);
    QCOMPARE(cudaEventSynchronize(event), cudaSuccess);
    QCOMPARE(cudaEventDestroy(event), cudaSuccess);
    QCOMPARE(cudaEventQuery(event), cudaErrorInvalidResourceHandle);
    QCOMPARE(cudaEventDestroy(event), cudaErrorInvalidResourceHandle);
    QCOMPARE(cudaStreamCreateWithFlags(&stream, 8), cudaErrorInvalidValue);
  }

  void timesAreOfEventsThatHaveThem() {
    cudaEvent_t timed = nullptr;
    cudaEvent_t other = nullptr;
    cudaEvent_t untimed = nullptr;
    QCOMPARE(cudaEventCreateWithFlags(&timed, 0), cudaSuccess);
    QCOMPARE(cudaEventCreateWithFlags(&other, 0), cudaSuccess);
    QCOMPARE(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming), cudaSuccess);
    float time = -1;
    QCOMPARE(cudaEventQuery(timed), cudaSuccess);
    QCOMPARE(cudaEventElapsedTime(&time, timed, other), cudaErrorInvalidResourceHandle);
    QCOMPARE(cudaEventRecord(timed, m_stream), cudaSuccess);
    QCOMPARE(launch("spins", 1, 32, 0, 30'000), cudaSuccess);
    QCOMPARE(cudaEventRecord(other, m_stream), cudaSuccess);
    QCOMPARE(cudaEventRecord(untimed, m_stream), cudaSuccess);
    QCOMPARE(cudaEventElapsedTime(&time, timed, untimed), cudaErrorInvalidResourceHandle);
    QCOMPARE(cudaEventElapsedTime(&time, timed, other), cudaErrorNotReady);
    QCOMPARE(cudaEventQuery(other), cudaErrorNotReady);
    QCOMPARE(cudaEventSynchronize(other), cudaSuccess);
    QCOMPARE(cudaEventElapsedTime(&time, timed, other), cudaSuccess);
    QVERIFY(time >= 30);
    for (cudaEvent_t event : {timed, other, untimed})
      QCOMPARE(cudaEventDestroy(event), cudaSuccess);
  }

  void launchesKeepToTheLimits() {
    QCOMPARE(launch("counts", 1, 1024), cudaSuccess);
    QCOMPARE(launch("counts", 1, 1025), cudaErrorInvalidConfiguration);
    QCOMPARE(launch("counts", 1, {1, 1, 65}), cudaErrorInvalidConfiguration);
    QCOMPARE(launch("counts", 0, 32), cudaErrorInvalidConfiguration);
    QCOMPARE(launch("counts", {1, 65536}, 32), cudaErrorInvalidConfiguration);
    QCOMPARE(launch("counts", {1, 1, 65536}, 32), cudaErrorInvalidConfiguration);
    QCOMPARE(launch("takesFewThreads", 1, 65), cudaErrorInvalidValue);
    QCOMPARE(launch("takesFewThreads", 1, 1), cudaSuccess);
    QCOMPARE(cudaStreamSynchronize(m_stream), cudaSuccess);
    std::vector<std::byte> much(4100);
    std::byte* data = m_device;
    void* arguments[] = {&data, much.data()};
    QCOMPARE(
        cudaLaunchKernel(tests::plantedKernels().at("takesMuch"), 1, 1, arguments, 0, m_stream),
        cudaErrorInvalidValue);
    QCOMPARE(cudaLaunchKernel(&much, 1, 1, arguments, 0, m_stream), cudaErrorInvalidDeviceFunction);
  }

  void moreSharedMemoryIsToBeAskedFor() {
    const void* const kernel = tests::plantedKernels().at("sharesPastTheEnd");
    QCOMPARE(launch("sharesPastTheEnd", 1, 32, 48 << 10), cudaSuccess);
    QCOMPARE(launch("sharesPastTheEnd", 1, 32, (48 << 10) + 1), cudaErrorInvalidValue);
    constexpr auto kMost = cudaFuncAttributeMaxDynamicSharedMemorySize;
    QCOMPARE(cudaFuncSetAttribute(kernel, kMost, (227 << 10) + 1), cudaErrorInvalidValue);
    QCOMPARE(cudaFuncSetAttribute(kernel, kMost, 100 << 10), cudaSuccess);
    QCOMPARE(launch("sharesPastTheEnd", 1, 32, 100 << 10), cudaSuccess);
    QCOMPARE(cudaStreamSynchronize(m_stream), cudaSuccess);
    cudaFuncAttributes attributes{};
    QCOMPARE(cudaFuncGetAttributes(&attributes, kernel), cudaSuccess);
    QCOMPARE(attributes.maxDynamicSharedSizeBytes, 100 << 10);
    QVERIFY(attributes.numRegs > 0);
  }

  void pinnedMemoryIsReadWhenTheCopyIsDoneAndOtherAtOnce() {
    for (const bool pinned : {true, false}) {
      std::vector<std::byte> own(4);
      std::byte* const from = pinned ? m_pinned : own.data();
      std::memset(from, 1, 4);
      QCOMPARE(launch("spins", 1, 1, 0, 20'000), cudaSuccess);
      QCOMPARE(toDevice(from, 4), cudaSuccess);
      std::memset(from, 2, 4);
      std::byte back[4] = {};
      QCOMPARE(cudaMemcpyAsync(back, m_device, 4, cudaMemcpyDeviceToHost, m_stream), cudaSuccess);
      QCOMPARE(std::to_integer<int>(back[0]), pinned ? 2 : 1);
    }
  }

  void eventsOrderStreams() {
    cudaStream_t second = nullptr;
    cudaEvent_t event = nullptr;
    QCOMPARE(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking), cudaSuccess);
    QCOMPARE(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
    QCOMPARE(launch("spins", 1, 1, 0, 20'000), cudaSuccess);
    QCOMPARE(cudaMemsetAsync(m_device, 9, 4, m_stream), cudaSuccess);
    QCOMPARE(cudaEventRecord(event, m_stream), cudaSuccess);
    QCOMPARE(cudaStreamWaitEvent(second, event, 0), cudaSuccess);
    QCOMPARE(cudaMemcpyAsync(m_pinned, m_device, 4, cudaMemcpyDeviceToHost, second), cudaSuccess);
    QCOMPARE(cudaStreamSynchronize(second), cudaSuccess);
    QCOMPARE(std::to_integer<int>(m_pinned[3]), 9);
    QCOMPARE(cudaEventDestroy(event), cudaSuccess);
    QCOMPARE(cudaStreamDestroy(second), cudaSuccess);
  }

  void theLegacyStreamWaitsForBlockingOnes() {
    cudaStream_t blocking = nullptr;
    QCOMPARE(cudaStreamCreate(&blocking), cudaSuccess);
    std::uint32_t time = 20'000;
    void* arguments[] = {&m_device, &m_device, &time};
    QCOMPARE(cudaLaunchKernel(tests::plantedKernels().at("spins"), 1, 1, arguments, 0, blocking),
             cudaSuccess);
    QCOMPARE(cudaMemsetAsync(m_device, 3, 4, blocking), cudaSuccess);
    QCOMPARE(cudaMemcpyAsync(m_pinned, m_device, 4, cudaMemcpyDeviceToHost, cudaStreamLegacy),
             cudaSuccess);
    QCOMPARE(cudaStreamSynchronize(nullptr), cudaSuccess);
    QCOMPARE(std::to_integer<int>(m_pinned[0]), 3);
    QCOMPARE(cudaStreamDestroy(blocking), cudaSuccess);
  }

  void theLastErrorIsTheThreadsUntilItIsAskedFor() {
    (void)cudaGetLastError();
    QCOMPARE(cudaEventQuery(nullptr), cudaErrorInvalidResourceHandle);
    QCOMPARE(cudaPeekAtLastError(), cudaErrorInvalidResourceHandle);
    QCOMPARE(cudaGetLastError(), cudaErrorInvalidResourceHandle);
    QCOMPARE(cudaGetLastError(), cudaSuccess);
    QCOMPARE(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue");
    QCOMPARE(cudaSetDevice(7), cudaErrorInvalidDevice);
  }

  /// The engine's pools round sizes up; accesses past the requested size must be found anyway.
  void aPoolLendsAsMuchAsWasAskedFor() {
    const auto device = openCudaDevice(0).take();
    const auto stream = device->makeStream("test").take();
    auto memory = std::make_optional(device->deviceMemory(600).take());
    auto pinned = std::make_optional(device->pinnedMemory(600).take());
    std::byte* const data = memory->data();
    QVERIFY(stream->fill(data, 1, 600).ok());
    QVERIFY(!stream->fill(data, 1, 601).ok());
    QVERIFY(stream->copyToHost(pinned->data(), data, 600).ok());
    QVERIFY(!stream->copyToHost(pinned->data() + 1, data, 600).ok());
    QVERIFY(stream->synchronise().ok());
    memory.reset();
    QVERIFY(!stream->fill(data, 1, 1).ok());
    memory = device->deviceMemory(700).take();
    QCOMPARE(memory->data(), data);
    QCOMPARE(int{*ptx::DeviceMemory::instance().states(reinterpret_cast<std::uint64_t>(data))},
             int{ptx::DeviceMemory::Unwritten});
  }

  /// Last test: the fault is permanent for the process.
  void afterAFaultEveryCallFails() {
    QCOMPARE(launch("copiesOneMore", 1, 512, 0, 256), cudaSuccess);
    QCOMPARE(cudaStreamSynchronize(m_stream), cudaErrorIllegalAddress);
    void* block = nullptr;
    QCOMPARE(cudaMalloc(&block, 4), cudaErrorIllegalAddress);
    QCOMPARE(launch("counts", 1, 32), cudaErrorIllegalAddress);
    QCOMPARE(cudaGetLastError(), cudaErrorIllegalAddress);
    QCOMPARE(cudaGetLastError(), cudaErrorIllegalAddress);
    QCOMPARE(cudaFree(m_device), cudaErrorIllegalAddress);
  }
};

}  // namespace millrace

using millrace::TestPtxRuntime;
MILLRACE_TEST_CASE(TestPtxRuntime)
#include "tst_ptx_runtime.moc"
