// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/cuda_facts.h"

#include <cstdio>
#include <utility>

#include <cuda_runtime.h>

#include "core/cuda/cuda_error.h"
#include "core/cuda/cuda_trouble.h"

namespace millrace {

namespace {

/// Formats a version number: 13000 is 13.0 (cudaRuntimeGetVersion: 1000 * major + 10 * minor).
std::string versionText(int version) {
  if (version <= 0) return {};
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Formats a UUID as NVIDIA's management library does, without its prefix.
std::string uuidText(const cudaUUID_t& uuid) {
  std::string text;
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    char digits[3];
    (void)std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(uuid.bytes[i]));
    text += digits;
  }
  return text;
}

DeviceFacts factsOf(int ordinal, const cudaDeviceProp& found) {
  DeviceFacts facts;
  facts.ordinal = ordinal;
  facts.name = found.name;
  char address[32];
  (void)std::snprintf(address, sizeof address, "%04x:%02x:%02x.0", found.pciDomainID,
                      found.pciBusID, found.pciDeviceID);
  facts.pciAddress = address;
  facts.uuid = uuidText(found.uuid);
  facts.major = found.major;
  facts.minor = found.minor;
  facts.multiprocessors = found.multiProcessorCount;
  facts.copyEngines = found.asyncEngineCount;
  facts.memoryBytes = found.totalGlobalMem;
  return facts;
}

/// Sets the reason why the runtime finds no device, and what to do about it.
void explain(cudaError_t code, CudaFacts& facts) {
  (void)cudaGetLastError();
  CudaTrouble why =
      explained({code, cudaFailure(code, "cudaGetDeviceCount", "this machine").message,
                 facts.driver, facts.runtime});
  facts.trouble = std::move(why.trouble);
  facts.remedy = std::move(why.remedy);
}

}  // namespace

int cudaDriverVersion() {
  int version = 0;
  if (cudaDriverGetVersion(&version) == cudaSuccess) return version;
  (void)cudaGetLastError();
  return 0;
}

CudaFacts cudaFacts() {
  CudaFacts facts;
  facts.built = true;
  facts.toolkit = versionText(CUDART_VERSION);
  facts.architectures = MILLRACE_CUDA_ARCHITECTURES;
  int version = 0;
  if (cudaRuntimeGetVersion(&version) == cudaSuccess) facts.runtime = versionText(version);
  facts.driver = versionText(cudaDriverVersion());
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
