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
/// CVPR 2016): a stem, four stages of which each halves the picture and doubles the channels, the
/// mean over what is left of it, and a dense layer. Pictures of 64 pixels and more a side are
/// halved in the stem and in the first stage too, so that 224 pixels end as 7.
struct NetworkSettings {
  std::int32_t width = 64;  ///< channels of the first stage; a multiple of kLanes
  std::int32_t blocks = 2;  ///< of each stage; 2 of width 64 are ResNet-18 but for its stem
  std::int64_t classes = 10;

  /// Channels that a thread of a kernel takes at once.
  static constexpr std::int32_t kLanes = 8;
  /// The least height and width of a picture that four stages can halve.
  static constexpr std::int32_t kLeastSide = 8;
};

/// A value between two layers, for each row of the batch: height x width x channels, channels last.
struct Activation {
  std::int32_t channels = 0;
  std::int32_t height = 0;
  std::int32_t width = 0;
  /// Which of Network::gradientSizes holds its gradient; none for the picture itself.
  std::size_t gradient = 0;

  std::int64_t pixels() const { return std::int64_t{height} * width; }
  std::int64_t elements() const { return pixels() * channels; }
};

/// Without bias: a norm comes behind it. Square, with zeros around the picture so that a stride of
/// 1 keeps its size.
struct ConvLayer {
  std::size_t in = 0;  ///< places in Network::activations
  std::size_t out = 0;
  std::int32_t kernel = 3;
  std::int32_t stride = 1;
  std::size_t number = 0;   ///< among the convolutions
  std::size_t weights = 0;  ///< first of out channels x kernel x kernel x in channels
  bool toPicture = false;   ///< nobody needs the gradient of `in`
  bool adds = false;        ///< to the gradient of `in`, which another layer wrote before

  std::int32_t padding() const { return kernel / 2; }
};

/// Batch normalisation (Ioffe and Szegedy, ICML 2015), then the sum with `skip` where there is one,
/// then the larger of that and zero where `relu` says so.
struct NormLayer {
  std::size_t in = 0;
  std::size_t out = 0;
  bool hasSkip = false;
  std::size_t skip = 0;
  bool skipAdds = false;  ///< to the gradient of `skip`
  bool relu = true;
  std::size_t scale = 0;  ///< first of as many parameters as there are channels
  std::size_t shift = 0;
  std::size_t number = 0;  ///< among the norms
};

using Layer = std::variant<ConvLayer, NormLayer>;

/// A network as numbers: what is done in which order, and where its parameters are in one array.
/// Those of convolutions come first, whose copies in 16 bits are one array too. Value type.
struct Network {
  std::vector<Activation> activations;  ///< the first is the picture
  std::vector<Layer> layers;            ///< in the order of the forward pass
  /// Elements a row of memory for gradients, which values use one after the other.
  std::vector<std::int64_t> gradientSizes;
  std::size_t convs = 0;
  std::size_t norms = 0;
  std::int32_t mostChannels = 0;
  std::int32_t features = 0;  ///< of the dense layer
  std::int64_t classes = 0;
  std::size_t denseWeights = 0;  ///< first of classes x features
  std::size_t denseBias = 0;     ///< first of classes
  std::size_t convParameters = 0;
  std::size_t parameters = 0;

  const Activation& last() const { return activations.back(); }
  ConvShape shapeOf(const ConvLayer& conv, std::uint32_t rows) const;
};

/// `picture` has at least NetworkSettings::kLeastSide pixels a side.
Network residualNetwork(const NetworkSettings& settings, std::int32_t channels, std::int32_t height,
                        std::int32_t width);

/// The parameters at the start: weights drawn from a normal distribution by the number of their
/// outputs (He et al., "Delving deep into rectifiers", ICCV 2015), scales 1, but 0 for the last
/// norm of a block (Goyal et al., "Accurate, large minibatch SGD", 2017), all else 0.
std::vector<float> firstParameters(const Network& network, std::uint64_t seed);
/// In F16 or BF16.
std::vector<std::uint16_t> halvesOf(std::span<const float> parameters, DType dtype);

}  // namespace millrace
