// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

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

/// Where the operands of a convolution lie. Between two steps nothing in them is needed but the
/// weights, so that algorithms can be tried on them.
struct ConvMemory {
  const void* in = nullptr;
  const void* weights = nullptr;
  void* out = nullptr;
  const void* outGradient = nullptr;
  void* inGradient = nullptr;  ///< nullptr where nobody needs it
  void* weightGradient = nullptr;
};

/// By kernels of our own: right on any device, and slow. The network outlives it.
std::unique_ptr<Convolutions> ownConvolutions(Stream& stream, const Network& network, DType dtype);

/// Why cuDNN does no network of that precision on such a device, as a sentence without full stop;
/// empty: it does, for all that is known.
std::string whyNotCudnn(const DeviceFacts& device, DType dtype);

/// The most memory that convolutions by cuDNN take beside a network's own.
inline constexpr std::size_t kMostConvWorkspace = std::size_t{1} << 30U;

/// By cuDNN, in at most `kMostConvWorkspace`, or in what there is: for the first number of rows,
/// which is tried out, by the algorithms that were the fastest, for others by those that cuDNN
/// expects to be. What was chosen is kept by the number of rows. `memory`: of each convolution by
/// its number. The device, the network and the memory outlive it.
Result<std::unique_ptr<Convolutions>> cudnnConvolutions(std::shared_ptr<const CudnnLibrary> library,
                                                        Device& device, Stream& stream,
                                                        const Network& network, DType dtype,
                                                        std::vector<ConvMemory> memory);

}  // namespace millrace
