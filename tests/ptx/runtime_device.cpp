// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// CUDA runtime: devices, errors, versions, and the few driver functions that are requested by name.
#include <cuda.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "tests/ptx/device_memory.h"
#include "tests/ptx/runtime_kernels.h"
#include "tests/ptx/runtime_state.h"
#include "tests/ptx/runtime_streams.h"

namespace millrace::ptx {

namespace {

std::atomic<cudaError_t> faultOfDevice = cudaSuccess;
thread_local cudaError_t errorOfThread = cudaSuccess;
thread_local cudaStreamCaptureMode captureMode = cudaStreamCaptureModeGlobal;

/// A context is the number of its device as an address; a thread has none until its first call.
char contexts[kMostDevices];
/// Devices whose primary context has been created.
std::atomic<bool> started[kMostDevices];
thread_local CUcontext currentContext = nullptr;

int numberOfEnvironment(const char* name, int otherwise) {
  const char* const set = std::getenv(name);
  return set == nullptr ? otherwise : std::atoi(set);
}

CUcontext contextOf(int device) { return reinterpret_cast<CUcontext>(&contexts[device]); }
int numberOf(CUcontext context) {
  return static_cast<int>(reinterpret_cast<char*>(context) - contexts);
}

CUcontext startedContext(int device) {
  started[device] = true;
  return contextOf(device);
}

CUresult ctxGetCurrent(CUcontext* context) {
  if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *context = currentContext;
  return CUDA_SUCCESS;
}

CUresult ctxSetCurrent(CUcontext context) {
  bool known = context == nullptr;
  for (int device = 0; device < deviceCount(); ++device)
    known = known || context == contextOf(device);
  if (!known) return CUDA_ERROR_INVALID_CONTEXT;
  currentContext = context;
  return CUDA_SUCCESS;
}

CUresult ctxGetDevice(CUdevice* device) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (currentContext == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  *device = numberOf(currentContext);
  return CUDA_SUCCESS;
}

CUresult streamGetCtx(CUstream stream, CUcontext* context) {
  if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto device = deviceOf(stream);
  if (!device) return CUDA_ERROR_INVALID_HANDLE;
  *context = contextOf(*device);
  return CUDA_SUCCESS;
}

CUresult primaryCtxGetState(CUdevice device, unsigned int* flags, int* active) {
  if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (device < 0 || device >= deviceCount()) return CUDA_ERROR_INVALID_DEVICE;
  *flags = 0;
  *active = started[device] ? 1 : 0;
  return CUDA_SUCCESS;
}

struct DriverFunction {
  std::string_view name;
  void* function;
};

cudaError_t driverFunction(const char* symbol, void** function,
                           cudaDriverEntryPointQueryResult* found) {
  if (symbol == nullptr || function == nullptr) return cudaErrorInvalidValue;
  static const DriverFunction known[] = {
      {"cuCtxGetCurrent", reinterpret_cast<void*>(&ctxGetCurrent)},
      {"cuCtxSetCurrent", reinterpret_cast<void*>(&ctxSetCurrent)},
      {"cuCtxGetDevice", reinterpret_cast<void*>(&ctxGetDevice)},
      {"cuStreamGetCtx", reinterpret_cast<void*>(&streamGetCtx)},
      {"cuDevicePrimaryCtxGetState", reinterpret_cast<void*>(&primaryCtxGetState)}};
  const auto place = std::ranges::find(known, symbol, &DriverFunction::name);
  *function = place == std::end(known) ? nullptr : place->function;
  if (found != nullptr)
    *found =
        *function != nullptr ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

}  // namespace

int deviceCount() {
  static const int count =
      std::clamp(numberOfEnvironment("MILLRACE_PTX_DEVICES", 1), 0, kMostDevices);
  return count;
}

int capability() {
  static const int set = numberOfEnvironment("MILLRACE_PTX_CAPABILITY", 0);
  return set != 0 ? set : newestPtxOfProgram();
}

cudaError_t deviceFault() { return faultOfDevice.load(); }

void setDeviceFault(cudaError_t code, const std::string& text) {
  (void)std::fputs(text.c_str(), stderr);
  cudaError_t none = cudaSuccess;
  faultOfDevice.compare_exchange_strong(none, code);
}

cudaError_t refused(cudaError_t code, const char* call, const std::string& why) {
  (void)std::fprintf(stderr, "PTX device: %s: %s\n", call, why.c_str());
  return code;
}

cudaError_t lastError(bool forget) {
  const cudaError_t code = deviceFault() != cudaSuccess ? deviceFault() : errorOfThread;
  if (forget) errorOfThread = cudaSuccess;
  return code;
}
void setLastError(cudaError_t code) { errorOfThread = code; }

int currentDevice() {
  if (currentContext == nullptr) currentContext = startedContext(0);
  return numberOf(currentContext);
}

}  // namespace millrace::ptx

using namespace millrace::ptx;  // NOLINT(google-build-using-namespace): C functions follow

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  if (count == nullptr) return cudaErrorInvalidValue;
  *count = deviceCount();
  return *count > 0 ? cudaSuccess : cudaErrorNoDevice;
}

