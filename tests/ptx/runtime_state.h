// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace millrace::ptx {

/// State shared by the parts of the fake CUDA runtime (CUDA Runtime API 13.0; errors as on its
/// pages). Thread-safe.

constexpr int kMostDevices = 8;
/// Number of devices: MILLRACE_PTX_DEVICES, or 1.
int deviceCount();
/// Compute capability, 90 for 9.0: MILLRACE_PTX_CAPABILITY, or the newest for which a fat binary of
/// the program has PTX.
int capability();

/// The fault that the device had; every later call returns it.
cudaError_t deviceFault();
void setDeviceFault(cudaError_t code, const std::string& text);
/// Prints to stderr why a call is refused, and returns the error code.
cudaError_t refused(cudaError_t code, const char* call, const std::string& why);

cudaError_t lastError(bool forget);
void setLastError(cudaError_t code);

/// The calling thread's current device.
int currentDevice();

/// Executes a runtime call unless the device has faulted; stores its error as the thread's last
/// one.
template <class Call>
cudaError_t answered(const Call& call) {
  const cudaError_t fault = deviceFault();
  const cudaError_t code = fault != cudaSuccess ? fault : call();
  if (code != cudaSuccess) setLastError(code);
  return code;
}

}  // namespace millrace::ptx
