// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/resample_weights.h"

#include <algorithm>
#include <cmath>

namespace millrace {

namespace {

double bilinear(double x) {
  x = std::abs(x);
  return x < 1.0 ? 1.0 - x : 0.0;
}

/// Keys' cubic with a = -0.5, the terms in Pillow's order.
double bicubic(double x) {
  constexpr double a = -0.5;
  x = std::abs(x);
  if (x < 1.0) return ((a + 2.0) * x - (a + 3.0)) * x * x + 1;
  if (x < 2.0) return (((x - 5) * x + 8) * x - 4) * a;
  return 0.0;
}

std::int32_t toFixed(double weight) {
  const double scaled = weight * (1 << AxisWeights::kBits);
  return static_cast<std::int32_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
}

}  // namespace

double filterReach(Filter filter, double scale, bool antialias) {
  const double filterScale = antialias ? std::max(scale, 1.0) : 1.0;
  return (filter == Filter::Bicubic ? 2.0 : 1.0) * filterScale;
}

bool AxisWeights::within(int inputs) const {
  // Outputs look at inputs in their order, or, flipped, in the opposite one.
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
  const bool whole = spec.low == std::floor(spec.low) && spec.high - spec.low == spec.size;
  m_single = whole || spec.filter == Filter::Nearest;
  if (m_single)
    computeSingle(!whole);
  else
    computeFiltered();
}

void AxisWeights::computeSingle(bool nearest) {
  const int low = static_cast<int>(std::floor(m_spec.low));
  const int last = static_cast<int>(std::ceil(m_spec.high)) - 1;
  const double scale = (m_spec.high - m_spec.low) / m_spec.size;
  m_taps = 1;
  m_weights.assign(m_first.size(), 1.0);
  m_fixed.assign(m_first.size() + kPaddedOutputs, 1 << kBits);
  for (int i = 0; i < m_spec.count; ++i) {
    const int x = m_spec.first + (m_spec.flip ? m_spec.count - 1 - i : i);
    const int pixel =
        low + (nearest ? static_cast<int>(std::floor(m_spec.low - low + (x + 0.5) * scale)) : x);
    m_first[static_cast<std::size_t>(i)] = std::clamp(pixel, low, last);
  }
}

void AxisWeights::computeFiltered() {
  // Relative to the region's first whole pixel, so that a crop made before gives the same bits.
  const int origin = static_cast<int>(std::floor(m_spec.low));
  const int inputs = static_cast<int>(std::ceil(m_spec.high)) - origin;
  const double low = m_spec.low - origin;
  const double scale = (m_spec.high - m_spec.low) / m_spec.size;
  const double filterScale = m_spec.antialias ? std::max(scale, 1.0) : 1.0;
  const double support = filterReach(m_spec.filter, scale, m_spec.antialias);
  const double inverse = 1.0 / filterScale;
  auto* const filter = m_spec.filter == Filter::Bicubic ? bicubic : bilinear;

  m_taps = 1;
  for (int i = 0; i < m_spec.count; ++i) {
    const int x = m_spec.first + (m_spec.flip ? m_spec.count - 1 - i : i);
    const double centre = low + (x + 0.5) * scale;
    const int from = std::max(static_cast<int>(centre - support + 0.5), 0);
    const int to = std::min(static_cast<int>(centre + support + 0.5), inputs);
    m_first[static_cast<std::size_t>(i)] = from;
    m_count[static_cast<std::size_t>(i)] = to - from;
    m_taps = std::max(m_taps, to - from);
  }
  m_weights.assign(m_first.size() * static_cast<std::size_t>(m_taps), 0.0);
  m_fixed.assign(m_weights.size() + static_cast<std::size_t>(kPaddedOutputs * m_taps), 0);
  for (int i = 0; i < m_spec.count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const int x = m_spec.first + (m_spec.flip ? m_spec.count - 1 - i : i);
    const double centre = low + (x + 0.5) * scale;
    double* weights = m_weights.data() + at * static_cast<std::size_t>(m_taps);
    std::int32_t* fixed = m_fixed.data() + at * static_cast<std::size_t>(m_taps);
    double sum = 0;
    for (int k = 0; k < m_count[at]; ++k) {
      weights[k] = filter((k + m_first[at] - centre + 0.5) * inverse);
      sum += weights[k];
    }
    for (int k = 0; k < m_count[at]; ++k) {
      if (sum != 0.0) weights[k] /= sum;
      fixed[k] = toFixed(weights[k]);
    }
    m_first[at] += origin;
  }
}

}  // namespace millrace
