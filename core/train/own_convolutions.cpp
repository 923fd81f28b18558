// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/train/convolutions.h"
#include "core/train/layer_kernels.h"

namespace millrace {

namespace {

class OwnConvolutions final : public Convolutions {
 public:
  OwnConvolutions(Stream& stream, const Network& network, DType dtype)
      : m_stream(stream), m_network(network), m_dtype(dtype) {}

  Status begin(std::uint32_t rows) override {
    m_rows = rows;
    return {};
  }
  Status forward(const ConvLayer& conv, const void* in, const void* weights, void* out) override {
    return launchConvForward(m_stream, m_dtype, m_network.shapeOf(conv, m_rows), in, weights, out);
  }
  Status backwardData(const ConvLayer& conv, const void* outGradient, const void* weights,
                      void* inGradient) override {
    return launchConvBackwardData(m_stream, m_dtype, m_network.shapeOf(conv, m_rows), outGradient,
                                  weights, inGradient, conv.adds);
  }
  Status backwardWeights(const ConvLayer& conv, const void* in, const void* outGradient,
                         void* weightGradient) override {
    return launchConvBackwardWeights(m_stream, m_dtype, m_network.shapeOf(conv, m_rows), in,
                                     outGradient, weightGradient);
  }

 private:
  Stream& m_stream;
  const Network& m_network;
  const DType m_dtype;
  std::uint32_t m_rows = 0;
};

}  // namespace

std::unique_ptr<Convolutions> ownConvolutions(Stream& stream, const Network& network, DType dtype) {
  return std::make_unique<OwnConvolutions>(stream, network, dtype);
}

}  // namespace millrace
