// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

// For the sources of this room that are compiled as CUDA, and of no use to others.
#if defined(__CUDACC__)
#include <string>

#include <cuda_runtime.h>

#include "core/base/result.h"

namespace millrace {

/// "cudaEventRecord on GPU 0 (NVIDIA H200): an illegal memory access was encountered
/// (cudaErrorIllegalAddress)".
inline Error cudaFailure(cudaError_t code, const std::string& call, const std::string& place) {
  return Error{call + " on " + place + ": " + cudaGetErrorString(code) + " (" +
               cudaGetErrorName(code) + ")"};
}

/// The result of a call of the runtime. Also forgets the thread's last error, which would else be
/// taken for that of the next launch.
inline Status cudaResult(cudaError_t code, const char* call, const std::string& place) {
  if (code == cudaSuccess) return {};
  (void)cudaGetLastError();
  return cudaFailure(code, call, place);
}

}  // namespace millrace
#endif
