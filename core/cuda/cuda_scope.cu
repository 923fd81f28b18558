// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/cuda_scope.h"

#include <cuda.h>
#include <cuda_runtime.h>

#include "core/cuda/cuda_error.h"

namespace millrace {

namespace {

/// Looks up a function of the driver, which is opened at run time; nullptr if it is missing.
/// `since` is the CUDA version that introduced this form of the function, 9020 for 9.2; asking for
/// an earlier version finds nothing.
void* driverFunction(const char* name, [[maybe_unused]] unsigned int since) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
  const cudaError_t code =
      cudaGetDriverEntryPointByVersion(name, &function, since, cudaEnableDefault, &found);
#else
  const cudaError_t code = cudaGetDriverEntryPoint(name, &function, cudaEnableDefault, &found);
#endif
  if (code != cudaSuccess) (void)cudaGetLastError();
  return code == cudaSuccess && found == cudaDriverEntryPointSuccess ? function : nullptr;
}

struct ContextFunctions {
  CUresult (*current)(CUcontext*) = nullptr;
  CUresult (*setCurrent)(CUcontext) = nullptr;
  CUresult (*deviceOfCurrent)(CUdevice*) = nullptr;
  CUresult (*ofStream)(CUstream, CUcontext*) = nullptr;
  CUresult (*primaryState)(CUdevice, unsigned int*, int*) = nullptr;
};

template <class F>
void find(F*& function, const char* name, unsigned int since) {
  function = reinterpret_cast<F*>(driverFunction(name, since));
}

ContextFunctions foundFunctions() {
  ContextFunctions functions;
  find(functions.current, "cuCtxGetCurrent", 4000);
  find(functions.setCurrent, "cuCtxSetCurrent", 4000);
  find(functions.deviceOfCurrent, "cuCtxGetDevice", 4000);
  find(functions.ofStream, "cuStreamGetCtx", 9020);
  find(functions.primaryState, "cuDevicePrimaryCtxGetState", 7000);
  return functions;
}

const ContextFunctions& contextFunctions() {
  static const ContextFunctions functions = foundFunctions();
  return functions;
}

/// The calling thread's context; nullptr if it has none.
CUcontext currentContext() {
  CUcontext context = nullptr;
  const auto current = contextFunctions().current;
  return current != nullptr && current(&context) == CUDA_SUCCESS ? context : nullptr;
}

/// The device of a context. Makes the context current while it asks.
std::optional<int> deviceOf(CUcontext context) {
  const ContextFunctions& functions = contextFunctions();
  if (functions.setCurrent == nullptr || functions.deviceOfCurrent == nullptr) return std::nullopt;
  const CUcontext before = currentContext();
  if (functions.setCurrent(context) != CUDA_SUCCESS) return std::nullopt;
  CUdevice device = 0;
  const CUresult asked = functions.deviceOfCurrent(&device);
  (void)functions.setCurrent(before);
  return asked == CUDA_SUCCESS ? std::optional<int>(device) : std::nullopt;
}

Result<std::vector<int>> startedDevices() {
  const auto primaryState = contextFunctions().primaryState;
  int count = 0;
  MILLRACE_TRY(cudaResult(cudaGetDeviceCount(&count), "cudaGetDeviceCount", "this machine"));
  std::vector<int> started;
  for (int device = 0; device < count; ++device) {
    unsigned int flags = 0;
    int active = 0;
    if (primaryState == nullptr || primaryState(device, &flags, &active) != CUDA_SUCCESS)
      return Error{"the NVIDIA driver does not report which GPUs this process has started"};
    if (active != 0) started.push_back(device);
  }
  return started;
}

/// Returns the thread's previous mode.
cudaStreamCaptureMode exchangeCaptureMode(cudaStreamCaptureMode mode) {
  if (cudaThreadExchangeStreamCaptureMode(&mode) != cudaSuccess) (void)cudaGetLastError();
  return mode;
}

class CudaScope final : public DeviceScope {
 public:
  explicit CudaScope(int ordinal) {
    const auto current = contextFunctions().current;
    m_known = current != nullptr && current(&m_before) == CUDA_SUCCESS;
    if (cudaSetDevice(ordinal) != cudaSuccess) (void)cudaGetLastError();
    m_capture = exchangeCaptureMode(cudaStreamCaptureModeRelaxed);
  }
  CudaScope(const CudaScope&) = delete;
  CudaScope& operator=(const CudaScope&) = delete;
  ~CudaScope() override {
    (void)exchangeCaptureMode(m_capture);
    const auto setCurrent = contextFunctions().setCurrent;
    if (m_known && setCurrent != nullptr) (void)setCurrent(m_before);
  }

 private:
  CUcontext m_before = nullptr;
  bool m_known = false;
  cudaStreamCaptureMode m_capture = cudaStreamCaptureModeGlobal;
};

}  // namespace

void allowCallsDuringCapture() {
  thread_local bool allowed = false;
  if (allowed) return;
  (void)exchangeCaptureMode(cudaStreamCaptureModeRelaxed);
  allowed = true;
}

std::unique_ptr<DeviceScope> enterCudaDevice(int ordinal) {
  return std::make_unique<CudaScope>(ordinal);
}

/// Without a context cudaGetDevice returns 0, whatever device the program will use.
std::optional<int> currentCudaDevice() {
  if (currentContext() == nullptr) return std::nullopt;
  int device = 0;
  if (cudaGetDevice(&device) == cudaSuccess) return device;
  (void)cudaGetLastError();
  return std::nullopt;
}

Result<std::vector<int>> cudaDevicesOf(void* native) {
  if (isDefaultStream(native)) return startedDevices();
  const auto ofStream = contextFunctions().ofStream;
  CUcontext context = nullptr;
  std::optional<int> device;
  if (ofStream != nullptr && ofStream(static_cast<CUstream>(native), &context) == CUDA_SUCCESS)
    device = deviceOf(context);
  if (!device) return Error{"the NVIDIA driver does not report which GPU the stream belongs to"};
  return std::vector<int>{*device};
}

}  // namespace millrace
