// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/kernels/pass/axis_rules.h"

namespace millrace {

/// How far a filter reaches from the centre of an output, in inputs, if `scale` inputs become one
/// output.
double filterReach(Filter filter, double scale, bool antialias);

/// For each output of an axis the first input pixel, and the weights of it and the following ones,
/// as in Pillow's precompute_coeffs (src/libImaging/Resample.c). A value type for use by one
/// thread; memory only grows.
class AxisWeights {
 public:
  static constexpr int kBits = kResampleBits;
  /// fixed() may be called for this many outputs after the last one; their weights are meaningless.
  static constexpr int kPaddedOutputs = 3;

  /// Does nothing if `spec` is the same as in the last call.
  void compute(const AxisSpec& spec);

  /// Whether every output is one input pixel with weight 1: a copy, a flip or nearest.
  bool single() const { return m_single; }
  /// Whether all inputs of all outputs are in [0, inputs).
  bool within(int inputs) const;
  int outputs() const { return m_spec.count; }
  /// The largest number of weights of an output; the stride of weights() and fixed().
  int taps() const { return m_taps; }
  int first(int output) const { return m_first[static_cast<std::size_t>(output)]; }
  int count(int output) const { return m_count[static_cast<std::size_t>(output)]; }
  /// taps() weights that sum to 1; zero after count().
  const double* weights(int output) const {
    return m_weights.data() + static_cast<std::size_t>(output) * static_cast<std::size_t>(m_taps);
  }
  /// The same in units of 1 / 2^kBits, rounded half away from zero.
  const std::int32_t* fixed(int output) const {
    return m_fixed.data() + static_cast<std::size_t>(output) * static_cast<std::size_t>(m_taps);
  }

 private:
  int pixelOf(int output) const {
    return m_spec.first + (m_spec.flip ? m_spec.count - 1 - output : output);
  }
  void computeSingle();
  void computeFiltered();

  AxisSpec m_spec;
  bool m_single = true;
  int m_taps = 1;
  std::vector<int> m_first;
  std::vector<int> m_count;
  std::vector<double> m_weights;
  std::vector<std::int32_t> m_fixed;
};

}  // namespace millrace
