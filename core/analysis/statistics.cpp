// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "core/base/check.h"

namespace millrace {

std::optional<double> mean(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> standardDeviation(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  const double centre = *mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::optional<double> geometricMean(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  double logarithms = 0;
  for (const double value : values) {
    if (!(value > 0)) return std::nullopt;
    logarithms += std::log(value);
  }
  return std::exp(logarithms / static_cast<double>(values.size()));
}

std::optional<double> percentile(std::span<const double> values, double share) {
  MILLRACE_CHECK(share >= 0 && share <= 1, "a percentile's share lies between 0 and 1");
  if (values.empty()) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  const double position = static_cast<double>(sorted.size() - 1) * share;
  const auto below = static_cast<std::size_t>(position);
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(sorted.begin(), middle, sorted.end());
  const double low = *middle;
  if (middle + 1 == sorted.end()) return low;
  const double high = *std::min_element(middle + 1, sorted.end());
  return low + (high - low) * (position - static_cast<double>(below));
}

std::optional<double> median(std::span<const double> values) { return percentile(values, 0.5); }

std::optional<Interval> meanInterval95(std::span<const double> repeats) {
  if (repeats.size() < 3) return std::nullopt;
  const double count = static_cast<double>(repeats.size());
  const double t = studentCentralQuantile(0.95, static_cast<int>(repeats.size()) - 1);
  const double half = t * *standardDeviation(repeats) / std::sqrt(count);
  const double centre = *mean(repeats);
  return Interval{centre - half, centre + half};
}

double studentCentralProbability(double t, int degrees) {
  MILLRACE_CHECK(degrees >= 1, "Student's t needs at least one degree of freedom");
  const double angle = std::atan(std::abs(t) / std::sqrt(static_cast<double>(degrees)));
  const double cosine = std::cos(angle);
  // Both series multiply the previous term by (i - 1) / i * cos^2; they differ in their first term.
  const bool odd = degrees % 2 == 1;
  double term = odd ? cosine : 1.0;
  double sum = degrees == 1 ? 0.0 : term;
  for (int i = odd ? 3 : 2; i <= degrees - 2; i += 2) {
    term *= static_cast<double>(i - 1) / i * cosine * cosine;
    sum += term;
  }
  if (odd) return 2.0 / std::numbers::pi * (angle + std::sin(angle) * sum);
  return std::sin(angle) * sum;
}

double studentCentralQuantile(double probability, int degrees) {
  MILLRACE_CHECK(probability >= 0 && probability < 1, "a quantile needs a probability in [0, 1)");
  double high = 1;
  while (studentCentralProbability(high, degrees) < probability && high < 1e300) high *= 2;
  double low = 0;
  for (int i = 0; i < 200; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (studentCentralProbability(middle, degrees) < probability ? low : high) = middle;
  }
  return high;
}

std::optional<MeanTest> testMean(std::span<const double> differences) {
  if (differences.size() < 2) return std::nullopt;
  MeanTest test;
  test.mean = *mean(differences);
  test.standardError =
      *standardDeviation(differences) / std::sqrt(static_cast<double>(differences.size()));
  test.degrees = static_cast<int>(differences.size()) - 1;
  if (test.standardError > 0)
    test.p = 1 - studentCentralProbability(test.mean / test.standardError, test.degrees);
  else
    test.p = test.mean == 0 ? 1 : 0;
  const double half = studentCentralQuantile(0.95, test.degrees) * test.standardError;
  test.interval95 = {test.mean - half, test.mean + half};
  return test;
}

namespace {

double normalBelow(double x) { return std::erfc(-x * std::numbers::sqrt2 / 2) / 2; }

/// Power of a t test, integrated by Simpson's rule over the ratio of the estimated deviation to the
/// true one, sqrt(chi-squared / degrees). The density at the rule's points is computed once.
class TestPower {
 public:
  TestPower(double critical, int degrees) : m_critical(critical) {
    MILLRACE_CHECK(degrees >= 1, "a t test needs at least one degree of freedom");
    const double nu = degrees;
    const double scale = std::numbers::ln2 + nu / 2 * std::log(nu / 2) - std::lgamma(nu / 2);
    // The ratio lies within 6.5 / sqrt(nu) of 1, except with probability 1e-12.
    m_low = std::max(0.0, 1 - 6.5 / std::sqrt(nu));
    m_step = (1 + 6.5 / std::sqrt(nu) - m_low) / kSteps;
    for (int i = 0; i <= kSteps; ++i) {
      const double ratio = ratioAt(i);
      const double power = degrees == 1 ? 0 : (nu - 1) * std::log(ratio);
      const double weight = i == 0 || i == kSteps ? 1 : i % 2 == 1 ? 4 : 2;
      m_weights[static_cast<std::size_t>(i)] =
          weight * m_step / 3 * std::exp(scale + power - nu * ratio * ratio / 2);
    }
  }

  double at(double shift) const {
    double sum = 0;
    for (int i = 0; i <= kSteps; ++i) {
      const double edge = m_critical * ratioAt(i);
      double outside = 0;
      if (edge - shift < kNothingBelow) outside += normalBelow(shift - edge);
      if (edge + shift < kNothingBelow) outside += normalBelow(-shift - edge);
      sum += m_weights[static_cast<std::size_t>(i)] * outside;
    }
    return sum;
  }

 private:
  static constexpr int kSteps = 512;
  static constexpr double kNothingBelow = 9;  ///< standard deviations

  double ratioAt(int i) const { return m_low + i * m_step; }

  double m_critical;
  double m_low = 0;
  double m_step = 0;
  std::array<double, kSteps + 1> m_weights{};
};

}  // namespace

double testPower(double shift, double critical, int degrees) {
  return TestPower(critical, degrees).at(shift);
}

double detectableShift(double critical, int degrees, double power) {
  MILLRACE_CHECK(power > 0 && power < 1, "power must be between 0 and 1");
  const TestPower powers(critical, degrees);
  double low = 0;
  double below = powers.at(low) - power;
  if (below >= 0) return low;
  double high = 1;
  double above = powers.at(high) - power;
  while (above < 0 && high < 1e6) {
    low = std::exchange(high, 2 * high);
    below = std::exchange(above, powers.at(high) - power);
  }
  // Regula falsi that halves the weight of an end that does not move (Illinois method: Dowell and
  // Jarratt, BIT 1971).
  int stays = 0;
  for (int i = 0; i < 100 && high - low > 1e-8 * high; ++i) {
    const double middle = std::clamp(high - above * (high - low) / (above - below), low, high);
    const double there = powers.at(middle) - power;
    if (std::abs(there) < 1e-12) return middle;
    if (there < 0) {
      if (stays == 1) above /= 2;
      stays = 1;
      low = middle;
      below = there;
    } else {
      if (stays == -1) below /= 2;
      stays = -1;
      high = middle;
      above = there;
    }
  }
  return high;
}

}  // namespace millrace