cudaError_t cudaSetDevice(int device) {
  return answered([&] {
    if (device < 0 || device >= deviceCount()) return cudaErrorInvalidDevice;
    currentContext = startedContext(device);
    return cudaSuccess;
  });
}

cudaError_t cudaGetDevice(int* device) {
  return answered([&] {
    if (device == nullptr) return cudaErrorInvalidValue;
    *device = currentDevice();
    return cudaSuccess;
  });
}

/// One multiprocessor, which runs one block at a time.
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (properties == nullptr) return cudaErrorInvalidValue;
  if (device < 0 || device >= deviceCount()) return cudaErrorInvalidDevice;
  *properties = {};
  (void)std::snprintf(properties->name, sizeof properties->name, "PTX in software");
  properties->totalGlobalMem = DeviceMemory::instance().totalBytes();
  properties->major = capability() / 10;
  properties->minor = capability() % 10;
  properties->multiProcessorCount = 1;
  properties->asyncEngineCount = 2;
  properties->warpSize = 32;
  properties->maxThreadsPerBlock = 1024;
  properties->sharedMemPerBlock = kSharedBytes;
  properties->unifiedAddressing = 1;
  properties->pciBusID = device + 1;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  if (version == nullptr) return cudaErrorInvalidValue;
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }

cudaError_t cudaGetLastError() { return lastError(true); }
cudaError_t cudaPeekAtLastError() { return lastError(false); }

#define MILLRACE_PTX_ERRORS(use)                                                                   \
  use(cudaSuccess, "no error") use(cudaErrorInvalidValue, "invalid argument") use(                 \
      cudaErrorMemoryAllocation, "out of memory")                                                  \
      use(cudaErrorInvalidConfiguration, "invalid configuration argument") use(                    \
          cudaErrorNoDevice, "no CUDA-capable device is detected")                                 \
          use(cudaErrorInvalidDevice, "invalid device ordinal") use(                               \
              cudaErrorInvalidDeviceFunction, "invalid device function")                           \
              use(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy") use(       \
                  cudaErrorNoKernelImageForDevice,                                                 \
                  "no kernel image is available for execution on the device")                      \
                  use(cudaErrorInvalidPtx, "a PTX JIT compilation failed") use(                    \
                      cudaErrorLaunchOutOfResources, "too many resources requested for launch")    \
                      use(cudaErrorInvalidResourceHandle, "invalid resource handle")               \
                          use(cudaErrorNotReady, "device not ready") use(                          \
                              cudaErrorIllegalAddress, "an illegal memory access was encountered") \
                              use(cudaErrorMisalignedAddress, "misaligned address")                \
                                  use(cudaErrorIllegalInstruction,                                 \
                                      "an illegal instruction was encountered")                    \
                                      use(cudaErrorLaunchFailure, "unspecified launch failure")

const char* cudaGetErrorName(cudaError_t error) {
#define MILLRACE_PTX_NAME(code, text) \
  if (error == code) return #code;
  MILLRACE_PTX_ERRORS(MILLRACE_PTX_NAME)
#undef MILLRACE_PTX_NAME
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
#define MILLRACE_PTX_TEXT(code, text) \
  if (error == code) return text;
  MILLRACE_PTX_ERRORS(MILLRACE_PTX_TEXT)
#undef MILLRACE_PTX_TEXT
  return "unrecognized error code";
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return answered([&] {
    if (mode == nullptr || *mode < cudaStreamCaptureModeGlobal ||
        *mode > cudaStreamCaptureModeRelaxed)
      return cudaErrorInvalidValue;
    std::swap(*mode, captureMode);
    return cudaSuccess;
  });
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned int,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* found) {
  return answered([&] { return driverFunction(symbol, function, found); });
}
#if CUDART_VERSION < 13000
cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long,
                                    cudaDriverEntryPointQueryResult* found) {
  return answered([&] { return driverFunction(symbol, function, found); });
}
#endif
}
