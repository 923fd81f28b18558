// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/cuda/device.h"

namespace millrace {

/// What this build and machine have of CUDA. Versions are written as "13.0"; empty if missing.
struct CudaFacts {
  bool built = false;         ///< compiled with the CUDA Toolkit
  std::string toolkit;        ///< version of the headers it was compiled with
  std::string runtime;        ///< version it was linked with
  std::string driver;         ///< newest CUDA version that the machine's driver supports
  std::string architectures;  ///< architectures it was compiled for, such as "90" or
                              ///< "75-real,90-real,120"
  std::vector<DeviceFacts> devices;
  std::string trouble;  ///< why no device can be used; empty if one can
  std::string remedy;   ///< what to do about it
};

/// Queries the driver; starts nothing on a device. Thread-safe.
CudaFacts cudaFacts();

/// The newest CUDA version that the machine's driver supports, 13000 for 13.0; 0 without a driver.
/// Thread-safe, also after a fork.
int cudaDriverVersion();

/// What a device is opened for: to run the engine's kernels, which must support it, or only to
/// record events in the program's streams on it.
enum class CudaUse { Kernels, Marks };

/// Opens a real device. The error says what is wrong (compiled without CUDA, no such device, or the
/// runtime's message) and how to continue without one.
Result<std::shared_ptr<Device>> openCudaDevice(int ordinal, CudaUse use = CudaUse::Kernels);

}  // namespace millrace
