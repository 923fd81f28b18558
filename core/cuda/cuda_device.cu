// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include <cuda_runtime.h>

#include "core/base/text/text.h"
#include "core/cuda/cuda_error.h"
#include "core/cuda/cuda_facts.h"
#include "core/cuda/cuda_scope.h"
#include "core/cuda/cuda_trouble.h"
#include "core/cuda/kernel_image.h"

namespace millrace {

namespace {

/// Where calls are made: the device, which enter() makes the thread's current one, and its name.
struct CudaPlace {
  int ordinal = 0;
  std::string name;

  Status enter() const {
    MILLRACE_TRY(cudaResult(cudaSetDevice(ordinal), "cudaSetDevice", name));
    allowCallsDuringCapture();
    return {};
  }
};

std::string sizeText(std::size_t bytes) { return humanBytes(static_cast<double>(bytes)); }

class CudaMemory final : public MemorySource {
 public:
  explicit CudaMemory(CudaPlace place) : m_place(std::move(place)) {}

  Result<std::byte*> allocate(std::size_t bytes) override {
    MILLRACE_TRY(m_place.enter());
    void* data = nullptr;
    const cudaError_t code = cudaMalloc(&data, bytes);
    if (code == cudaSuccess) return static_cast<std::byte*>(data);
    (void)cudaGetLastError();
    std::size_t free = 0;
    std::size_t total = 0;
    if (code != cudaErrorMemoryAllocation || cudaMemGetInfo(&free, &total) != cudaSuccess)
      return cudaFailure(code, "cudaMalloc of " + sizeText(bytes), m_place.name);
    return Error{"cannot allocate " + sizeText(bytes) + " of device memory on " + m_place.name +
                 ": " + sizeText(free) + " of " + sizeText(total) + " are free"};
  }

  void free(std::byte* data) override {
    if (m_place.enter().ok() && cudaFree(data) != cudaSuccess) (void)cudaGetLastError();
  }

 private:
  const CudaPlace m_place;
};

class CudaPinnedMemory final : public MemorySource {
 public:
  explicit CudaPinnedMemory(CudaPlace place) : m_place(std::move(place)) {}

  Result<std::byte*> allocate(std::size_t bytes) override {
    MILLRACE_TRY(m_place.enter());
    void* data = nullptr;
    const cudaError_t code = cudaHostAlloc(&data, bytes, cudaHostAllocPortable);
    if (code == cudaSuccess) return static_cast<std::byte*>(data);
    (void)cudaGetLastError();
    return cudaFailure(code, "cudaHostAlloc of " + sizeText(bytes) + " of pinned memory",
                       m_place.name);
  }

  void free(std::byte* data) override {
    if (m_place.enter().ok() && cudaFreeHost(data) != cudaSuccess) (void)cudaGetLastError();
  }

 private:
  const CudaPlace m_place;
};

/// May be queried, waited for and destroyed on any current device (CUDA C++ Programming Guide,
/// Stream and Event Behavior); must be recorded on its own device.
class CudaEvent final : public Event {
 public:
  CudaEvent(cudaEvent_t event, CudaPlace place) : m_event(event), m_place(std::move(place)) {}
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;
  ~CudaEvent() override {
    if (cudaEventDestroy(m_event) != cudaSuccess) (void)cudaGetLastError();
  }

  Result<bool> passed() const override {
    const cudaError_t code = cudaEventQuery(m_event);
    if (code == cudaSuccess) return true;
    (void)cudaGetLastError();
    if (code == cudaErrorNotReady) return false;
    return cudaFailure(code, "cudaEventQuery", m_place.name);
  }

  Status wait() const override {
    return cudaResult(cudaEventSynchronize(m_event), "cudaEventSynchronize", m_place.name);
  }

  Result<std::chrono::nanoseconds> since(const Event& earlier) const override {
    float milliseconds = 0;
    MILLRACE_TRY(
        cudaResult(cudaEventElapsedTime(&milliseconds,
                                        static_cast<const CudaEvent&>(earlier).m_event, m_event),
                   "cudaEventElapsedTime", m_place.name));
    return std::chrono::nanoseconds(std::llround(static_cast<double>(milliseconds) * 1e6));
  }

