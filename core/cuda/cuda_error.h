// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

// For the sources of this room that are compiled as CUDA; other sources do not need it.
#if defined(__CUDACC__)
#include <string>

#include <cuda_runtime.h>

#include "core/base/result.h"

namespace millrace {

/// Formats an error, for example "cudaEventRecord on GPU 0 (NVIDIA H200): an illegal memory access
/// was encountered (cudaErrorIllegalAddress)".
inline Error cudaFailure(cudaError_t code, const std::string& call, const std::string& place) {
  return Error{call + " on " + place + ": " + cudaGetErrorString(code) + " (" +
               cudaGetErrorName(code) + ")"};
}

/// The result of a runtime call as a Status. Also clears the thread's last error, which would
/// otherwise be reported for the next launch.
inline Status cudaResult(cudaError_t code, const char* call, const std::string& place) {
  if (code == cudaSuccess) return {};
  (void)cudaGetLastError();
  return cudaFailure(code, call, place);
}

}  // namespace millrace
#endif
