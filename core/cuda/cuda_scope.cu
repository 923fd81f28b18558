// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/cuda_scope.h"

#include <cuda.h>
#include <cuda_runtime.h>

namespace millrace {

namespace {

/// A function of the driver, which is opened at run time; nullptr where it is not there.
void* driverFunction(const char* name) {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
  constexpr unsigned int kSince = 4000;  // Both are as old as CUDA 4.
  const cudaError_t code =
      cudaGetDriverEntryPointByVersion(name, &function, kSince, cudaEnableDefault, &found);
#else
  const cudaError_t code = cudaGetDriverEntryPoint(name, &function, cudaEnableDefault, &found);
#endif
  if (code != cudaSuccess) (void)cudaGetLastError();
  return code == cudaSuccess && found == cudaDriverEntryPointSuccess ? function : nullptr;
}

struct ContextFunctions {
  CUresult (*current)(CUcontext*) = nullptr;
  CUresult (*setCurrent)(CUcontext) = nullptr;
};

const ContextFunctions& contextFunctions() {
  static const ContextFunctions functions{
      reinterpret_cast<CUresult (*)(CUcontext*)>(driverFunction("cuCtxGetCurrent")),
      reinterpret_cast<CUresult (*)(CUcontext)>(driverFunction("cuCtxSetCurrent"))};
  return functions;
}

/// Gives the mode that the thread had.
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

}  // namespace millrace