  cudaEvent_t event() const { return m_event; }

 private:
  const cudaEvent_t m_event;
  const CudaPlace m_place;
};

class CudaStream final : public Stream {
 public:
  enum class Of { Engine, Program };
  CudaStream(cudaStream_t stream, const CudaPlace& place, const std::string& name, bool debugging,
             Of of = Of::Engine)
      : m_stream(stream),
        m_place{place.ordinal, "stream " + name + " of " + place.name},
        m_debugging(debugging),
        m_of(of) {}
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;
  ~CudaStream() override {
    if (m_of == Of::Program) return;
    (void)cudaStreamSynchronize(m_stream);
    (void)cudaStreamDestroy(m_stream);
    (void)cudaGetLastError();
  }

  Status copyToDevice(void* device, const void* host, std::size_t bytes) override {
    return copy(device, host, bytes, cudaMemcpyHostToDevice, "cudaMemcpyAsync to the device");
  }
  Status copyToHost(void* host, const void* device, std::size_t bytes) override {
    return copy(host, device, bytes, cudaMemcpyDeviceToHost, "cudaMemcpyAsync to the host");
  }
  Status copyOnDevice(void* to, const void* from, std::size_t bytes) override {
    return copy(to, from, bytes, cudaMemcpyDeviceToDevice, "cudaMemcpyAsync on the device");
  }
  Status fill(void* device, unsigned char value, std::size_t bytes) override {
    if (bytes == 0) return {};
    MILLRACE_TRY(m_place.enter());
    return result(cudaMemsetAsync(device, value, bytes, m_stream), "cudaMemsetAsync");
  }

  Status record(Event& event) override {
    MILLRACE_TRY(m_place.enter());
    if (m_of == Of::Program) MILLRACE_TRY(notCapturing());
    return result(cudaEventRecord(static_cast<CudaEvent&>(event).event(), m_stream),
                  "cudaEventRecord");
  }
  Status wait(const Event& event) override {
    MILLRACE_TRY(m_place.enter());
    return result(cudaStreamWaitEvent(m_stream, static_cast<const CudaEvent&>(event).event(), 0),
                  "cudaStreamWaitEvent");
  }
  Status synchronise() override {
    // The legacy stream belongs to the current device.
    MILLRACE_TRY(m_place.enter());
    return result(cudaStreamSynchronize(m_stream), "cudaStreamSynchronize");
  }

  void* native() const override { return m_stream; }
  Status enter() override { return m_place.enter(); }
  Status launched(const char* kernel) override {
    const cudaError_t code = cudaGetLastError();
    if (code != cudaSuccess)
      return cudaFailure(code, std::string("launch of ") + kernel, m_place.name);
    if (!m_debugging) return {};
    const cudaError_t ran = cudaStreamSynchronize(m_stream);
    if (ran == cudaSuccess) return {};
    (void)cudaGetLastError();
    return cudaFailure(ran, std::string("kernel ") + kernel, m_place.name);
  }
  Status enqueue(const char* kernel, std::function<void()>) override {
    return Error{std::string(kernel) + " on " + m_place.name +
                 ": cannot run host work on a CUDA stream"};
  }

 private:
  Status copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
              const char* call) {
    if (bytes == 0) return {};
    MILLRACE_TRY(m_place.enter());
    return result(cudaMemcpyAsync(to, from, bytes, kind, m_stream), call);
  }
  Status result(cudaError_t code, const char* call) const {
    return cudaResult(code, call, m_place.name);
  }
  /// An event recorded in a stream that captures a CUDA graph would become part of the graph and
  /// never pass.
  Status notCapturing() const {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    MILLRACE_TRY(result(cudaStreamIsCapturing(m_stream, &status), "cudaStreamIsCapturing"));
    if (status == cudaStreamCaptureStatusNone) return {};
    return Error{"cudaEventRecord on " + m_place.name + ": the stream captures a CUDA graph"};
  }

