// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/cuda_facts.h"

#include <cstdio>

#include <cuda_runtime.h>

#include "core/cuda/cuda_error.h"

namespace millrace {

namespace {

/// 13000 is 13.0 (cudaRuntimeGetVersion: 1000 times the major and 10 times the minor number).
std::string versionText(int version) {
  if (version <= 0) return {};
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

DeviceFacts factsOf(int ordinal, const cudaDeviceProp& found) {
  DeviceFacts facts;
  facts.ordinal = ordinal;
  facts.name = found.name;
  char address[32];
  (void)std::snprintf(address, sizeof address, "%04x:%02x:%02x.0", found.pciDomainID,
                      found.pciBusID, found.pciDeviceID);
  facts.pciAddress = address;
  facts.major = found.major;
  facts.minor = found.minor;
  facts.multiprocessors = found.multiProcessorCount;
  facts.copyEngines = found.asyncEngineCount;
  facts.memoryBytes = found.totalGlobalMem;
  return facts;
}

/// Why the runtime finds no device, and what to do about it.
void explain(cudaError_t code, CudaFacts& facts) {
  (void)cudaGetLastError();
  if (code == cudaErrorInsufficientDriver && facts.driver.empty()) {
    facts.trouble = "this machine has no NVIDIA driver";
    facts.remedy = "install it, or run on a machine with a GPU";
  } else if (code == cudaErrorInsufficientDriver) {
    facts.trouble =
        "the NVIDIA driver serves CUDA " + facts.driver + ", but this build needs " + facts.runtime;
    facts.remedy = "install a newer driver, or build with an older CUDA Toolkit";
  } else if (code == cudaErrorNoDevice) {
    facts.trouble = "the NVIDIA driver finds no GPU";
    facts.remedy = "look at CUDA_VISIBLE_DEVICES and at what the container was given";
  } else {
    facts.trouble = cudaFailure(code, "cudaGetDeviceCount", "this machine").message;
    facts.remedy = "see whether nvidia-smi works";
  }
}

}  // namespace

CudaFacts cudaFacts() {
  CudaFacts facts;
  facts.built = true;
  facts.toolkit = versionText(CUDART_VERSION);
  facts.architectures = MILLRACE_CUDA_ARCHITECTURES;
  int version = 0;
  if (cudaRuntimeGetVersion(&version) == cudaSuccess) facts.runtime = versionText(version);
  if (cudaDriverGetVersion(&version) == cudaSuccess) facts.driver = versionText(version);
  int count = 0;
  if (const cudaError_t code = cudaGetDeviceCount(&count); code != cudaSuccess) {
    explain(code, facts);
    return facts;
  }
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    cudaDeviceProp found{};
    if (const cudaError_t code = cudaGetDeviceProperties(&found, ordinal); code != cudaSuccess) {
      explain(code, facts);
      return facts;
    }
    facts.devices.push_back(factsOf(ordinal, found));
  }
  if (count == 0) explain(cudaErrorNoDevice, facts);
  return facts;
}

}  // namespace millrace
