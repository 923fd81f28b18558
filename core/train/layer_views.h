// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/kernels/host_device.h"

namespace millrace {

/// A convolution of a batch. Input and output: rows x height x width x channels; weights: out
/// channels x kernel x kernel x in channels.
struct ConvShape {
  std::uint32_t rows = 0;
  std::int32_t inChannels = 0;
  std::int32_t inHeight = 0;
  std::int32_t inWidth = 0;
  std::int32_t outChannels = 0;
  std::int32_t outHeight = 0;
  std::int32_t outWidth = 0;
  std::int32_t kernel = 3;
  std::int32_t stride = 1;
  std::int32_t padding = 1;

  bool operator==(const ConvShape&) const = default;

  MILLRACE_HOST_DEVICE std::int64_t inAt(std::uint32_t n, std::int32_t row,
                                         std::int32_t column) const {
    return ((std::int64_t{n} * inHeight + row) * inWidth + column) * inChannels;
  }
  MILLRACE_HOST_DEVICE std::int64_t outAt(std::uint32_t n, std::int32_t row,
                                          std::int32_t column) const {
    return ((std::int64_t{n} * outHeight + row) * outWidth + column) * outChannels;
  }
  MILLRACE_HOST_DEVICE std::int64_t weightAt(std::uint32_t k, std::int32_t r,
                                             std::int32_t s) const {
    return ((std::int64_t{k} * kernel + r) * kernel + s) * inChannels;
  }
};

/// A norm over a batch. `pixels` counts those of all rows; channels are a multiple of eight.
/// Pointers are device addresses; gradients are used in the backward pass only.
struct NormView {
  /// The number of sums that one thread adds up for the final total of a channel.
  static constexpr std::int32_t kParts = 64;

  std::int64_t pixels = 0;
  std::int32_t channels = 0;
  std::int32_t chunks = 1;  ///< parts of the pixels that are summed separately
  bool relu = true;
  bool skipAdds = false;
  const void* in = nullptr;
  const void* skip = nullptr;  ///< nullptr: no skip connection
  void* out = nullptr;
  const float* scale = nullptr;
  const float* shift = nullptr;
  float* mean = nullptr;     ///< one per channel; kept from the forward to the backward pass
  float* inverse = nullptr;  ///< 1 / standard deviation
  float* sums = nullptr;     ///< 2 x (chunks + kParts) x channels
  const void* outGradient = nullptr;
  void* inGradient = nullptr;
  void* skipGradient = nullptr;
  float* scaleGradient = nullptr;
  float* shiftGradient = nullptr;

  /// The number of groups of eight channels.
  MILLRACE_HOST_DEVICE std::uint32_t groups() const {
    return static_cast<std::uint32_t>(channels) / 8;
  }
  MILLRACE_HOST_DEVICE std::int64_t chunkBegin(std::int64_t chunk) const {
    return pixels * chunk / chunks;
  }
  MILLRACE_HOST_DEVICE std::int64_t chunkEnd(std::int64_t chunk) const {
    return pixels * (chunk + 1) / chunks;
  }
  /// Stores two sums for each of eight channels.
  MILLRACE_HOST_DEVICE void keep(std::uint32_t group, std::uint32_t chunk, const float* first,
                                 const float* second) const {
    float* const to = sums + std::int64_t{chunk} * 2 * channels + std::int64_t{group} * 8;
    for (int i = 0; i < 8; ++i) {
      to[i] = first[i];
      to[channels + i] = second[i];
    }
  }
  /// Adds both sums of a channel over a range of chunks.
  MILLRACE_HOST_DEVICE void total(std::uint32_t channel, std::int64_t begin, std::int64_t end,
                                  double& first, double& second) const {
    for (std::int64_t chunk = begin; chunk < end; ++chunk) {
      const float* const from = sums + chunk * 2 * channels + channel;
      first += from[0];
      second += from[channels];
    }
  }
};

}  // namespace millrace
