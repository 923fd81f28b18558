// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/cuda_facts.h"
#include "core/cuda/cuda_scope.h"
#include "core/cuda/cuda_trouble.h"

// Replaces cuda_device.cu, cuda_facts.cu and cuda_scope.cu if there is no CUDA Toolkit.

namespace millrace {

namespace {

constexpr const char* kTrouble = "this build does not support CUDA";
constexpr const char* kRemedy = "build it with the CUDA Toolkit and -DMILLRACE_CUDA=ON";

}  // namespace

CudaFacts cudaFacts() {
  CudaFacts facts;
  facts.trouble = kTrouble;
  facts.remedy = kRemedy;
  return facts;
}

int cudaDriverVersion() { return 0; }

Result<std::shared_ptr<Device>> openCudaDevice(int, CudaUse) {
  return withCpuHint(std::string(kTrouble) + "; " + kRemedy);
}

std::optional<int> currentCudaDevice() { return std::nullopt; }

Result<std::vector<int>> cudaDevicesOf(void*) { return withCpuHint(kTrouble); }

}  // namespace millrace
