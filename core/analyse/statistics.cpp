// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/analyse/statistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
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
  MILLRACE_CHECK(degrees >= 1, "Student's t needs a degree of freedom");
  const double angle = std::atan(std::abs(t) / std::sqrt(static_cast<double>(degrees)));
  const double cosine = std::cos(angle);
  // Both series multiply the term before by (i - 1) / i * cos^2; they differ in where they start.
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
  MILLRACE_CHECK(probability >= 0 && probability < 1, "a probability below 1 has a quantile");
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

}  // namespace

double testPower(double shift, double critical, int degrees) {
  MILLRACE_CHECK(degrees >= 1, "a t test needs a degree of freedom");
  const double nu = degrees;
  const double scale = std::numbers::ln2 + nu / 2 * std::log(nu / 2) - std::lgamma(nu / 2);
  // `ratio` is the estimated deviation over the true one, sqrt(chi-squared / nu).
  const auto integrand = [&](double ratio) {
    const double outside =
        normalBelow(shift - critical * ratio) + normalBelow(-shift - critical * ratio);
    const double power = degrees == 1 ? 0 : (nu - 1) * std::log(ratio);
    return outside * std::exp(scale + power - nu * ratio * ratio / 2);
  };
  // It lies within 6.5 / sqrt(nu) of 1 but for 1e-12.
  const double low = std::max(0.0, 1 - 6.5 / std::sqrt(nu));
  const double high = 1 + 6.5 / std::sqrt(nu);
  constexpr int kSteps = 512;
  const double step = (high - low) / kSteps;
  double sum = integrand(low) + integrand(high);
  for (int i = 1; i < kSteps; ++i) sum += (i % 2 == 1 ? 4 : 2) * integrand(low + i * step);
  return sum * step / 3;
}

double detectableShift(double critical, int degrees, double power) {
  MILLRACE_CHECK(power > 0 && power < 1, "a power lies between 0 and 1");
  double high = 1;
  while (testPower(high, critical, degrees) < power && high < 1e6) high *= 2;
  double low = 0;
  while (high - low > 1e-8 * high && high > 1e-9) {
    const double middle = low + (high - low) / 2;
    (testPower(middle, critical, degrees) < power ? low : high) = middle;
  }
  return high;
}

}  // namespace millrace
