// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/pass/plane_axis.h"

#include <algorithm>

namespace millrace {

bool PlaneAxis::compute(const AxisSpec& spec) {
  if (spec == m_spec) return false;
  m_spec = spec;
  const AxisScale axis = axisScale(spec);
  const bool single = isSingle(spec);
  const int most = findTaps(axis, single);
  m_pairs = (most + 1) / 2;
  const auto stride = 2 * static_cast<std::size_t>(m_pairs);
  m_raw.resize(stride);
  m_weights.assign(m_taps.size() * stride, 0);
  std::int16_t* weights = m_weights.data();
  for (int i = 0; i < spec.count; ++i, weights += stride)
    if (single)
      *weights = kOne;
    else
      weigh(axis, i, weights);
  return true;
}

/// Returns the largest number of samples of an output.
int PlaneAxis::findTaps(const AxisScale& axis, bool single) {
  m_taps.resize(static_cast<std::size_t>(m_spec.count));
  int most = 1;
  for (int i = 0; i < m_spec.count; ++i) {
    AxisTaps taps;
    if (single) {
      taps.first = singleInput(m_spec, pixelOf(i));
    } else {
      taps = tapsAround(axis, centreOf(axis, pixelOf(i)));
      taps.first += axis.origin;
    }
    most = std::max(most, taps.count);
    m_low = i == 0 ? taps.first : std::min(m_low, taps.first);
    m_high = i == 0 ? taps.first + taps.count : std::max(m_high, taps.first + taps.count);
    m_taps[static_cast<std::size_t>(i)] = taps;
  }
  return most;
}

void PlaneAxis::weigh(const AxisScale& axis, int output, std::int16_t* weights) {
  const AxisTaps taps = m_taps[static_cast<std::size_t>(output)];
  const double centre = centreOf(axis, pixelOf(output));
  double sum = 0;
  for (int k = 0; k < taps.count; ++k)
    sum += m_raw[static_cast<std::size_t>(k)] =
        rawWeight(axis, centre, taps.first - axis.origin + k);
  const double unit = sum != 0.0 ? kOne / sum : 0.0;
  int missing = kOne;
  for (int k = 0; k < taps.count; ++k) {
    const double scaled = m_raw[static_cast<std::size_t>(k)] * unit;
    const auto weight = static_cast<std::int16_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    weights[k] = weight;
    missing -= weight;
  }
  // Adds the rounding error to the sample that contains the centre, where it shows least because
  // its weight is largest.
  const int nearest =
      std::clamp(static_cast<int>(centre) - (taps.first - axis.origin), 0, taps.count - 1);
  weights[nearest] = static_cast<std::int16_t>(weights[nearest] + missing);
}

}  // namespace millrace
