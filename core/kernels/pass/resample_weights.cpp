// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/pass/resample_weights.h"

#include <algorithm>

namespace millrace {

double filterReach(Filter filter, double scale, bool antialias) {
  return supportOf(filter, scale, antialias);
}

bool AxisWeights::within(int inputs) const {
  // Outputs use inputs in increasing order, or in decreasing order if flipped.
  const int last = m_spec.count - 1;
  const int low = std::min(first(0), first(last));
  const int high = std::max(first(0) + count(0), first(last) + count(last));
  return low >= 0 && high <= inputs;
}

void AxisWeights::compute(const AxisSpec& spec) {
  if (spec == m_spec) return;
  m_spec = spec;
  const auto count = static_cast<std::size_t>(spec.count);
  m_first.assign(count, 0);
  m_count.assign(count, 1);
  m_single = isSingle(spec);
  if (m_single)
    computeSingle();
  else
    computeFiltered();
}

void AxisWeights::computeSingle() {
  m_taps = 1;
  m_weights.assign(m_first.size(), 1.0);
  m_fixed.assign(m_first.size() + kPaddedOutputs, 1 << kBits);
  for (int i = 0; i < m_spec.count; ++i)
    m_first[static_cast<std::size_t>(i)] = singleInput(m_spec, pixelOf(i));
}

void AxisWeights::computeFiltered() {
  const AxisScale axis = axisScale(m_spec);
  m_taps = 1;
  for (int i = 0; i < m_spec.count; ++i) {
    const AxisTaps taps = tapsAround(axis, centreOf(axis, pixelOf(i)));
    m_first[static_cast<std::size_t>(i)] = taps.first;
    m_count[static_cast<std::size_t>(i)] = taps.count;
    m_taps = std::max(m_taps, taps.count);
  }
  m_weights.assign(m_first.size() * static_cast<std::size_t>(m_taps), 0.0);
  m_fixed.assign(m_weights.size() + static_cast<std::size_t>(kPaddedOutputs * m_taps), 0);
  for (int i = 0; i < m_spec.count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double centre = centreOf(axis, pixelOf(i));
    double* weights = m_weights.data() + at * static_cast<std::size_t>(m_taps);
    std::int32_t* fixed = m_fixed.data() + at * static_cast<std::size_t>(m_taps);
    double sum = 0;
    for (int k = 0; k < m_count[at]; ++k) {
      weights[k] = rawWeight(axis, centre, k + m_first[at]);
      sum += weights[k];
    }
    for (int k = 0; k < m_count[at]; ++k) {
      if (sum != 0.0) weights[k] /= sum;
      fixed[k] = fixedWeight(weights[k]);
    }
    m_first[at] += axis.origin;
  }
}

}  // namespace millrace
