// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/cuda_trouble.h"

#include <fmt/format.h>

namespace millrace {

namespace {

// Of cudaError_t (driver_types.h of CUDA 13.0), which never change.
constexpr int kInitializationError = 3;
constexpr int kStubLibrary = 34;
constexpr int kInsufficientDriver = 35;
constexpr int kDevicesUnavailable = 46;
constexpr int kNoDevice = 100;
constexpr int kSystemNotReady = 802;
constexpr int kSystemDriverMismatch = 803;
constexpr int kCompatNotSupportedOnDevice = 804;

constexpr const char* kSpawn =
    "begin it by spawn or exec instead (in Python the start method `spawn` of multiprocessing)";

CudaTrouble oldDriver(const CudaRefusal& refusal) {
  if (refusal.driver.empty())
    return {"this machine has no NVIDIA driver", "install it, or run on a machine with a GPU"};
  return {fmt::format("the NVIDIA driver serves CUDA {}, but this build needs {}", refusal.driver,
                      refusal.runtime),
          "install a newer driver or NVIDIA's cuda-compat package on data-centre cards, or build "
          "with an older CUDA Toolkit"};
}

}  // namespace

CudaTrouble explained(const CudaRefusal& refusal) {
  switch (refusal.code) {
    case kInitializationError:
      return {
          "CUDA does not start here, as in a process that was forked from one that had looked "
          "for a GPU",
          std::string(kSpawn) + "; if it was not forked, see whether nvidia-smi works"};
    case kStubLibrary:
      return {"libcuda.so is the CUDA Toolkit's stub for linking, not the driver",
              "take its folder, lib64/stubs, out of LD_LIBRARY_PATH"};
    case kInsufficientDriver: return oldDriver(refusal);
    case kDevicesUnavailable:
      return {"every GPU is busy or refuses this process",
              "see in nvidia-smi who uses them, and whether their compute mode is exclusive"};
    case kNoDevice:
      return {"the NVIDIA driver finds no GPU",
              "look at CUDA_VISIBLE_DEVICES and at what the container was given"};
    case kSystemNotReady:
      return {"the machine's GPUs are not ready: a service that they need does not run",
              "start nvidia-fabricmanager, of the driver's version, where GPUs are joined by "
              "NVSwitch"};
    case kSystemDriverMismatch:
      return {"the kernel's NVIDIA driver and libcuda.so are of different versions",
              "reboot after an update of the driver; in a container take its own libcuda.so or "
              "cuda-compat out of LD_LIBRARY_PATH"};
    case kCompatNotSupportedOnDevice:
      return {"NVIDIA's cuda-compat package does not serve this GPU, only data-centre cards",
              "remove it from LD_LIBRARY_PATH and install a newer driver, or choose other GPUs by "
              "CUDA_VISIBLE_DEVICES"};
    default: return {refusal.message, "see whether nvidia-smi works"};
  }
}

CudaTrouble troubleBehindFork() {
  return {
      "this process was forked from one that had looked for a GPU, and CUDA does not work "
      "behind a fork",
      kSpawn};
}

Error withWayOut(const std::string& message) {
  return Error{message + "; or run on the CPU with MILLRACE_BACKEND=cpu"};
}

}  // namespace millrace
