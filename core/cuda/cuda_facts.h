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

/// A real device. The error: compiled without CUDA, no such device, or what the runtime said.
Result<std::shared_ptr<Device>> openCudaDevice(int ordinal);

}  // namespace millrace
