// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/kernels/axis_rules.h"

namespace millrace {

/// How far from the centre of an output a filter looks, in inputs, when `scale` of them become one.
double filterReach(Filter filter, double scale, bool antialias);

/// For each output of an axis the first input pixel and the weights of it and those that follow,
/// as Pillow's precompute_coeffs (src/libImaging/Resample.c). Value; one thread; grow-only.
class AxisWeights {
 public:
  static constexpr int kBits = kResampleBits;
  /// Outputs behind the last one that fixed() may be asked for: weights without meaning.
  static constexpr int kPaddedOutputs = 3;

  /// Does nothing when `spec` is the one of the last call.
  void compute(const AxisSpec& spec);

  /// Every output is one input pixel with weight 1: a copy, a flip or nearest.
  bool single() const { return m_single; }
  /// Whether every input that an output has lies in [0, inputs).
  bool within(int inputs) const;
  int outputs() const { return m_spec.count; }
  /// Most weights that any output has; the stride of weights() and fixed().
  int taps() const { return m_taps; }
  int first(int output) const { return m_first[static_cast<std::size_t>(output)]; }
  int count(int output) const { return m_count[static_cast<std::size_t>(output)]; }
  /// taps() weights that sum to 1, zero behind count().
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
