// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/cuda_trouble.h"

#include <fmt/format.h>

namespace millrace {

namespace {

// Values of cudaError_t (driver_types.h of CUDA 13.0), which are stable.
constexpr int kInitializationError = 3;
constexpr int kStubLibrary = 34;
constexpr int kInsufficientDriver = 35;
constexpr int kDevicesUnavailable = 46;
constexpr int kNoDevice = 100;
constexpr int kSystemNotReady = 802;
constexpr int kSystemDriverMismatch = 803;
constexpr int kCompatNotSupportedOnDevice = 804;

constexpr const char* kSpawn =
    "start it with spawn or exec instead (in Python: multiprocessing's start method `spawn`)";

CudaTrouble oldDriver(const CudaRefusal& refusal) {
  if (refusal.driver.empty())
    return {"this machine has no NVIDIA driver", "install it, or run on a machine with a GPU"};
  return {fmt::format("the NVIDIA driver supports CUDA {}, but this build needs {}", refusal.driver,
                      refusal.runtime),
          "install a newer driver, or NVIDIA's cuda-compat package on data-centre cards, or build "
          "with an older CUDA Toolkit"};
}

}  // namespace

CudaTrouble explained(const CudaRefusal& refusal) {
  switch (refusal.code) {
    case kInitializationError:
      return {
          "CUDA cannot start in this process; a common cause is that it was forked from a process "
          "that had already looked for a GPU",
          std::string(kSpawn) + "; if it was not forked, check whether nvidia-smi works"};
    case kStubLibrary:
      return {"libcuda.so is the CUDA Toolkit's stub for linking, not the driver",
              "remove its folder, lib64/stubs, from LD_LIBRARY_PATH"};
    case kInsufficientDriver: return oldDriver(refusal);
    case kDevicesUnavailable:
      return {"every GPU is busy or refuses this process",
              "check with nvidia-smi which processes use them, and whether their compute mode is "
              "exclusive"};
    case kNoDevice:
      return {"the NVIDIA driver finds no GPU",
              "check CUDA_VISIBLE_DEVICES and which GPUs the container has access to"};
    case kSystemNotReady:
      return {"the machine's GPUs are not ready: a service that they need is not running",
              "start nvidia-fabricmanager in the driver's version if the GPUs are connected by "
              "NVSwitch"};
    case kSystemDriverMismatch:
      return {"the kernel's NVIDIA driver and libcuda.so have different versions",
              "reboot after a driver update; in a container remove its own libcuda.so or "
              "cuda-compat from LD_LIBRARY_PATH"};
    case kCompatNotSupportedOnDevice:
      return {"NVIDIA's cuda-compat package does not support this GPU, only data-centre cards",
              "remove it from LD_LIBRARY_PATH and install a newer driver, or select other GPUs "
              "with CUDA_VISIBLE_DEVICES"};
    default: return {refusal.message, "check whether nvidia-smi works"};
  }
}

CudaTrouble troubleAfterFork() {
  return {
      "this process was forked from one that had already looked for a GPU, and CUDA does not work "
      "after a fork",
      kSpawn};
}

Error withCpuHint(const std::string& message) {
  return Error{message + "; or run on the CPU with MILLRACE_BACKEND=cpu"};
}

}  // namespace millrace
