// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/base/result.h"
#include "core/cuda/stream.h"
#if defined(__CUDACC__)
#include <cuda_runtime.h>
#endif

namespace millrace {

/// The range of a launch: the functor is called for each x below `x`, y below `y` and z below `z`.
/// Neighbouring x are neighbouring threads, so memory should be contiguous along x.
struct Extent {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;

  bool empty() const { return x == 0 || y == 0 || z == 0; }
};

#if defined(__CUDACC__)
/// The largest grid in y and z (CUDA C++ Programming Guide, "Compute Capabilities"); larger extents
/// are covered by strides.
inline constexpr std::uint32_t kLargestGridYz = 65535;

template <class Functor>
__global__ void forEachKernel(Extent extent, Functor functor) {
  // 64 bits for x: adding the stride to a count near 2^32 would wrap.
  const std::uint64_t firstX = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t strideX = std::uint64_t{gridDim.x} * blockDim.x;
  const std::uint32_t firstY = blockIdx.y * blockDim.y + threadIdx.y;
  const std::uint32_t strideY = gridDim.y * blockDim.y;
  for (std::uint64_t z = blockIdx.z; z < extent.z; z += gridDim.z)
    for (std::uint64_t y = firstY; y < extent.y; y += strideY)
      for (std::uint64_t x = firstX; x < extent.x; x += strideX)
        functor(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                static_cast<std::uint32_t>(z));
}

/// Blocks of 256 threads: as wide as the rows, but at least one warp, the rest along y.
inline dim3 blockFor(const Extent& extent) {
  std::uint32_t width = 32;
  while (width < 256 && width < extent.x) width *= 2;
  return {width, 256 / width, 1};
}

inline dim3 gridFor(const Extent& extent, const dim3& block) {
  const auto blocks = [](std::uint32_t count, std::uint32_t size) {
    return count / size + (count % size != 0 ? 1U : 0U);
  };
  return {blocks(extent.x, block.x), std::min(blocks(extent.y, block.y), kLargestGridYz),
          std::min(extent.z, kLargestGridYz)};
}
#endif

/// Enqueues `functor(x, y, z)` for all of `extent`, in no particular order: a kernel on a CUDA
/// stream, a loop on an emulated one. `functor` is a struct that is copied by value (at most 4 KB
/// of views and numbers); its operator() is const and MILLRACE_HOST_DEVICE. `kernel` is a literal
/// for error messages. An empty extent enqueues nothing. Sources compiled without nvcc can use
/// emulated streams only.
template <class Functor>
Status forEach(Stream& stream, const char* kernel, Extent extent, const Functor& functor) {
  if (extent.empty()) return {};
  if (stream.emulated())
    return stream.enqueue(kernel, [extent, functor] {
      for (std::uint32_t z = 0; z < extent.z; ++z)
        for (std::uint32_t y = 0; y < extent.y; ++y)
          for (std::uint32_t x = 0; x < extent.x; ++x) functor(x, y, z);
    });
#if defined(__CUDACC__)
  MILLRACE_TRY(stream.enter());
  const dim3 block = blockFor(extent);
  forEachKernel<<<gridFor(extent, block), block, 0, static_cast<cudaStream_t>(stream.native())>>>(
      extent, functor);
  return stream.launched(kernel);
#else
  return Error{std::string(kernel) + ": this kernel was compiled without the CUDA Toolkit"};
#endif
}

}  // namespace millrace
