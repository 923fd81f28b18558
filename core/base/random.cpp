// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/random.h"

#include <Random123/philox.h>

#include <cmath>
#include <numbers>

namespace millrace {

std::uint32_t Draw::bits() {
  if (m_used == 4) {
    using Philox = r123::Philox4x32;
    const Philox::ctr_type counter = {
        {m_block++ | (m_key.copy << 16U), m_key.index, m_key.epoch, m_key.node}};
    const Philox::key_type key = {
        {static_cast<std::uint32_t>(m_key.seed), static_cast<std::uint32_t>(m_key.seed >> 32U)}};
    const auto words = Philox{}(counter, key);
    for (std::size_t i = 0; i < 4; ++i) m_words[i] = words[i];
    m_used = 0;
  }
  return m_words[m_used++];
}

double Draw::unit() {
  if (m_centre) return 0.5;
  return static_cast<double>(bits() >> 8U) * 0x1p-24;
}

double Draw::uniform(double low, double high) {
  if (m_centre) return low + (high - low) * 0.5;
  return low + (high - low) * unit();
}

std::int64_t Draw::integer(std::int64_t low, std::int64_t high) {
  if (high <= low) return low;
  const auto span = static_cast<std::uint64_t>(high - low) + 1;
  if (m_centre) return low + static_cast<std::int64_t>((span - 1) / 2);
  // Lemire's method with rejection ("Fast random integer generation in an interval", 2019).
  if (span <= 0xffffffffULL) {
    const auto narrow = static_cast<std::uint32_t>(span);
    std::uint64_t product = std::uint64_t{bits()} * narrow;
    if (static_cast<std::uint32_t>(product) < narrow) {
      const std::uint32_t threshold = (0U - narrow) % narrow;
      while (static_cast<std::uint32_t>(product) < threshold)
        product = std::uint64_t{bits()} * narrow;
    }
    return low + static_cast<std::int64_t>(product >> 32U);
  }
  const std::uint64_t high32 = bits();
  return low + static_cast<std::int64_t>(((high32 << 32U) | bits()) % span);
}

bool Draw::bernoulli(double probability) {
  if (m_centre) return probability >= 1.0;
  return unit() < probability;
}

double Draw::normal() {
  if (m_centre) return 0.0;
  const double u = 1.0 - unit();
  const double v = unit();
  return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
}

double Draw::gamma(double shape) {
  if (m_centre) return shape;
  if (shape < 1.0) {
    const double u = 1.0 - unit();
    return gamma(shape + 1.0) * std::pow(u, 1.0 / shape);
  }
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double x = normal();
    const double cubed = 1.0 + c * x;
    if (cubed <= 0.0) continue;
    const double v = cubed * cubed * cubed;
    if (std::log(1.0 - unit()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

double Draw::beta(double a, double b) {
  const double x = gamma(a);
  const double y = gamma(b);
  return x + y > 0.0 ? x / (x + y) : 0.5;
}

}  // namespace millrace
