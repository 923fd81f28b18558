// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/train/network.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "core/base/random.h"
#include "core/kernels/half.h"

namespace millrace {

namespace {

constexpr int kStages = 4;
/// Pictures with at least this side are halved before the first stage.
constexpr std::int32_t kLargeSide = 64;
/// Parameters of a layer start at a multiple of this, which libraries prefer.
constexpr std::size_t kAligned = 64;

std::size_t alignedUp(std::size_t count) { return (count + kAligned - 1) / kAligned * kAligned; }

/// Adds layer after layer. Norms and the dense layer get their parameters at the end, after those
/// of all convolutions.
class Builder {
 public:
  Builder(std::int32_t channels, std::int32_t height, std::int32_t width) {
    m_network.activations.push_back({channels, height, width});
  }

  std::size_t conv(std::size_t in, std::int32_t channels, std::int32_t kernel,
                   std::int32_t stride) {
    const Activation from = m_network.activations[in];
    ConvLayer layer{.in = in,
                    .kernel = kernel,
                    .stride = stride,
                    .number = m_network.convs++,
                    .weights = m_network.parameters};
    layer.toPicture = in == 0;
    layer.out = add({channels, (from.height - 1) / stride + 1, (from.width - 1) / stride + 1});
    m_network.parameters += alignedUp(static_cast<std::size_t>(channels) *
                                      static_cast<std::size_t>(kernel * kernel * from.channels));
    m_network.layers.emplace_back(layer);
    return layer.out;
  }

  std::size_t norm(std::size_t in, bool relu) {
    NormLayer layer{.in = in, .relu = relu, .number = m_network.norms++};
    layer.out = add(m_network.activations[in]);
    m_network.layers.emplace_back(layer);
    return layer.out;
  }

  std::size_t norm(std::size_t in, std::size_t skip) {
    const std::size_t out = norm(in, true);
    auto& layer = std::get<NormLayer>(m_network.layers.back());
    layer.hasSkip = true;
    layer.skip = skip;
    return out;
  }

  std::size_t block(std::size_t in, std::int32_t channels, std::int32_t stride) {
    const bool same = stride == 1 && m_network.activations[in].channels == channels;
    const std::size_t skip = same ? in : norm(conv(in, channels, 1, stride), false);
    const std::size_t inside = norm(conv(in, channels, 3, stride), true);
    return norm(conv(inside, channels, 3, 1), skip);
  }

  Network take(std::int64_t classes) {
    m_network.convParameters = m_network.parameters;
    for (Layer& layer : m_network.layers)
      if (auto* const norm = std::get_if<NormLayer>(&layer)) {
        const auto channels = static_cast<std::size_t>(m_network.activations[norm->out].channels);
        norm->scale = reserve(channels);
        norm->shift = reserve(channels);
      }
    m_network.classes = classes;
    m_network.features = m_network.last().channels;
    m_network.denseWeights =
        reserve(static_cast<std::size_t>(classes) * static_cast<std::size_t>(m_network.features));
    m_network.denseBias = reserve(static_cast<std::size_t>(classes));
    for (const Activation& each : m_network.activations)
      m_network.mostChannels = std::max(m_network.mostChannels, each.channels);
    return std::move(m_network);
  }

 private:
  std::size_t add(Activation activation) {
    m_network.activations.push_back(activation);
    return m_network.activations.size() - 1;
  }
  std::size_t reserve(std::size_t count) {
    const std::size_t first = m_network.parameters;
    m_network.parameters += alignedUp(count);
    return first;
  }

  Network m_network;
};

/// Follows the backward pass: assigns memory to each gradient, and determines which layers add to
/// an existing one.
class GradientPlan {
 public:
  explicit GradientPlan(Network& network)
      : m_network(network), m_written(network.activations.size(), false) {}

  void make() {
    writes(m_network.activations.size() - 1);
    for (auto layer = m_network.layers.rbegin(); layer != m_network.layers.rend(); ++layer)
      std::visit([this](auto& each) { pass(each); }, *layer);
  }

