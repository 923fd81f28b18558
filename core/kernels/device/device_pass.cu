// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/device/device_pass.h"

#include <vector>

#include "core/base/check.h"
#include "core/cuda/launch.h"
#include "core/kernels/device/device_pass_tile.h"

namespace millrace {

namespace {

/// Computes the weight tables. x: an output, y: an axis, z: a batch row.
struct MakeTaps {
  const PassRow* rows;
  AxisTaps* taps;
  TapQuad* quads;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    const PassRow& row = rows[z];
    const PassAxis& axis = y == 0 ? row.x : row.y;
    if (row.kind == PassKind::Copy || x >= static_cast<std::uint32_t>(axis.spec.count)) return;
    const std::int32_t pixel = axis.spec.first + static_cast<std::int32_t>(x);
    if (isSingle(axis.spec)) {
      taps[axis.taps + x] = {singleInput(axis.spec, pixel), 1};
      if (axis.quadsEach == 0) return;
      TapQuad quad;
      quad.set(0, 1 << kResampleBits);
      quads[axis.quads + x] = quad;
      return;
    }
    const AxisScale scale = axisScale(axis.spec);
    const double centre = centreOf(scale, pixel);
    const AxisTaps found = tapsAround(scale, centre);
    // Rounding may find one input more than the quads hold; it is at the edge of the support and
    // has weight 0.
    const std::int32_t most = 4 * axis.quadsEach;
    taps[axis.taps + x] = {found.first + scale.origin, found.count < most ? found.count : most};
    weigh(scale, centre, found, axis.quadsEach,
          quads + axis.quads + static_cast<std::int64_t>(x) * axis.quadsEach);
  }

