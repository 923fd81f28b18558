// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/train/plain_network.h"

#include <algorithm>
#include <cmath>

namespace millrace::tests {

namespace {

using Values = std::vector<double>;

/// A value of a picture of a batch; zero outside.
double at(const Values& values, const Activation& shape, std::size_t row, int y, int x, int c) {
  if (y < 0 || x < 0 || y >= shape.height || x >= shape.width) return 0;
  const auto place = ((row * static_cast<std::size_t>(shape.height) + static_cast<std::size_t>(y)) *
                          static_cast<std::size_t>(shape.width) +
                      static_cast<std::size_t>(x)) *
                         static_cast<std::size_t>(shape.channels) +
                     static_cast<std::size_t>(c);
  return values[place];
}

Values plainConv(const ConvLayer& conv, const Activation& from, const Activation& to,
                 const Values& in, const Values& parameters, std::size_t rows) {
  Values out;
  for (std::size_t n = 0; n < rows; ++n)
    for (int y = 0; y < to.height; ++y)
      for (int x = 0; x < to.width; ++x)
        for (int k = 0; k < to.channels; ++k) {
          double sum = 0;
          std::size_t weight = conv.weights + static_cast<std::size_t>(k * conv.kernel *
                                                                       conv.kernel * from.channels);
          for (int r = 0; r < conv.kernel; ++r)
            for (int s = 0; s < conv.kernel; ++s)
              for (int c = 0; c < from.channels; ++c)
                sum += parameters[weight++] * at(in, from, n, y * conv.stride + r - conv.kernel / 2,
                                                 x * conv.stride + s - conv.kernel / 2, c);
          out.push_back(sum);
        }
  return out;
}

Values plainNorm(const NormLayer& norm, std::size_t channels, const Values& in, const Values& skip,
                 const Values& parameters) {
  Values out(in.size());
  const double count = static_cast<double>(in.size()) / static_cast<double>(channels);
  for (std::size_t c = 0; c < channels; ++c) {
    double mean = 0;
    double variance = 0;
    for (std::size_t i = c; i < in.size(); i += channels) mean += in[i] / count;
    for (std::size_t i = c; i < in.size(); i += channels)
      variance += (in[i] - mean) * (in[i] - mean) / count;
    for (std::size_t i = c; i < in.size(); i += channels) {
      const double value =
          parameters[norm.scale + c] * (in[i] - mean) / std::sqrt(variance + 1e-5) +
          parameters[norm.shift + c] + (norm.hasSkip ? skip[i] : 0);
      out[i] = norm.relu ? std::max(0.0, value) : value;
    }
  }
  return out;
}

double crossEntropy(const Values& logits, std::int64_t label) {
  double sum = 0;
  for (const double logit : logits) sum += std::exp(logit);
  return std::log(sum) - logits[static_cast<std::size_t>(label)];
}

}  // namespace

double plainLoss(const Network& network, const Values& parameters, const Values& pictures,
                 const std::vector<std::int64_t>& labels) {
  std::vector<Values> values(network.activations.size());
  values[0] = pictures;
  for (const Layer& layer : network.layers) {
    if (const auto* const conv = std::get_if<ConvLayer>(&layer)) {
      values[conv->out] =
          plainConv(*conv, network.activations[conv->in], network.activations[conv->out],
                    values[conv->in], parameters, labels.size());
    } else {
      const auto& norm = std::get<NormLayer>(layer);
      values[norm.out] =
          plainNorm(norm, static_cast<std::size_t>(network.activations[norm.out].channels),
                    values[norm.in], norm.hasSkip ? values[norm.skip] : Values(), parameters);
    }
  }
  const auto features = static_cast<std::size_t>(network.features);
  const auto pixels = static_cast<std::size_t>(network.last().pixels());
  double loss = 0;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    Values logits;
    for (std::size_t k = 0; k < static_cast<std::size_t>(network.classes); ++k) {
      double logit = parameters[network.denseBias + k];
      for (std::size_t p = 0; p < pixels; ++p)
        for (std::size_t c = 0; c < features; ++c)
          logit += parameters[network.denseWeights + k * features + c] *
                   values.back()[(n * pixels + p) * features + c] / static_cast<double>(pixels);
      logits.push_back(logit);
    }
    loss += crossEntropy(logits, labels[n]) / static_cast<double>(labels.size());
  }
  return loss;
}

}  // namespace millrace::tests
