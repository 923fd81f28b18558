// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/change/noise.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace millrace {

namespace {

constexpr std::size_t kQuantiles = 65536;

/// The standard normal value that is exceeded with probability `tail`, below 0.5: Newton's method
/// from the bound sqrt(-2 log(tail)).
double quantile(double tail) {
  double x = std::sqrt(-2 * std::log(tail));
  for (int i = 0; i < 60; ++i) {
    const double error = 0.5 * std::erfc(x / std::numbers::sqrt2) - tail;
    const double step = error / (std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi));
    x += step;
    if (std::abs(step) < 1e-12) break;
  }
  return x;
}

const std::vector<float>& quantiles() {
  static const std::vector<float> table = [] {
    std::vector<float> made(kQuantiles);
    for (std::size_t i = 0; i < kQuantiles / 2; ++i) {
      const double x = quantile((static_cast<double>(i) + 0.5) / kQuantiles);
      made[i] = static_cast<float>(-x);
      made[kQuantiles - 1 - i] = static_cast<float>(x);
    }
    return made;
  }();
  return table;
}

}  // namespace

void addGaussianNoise(MutableImageView picture, double mean, double sigma, Draw& draw) {
  const std::vector<float>& table = quantiles();
  const auto middle = static_cast<float>(mean * 255);
  const auto scale = static_cast<float>(sigma * 255);
  const int count = picture.width * picture.channels;
  for (int y = 0; y < picture.height; ++y) {
    std::uint8_t* const row = picture.row(y);
    for (int i = 0; i < count; i += 2) {
      const std::uint32_t bits = draw.bits();
      for (int k = i; k < std::min(i + 2, count); ++k) {
        const float normal = table[k == i ? bits & 0xffffU : bits >> 16U];
        const auto noise = static_cast<int>(middle + normal * scale);
        row[k] = static_cast<std::uint8_t>(std::clamp(row[k] + noise, 0, 255));
      }
    }
  }
}

void addSaltAndPepper(MutableImageView picture, double amount, double salt, Draw& draw) {
  for (int y = 0; y < picture.height; ++y) {
    std::uint8_t* pixel = picture.row(y);
    for (int x = 0; x < picture.width; ++x, pixel += picture.channels) {
      const double place = draw.unit();
      if (place >= amount) continue;
      const int value = place < amount * salt ? 255 : 0;
      std::fill_n(pixel, picture.channels, static_cast<std::uint8_t>(value));
    }
  }
}

}  // namespace millrace
