// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/cuda/device.h"
#include "core/cuda/libraries/cudnn_library.h"
#include "core/data/dtype.h"
#include "core/train/network.h"

namespace millrace {

/// The convolutions of a network on a device, which take most of a step's time. All work is
/// enqueued on the stream given at construction. For use by one thread; must be destroyed before
/// that stream.
class Convolutions {
 public:
  virtual ~Convolutions() = default;
  /// Sets the number of batch rows for the following calls.
  virtual Status begin(std::uint32_t rows) = 0;
  virtual Status forward(const ConvLayer& conv, const void* in, const void* weights, void* out) = 0;
  /// Adds to `inGradient` if ConvLayer::adds is set.
  virtual Status backwardData(const ConvLayer& conv, const void* outGradient, const void* weights,
                              void* inGradient) = 0;
  virtual Status backwardWeights(const ConvLayer& conv, const void* in, const void* outGradient,
                                 void* weightGradient) = 0;
};

/// The operands of a convolution. Between two steps only the weights must be preserved, so
/// algorithms can be tried on the other memory.
struct ConvMemory {
  const void* in = nullptr;
  const void* weights = nullptr;
  void* out = nullptr;
  const void* outGradient = nullptr;
  void* inGradient = nullptr;  ///< nullptr if it is not needed
  void* weightGradient = nullptr;
};

/// Implementation with built-in kernels: correct on every device, but slow. The network must
/// outlive it.
std::unique_ptr<Convolutions> ownConvolutions(Stream& stream, const Network& network, DType dtype);

/// Why cuDNN does not support this precision on the device, as a sentence without full stop; empty
/// if nothing is known to prevent it.
std::string whyNotCudnn(const DeviceFacts& device, DType dtype);

/// The maximum workspace of convolutions by cuDNN, in addition to the network's memory.
inline constexpr std::size_t kMostConvWorkspace = std::size_t{1} << 30U;

/// Implementation with cuDNN, using at most `kMostConvWorkspace` or what is available. For the
/// first number of rows it tries the algorithms and takes the fastest; for other numbers it takes
/// those that cuDNN expects to be fastest. The choice is cached by the number of rows. `memory`:
/// the operands of each convolution, indexed by its number. The device, the network and the memory
/// must outlive it.
Result<std::unique_ptr<Convolutions>> cudnnConvolutions(std::shared_ptr<const CudnnLibrary> library,
                                                        Device& device, Stream& stream,
                                                        const Network& network, DType dtype,
                                                        std::vector<ConvMemory> memory);

}  // namespace millrace
