// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/cuda_facts.h"
#include "core/cuda/cuda_scope.h"
#include "core/cuda/cuda_trouble.h"

// Stands for cuda_device.cu, cuda_facts.cu and cuda_scope.cu where there is no CUDA Toolkit.

namespace millrace {

namespace {

constexpr const char* kTrouble = "this build has no CUDA";
constexpr const char* kRemedy =
    "build it where the CUDA Toolkit is installed, with -DMILLRACE_CUDA=ON";

}  // namespace

CudaFacts cudaFacts() {
  CudaFacts facts;
  facts.trouble = kTrouble;
  facts.remedy = kRemedy;
  return facts;
}

int cudaDriverVersion() { return 0; }

Result<std::shared_ptr<Device>> openCudaDevice(int, CudaUse) {
  return withWayOut(std::string(kTrouble) + "; " + kRemedy);
}

std::optional<int> currentCudaDevice() { return std::nullopt; }

Result<std::vector<int>> cudaDevicesOf(void*) { return withWayOut(kTrouble); }

}  // namespace millrace