  const cudaStream_t m_stream;
  const CudaPlace m_place;
  const bool m_debugging;
  const Of m_of;
};

class CudaDevice final : public Device {
 public:
  explicit CudaDevice(DeviceFacts facts)
      : Device(std::make_unique<CudaMemory>(CudaPlace{facts.ordinal, facts.text()}),
               std::make_unique<CudaPinnedMemory>(CudaPlace{facts.ordinal, facts.text()})),
        m_facts(std::move(facts)),
        m_place{m_facts.ordinal, m_facts.text()} {
    const char* const set = std::getenv("MILLRACE_CUDA_SYNC");
    m_debugging = set != nullptr && std::string_view(set) == "1";
  }

  DeviceBackend backend() const override { return DeviceBackend::Cuda; }
  const DeviceFacts& facts() const override { return m_facts; }

  Result<std::unique_ptr<Stream>> makeStream(std::string name) override {
    MILLRACE_TRY(m_place.enter());
    cudaStream_t stream = nullptr;
    MILLRACE_TRY(cudaResult(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                            "cudaStreamCreateWithFlags", m_place.name));
    return std::unique_ptr<Stream>(
        std::make_unique<CudaStream>(stream, m_place, name, m_debugging));
  }

  Result<std::unique_ptr<Event>> makeEvent(EventKind kind) override {
    MILLRACE_TRY(m_place.enter());
    const unsigned int flags =
        cudaEventBlockingSync | (kind == EventKind::Timed ? 0U : cudaEventDisableTiming);
    cudaEvent_t event = nullptr;
    MILLRACE_TRY(cudaResult(cudaEventCreateWithFlags(&event, flags), "cudaEventCreateWithFlags",
                            m_place.name));
    return std::unique_ptr<Event>(std::make_unique<CudaEvent>(event, m_place));
  }

  Result<std::shared_ptr<Stream>> programStream(void* native) override {
    const cudaStream_t stream =
        isDefaultStream(native) ? cudaStreamLegacy : static_cast<cudaStream_t>(native);
    return std::shared_ptr<Stream>(std::make_shared<CudaStream>(
        stream, m_place, "program", m_debugging, CudaStream::Of::Program));
  }

  std::unique_ptr<DeviceScope> enter() const override { return enterCudaDevice(m_place.ordinal); }

  Status synchronise() override {
    MILLRACE_TRY(m_place.enter());
    return cudaResult(cudaDeviceSynchronize(), "cudaDeviceSynchronize", m_place.name);
  }

 private:
  const DeviceFacts m_facts;
  const CudaPlace m_place;
  bool m_debugging = false;
};

Status fits(const CudaFacts& found, const DeviceFacts& facts) {
  const Status kernels = kernelImageFits();
  if (kernels) return {};
  return Error{"this build has no kernels for " + facts.text() + ", compute capability " +
               std::to_string(facts.major) + "." + std::to_string(facts.minor) + ", only for " +
               found.architectures + ": " + kernels.error().message +
               "; build it with -DMILLRACE_CUDA_ARCHITECTURES=" + std::to_string(facts.major) +
               std::to_string(facts.minor)};
}

Result<std::shared_ptr<Device>> opened(int ordinal, CudaUse use) {
  CudaFacts found = cudaFacts();
  if (!found.trouble.empty()) return Error{found.trouble + "; " + found.remedy};
  if (ordinal < 0 || static_cast<std::size_t>(ordinal) >= found.devices.size())
    return Error{"there is no GPU " + std::to_string(ordinal) + "; this machine has " +
                 std::to_string(found.devices.size())};
  DeviceFacts& facts = found.devices[static_cast<std::size_t>(ordinal)];
  const CudaPlace place{ordinal, facts.text()};
  const std::unique_ptr<DeviceScope> scope = enterCudaDevice(ordinal);
  MILLRACE_TRY(place.enter());
  std::size_t total = 0;
  MILLRACE_TRY(cudaResult(cudaMemGetInfo(&facts.freeBytes, &total), "cudaMemGetInfo", place.name));
  if (use == CudaUse::Kernels) MILLRACE_TRY(fits(found, facts));
  return std::shared_ptr<Device>(std::make_shared<CudaDevice>(std::move(facts)));
}

}  // namespace

Result<std::shared_ptr<Device>> openCudaDevice(int ordinal, CudaUse use) {
  auto device = opened(ordinal, use);
  if (!device) return withCpuHint(device.error().message);
  return device;
}

}  // namespace millrace