  MILLRACE_HOST_DEVICE static void weigh(const AxisScale& scale, double centre,
                                         const AxisTaps& found, std::int32_t count, TapQuad* to) {
    double sum = 0;
    for (std::int32_t k = 0; k < found.count; ++k) sum += rawWeight(scale, centre, found.first + k);
    for (std::int32_t q = 0; q < count; ++q) {
      TapQuad quad;
      for (std::int32_t k = 4 * q; k < 4 * q + 4 && k < found.count; ++k) {
        double weight = rawWeight(scale, centre, found.first + k);
        if (sum != 0.0) weight /= sum;
        quad.set(k - 4 * q, fixedWeight(weight));
      }
      to[q] = quad;
    }
  }
};

PassTiling tilingOf(const DevicePass& pass, const DevicePassTables& tables) {
  PassTiling tiling;
  tiling.widthShift = pass.width <= 32 ? kWidestTileShift - 1 : kWidestTileShift;
  int choice = 0;
  while (!fitsTile(tables.tileRows[choice])) ++choice;  // devicePassRow ensures that one fits
  tiling.height = tileHeight(choice);
  tiling.sharedBytes =
      wordsOfRows(tables.tileRows[choice]) * pass.channels * (4 << tiling.widthShift);
  const std::int32_t width = 1 << tiling.widthShift;
  tiling.across = (pass.width + width - 1) / width;
  tiling.down = (pass.height + tiling.height - 1) / tiling.height;
  tiling.quads = reinterpret_cast<const TapQuad*>(pass.scratch);
  tiling.taps = reinterpret_cast<const AxisTaps*>(
      pass.scratch + static_cast<std::size_t>(tables.quads) * sizeof(TapQuad));
  return tiling;
}

#if defined(__CUDACC__)
template <int kChannels, bool kColours>
__global__ void __launch_bounds__(kPassThreads, kChannels == 4 ? 2 : 3)
    passKernel(const __grid_constant__ DevicePass pass, const __grid_constant__ PassTiling tiling) {
  extern __shared__ Four<std::uint32_t> passMemory[];
  static_assert(sizeof(PassShared) == sizeof(Four<std::uint32_t>));
  auto& shared = *reinterpret_cast<PassShared*>(passMemory);
  auto* rows = reinterpret_cast<std::uint32_t*>(passMemory + 1);
  const PassTile<kChannels, kColours> tile(pass, tiling, blockIdx.x);
  const auto thread = static_cast<std::int32_t>(threadIdx.x);
  tile.across(thread, rows, shared);
  __syncthreads();
  std::uint32_t sum = tile.down(thread, rows, shared);
  if constexpr (kColours) {
    if (pass.greySumsOut == nullptr) return;
    for (int offset = 16; offset > 0; offset /= 2)
      sum += __shfl_down_sync(0xffffffffU, sum, offset);
    if (thread % 32 == 0)
      atomicAdd(reinterpret_cast<unsigned long long*>(pass.greySumsOut + tile.index), sum);
  }
}
#endif

/// Runs the kernel block by block, and the threads of a block in turn.
template <int kChannels, bool kColours>
void emulateBlocks(const DevicePass& pass, const PassTiling& tiling, std::uint32_t blocks) {
  std::vector<Four<std::uint32_t>> memory(kPassTileBytes / sizeof(Four<std::uint32_t>));
  auto* rows = reinterpret_cast<std::uint32_t*>(memory.data());
  for (std::uint32_t block = 0; block < blocks; ++block) {
    const PassTile<kChannels, kColours> tile(pass, tiling, block);
    PassShared shared;
    for (int thread = 0; thread < kPassThreads; ++thread) tile.across(thread, rows, shared);
    for (int thread = 0; thread < kPassThreads; ++thread) {
      const std::uint32_t sum = tile.down(thread, rows, shared);
      if (kColours && pass.greySumsOut != nullptr) pass.greySumsOut[tile.index] += sum;
    }
  }
}

template <int kChannels, bool kColours>
Status launchTiles(Stream& stream, const DevicePass& pass, const PassTiling& tiling,
                   std::uint32_t blocks) {
  constexpr const char* kName = "pixel pass";
  if (stream.emulated())
    return stream.enqueue(kName, [pass, tiling, blocks] {
      emulateBlocks<kChannels, kColours>(pass, tiling, blocks);
    });
#if defined(__CUDACC__)
  MILLRACE_TRY(stream.enter());
  // Request only what is used, so that more blocks fit on a multiprocessor.
  const std::size_t bytes = sizeof(PassShared) + static_cast<std::size_t>(tiling.sharedBytes);
  passKernel<kChannels, kColours>
      <<<blocks, kPassThreads, bytes, static_cast<cudaStream_t>(stream.native())>>>(pass, tiling);
  return stream.launched(kName);
#else
  return Error{std::string(kName) + ": this kernel was compiled without the CUDA Toolkit"};
#endif
}

template <int kChannels>
Status launchChannels(Stream& stream, const DevicePass& pass, const PassTiling& tiling,
                      std::uint32_t blocks) {
  const bool coloured = pass.actsEach > 0 || pass.greySumsOut != nullptr;
  if constexpr (kChannels == 2)
    MILLRACE_CHECK(!coloured, "colour operations need 1, 3 or 4 channels");
  else if (coloured)
    return launchTiles<kChannels, true>(stream, pass, tiling, blocks);
  return launchTiles<kChannels, false>(stream, pass, tiling, blocks);
}

}  // namespace

Status launchDevicePass(Stream& stream, const DevicePass& pass, const DevicePassTables& tables) {
  if (pass.rowCount == 0) return {};
  const PassTiling tiling = tilingOf(pass, tables);
  const std::int64_t blocks = std::int64_t{pass.rowCount} * tiling.across * tiling.down;
  MILLRACE_CHECK(pass.width > 0 && pass.height > 0 && pass.rowCount > 0,
                 "the result must not be empty");
  if (blocks > INT32_MAX)
    return Error{"pixel pass: a batch of " + std::to_string(pass.rowCount) + " pictures of " +
                 std::to_string(pass.width) + " x " + std::to_string(pass.height) +
                 " is too large for one launch; make the batch smaller"};
  if (tables.longest > 0) {
    const MakeTaps make{pass.rows, const_cast<AxisTaps*>(tiling.taps),
                        const_cast<TapQuad*>(tiling.quads)};
    MILLRACE_TRY(forEach(
        stream, "pixel pass weights",
        {static_cast<std::uint32_t>(tables.longest), 2, static_cast<std::uint32_t>(pass.rowCount)},
        make));
  }
  const auto count = static_cast<std::uint32_t>(blocks);
  switch (pass.channels) {
    case 1: return launchChannels<1>(stream, pass, tiling, count);
    case 2: return launchChannels<2>(stream, pass, tiling, count);
    case 3: return launchChannels<3>(stream, pass, tiling, count);
    case 4: return launchChannels<4>(stream, pass, tiling, count);
    default: MILLRACE_CHECK(false, "a pixel pass takes 1 to 4 channels");
  }
}

}  // namespace millrace