 private:
  void pass(ConvLayer& conv) {
    if (!conv.toPicture) conv.adds = writes(conv.in);
    m_free.push_back(m_network.activations[conv.out].gradient);
  }
  void pass(NormLayer& norm) {
    if (norm.hasSkip) norm.skipAdds = writes(norm.skip);
    const bool before = writes(norm.in);
    MILLRACE_CHECK(!before, "only a norm may read the value before it");
    m_free.push_back(m_network.activations[norm.out].gradient);
  }

  /// Returns whether the gradient had been written before.
  bool writes(std::size_t activation) {
    if (m_written[activation]) return true;
    m_written[activation] = true;
    Activation& value = m_network.activations[activation];
    if (m_free.empty()) {
      value.gradient = m_network.gradientSizes.size();
      m_network.gradientSizes.push_back(0);
    } else {
      value.gradient = m_free.back();
      m_free.pop_back();
    }
    std::int64_t& size = m_network.gradientSizes[value.gradient];
    size = std::max(size, value.elements());
    return false;
  }

  Network& m_network;
  std::vector<bool> m_written;
  std::vector<std::size_t> m_free;
};

}  // namespace

ConvShape Network::shapeOf(const ConvLayer& conv, std::uint32_t rows) const {
  const Activation& from = activations[conv.in];
  const Activation& to = activations[conv.out];
  return {rows,      from.channels, from.height, from.width,  to.channels,
          to.height, to.width,      conv.kernel, conv.stride, conv.padding()};
}

Network residualNetwork(const NetworkSettings& settings, std::int32_t channels, std::int32_t height,
                        std::int32_t width) {
  MILLRACE_CHECK(settings.width > 0 && settings.width % NetworkSettings::kLanes == 0 &&
                     settings.blocks > 0 && settings.classes > 0,
                 "a network needs blocks, classes and a multiple of eight channels");
  MILLRACE_CHECK(std::min(height, width) >= NetworkSettings::kLeastSide,
                 "the picture is too small to halve");
  Builder builder(channels, height, width);
  const std::int32_t first = std::min(height, width) >= kLargeSide ? 2 : 1;
  std::size_t at = builder.norm(builder.conv(0, settings.width, 3, first), true);
  for (int stage = 0; stage < kStages; ++stage)
    for (std::int32_t block = 0; block < settings.blocks; ++block) {
      const std::int32_t stride = block > 0 ? 1 : stage > 0 ? 2 : first;
      at = builder.block(at, settings.width << stage, stride);
    }
  Network network = builder.take(settings.classes);
  GradientPlan(network).make();
  return network;
}

std::vector<float> firstParameters(const Network& network, std::uint64_t seed) {
  std::vector<float> parameters(network.parameters, 0.0F);
  Draw draw({.seed = seed, .node = static_cast<std::uint32_t>(fnv1a("first parameters"))});
  const auto drawn = [&](std::size_t first, std::int64_t count, double deviation) {
    for (std::int64_t i = 0; i < count; ++i)
      parameters[first + static_cast<std::size_t>(i)] =
          static_cast<float>(draw.normal() * deviation);
  };
  for (const Layer& layer : network.layers) {
    if (const auto* const conv = std::get_if<ConvLayer>(&layer)) {
      const std::int64_t outputs =
          std::int64_t{conv->kernel} * conv->kernel * network.activations[conv->out].channels;
      drawn(conv->weights, outputs * network.activations[conv->in].channels,
            std::sqrt(2.0 / static_cast<double>(outputs)));
    } else {
      const auto& norm = std::get<NormLayer>(layer);
      std::fill_n(parameters.begin() + static_cast<std::ptrdiff_t>(norm.scale),
                  network.activations[norm.out].channels, norm.hasSkip ? 0.0F : 1.0F);
    }
  }
  drawn(network.denseWeights, network.classes * network.features,
        1 / std::sqrt(static_cast<double>(network.features)));
  return parameters;
}

std::vector<std::uint16_t> halvesOf(std::span<const float> parameters, DType dtype) {
  std::vector<std::uint16_t> halves(parameters.size());
  std::ranges::transform(parameters, halves.begin(),
                         dtype == DType::F16 ? f16FromF32 : bf16FromF32);
  return halves;
}

}  // namespace millrace
