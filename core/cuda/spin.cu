// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/spin.h"

#include <algorithm>
#include <thread>

#include "core/cuda/cuda_error.h"
#include "core/cuda/kernel_image.h"

namespace millrace {

#if defined(__CUDACC__)
namespace {

constexpr int kSpinThreads = 256;

__device__ unsigned long long deviceNanoseconds() {
  unsigned long long now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__global__ void spinKernel(unsigned long long time) {
  const unsigned long long begin = deviceNanoseconds();
  while (deviceNanoseconds() - begin < time) {
  }
}

}  // namespace
#endif

Status spin(Stream& stream, int multiprocessors, std::chrono::nanoseconds time) {
  if (time.count() <= 0) return {};
  if (stream.emulated())
    return stream.enqueue("spin", [time] { std::this_thread::sleep_for(time); });
#if defined(__CUDACC__)
  MILLRACE_TRY(stream.enter());
  spinKernel<<<static_cast<unsigned int>(std::max(1, multiprocessors)), kSpinThreads, 0,
               static_cast<cudaStream_t>(stream.native())>>>(
      static_cast<unsigned long long>(time.count()));
  return stream.launched("spin");
#else
  (void)multiprocessors;
  return Error{"spin: this kernel was compiled without the CUDA Toolkit"};
#endif
}

Status kernelImageFits() {
#if defined(__CUDACC__)
  cudaFuncAttributes attributes{};
  return cudaResult(cudaFuncGetAttributes(&attributes, spinKernel), "cudaFuncGetAttributes",
                    "the current GPU");
#else
  return {};
#endif
}

}  // namespace millrace
