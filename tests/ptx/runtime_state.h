// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace millrace::ptx {

/// What the parts of the stand-in for CUDA's runtime share (CUDA Runtime API 13.0; the errors are
/// those of its pages). Thread-safe.

constexpr int kMostDevices = 8;
/// Number of devices: 1, or what MILLRACE_PTX_DEVICES says.
int deviceCount();
/// Compute capability as 90 of 9.0: the newest that a fat binary of the program has PTX for, or
/// what MILLRACE_PTX_CAPABILITY says.
int capability();

/// The fault that the device had, which every later call returns.
cudaError_t deviceFault();
void setDeviceFault(cudaError_t code, const std::string& text);
/// Tells on stderr why a call is refused, beside the error code, and gives the code.
cudaError_t refused(cudaError_t code, const char* call, const std::string& why);

cudaError_t lastError(bool forget);
void setLastError(cudaError_t code);

/// The calling thread's current device.
int currentDevice();

/// Does a call of the runtime unless the device has faulted; keeps its error as the thread's last.
template <class Call>
cudaError_t answered(const Call& call) {
  const cudaError_t fault = deviceFault();
  const cudaError_t code = fault != cudaSuccess ? fault : call();
  if (code != cudaSuccess) setLastError(code);
  return code;
}

}  // namespace millrace::ptx
