// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/cuda/device.h"

namespace millrace {

/// What of CUDA is here. Versions as "13.0"; empty where there is none.
struct CudaFacts {
  bool built = false;         ///< compiled with the CUDA Toolkit
  std::string toolkit;        ///< headers that it was compiled with
  std::string runtime;        ///< linked in
  std::string driver;         ///< newest CUDA that the machine's driver serves
  std::string architectures;  ///< compiled for, such as "90" or "75-real,90-real,120"
  std::vector<DeviceFacts> devices;
  std::string trouble;  ///< why there is no device that can be used; empty where there is one
  std::string remedy;   ///< what to do about it
};

/// Asks the driver; starts nothing on a device. Thread-safe.
CudaFacts cudaFacts();

/// The newest CUDA that the machine's driver serves, 13000 for 13.0; 0 where there is none.
/// Thread-safe, also behind a fork.
int cudaDriverVersion();

/// What a device is opened for: the engine's kernels, which it must fit, or only to mark streams of
/// the program on it.
enum class CudaUse { Kernels, Marks };

/// A real device. The error: compiled without CUDA, no such device, or what the runtime said; and
/// the way out.
Result<std::shared_ptr<Device>> openCudaDevice(int ordinal, CudaUse use = CudaUse::Kernels);

}  // namespace millrace
