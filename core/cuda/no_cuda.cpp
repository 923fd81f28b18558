// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/cuda_facts.h"

// Stands for cuda_device.cu and cuda_facts.cu where there is no CUDA Toolkit.

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

Result<std::shared_ptr<Device>> openCudaDevice(int) {
  return Error{std::string(kTrouble) + "; " + kRemedy};
}

}  // namespace millrace
