// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "core/data/dtype.h"
#include "core/train/layer_views.h"

namespace millrace {

/// A residual network of basic blocks (He et al., "Deep residual learning for image recognition",
/// CVPR 2016): a stem, four stages that each halve the picture and double the channels, a global
/// mean, and a dense layer. Pictures with sides of 64 pixels and more are also halved in the stem
/// and in the first stage, so that 224 pixels become 7.
struct NetworkSettings {
  std::int32_t width = 64;  ///< channels of the first stage; a multiple of kLanes
  std::int32_t blocks = 2;  ///< per stage; 2 with width 64 are ResNet-18 except for its stem
  std::int64_t classes = 10;

  /// The number of channels that one thread of a kernel handles.
  static constexpr std::int32_t kLanes = 8;
  /// The smallest height and width that four stages can halve.
  static constexpr std::int32_t kLeastSide = 8;
};

/// A value between two layers, for each row of the batch: height x width x channels, channels last.
struct Activation {
  std::int32_t channels = 0;
  std::int32_t height = 0;
  std::int32_t width = 0;
  /// The index in Network::gradientSizes of its gradient's memory; unused for the picture.
  std::size_t gradient = 0;

  std::int64_t pixels() const { return std::int64_t{height} * width; }
  std::int64_t elements() const { return pixels() * channels; }
};

/// A convolution without bias, because a norm follows. Square kernel; zero padding, so that stride
/// 1 keeps the size.
struct ConvLayer {
  std::size_t in = 0;  ///< indices in Network::activations
  std::size_t out = 0;
  std::int32_t kernel = 3;
  std::int32_t stride = 1;
  std::size_t number = 0;   ///< number among the convolutions
  std::size_t weights = 0;  ///< index of the first of out channels x kernel x kernel x in channels
  bool toPicture = false;   ///< the gradient of `in` is not needed
  bool adds = false;        ///< adds to the gradient of `in`, which another layer wrote before

  std::int32_t padding() const { return kernel / 2; }
};

/// Batch normalisation (Ioffe and Szegedy, ICML 2015), then adds `skip` if there is one, then
/// applies ReLU if `relu`.
struct NormLayer {
  std::size_t in = 0;
  std::size_t out = 0;
  bool hasSkip = false;
  std::size_t skip = 0;
  bool skipAdds = false;  ///< adds to the gradient of `skip`
  bool relu = true;
  std::size_t scale = 0;  ///< index of the first of as many parameters as there are channels
  std::size_t shift = 0;
  std::size_t number = 0;  ///< number among the norms
};

using Layer = std::variant<ConvLayer, NormLayer>;

/// A network as data: the layers in order, and where their parameters are in one array. Those of
/// convolutions come first, so that their 16-bit copies form one array too. A value type.
struct Network {
  std::vector<Activation> activations;  ///< the first one is the picture
  std::vector<Layer> layers;            ///< in forward order
  /// Elements per row of each gradient memory, which values use in turn.
  std::vector<std::int64_t> gradientSizes;
  std::size_t convs = 0;
  std::size_t norms = 0;
  std::int32_t mostChannels = 0;
  std::int32_t features = 0;  ///< inputs of the dense layer
  std::int64_t classes = 0;
  std::size_t denseWeights = 0;  ///< index of the first of classes x features
  std::size_t denseBias = 0;     ///< index of the first of `classes`
  std::size_t convParameters = 0;
  std::size_t parameters = 0;

  const Activation& last() const { return activations.back(); }
  ConvShape shapeOf(const ConvLayer& conv, std::uint32_t rows) const;
};

/// `picture` must have sides of at least NetworkSettings::kLeastSide pixels.
Network residualNetwork(const NetworkSettings& settings, std::int32_t channels, std::int32_t height,
                        std::int32_t width);

/// The initial parameters: weights from a normal distribution scaled by the number of their outputs
/// (He et al., "Delving deep into rectifiers", ICCV 2015), scales 1, but 0 for the last norm of a
/// block (Goyal et al., "Accurate, large minibatch SGD", 2017), everything else 0.
std::vector<float> firstParameters(const Network& network, std::uint64_t seed);
/// Converts to F16 or BF16.
std::vector<std::uint16_t> halvesOf(std::span<const float> parameters, DType dtype);

}  // namespace millrace
