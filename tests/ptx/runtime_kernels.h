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

/// The shared memory of a launch by default (CUDA C++ Programming Guide, "Compute Capabilities"),
/// and after a request.
inline constexpr std::size_t kSharedBytes = 48 << 10;
inline constexpr std::size_t kSharedBytesAtMost = 227 << 10;
/// core/cuda/launch.h promises not to pass more; devices since 7.0 would accept 32 764.
inline constexpr std::size_t kParameterBytes = 4096;
inline constexpr std::size_t kRegistersOfBlock = 65536;

/// A kernel as registered by nvcc. It is translated when it is first requested.
struct Kernel {
  FatBinary* binary = nullptr;
  std::string name;
  std::size_t sharedBytesAtMost = kSharedBytes;
  int registers = 0;
  std::unique_ptr<Program> program;
  std::unique_ptr<GridRunner> runner;
  std::mutex mutex;  ///< for all members
};

int newestPtxOfProgram();
/// nullptr if `function` is neither a host function nor a cudaKernel_t.
Kernel* kernelOf(const void* function);
/// Prepares it to run on this device.
cudaError_t translated(Kernel& kernel);

}  // namespace millrace::ptx
