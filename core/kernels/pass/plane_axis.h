// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/kernels/pass/axis_rules.h"

namespace millrace {

/// One axis of the resize of a plane: for each output its first sample, and the weights of that
/// sample and the following ones. The filters are those of axis_rules.h, as in AxisWeights. The
/// weights have 14 bits instead of 22, so that multiply-add of 16-bit pairs can use them directly,
/// and those of an output sum to kOne, so that a uniform area keeps its value. A value type for use
/// by one thread; memory only grows.
class PlaneAxis {
 public:
  static constexpr int kBits = 14;
  static constexpr int kOne = 1 << kBits;

  /// Returns false and does nothing if `spec` is the same as in the last call.
  bool compute(const AxisSpec& spec);

  int outputs() const { return m_spec.count; }
  int first(int output) const { return m_taps[static_cast<std::size_t>(output)].first; }
  /// The number of pairs of neighbouring weights per output.
  int pairs() const { return m_pairs; }
  /// 2 * pairs() weights; 0 after the output's last sample.
  const std::int16_t* weights(int output) const {
    return m_weights.data() +
           static_cast<std::size_t>(output) * 2 * static_cast<std::size_t>(m_pairs);
  }
  /// The range of samples that the outputs use: from low() to high(), exclusive.
  int low() const { return m_low; }
  int high() const { return m_high; }

 private:
  int pixelOf(int output) const {
    return m_spec.first + (m_spec.flip ? m_spec.count - 1 - output : output);
  }
  int findTaps(const AxisScale& axis, bool single);
  void weigh(const AxisScale& axis, int output, std::int16_t* weights);

  AxisSpec m_spec;
  int m_pairs = 1;
  int m_low = 0;
  int m_high = 0;
  std::vector<AxisTaps> m_taps;
  std::vector<std::int16_t> m_weights;
  std::vector<double> m_raw;  ///< of one output
};

}  // namespace millrace
