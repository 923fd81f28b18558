// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "core/base/result.h"
#include "core/cuda/cudnn_library.h"
#include "core/cuda/device.h"
#include "core/data/dtype.h"
#include "core/train/network.h"

namespace millrace {

/// The convolutions of a network on a device: what its steps spend their time on. Everything is
/// enqueued on the stream that it was made for. One thread; gone before that stream.
class Convolutions {
 public:
  virtual ~Convolutions() = default;
  /// The calls that follow are for so many rows.
  virtual Status begin(std::uint32_t rows) = 0;
  virtual Status forward(const ConvLayer& conv, const void* in, const void* weights, void* out) = 0;
  /// Adds to `inGradient` where the layer says so.
  virtual Status backwardData(const ConvLayer& conv, const void* outGradient, const void* weights,
                              void* inGradient) = 0;
  virtual Status backwardWeights(const ConvLayer& conv, const void* in, const void* outGradient,
                                 void* weightGradient) = 0;
};

/// By kernels of our own: right on any device, and slow. The network outlives it.
std::unique_ptr<Convolutions> ownConvolutions(Stream& stream, const Network& network, DType dtype);

/// By cuDNN, each by the algorithm that it expects to be the fastest in at most 1 GiB of memory.
/// The device and the network outlive it.
Result<std::unique_ptr<Convolutions>> cudnnConvolutions(std::shared_ptr<const CudnnLibrary> library,
                                                        Device& device, Stream& stream,
                                                        const Network& network, DType dtype);

}  // namespace millrace
