// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <mutex>
#include <string>

#include "tests/ptx/fat_binary.h"
#include "tests/ptx/grid.h"

namespace millrace::ptx {

/// Of shared memory a launch has so much without asking (CUDA C++ Programming Guide, "Compute
/// Capabilities"), and after asking for it.
inline constexpr std::size_t kSharedBytes = 48 << 10;
inline constexpr std::size_t kSharedBytesAtMost = 227 << 10;
/// core/cuda/launch.h promises not to pass more; devices since 7.0 would take 32 764.
inline constexpr std::size_t kParameterBytes = 4096;
inline constexpr std::size_t kRegistersOfBlock = 65536;

/// A kernel as nvcc registered it. It is translated when it is first asked for.
struct Kernel {
  FatBinary* binary = nullptr;
  std::string name;
  std::size_t sharedBytesAtMost = kSharedBytes;
  int registers = 0;
  std::unique_ptr<Program> program;
  std::unique_ptr<GridRunner> runner;
  std::mutex mutex;  ///< of all of it
};

int newestPtxOfProgram();
/// nullptr where `function` names none: the host's function, or a cudaKernel_t.
Kernel* kernelOf(const void* function);
/// Makes it ready to run on this device.
cudaError_t translated(Kernel& kernel);

}  // namespace millrace::ptx
